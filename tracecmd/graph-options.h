/* SPDX-License-Identifier: GPL-2.0 */
/* --args and --retval: options of function_graph that newer kernels have, if they are built to. */
#ifndef _RECORD_SKB_GRAPH_OPTIONS_H
#define _RECORD_SKB_GRAPH_OPTIONS_H

#include "err.h"
#include "options.h"
#include "strlist.h"

/* See that this kernel has those that are asked for. Returns 0, or -1 with @err naming what it lacks. */
int graph_options_check(const struct options *options, struct err *err);

/* Add what turns them on to the command line of trace-cmd record. */
void graph_options_add(const struct options *options, struct strings *command);

#endif
