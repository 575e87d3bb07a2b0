/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_GRAPH_USERS_H
#define RECORD_SKB_COMPAT_GRAPH_USERS_H

#include <linux/version.h>

/*
 * From 6.14 (4346ba160409, "fprobe: Rewrite fprobe on function-graph tracer") fprobe stands on fgraph, and
 * with it other people's probes (BPF's kprobe.multi): of a task that pauses the graph they see nothing.
 * A kernel that has it from there has this option too. Goes when fprobe no longer goes by the
 * same counter.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0) || defined(CONFIG_HAVE_FTRACE_GRAPH_FUNC)
#define COMPAT_GRAPH_HAS_OTHER_USERS true
#else
#define COMPAT_GRAPH_HAS_OTHER_USERS false
#endif

/*
 * Whether each instance of tracing can have a function_graph of its own (7aa1eaef9f42, "function_graph: Allow
 * multiple users to attach to function graph"). Goes when 6.1 does.
 */
#define COMPAT_GRAPH_HAS_INSTANCES (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0))

#endif
