/* SPDX-License-Identifier: GPL-2.0 */
/* Whether this kernel lets us trace, and whether somebody else does. */
#ifndef _RECORD_SKB_TRACING_H
#define _RECORD_SKB_TRACING_H

#include <stdbool.h>

#include "err.h"

/**
 * tracing_find - see that tracefs is there, mounting it if need be, as trace-cmd does
 * @err: why it is not
 *
 * Returns 0 or -1.
 */
int tracing_find(struct err *err);

/* See that the kernel has function_graph. Returns 0 or -1. */
int tracing_check_tracer(struct err *err);

/* See that nobody else has the top buffer's tracer. Returns 0 or -1, and says who in @err. */
int tracing_check_free(struct err *err);

/* How many entries of the top buffer nobody has read yet. */
unsigned long long tracing_unread(void);

/* The path of a trigger that an event has, to be freed; NULL if none has one. */
char *tracing_trigger(void);

/*
 * The name of an instance, not of a recording, that traces by function_graph, to be freed; NULL if none does.
 * set_graph_function is one for the whole kernel: while we record, that instance sees what is below our gate
 * and nothing else.
 */
char *tracing_graph_instance(void);

/* Whether the function profiler is on, which from 6.11 on can be so beside function_graph. */
bool tracing_profiles(void);

#endif
