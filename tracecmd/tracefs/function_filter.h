/* SPDX-License-Identifier: GPL-2.0 */
/* function_filter.h - set the functions that function_graph traces, in set_ftrace_filter */
#ifndef _RECORD_SKB_FUNCTION_FILTER_H
#define _RECORD_SKB_FUNCTION_FILTER_H

#include "err.h"
#include "probes/kernel_functions.h"
#include "text.h"

/* Let tracers trace only the functions @names, by set_ftrace_filter. Returns 0 or -1. */
int functions_trace_only(struct functions *functions, const struct strings *names, struct err *err);

/* Keep tracers from tracing the functions @names, and only these, by set_ftrace_notrace. Returns 0 or -1. */
int functions_leave_out(struct functions *functions, const struct strings *names, struct err *err);

/* Copy set_ftrace_filter of the top instance to the file @filter of another instance. Returns 0 or -1. */
int functions_trace_same(const char *filter, struct functions *functions, struct err *err);

#endif
