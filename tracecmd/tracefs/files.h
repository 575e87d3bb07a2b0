/* SPDX-License-Identifier: GPL-2.0 */
/*
 * files.h - read and write small files of tracefs, /proc and /sys. Read, reset and restore one tracing
 * setting, which is such a file. Define the values that a recording needs.
 */
#ifndef _RECORD_SKB_FILES_H
#define _RECORD_SKB_FILES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The functions in this header take the name of a file. A name that does not begin with "/" is relative to
 * tracefs. libtracefs has similar functions, but its functions do not distinguish an empty file from a
 * missing one, and do not return the error.
 */

/*
 * Return the content of a file without the white space at its end, to be freed; NULL if the file cannot be
 * read.
 */
char *file_read(const char *file);

/*
 * How often the functions of this header try to read or write a file, and the pause between two tries. The
 * kernel may be out of memory for a moment. A delay is then better than a setting that is not restored, or a
 * loss that is not counted.
 *
 * A tracefs file with a list of functions takes effect on close(), which does not report errors. After
 * writing such a file, the caller has to read it again.
 */
#define FILE_TRIES    40
#define FILE_TRY_MSEC 50

/* Replace the content of a file, or append to it. Returns 0 or a negative errno. */
int file_write(const char *file, const char *text);
int file_append(const char *file, const char *text);

/*
 * Replace the content of a file. If the name is relative, @dir is its directory. Returns 0 or a negative
 * errno.
 */
int file_write_at(int dir, const char *file, const char *text);

enum setting_shape {
	VALUE,	  /* a single line; it is restored by writing what was read */
	CHOICE,	  /* all clocks, the current one in brackets; a recording needs recording_clock() */
	CPU_MASK, /* hexadecimal words of 32 bits; a recording needs all possible CPUs */
	BUFFER_SIZE, /* "7 (expanded: 1408)", in KB; or "X" if the CPUs have different sizes */
	LIST,	     /* lines, one for each entry; truncating the file empties the list */
	AT_LEAST,    /* a number; a recording needs at least the number in @neutral */
	FUNCTIONS, /* a LIST of functions, "name [module]", and commands, "name:command:unlimited" */
};

/**
 * struct setting - a tracing setting: a file of tracefs, or of another file system if the name begins with a
 * slash
 * @file: name of the file
 * @shape: format of its contents
 * @neutral: the value with which the setting hides no event from a recording; NULL if the setting
 *	cannot hide events, or if the value depends on the machine
 */
struct setting {
	const char *file;
	enum setting_shape shape;
	const char *neutral;
};

/*
 * Read a setting in the form in which it can be written back, to be freed; NULL with errno on failure. For a
 * list, return the content of the file: the lines are converted when they are written.
 */
char *setting_read(const struct setting *setting);

bool setting_is_list(const struct setting *setting);

/*
 * Restore the value @was of a list. Write it again until reading it returns the same list; see FILE_TRIES.
 * Returns 0 or a negative errno.
 */
int setting_restore_list(const struct setting *setting, const char *was);

/*
 * Reset a setting so that it hides no event from the recording. @was: the current value; if it hides no
 * event, the setting stays. Returns 0 or a negative errno.
 */
int setting_make_neutral(const struct setting *setting, const char *was);

/*
 * Return a part of the lines of a list: the function commands if @commands is true, and the other lines
 * otherwise. The lines are in the form in which they can be written. The result is to be freed.
 */
char *setting_lines(const char *text, enum setting_shape shape, bool commands);

/**
 * struct recording_option - a trace option that a recording needs
 * @name: name of its file in options/; some kernels do not have all options
 * @value: the value with which a recording is complete and readable
 */
struct recording_option {
	const char *name, *value;
};

extern const struct recording_option recording_options[];
extern const size_t nr_recording_options;

/* Return the name of the best trace clock: it counts nanoseconds, and its time is the same on all CPUs. */
const char *recording_clock(void);

#endif
