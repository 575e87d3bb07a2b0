/* SPDX-License-Identifier: GPL-2.0 */
/*
 * function_filters.h - set the functions that function_graph traces: set_ftrace_filter, and the gates of the
 * module in set_graph_function and set_graph_notrace
 */
#ifndef _RECORD_SKB_FUNCTION_FILTERS_H
#define _RECORD_SKB_FUNCTION_FILTERS_H

#include <stdbool.h>

#include "err.h"
#include "probes/kernel_functions.h"
#include "text.h"

/* Let tracers trace only the functions @names, by set_ftrace_filter. Returns 0 or -1. */
int functions_trace_only(struct functions *functions, const struct strings *names, struct err *err);

/* Keep tracers from tracing the functions @names, and only these, by set_ftrace_notrace. Returns 0 or -1. */
int functions_leave_out(struct functions *functions, const struct strings *names, struct err *err);

/* Copy set_ftrace_filter of the top instance to the file @filter of another instance. Returns 0 or -1. */
int functions_trace_same(const char *filter, struct functions *functions, struct err *err);

/*
 * The functions here change two files that all instances share: set_graph_function, with the functions at
 * which call graphs begin, and set_graph_notrace. This must not happen while function_graph is in use: some
 * kernels free the old list while function_graph may still read it, and crash. For the same reason,
 * trace-cmd is kept from changing these files.
 */

/*
 * Called by an exclusive recording: let graphs begin only at @gates, and leave out the functions @notrace.
 * Returns 0 or -1.
 */
int graph_gates_set(const struct strings *gates, const struct strings *notrace, struct err *err);

/*
 * Called by the first shared recording if session_graph_race() is true: add the gates of all possible shared
 * recordings. Gates of recordings that have not begun do no harm, because an instance begins graphs only at
 * functions that it traces. Returns 0 or -1.
 */
int graph_gates_add_shared(struct err *err);

/*
 * Called by each shared recording if session_graph_race() is false, so that the two files may change while
 * function_graph is in use: add or remove the gates of this recording. They may be there already, left by a
 * killed recording with the same number. graph_gates_add() returns 0 or -1.
 */
int graph_gates_add(unsigned int recording, struct err *err);
void graph_gates_remove_one(unsigned int recording);

/* Check that the two files contain no functions of other users. Returns 0 or -1. */
int graph_gates_check(struct err *err);

/*
 * Return true if the two files contain functions of the module, or addresses without a function, which an
 * unloaded module has left.
 */
bool graph_gates_are_there(void);

/*
 * Remove all functions of the module from the two files, and addresses without a function. If @race is true,
 * do nothing while another instance uses function_graph. Return true if anything was removed.
 */
bool graph_gates_remove(bool race);

/*
 * Clean up if the module's functions are still in set_graph_function although no recording is running. The
 * earlier settings are unknown. So the tracer is set to nop, the function filter to all functions, and the
 * buffer is cleared. @race: from session_graph_race(), or true if that is unknown. Return true if anything
 * was changed.
 */
bool leftovers_restore(bool race);

#define LEFTOVERS_RESTORED                                                                 \
	"a recording was killed earlier and had left function_graph on: it is off again, " \
	"and all functions are traced"

#endif
