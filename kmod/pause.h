/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PAUSE_H
#define RECORD_SKB_PAUSE_H

#include <linux/ftrace.h>
#include <linux/sched.h>

/*
 * While a task pauses the graph, function_graph records nothing of it. The kernel itself may set the
 * count to 0 meanwhile; it must never be negative, for then nothing of the task would be recorded again.
 */
static inline void graph_pause(void)
{
	pause_graph_tracing();
}

/* Return: false if it was not paused. */
static inline bool graph_resume(void)
{
	return atomic_dec_if_positive(&current->tracing_graph_pause) >= 0;
}

#endif
