/* SPDX-License-Identifier: GPL-2.0 */
/* Which functions function_graph is to record: set_ftrace_filter. */
#ifndef _RECORD_SKB_FUNCTION_FILTER_H
#define _RECORD_SKB_FUNCTION_FILTER_H

#include "err.h"
#include "ftrace-functions.h"
#include "strlist.h"

/* Let set_ftrace_filter have these functions, and no others. Returns 0 or -1. */
int functions_trace_only(struct functions *functions, const struct strings *names, struct err *err);

/* Let set_ftrace_notrace have these, and no others. Returns 0 or -1. */
int functions_leave_out(struct functions *functions, const struct strings *names, struct err *err);

/**
 * functions_trace - add functions to set_ftrace_filter
 * @functions: are read if need be
 * @names: of the functions
 * @err: why not
 *
 * Does nothing while the filter lets all functions through. Returns 0 or -1.
 */
int functions_trace(struct functions *functions, const struct strings *names, struct err *err);

/* Let another instance's set_ftrace_filter, @filter, have what the top one's has. Returns 0 or -1. */
int functions_trace_same(const char *filter, struct functions *functions, struct err *err);

#endif
