/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_KERNEL_H
#define _RECORD_SKB_KERNEL_H

#include "btf.h"
#include "functions.h"
#include "strlist.h"

/**
 * struct kernel - what the running kernel has, for those who choose functions from it
 * @tracefs: its directory
 * @types: NULL if there is no BTF
 * @functions: of ftrace; empty as long as nobody called functions_read()
 * @held: functions that somebody redirects, of held_read()
 */
struct kernel {
	const char *tracefs;
	struct btf_set *types;
	struct functions functions;
	struct strings held;
};

/* Look at it; "struct kernel" that was zeroed may be closed too. */
void kernel_open(struct kernel *kernel, const char *tracefs);
void kernel_close(struct kernel *kernel);

#endif
