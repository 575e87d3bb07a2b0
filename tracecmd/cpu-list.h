/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of CPUs, as in --cpu 0-3,6. */
#ifndef _RECORD_SKB_CPU_LIST_H
#define _RECORD_SKB_CPU_LIST_H

#include <sys/types.h>

#include "err.h"

/**
 * cpu_list_check - see that a list of CPUs is one, and that these CPUs are there
 * @list: as taskset -c has it: "0", "0-3,6"
 * @err: what is wrong with it
 *
 * Returns 0 or -1.
 */
int cpu_list_check(const char *list, struct err *err);

/* Let a process, and what it starts from now on, run on these CPUs only. Returns 0 or -1. */
int cpu_list_apply(pid_t pid, const char *list, struct err *err);

/* The same as the kernel writes masks: "3", "1,00000000". NULL if @list is not one; free() it. */
char *cpu_list_mask(const char *list);

#endif
