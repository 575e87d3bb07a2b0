/* SPDX-License-Identifier: GPL-2.0 */
/* function_graph's first place, in which a recording would be told of what others trace. */
#ifndef _RECORD_SKB_FIRST_PLACE_H
#define _RECORD_SKB_FIRST_PLACE_H

#include "err.h"

/*
 * Where several use function_graph, whoever has the first of its sixteen places is told by some kernels of
 * returns from any function that anybody traces. Places are given in turn; so before our tracer is on,
 * another instance takes each as it comes until somebody has the first, and keeps that until ours is on.
 */

/**
 * first_place_take - see that the first place is not ours
 * @instances: directory of tracing's instances
 * @name: of the one that is made for it, if it needs one
 * @function: which that traces
 * @session: of the module
 * @err: why not
 *
 * A lock keeps others from doing the same. Returns 0 or -1.
 */
int first_place_take(int instances, const char *name, const char *function, int session,
		     struct err *err);

/* It may be anybody's again. */
void first_place_leave(int instances, const char *name);

#endif
