/* SPDX-License-Identifier: GPL-2.0 */
/* The gates of recordings at the same time in set_graph_function, which is one for the whole kernel. */
#ifndef _RECORD_SKB_GRAPH_GATES_H
#define _RECORD_SKB_GRAPH_GATES_H

#include "err.h"

/*
 * An instance begins a graph, and leaves out what is below a function, by those of the functions in these
 * files that it traces itself. The kernel reads, changes and writes all of them: a lock keeps others from it.
 */

/**
 * graph_gates_add - let graphs begin at this recording's gate, and have nothing of what is below its hide
 * @recording: its number
 * @err: why not: there is something that is no recording's
 *
 * Returns 0 or -1.
 */
int graph_gates_add(unsigned int recording, struct err *err);

/* Once no tracer sees it: with none left, graphs would begin anywhere. */
void graph_gates_remove(unsigned int recording);

#endif
