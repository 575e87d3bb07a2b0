/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a function can be a probe point on this kernel, and why not. */
#ifndef _RECORD_SKB_POINT_CHECK_H
#define _RECORD_SKB_POINT_CHECK_H

#include <stdbool.h>

#include "err.h"
#include "kernel.h"
#include "record_skb.h"

/**
 * point_from_function - what probe point a function of this kernel makes
 * @kernel: with its functions read
 * @function: one of them
 * @point: filled in
 * @err: why it cannot be one, in one line with its name
 *
 * A function of the table is what it is there. Returns 0 or -1.
 */
int point_from_function(const struct kernel *kernel, const struct function *function,
			struct record_skb_point *point, struct err *err);

/* Say why a function that is not among those ftrace can trace is not. Returns -1. */
int point_missing(const struct kernel *kernel, const char *name, struct err *err);

/**
 * point_fits - see that a function of the table is on this kernel what the table says
 * @kernel: what is known of it; without BTF the table is trusted
 * @point: the function
 * @say: is told why not
 *
 * Returns false if it has to be left out: its calls are redirected, or its arguments are not those of the
 * table, and the module would take what it finds there for a packet.
 */
bool point_fits(const struct kernel *kernel, const struct record_skb_point *point,
		void (*say)(const char *text));

#endif
