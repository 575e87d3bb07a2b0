/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_PROCESS_EXIT_H
#define RECORD_SKB_COMPAT_PROCESS_EXIT_H

#include <linux/version.h>

/*
 * From 6.16 on, the tracepoint sched_process_exit also tells if the task is the last one of its process
 * ("exit: move and extend sched_process_exit() tracepoint"). Remove this when Linux 6.12 is no longer
 * supported.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define COMPAT_GROUP_DEAD , bool group_dead
#else
#define COMPAT_GROUP_DEAD
#endif

#endif
