/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_TRACE_RECURSION_H
#define RECORD_SKB_COMPAT_TRACE_RECURSION_H

#include <linux/trace_recursion.h>
#include <linux/version.h>

/*
 * Up to 6.10 function_graph remembers in task_struct that a graph is open (TRACE_GRAPH_BIT) or
 * shut (TRACE_GRAPH_NOTRACE_BIT), and forgets it when the function returns with the tracer on. A
 * reader that slept in the gate past the end of the recording would keep the bit and be recorded
 * whole by the next one. From 6.11 on fgraph keeps them itself
 * and clears them when a tracer registers. Goes when 6.1 does.
 */
static inline void compat_graph_forget(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
	current->trace_recursion &=
		~(BIT(TRACE_GRAPH_BIT) | BIT(TRACE_GRAPH_NOTRACE_BIT) |
		  BIT(TRACE_GRAPH_DEPTH_START_BIT) | BIT(TRACE_GRAPH_DEPTH_END_BIT));
#endif
}

#endif
