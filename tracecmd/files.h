/* SPDX-License-Identifier: GPL-2.0 */
/* files.h - read and write small files of tracefs, /proc and /sys */
#ifndef _RECORD_SKB_FILES_H
#define _RECORD_SKB_FILES_H

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

#endif
