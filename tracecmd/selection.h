/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_SELECTION_H
#define _RECORD_SKB_SELECTION_H

#include "err.h"
#include "kernel.h"
#include "options.h"
#include "strlist.h"

/**
 * selection_add - choose what function_graph records, if not every function
 * @options: --detail and --module say what
 * @kernel: its functions are read if need be
 * @functions: what is recorded in any case, the gate and the probe points; the others are added
 * @err: why not: no BTF to tell, no such module
 *
 * Returns 0 or -1.
 */
int selection_add(const struct options *options, struct kernel *kernel, struct strings *functions,
		  struct err *err);

#endif
