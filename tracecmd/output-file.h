/* SPDX-License-Identifier: GPL-2.0 */
/* The trace.dat to be written. */
#ifndef _RECORD_SKB_OUTPUT_FILE_H
#define _RECORD_SKB_OUTPUT_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "err.h"

/**
 * struct output - the file to be written
 * @file: its name; not owned
 * @existed: there was one before, with the status @before
 */
struct output {
	const char *file;
	bool existed;
	struct stat before;
};

/**
 * output_check - see that the file, and trace-cmd's files beside it, can be written
 * @output: filled in
 * @file: its name
 * @err: why not
 *
 * Leaves nothing behind. Returns 0 or -1.
 */
int output_check(struct output *output, const char *file, struct err *err);

/* Remove what trace-cmd's recorders write beside @file, one a CPU, until it puts them together. */
void output_remove_parts(const char *file);

/* After a failure: remove what this run wrote, and nothing that was there before. */
void output_discard(const struct output *output);

#endif
