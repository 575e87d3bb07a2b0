/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_CANDIDATE_H
#define _RECORD_SKB_CANDIDATE_H

#include "err.h"
#include "kernel.h"
#include "record_skb.h"

/**
 * candidate_judge - see whether a function can be a probe point
 * @kernel: with its functions read
 * @function: one of them
 * @point: filled in
 * @err: why not, in one line with its name
 *
 * A function of our own table is what it is there. Returns 0 or -1.
 */
int candidate_judge(const struct kernel *kernel, const struct function *function,
		    struct record_skb_point *point, struct err *err);

/* Say why a function that is not among the kernel's traceable ones is not. Returns -1. */
int candidate_missing(const struct kernel *kernel, const char *name, struct err *err);

#endif
