/* SPDX-License-Identifier: GPL-2.0 */
/* --detail and --module: which functions are recorded beside the probe points. */
#ifndef _RECORD_SKB_GRAPH_FUNCTIONS_H
#define _RECORD_SKB_GRAPH_FUNCTIONS_H

#include "err.h"
#include "kernel.h"
#include "options.h"
#include "strlist.h"

/**
 * graph_functions_detail - which functions are recorded
 * @options: --detail, --module and -l say it, or leave it to us
 * @kernel: what it tells of its functions
 *
 * Never DETAIL_UNSAID.
 */
enum detail graph_functions_detail(const struct options *options, const struct kernel *kernel);

/* True if function_graph is to record every function, or what trace-cmd makes of the user's -l. */
bool graph_functions_all(const struct options *options, const struct kernel *kernel);

/**
 * graph_functions_add - choose what function_graph records, if not every function
 * @options: --detail, --module and -l say what
 * @kernel: its functions are read if need be
 * @functions: to record beside the gate and the probe points; added, none if every function is recorded; some
 *   may be named twice
 * @err: why not: no BTF to tell, no such module
 *
 * Returns 0 or -1.
 */
int graph_functions_add(const struct options *options, struct kernel *kernel,
			struct strings *functions, struct err *err);

#endif
