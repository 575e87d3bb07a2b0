/* SPDX-License-Identifier: GPL-2.0 */
/*
 * files.h - read and write small files of tracefs, /proc and /sys; read, reset and restore one tracing
 * setting, which is such a file; and the values that a recording needs
 */
#ifndef _RECORD_SKB_FILES_H
#define _RECORD_SKB_FILES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The functions here take the name of a file. A name that does not begin with "/" is relative to tracefs.
 * libtracefs has similar functions, but they do not distinguish an empty file from a missing one and do not
 * return the error.
 */

/* Return the content without white space at its end, to be freed; NULL if the file cannot be read. */
char *file_read(const char *file);

/*
 * Number of times that the functions below try to write or read, and the time between two tries. The kernel
 * may be out of memory for a moment, and a delay is better than a setting that is not restored or a loss that
 * is not counted.
 *
 * tracefs files with lists of functions take effect on close(), which does not report errors. The caller has
 * to read such a file again after writing it.
 */
#define FILE_TRIES    40
#define FILE_TRY_MSEC 50

/* Replace the content of a file, or append to it. Returns 0 or a negative errno. */
int file_write(const char *file, const char *text);
int file_append(const char *file, const char *text);

/* Replace the content of a file. @dir is the directory of a relative name. Returns 0 or a negative errno. */
int file_write_at(int dir, const char *file, const char *text);

enum setting_shape {
	VALUE, /* a single line, which is written as it was read */
	CHOICE, /* all clocks, with the one in use in brackets; neutral: the clock that a recording needs */
	CPU_MASK,    /* hexadecimal words of 32 bits; neutral: all possible CPUs */
	BUFFER_SIZE, /* "7 (expanded: 1408)"; or X if the sizes differ between CPUs */
	LIST,	     /* lines, one for each entry; truncating the file empties the list */
	AT_LEAST,    /* a number; neutral: the minimum that a recording needs */
	FUNCTIONS,   /* a LIST of lines such as "name [module]" and "name:command:unlimited" */
};

/**
 * struct setting - a file of tracefs, or of another file system if the name begins with a slash
 * @file: name of the file
 * @shape: format of its contents
 * @neutral: the value that hides no event; NULL if there is none
 */
struct setting {
	const char *file;
	enum setting_shape shape;
	const char *neutral;
};

/*
 * Read a setting in the form in which it can be written back, to be freed; NULL with errno if that fails. A
 * list is returned as it is read, because its lines are converted when they are written.
 */
char *setting_read(const struct setting *setting);

bool setting_is_list(const struct setting *setting);

/*
 * Write a list again until reading it returns the same list: see FILE_TRIES. Returns 0 or a negative errno.
 */
int setting_restore_list(const struct setting *setting, const char *was);

/*
 * Reset a setting with the value @was so that it hides no event, unless @was hides none already. Returns 0
 * or a negative errno.
 */
int setting_make_neutral(const struct setting *setting, const char *was);

/*
 * Return the lines of a list that are function commands, or those that are not, in the form in which they can
 * be written. To be freed.
 */
char *setting_lines(const char *text, enum setting_shape shape, bool commands);

/**
 * struct recording_option - an option of tracing
 * @name: name of its file in options/; some options are missing on some kernels
 * @value: the value that a recording needs to lose nothing and to be readable
 */
struct recording_option {
	const char *name, *value;
};

extern const struct recording_option recording_options[];
extern const size_t nr_recording_options;

/* Return the name of the best trace clock. It counts nanoseconds and is the same on all CPUs. */
const char *recording_clock(void);

#endif
