/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_CURRENT_TASK_H
#define RECORD_SKB_COMPAT_CURRENT_TASK_H

#include <linux/version.h>

/*
 * Assembler operand for the pointer to the current task. From 6.15 on, the pointer is a variable of its own
 * (a1e4cc0155ad, "x86/percpu: Move current_task to percpu hot section").
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
#define COMPAT_CURRENT_TASK current_task
#else
#define COMPAT_CURRENT_TASK pcpu_hot + X86_current_task
#endif

#endif
