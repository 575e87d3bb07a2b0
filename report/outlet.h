/* SPDX-License-Identifier: GPL-2.0 */
/*
 * outlet.h - standard output, for lines that must not wait until somebody reads them
 *
 * What is printed goes into memory, and from there as fast as it is taken. When that is full, lines are left
 * out, and counted.
 */
#ifndef _REPORT_SKB_OUTLET_H
#define _REPORT_SKB_OUTLET_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

struct outlet;

/* From now on what is printed to stdout goes there; until outlet_close(). */
struct outlet *outlet_open(struct err *err);
void outlet_close(struct outlet *outlet);

/* Write as much as is taken at once. */
void outlet_write(struct outlet *outlet);
/* Write what is taken within a few seconds; what is not is left out. */
void outlet_finish(struct outlet *outlet);

/* There is something to write. */
bool outlet_has_lines(const struct outlet *outlet);
/* Nobody is there any more to read it. */
bool outlet_is_closed(const struct outlet *outlet);
/* Lines that were left out. */
uint64_t outlet_left_out(const struct outlet *outlet);

#endif
