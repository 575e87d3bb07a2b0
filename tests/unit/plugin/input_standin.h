/* SPDX-License-Identifier: GPL-2.0 */
/*
 * input_standin.h - stand-in for report/input/trace_rows.c. It gives canned rows to trace-cmd report-skb,
 * instead of rows of a file.
 */
#ifndef _TEST_PLUGIN_INPUT_STANDIN_H
#define _TEST_PLUGIN_INPUT_STANDIN_H

#include "canned.h"

/* Set the trace that input_open() returns. The caller remains the owner of the trace and of @tep. */
void input_standin_set(struct canned_trace *trace, struct tep_handle *tep);

#endif /* _TEST_PLUGIN_INPUT_STANDIN_H */
