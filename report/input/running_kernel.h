/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_RUNNING_KERNEL_H
#define _RECORD_SKB_RUNNING_KERNEL_H

#include <event-parse.h>

#include "err.h"

struct kernel_names;

/*
 * Make @tep look up each function name when it is needed, with the device of the module. Reading all names
 * from /proc/kallsyms would take long. The result must outlive @tep.
 *
 * Return: NULL on failure.
 */
struct kernel_names *kernel_names_open(struct tep_handle *tep, struct err *err);
void kernel_names_close(struct kernel_names *names);

#endif
