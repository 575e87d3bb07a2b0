/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_TRACEFS_FILES_H
#define _RECORD_SKB_TRACEFS_FILES_H

#include "err.h"

/**
 * tracefs_find - the directory where tracefs is mounted
 * @err: why there is none
 *
 * Mounts it if it is not, as trace-cmd does. Returns its path, not to be freed, or NULL.
 */
const char *tracefs_find(struct err *err);

/**
 * tracefs_check - see that function_graph can be had here and now
 * @dir: from tracefs_find()
 * @err: why not: the kernel has none, or somebody is tracing
 *
 * Returns 0 or -1.
 */
int tracefs_check(const char *dir, struct err *err);

/**
 * tracefs_read - the whole of a small file
 * @dir: from tracefs_find()
 * @file: its name below @dir, or an absolute one
 *
 * Returns a string to be freed, without white space at the end; NULL if it cannot be read.
 */
char *tracefs_read(const char *dir, const char *file);

/* Write @text to it, truncating it first if @truncate. Returns 0 or a negative errno. */
int tracefs_write(const char *dir, const char *file, const char *text, int truncate);

/**
 * struct tracefs_counts - what the top ring buffer saw
 * @entries: written into it so far, read by now or not
 * @lost: overwritten unread, or not written for want of room
 */
struct tracefs_counts {
	unsigned long long entries;
	unsigned long long lost;
};

/* Count on @cpu, or on all if it is -1. Returns 0, or -1 if there is no such CPU. */
int tracefs_count(const char *dir, int cpu, struct tracefs_counts *counts);

#endif
