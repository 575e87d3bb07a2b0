/* SPDX-License-Identifier: GPL-2.0 */
/* input_standin.h - canned rows where trace-cmd report-skb reads a file (report/input.c) */
#ifndef _TEST_PLUGIN_INPUT_STANDIN_H
#define _TEST_PLUGIN_INPUT_STANDIN_H

#include "canned.h"

/* What input_open() opens from now on; neither is closed by it. */
void input_standin_set(struct canned_trace *trace, struct tep_handle *tep);

#endif /* _TEST_PLUGIN_INPUT_STANDIN_H */
