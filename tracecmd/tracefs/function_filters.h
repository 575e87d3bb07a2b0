/* SPDX-License-Identifier: GPL-2.0 */
/*
 * function_filters.h - set the functions that function_graph traces (set_ftrace_filter), and the gates of the
 * module in set_graph_function and set_graph_notrace
 */
#ifndef _RECORD_SKB_FUNCTION_FILTERS_H
#define _RECORD_SKB_FUNCTION_FILTERS_H

#include <stdbool.h>

#include "err.h"
#include "probes/kernel_functions.h"
#include "text.h"

/* Write the functions @names to set_ftrace_filter, so that tracers trace only these. Returns 0 or -1. */
int functions_trace_only(struct functions *functions, const struct strings *names, struct err *err);

/*
 * Write the functions @names to set_ftrace_notrace, so that tracers trace all functions but these. Returns 0
 * or -1.
 */
int functions_leave_out(struct functions *functions, const struct strings *names, struct err *err);

/* Copy set_ftrace_filter of the top instance to the file @filter of another instance. Returns 0 or -1. */
int functions_trace_same(const char *filter, struct functions *functions, struct err *err);

/*
 * The functions below change two files that all tracing instances share: set_graph_function, the list of
 * functions at which call graphs begin, and set_graph_notrace. The files must not be changed while
 * function_graph is in use: some kernels free the old list while function_graph may still read it, and crash.
 * For the same reason, trace-cmd is kept from changing these files.
 */

/*
 * For an exclusive recording: let graphs begin only at @gates, and trace no graphs below the functions
 * @notrace. Returns 0 or -1.
 */
int graph_gates_set(const struct strings *gates, const struct strings *notrace, struct err *err);

/*
 * For the first shared recording if session_graph_race() is true: add the gates of all shared recordings that
 * are possible. The gate of a recording that has not begun does no harm, because an instance begins graphs
 * only at functions that it traces. Returns 0 or -1.
 */
int graph_gates_add_shared(struct err *err);

/*
 * For each shared recording if session_graph_race() is false: add the gates of this recording to
 * set_graph_function and set_graph_notrace, or remove them. On such a kernel, these files may be changed
 * while function_graph is in use. A killed recording with the same number may have left its gates, which are
 * the same. graph_gates_add() returns 0 or -1.
 */
int graph_gates_add(unsigned int recording, struct err *err);
void graph_gates_remove_one(unsigned int recording);

/*
 * Check that set_graph_function and set_graph_notrace contain no functions of other users. Returns 0 or -1.
 */
int graph_gates_check(struct err *err);

/*
 * Return true if set_graph_function or set_graph_notrace contains functions of our module, or addresses. An
 * unloaded module leaves the addresses of its functions there.
 */
bool graph_gates_are_there(void);

/*
 * Remove all functions of our module, and addresses of an unloaded module, from set_graph_function and
 * set_graph_notrace. If @race is true, do nothing while another instance uses function_graph. Return true if
 * something was removed.
 */
bool graph_gates_remove(bool race);

/*
 * Clean up if the module's functions are still in set_graph_function although no recording is running. The
 * settings before that recording are unknown. Therefore set the tracer to nop and the function filter to all
 * functions, and clear the buffer. @race: from session_graph_race(), or true if this is unknown. Return true
 * if something was removed from set_graph_function or set_graph_notrace.
 */
bool leftovers_restore(bool race);

#define LEFTOVERS_RESTORED                                                                  \
	"an earlier recording was killed and had left function_graph on: it is off again, " \
	"and all functions are traced"

#endif
