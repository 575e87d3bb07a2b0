/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * trace_cmd_standin.h - stand-in for the handlers of trace-cmd report, and for its libtracecmd
 */
#ifndef _TEST_PLUGIN_TRACE_CMD_STANDIN_H
#define _TEST_PLUGIN_TRACE_CMD_STANDIN_H

#include "canned.h"

/* Register the handlers that print the function graph. */
void standin_register(struct tep_handle *tep, int exit_id);

/**
 * standin_start - begin to read a trace
 * @trace: the rows of the trace
 * @answers: if true, the plugin can use the functions of libtracecmd
 */
void standin_start(struct canned_trace *trace, bool answers);
/* Return: the next row that no handler has consumed. */
struct canned_row *standin_next_row(void);
void standin_stop(void);

#endif /* _TEST_PLUGIN_TRACE_CMD_STANDIN_H */
