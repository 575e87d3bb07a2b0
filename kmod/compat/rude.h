/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_RUDE_H
#define RECORD_SKB_COMPAT_RUDE_H

#include <linux/kconfig.h>
#include <linux/version.h>

/*
 * True if synchronize_rcu_tasks_rude() may return without waiting. ftrace calls this function before it frees
 * an old list of set_graph_function. If it does not wait, a CPU may still read the list that is being freed.
 * Some kernels after 6.12 do not wait if RCU watches all code that can be traced, as on x86 (6.12.117 waits,
 * 7.3.4 does not). Remove this when ftrace waits in another way.
 */
#define COMPAT_RUDE_WAITS_FOR_NOTHING                      \
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0) && \
	 IS_ENABLED(CONFIG_ARCH_WANTS_NO_INSTR) && !IS_ENABLED(CONFIG_FORCE_TASKS_RUDE_RCU))

#endif
