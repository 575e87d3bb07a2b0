/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live-input.h - the rows of a recording under way, in the order of time
 *
 * They come in pages of the kernel's buffers: from the buffers themselves, or from the parts that trace-cmd's
 * recorders append to. Which CPU has the next row is known when all CPUs have been looked at after it was
 * written; so rows are handed on a few rounds after they were read.
 */
#ifndef _REPORT_SKB_LIVE_INPUT_H
#define _REPORT_SKB_LIVE_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

#include "err.h"

struct live_input;

/**
 * live_input_open - begin to read
 * @tracing: directory of tracefs
 * @file: of trace-cmd record, which has begun; NULL: take the rows out of the buffers
 * @err: why not
 */
struct live_input *live_input_open(const char *tracing, const char *file, struct err *err);
void live_input_close(struct live_input *input);

/* Read what the events and functions are, for which the recording need not wait. Returns 0 or -1. */
int live_input_learn(struct live_input *input, const char *tracing, struct err *err);

struct tep_handle *live_input_tep(struct live_input *input);
int live_input_cpus(const struct live_input *input);

/**
 * live_input_read - read what there is by now
 * @input: from live_input_open()
 * @all: nothing more is being recorded: all of it can be handed on
 *
 * Returns whether there may be more, for which there is room when this is handed on.
 */
bool live_input_read(struct live_input *input, bool all);

/**
 * live_input_next - the next row that can be handed on
 * @input: from live_input_open()
 *
 * Returns NULL until there is one. The row stays until the next call.
 */
const struct tep_record *live_input_next(struct live_input *input);

/* Up to this time, on the trace's clock, all rows were handed on. */
uint64_t live_input_now(const struct live_input *input);

#endif
