/* SPDX-License-Identifier: GPL-2.0 */
/* Small files of tracefs, /proc and /sys, read and written whole. */
#ifndef _RECORD_SKB_FILES_H
#define _RECORD_SKB_FILES_H

/*
 * A name that does not begin with "/" is one below tracefs, which libtracefs finds. Its own functions for
 * this cannot tell an empty file from one that is not there, and do not say what failed.
 */

/* Returns the text, to be freed, without white space at its end; NULL if it cannot be read. */
char *file_read(const char *file);

/* The same, and @opened may do something to the open file before it is read. */
char *file_read_prepared(const char *file, void (*opened)(int fd));

/*
 * The kernel may be out of memory for a moment, and worse is what is not put back, or lost and not counted:
 * so these try so often, and wait so long between. Lists of functions take effect on closing, and the kernel
 * does not say that they have not: read them again.
 */
#define FILE_TRIES    40
#define FILE_TRY_MSEC 50

/* Replace what is in it, or add to that. Returns 0 or a negative errno. */
int file_write(const char *file, const char *text);
int file_append(const char *file, const char *text);

/* Replace what is in a file below a directory. Returns 0 or a negative errno. */
int file_write_at(int dir, const char *file, const char *text);

#endif
