/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_TRACE_RECURSION_H
#define RECORD_SKB_COMPAT_TRACE_RECURSION_H

#include <linux/trace_recursion.h>
#include <linux/version.h>

/*
 * Up to 6.10 function_graph remembers in task_struct that a graph is open (TRACE_GRAPH_BIT) or
 * shut (TRACE_GRAPH_NOTRACE_BIT), as it looks at the function, and forgets it when the function returns
 * with the tracer on. A reader that slept in the gate past the end of the recording, and whoever came
 * through a gate on a CPU that is left out (tracing_cpumask), would keep the bit, and what it does next
 * would be recorded. From 6.11 on fgraph keeps them itself and clears them when a tracer registers. Goes
 * when 6.1 does.
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
 * Whether function_graph has seen a gate that has not come to say that it is open. From 6.11 on it is not to
 * be seen from outside; then a graph that an interrupt opens stands in the one around, and neither loses a
 * row.
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
