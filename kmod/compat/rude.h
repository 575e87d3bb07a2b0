/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_RUDE_H
#define RECORD_SKB_COMPAT_RUDE_H

#include <linux/kconfig.h>
#include <linux/version.h>

/*
 * Whether synchronize_rcu_tasks_rude() returns at once: since some time in 2024 it does where all that can be
 * traced is watched by RCU, as on x86. Goes when ftrace waits by another way before it frees a list of
 * set_graph_function.
 */
#define COMPAT_RUDE_WAITS_FOR_NOTHING                      \
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0) && \
	 IS_ENABLED(CONFIG_ARCH_WANTS_NO_INSTR) && !IS_ENABLED(CONFIG_FORCE_TASKS_RUDE_RCU))

#endif
