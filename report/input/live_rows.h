/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_rows.h - read the rows of a running recording, sorted by time
 *
 * Rows are read in pages, either from the kernel's ring buffers or from the per-CPU files to which the
 * recorders of trace-cmd append. Rows of all CPUs are sorted by time. A row of one CPU may be newer than
 * unread rows of other CPUs. Therefore a row is passed on only after all CPUs were read a few more times.
 */
#ifndef _RECORD_SKB_LIVE_ROWS_H
#define _RECORD_SKB_LIVE_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

#include "err.h"

struct live_input;

/**
 * live_input_open - open the buffers of a running recording
 * @tracing: directory of tracefs
 * @file: output file of the running trace-cmd record; NULL to consume the rows of the kernel's ring buffers
 * @err: set on failure
 *
 * Return: the input; NULL on failure.
 */
struct live_input *live_input_open(const char *tracing, const char *file, struct err *err);
void live_input_close(struct live_input *input);

/*
 * Read the event formats and prepare the lookup of function names. This takes long, so the caller can begin
 * the recording between live_input_open() and this function.
 *
 * Return: 0, or -1 on failure.
 */
int live_input_learn(struct live_input *input, const char *tracing, struct err *err);

struct tep_handle *live_input_tep(struct live_input *input);
int live_input_cpus(const struct live_input *input);

/**
 * live_input_read - read the rows that were recorded up to now
 * @input: returned by live_input_open()
 * @all: true if the recording has ended, so that all remaining rows can be passed on
 *
 * Return: true if the memory limit was reached and more rows may be available. Fetch the rows with
 * live_input_next() before the next call.
 */
bool live_input_read(struct live_input *input, bool all);

/**
 * live_input_next - get the next row, if no older row can follow
 * @input: returned by live_input_open()
 *
 * Return: the row, valid until the next call; NULL if no row can be passed on yet.
 */
const struct tep_record *live_input_next(struct live_input *input);

/* Return: a time of the trace clock. All rows up to this time have been passed on. */
uint64_t live_input_now(const struct live_input *input);

#endif
