/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_GRAPH_FIRST_H
#define RECORD_SKB_COMPAT_GRAPH_FIRST_H

#include <linux/container_of.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/version.h>

/*
 * Whether function_graph's user with the first place is told of returns that others are told of, and has
 * them in its trace (BIT(0) in function_graph_enter(): seen in 6.12; in 7.3 they are in its trace no more,
 * but end what it has hidden). Goes when there is no such kernel to care for.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define COMPAT_GRAPH_FIRST_HEARS_ALL 1
#else
#define COMPAT_GRAPH_FIRST_HEARS_ALL 0
#endif

/* Whether anybody has it. Nobody may come or go meanwhile. */
static inline bool compat_graph_has_first(const struct ftrace_ops *graph)
{
#if COMPAT_GRAPH_FIRST_HEARS_ALL
	const struct ftrace_ops *user;

	list_for_each_entry(user, &graph->subop_list, list)
		if (!container_of(user, struct fgraph_ops, ops)->idx)
			return true;
#endif
	return false;
}

#endif
