/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_GRAPH_HAND_ON_H
#define RECORD_SKB_COMPAT_GRAPH_HAND_ON_H

#include <linux/version.h>

/*
 * Whether function_graph records a call that it is given, though the function is not in its set. Before
 * 6.11 (7aa1eaef9f42, "function_graph: Allow multiple users to attach to function graph") it looks the
 * function up again as soon as there is another user of ftrace. From 6.14 on, where fprobe is a user of
 * fgraph, it does so when anybody has such a probe. Goes when there is a kernel of neither kind to care for.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
#define COMPAT_GRAPH_TAKES_CALLS true
#else
#define COMPAT_GRAPH_TAKES_CALLS false
#endif

#endif
