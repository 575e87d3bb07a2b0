/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_GRAPH_FIRST_H
#define RECORD_SKB_COMPAT_GRAPH_FIRST_H

#include <linux/container_of.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/string.h>
#include <linux/version.h>

/*
 * True if fgraph calls the user in slot 0 for too many returns (BIT(0) in function_graph_enter()). Other
 * users are called only for the returns that they asked for. The user in slot 0 is called for every return
 * that any user asked for.
 *
 * On 6.12, these returns appear in the trace of the user in slot 0. On 7.3, its trace does not have these
 * returns, but calls that the user has hidden appear in the trace. Remove this when no supported kernel
 * behaves like that.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define COMPAT_GRAPH_FIRST_HEARS_ALL 1
#else
#define COMPAT_GRAPH_FIRST_HEARS_ALL 0
#endif

/*
 * Return: address of the entry handler of the fgraph user in slot 0; 0 if slot 0 is free. No user may
 * register or unregister while this runs.
 */
static inline unsigned long compat_graph_first(const struct ftrace_ops *graph)
{
#if COMPAT_GRAPH_FIRST_HEARS_ALL
	const struct fgraph_ops *user;
	const struct ftrace_ops *sub;

	if (!graph->subop_list.next)
		return 0;
	list_for_each_entry(sub, &graph->subop_list, list) {
		user = container_of(sub, const struct fgraph_ops, ops);
		if (!user->idx)
			return (unsigned long)(user->saved_func ?: user->entryfunc);
	}
#endif
	return 0;
}

/*
 * Return: true if any user of fgraph may read the lists of set_graph_function. A user that belongs to an
 * fprobe does not read these lists. The caller ensures that no user registers or unregisters in the meantime.
 */
static inline bool compat_graph_reads_lists(const struct ftrace_ops *graph)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
	char name[KSYM_SYMBOL_LEN];
	const struct ftrace_ops *user;
	unsigned long entry;
	const struct fgraph_ops *gops;

	if (!graph->subop_list.next)
		return false;
	list_for_each_entry(user, &graph->subop_list, list) {
		gops = container_of(user, struct fgraph_ops, ops);
		entry = (unsigned long)(gops->saved_func ?: gops->entryfunc);
		sprint_symbol_no_offset(name, entry);
		if (entry && strncmp(name, "fprobe", 6))
			return true;
	}
	return false;
#else
	return true;
#endif
}

#endif
