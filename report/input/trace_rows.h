/* SPDX-License-Identifier: GPL-2.0 */
/* trace_rows.h - read the rows of a trace.dat sorted by time, with limited memory */
#ifndef _RECORD_SKB_TRACE_ROWS_H
#define _RECORD_SKB_TRACE_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

#include "err.h"

struct input;

/**
 * input_open - open a trace
 * @path: name of the trace file
 * @err: set on failure
 *
 * Return: the input; NULL on failure.
 */
struct input *input_open(const char *path, struct err *err);
void input_close(struct input *input);

/* Return: the event formats and function names of the trace, valid until input_close(). */
struct tep_handle *input_tep(struct input *input);
int input_cpus(struct input *input);

/* Return: name of the trace clock; NULL if the file has no name. Valid until input_next(). */
const char *input_clock(struct input *input);
/*
 * Return: system, host, release and architecture, separated by blanks; NULL if the file does not have them.
 * Valid until input_next().
 */
const char *input_machine(struct input *input);

/*
 * Return: the identification of a recording if libtracecmd converts its times to the clock of another
 * recording (trace-cmd record -A, trace-cmd attach); otherwise 0. Valid until input_next().
 */
uint64_t input_synced_id(struct input *input);
/* Return: true if the times of the recording with this identification are in the clock of the file @path. */
bool input_has_guest(const char *path, uint64_t id);

/**
 * input_next - read the next row
 * @input: returned by input_open()
 *
 * Return: the row, valid until the next call; NULL at the end of the file.
 */
const struct tep_record *input_next(struct input *input);

/*
 * Callback for a row near the end of a CPU's rows. The number of rows is limited. Return: true if this row
 * does not count towards the limit.
 */
typedef bool input_look(void *data, const struct tep_record *record);

/**
 * input_look_at_end - look at the last rows of each CPU; to be called before input_next()
 * @input: returned by input_open()
 * @look: called for each of these rows
 * @data: passed to @look
 *
 * Return: false if libtracecmd cannot do this.
 */
bool input_look_at_end(struct input *input, input_look *look, void *data);

/* Return: the next row of a CPU that input_next() has not returned yet; NULL at the end of the CPU. */
const struct tep_record *input_peek(const struct input *input, int cpu);

/*
 * Return: true if libtracecmd has stopped reading a CPU before the last row of the CPU in the file.
 * libtracecmd stops without a message if it cannot map a page. This can happen if a CPU has 2 GB or more,
 * because libtracecmd then maps each page on its own.
 */
bool input_ended_early(const struct input *input, int cpu);

#endif
