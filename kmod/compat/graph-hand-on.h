/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_GRAPH_HAND_ON_H
#define RECORD_SKB_COMPAT_GRAPH_HAND_ON_H

#ifndef __ASSEMBLY__
#include <linux/ftrace.h>
#include <linux/list.h>
#endif
#include <linux/version.h>

/*
 * True if the module can pass a call to function_graph, and function_graph records the call although the
 * function is not in its own set. This works while function_graph is the only user of fgraph. It does not
 * work if function_graph looks up each function in its set:
 *
 * - Kernels before 6.11 (7aa1eaef9f42, "function_graph: Allow multiple users to attach to function graph")
 *   look up each function as soon as ftrace has another user.
 * - Architectures without static calls, such as arm64, always look up each function. On arm64, trampolines
 *   like those of arch/x86 would not work either, because ftrace calls the callback of an ftrace_ops
 *   directly.
 *
 * Remove the check of the version when the support for Linux 6.1 ends.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0) && defined(CONFIG_HAVE_STATIC_CALL) && \
	defined(CONFIG_X86_64)
#define COMPAT_GRAPH_TAKES_CALLS 1
#else
#define COMPAT_GRAPH_TAKES_CALLS 0
#endif

#ifndef __ASSEMBLY__
/* Return: true if several users of fgraph are registered. @graph: the ftrace_ops that they share, or NULL */
static inline bool compat_graph_is_shared(const struct ftrace_ops *graph)
{
#if COMPAT_GRAPH_TAKES_CALLS
	return graph && !list_empty(&graph->subop_list) && !list_is_singular(&graph->subop_list);
#else
	return false;
#endif
}
#endif

#endif
