/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_GRAPH_HAND_ON_H
#define RECORD_SKB_COMPAT_GRAPH_HAND_ON_H

#ifndef __ASSEMBLY__
#include <linux/ftrace.h>
#include <linux/list.h>
#endif
#include <linux/version.h>

/*
 * Whether function_graph records a call that it is given, though the function is not in its set. Before
 * 6.11 (7aa1eaef9f42, "function_graph: Allow multiple users to attach to function graph") it looks the
 * function up again as soon as there is another user of ftrace. From 6.14 on, where fprobe is a user of
 * fgraph, it does so when anybody has such a probe. Goes when there is a kernel of neither kind to care for.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
#define COMPAT_GRAPH_TAKES_CALLS 1
#else
#define COMPAT_GRAPH_TAKES_CALLS 0
#endif

#ifndef __ASSEMBLY__
/* Whether it has more than one user; NULL if it is not known. */
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
