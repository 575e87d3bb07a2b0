/* SPDX-License-Identifier: GPL-2.0 */
/*
 * input_standin.h - canned rows instead of those that trace-cmd report-skb reads from a file
 * (report/input/trace_rows.c)
 */
#ifndef _TEST_PLUGIN_INPUT_STANDIN_H
#define _TEST_PLUGIN_INPUT_STANDIN_H

#include "canned.h"

/* Set the trace that input_open() returns. The reader closes neither the trace nor @tep. */
void input_standin_set(struct canned_trace *trace, struct tep_handle *tep);

#endif /* _TEST_PLUGIN_INPUT_STANDIN_H */
