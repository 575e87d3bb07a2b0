/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_GRAPH_USERS_H
#define RECORD_SKB_COMPAT_GRAPH_USERS_H

#include <linux/ftrace.h>
#include <linux/version.h>

/*
 * True if fgraph has users other than function_graph. From 6.14 on (4346ba160409, "fprobe: Rewrite fprobe on
 * function-graph tracer"), fprobe is a user of fgraph, and BPF's kprobe.multi is one by means of fprobe.
 * While the graph of a task is paused, these users see no calls of the task. A kernel with a backport of that
 * commit has the configuration option below. Remove this when fprobe ignores the pause count.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0) || defined(CONFIG_HAVE_FTRACE_GRAPH_FUNC)
#define COMPAT_GRAPH_HAS_OTHER_USERS 1
#else
#define COMPAT_GRAPH_HAS_OTHER_USERS 0
#endif

/*
 * True if each tracing instance can have a function_graph of its own (7aa1eaef9f42, "function_graph: Allow
 * multiple users to attach to function graph"). Remove this when the support for Linux 6.1 ends.
 */
#define COMPAT_GRAPH_HAS_INSTANCES (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0))

/* TRACE_GRAPH_FL of kernel/trace/trace.h: set while function_graph has a graph open in a task. */
#define COMPAT_GRAPH_IS_OPEN 1UL

#endif
