/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_GRAPH_OPTIONS_H
#define _RECORD_SKB_GRAPH_OPTIONS_H

#include "err.h"
#include "options.h"
#include "strlist.h"

/**
 * graph_options_check - see that this kernel's function_graph has what is asked for
 * @options: --args and --retval
 * @tracefs: its directory
 * @err: what it has not
 *
 * Returns 0 or -1.
 */
int graph_options_check(const struct options *options, const char *tracefs, struct err *err);

/* Add what turns them on to the command line of trace-cmd record. */
void graph_options_add(const struct options *options, struct strings *line);

#endif
