/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * trace_cmd_standin.h - what the plugin meets in trace-cmd report: its handlers and its libtracecmd
 */
#ifndef _TEST_PLUGIN_TRACE_CMD_STANDIN_H
#define _TEST_PLUGIN_TRACE_CMD_STANDIN_H

#include "canned.h"

/* Register the handlers that print the function graph. */
void standin_register(struct tep_handle *tep, int exit_id);

/**
 * standin_start - begin to read a trace
 * @trace: its rows
 * @answers: libtracecmd is there for the plugin, and knows the trace
 */
void standin_start(struct canned_trace *trace, bool answers);
/* The next row that no handler has taken. */
struct canned_row *standin_next_row(void);
void standin_stop(void);

#endif /* _TEST_PLUGIN_TRACE_CMD_STANDIN_H */
