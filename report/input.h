/* SPDX-License-Identifier: GPL-2.0 */
/* input.h - the rows of a trace.dat in the order of time, in little memory */
#ifndef _REPORT_SKB_INPUT_H
#define _REPORT_SKB_INPUT_H

#include <stdbool.h>
#include <event-parse.h>

#include "err.h"

struct input;

/**
 * input_open - open a trace
 * @path: the file
 * @err: why not
 */
struct input *input_open(const char *path, struct err *err);
void input_close(struct input *input);

/* Changes when input_next() says so. */
struct tep_handle *input_tep(struct input *input);
int input_cpus(struct input *input);

/**
 * input_next - the next row
 * @input: from input_open()
 * @renewed: set if everything from the tep before is gone
 *
 * Returns NULL at the end. The row stays until the next call.
 */
const struct tep_record *input_next(struct input *input, bool *renewed);

#endif
