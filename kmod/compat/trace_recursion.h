/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_TRACE_RECURSION_H
#define RECORD_SKB_COMPAT_TRACE_RECURSION_H

#include <linux/trace_recursion.h>
#include <linux/version.h>

/*
 * Up to 6.10, function_graph keeps the state of a graph in task_struct: TRACE_GRAPH_BIT for an open graph and
 * TRACE_GRAPH_NOTRACE_BIT for a closed one. When the function that has set a bit returns, function_graph
 * clears the bit, but only while the tracer is on.
 *
 * So two kinds of tasks would keep their bits: tasks that sleep in a gate until the recording has ended, and
 * tasks on a CPU that tracing_cpumask excludes. The next recording would record everything that such a task
 * does.
 *
 * From 6.11 on, fgraph keeps the bits itself and clears them when a tracer registers. Remove this when the
 * support for Linux 6.1 ends.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define COMPAT_GRAPH_REMEMBERS 1
#else
#define COMPAT_GRAPH_REMEMBERS 0
#endif

static inline void compat_graph_forget(void)
{
#if COMPAT_GRAPH_REMEMBERS
	current->trace_recursion &=
		~(BIT(TRACE_GRAPH_BIT) | BIT(TRACE_GRAPH_NOTRACE_BIT) |
		  BIT(TRACE_GRAPH_DEPTH_START_BIT) | BIT(TRACE_GRAPH_DEPTH_END_BIT));
#endif
}

/*
 * Return: true if function_graph has begun to record below a gate, but the gate has not marked its frame as
 * open yet. From 6.11 on, a module cannot see that, and the result is always false. If an interrupt opens a
 * graph at that moment, the interrupt's graph is recorded inside the graph of the gate. Neither graph loses a
 * call.
 */
static inline bool compat_graph_has_begun(void)
{
#if COMPAT_GRAPH_REMEMBERS
	return current->trace_recursion & BIT(TRACE_GRAPH_BIT);
#else
	return false;
#endif
}

#endif
