/* SPDX-License-Identifier: GPL-2.0 */
/* What the running kernel has, for those who choose functions from it. */
#ifndef _RECORD_SKB_KERNEL_H
#define _RECORD_SKB_KERNEL_H

#include "btf.h"
#include "ftrace-functions.h"
#include "strlist.h"

/**
 * struct kernel - what the running kernel has
 * @types: NULL if there is no BTF
 * @functions: of ftrace; empty as long as nobody called functions_read()
 * @redirected: functions whose calls somebody else leads elsewhere
 */
struct kernel {
	struct btf_set *types;
	struct functions functions;
	struct strings redirected;
};

/* kernel_close() also takes a structure that was only zeroed. */
void kernel_open(struct kernel *kernel);
void kernel_close(struct kernel *kernel);

#endif
