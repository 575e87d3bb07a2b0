/* SPDX-License-Identifier: GPL-2.0 */
/* cpu_list.h - parse and apply lists of CPUs, as in --cpu 0-3,6 */
#ifndef _RECORD_SKB_CPU_LIST_H
#define _RECORD_SKB_CPU_LIST_H

#include <sys/types.h>

#include "err.h"

/**
 * cpu_list_check - check that a list of CPUs is valid and that these CPUs are online
 * @list: list in the format of taskset -c: "0", "0-3,6"
 * @err: set to the reason if the list is invalid or a CPU is not online
 *
 * Returns 0 or -1.
 */
int cpu_list_check(const char *list, struct err *err);

/* Restrict a process and its future children to the CPUs of the list. Returns 0 or -1. */
int cpu_list_apply(pid_t pid, const char *list, struct err *err);

/*
 * Convert the list to a mask in the kernel's format ("3", "1,00000000"), to be freed; NULL if the list is
 * invalid.
 */
char *cpu_list_mask(const char *list);

#endif
