/* SPDX-License-Identifier: GPL-2.0 */
/* graph-cost.h - what recording a call cost on the machine that was recorded */
#ifndef _REPORT_SKB_GRAPH_COST_H
#define _REPORT_SKB_GRAPH_COST_H

#include <stdint.h>

#include "err.h"

/**
 * struct graph_cost - of a function's call, in nanoseconds; 0 for what is not to be taken off
 * @inside: of what is recorded as the function's own duration
 * @outside: of what is recorded as its caller's beside that
 */
struct graph_cost {
	uint64_t inside, outside;
};

/**
 * graph_cost_learn - find what recording a call cost
 * @cost: out: the least that it did, when all that it needs was in the caches
 * @path: the recording, which shows it before the first packet
 * @err: why it is not known
 */
int graph_cost_learn(struct graph_cost *cost, const char *path, struct err *err);

#endif
