/* SPDX-License-Identifier: GPL-2.0 */
/* graph_functions.h - choose the functions that function_graph records */
#ifndef _RECORD_SKB_GRAPH_FUNCTIONS_H
#define _RECORD_SKB_GRAPH_FUNCTIONS_H

#include <stdbool.h>

#include "err.h"
#include "probes/kernel_functions.h"
#include "record_options.h"
#include "text.h"

/**
 * graph_functions_detail - return the value of --detail; without this option, return the default
 * @options: the user's options: the default depends on --module and -l
 * @kernel: the running kernel: the default depends on its BTF
 *
 * Never returns DETAIL_UNSAID.
 */
enum detail graph_functions_detail(const struct options *options, const struct kernel *kernel);

/*
 * Return true if all functions are recorded: --detail is full, and the user gave neither -l nor -n, which
 * would restrict the functions.
 */
bool graph_functions_all(const struct options *options, const struct kernel *kernel);

/**
 * graph_functions_add - list the functions that function_graph records, if these are not all functions
 * @options: the user's options: --detail, --module, -l and -n
 * @kernel: the running kernel; its functions are read here if necessary
 * @functions: the names are added to this list. A name can occur more than once. If all functions are
 *	recorded, nothing is added
 * @err: set to the reason on failure, such as a missing module, or missing BTF for --detail net
 *
 * Returns 0 or -1.
 */
int graph_functions_add(const struct options *options, struct kernel *kernel,
			struct strings *functions, struct err *err);

/**
 * net_modules - find the loaded modules that handle packets
 * @modules: the names of the modules are added to this list, as in /proc/modules
 *
 * These modules are the drivers of the network devices in this namespace, and all modules below a directory
 * named "net": protocols, netfilter, and drivers of devices in other namespaces.
 */
void net_modules(struct strings *modules);

/*
 * Return true if --detail net leaves out the function @name. The functions that are left out would be two
 * fifths of the lines in the graph of a packet, but tell little. They call no other functions, do not decide
 * about the packet, and do not sleep.
 */
bool net_skip_list_has(const char *name);

/**
 * graph_trampoline_set_up - let the module trace functions in place of function_graph
 * @session: file descriptor from session_open(); all probe points must be set
 * @functions: functions of the kernel, which are read here if they have not been read before
 * @chosen: names of the functions to trace; NULL for all functions
 * @own: names of the gates, which function_graph always has to trace itself
 * @relayed: set to true if the module attaches to the functions; then function_graph has to trace only
 *	@own
 * @err: set to the reason on failure
 *
 * This makes a recording cheaper for all tasks. A function with two users of ftrace costs twice as much as
 * one with a single user. A function that function_graph traces costs eight times as much as one that the
 * module traces.
 *
 * Therefore the module attaches to the functions, and passes only those calls to function_graph that have to
 * be recorded. If the kernel does not support this, the function does nothing. Returns 0 or -1.
 */
int graph_trampoline_set_up(int session, struct functions *functions, const struct strings *chosen,
			    const struct strings *own, bool *relayed, struct err *err);

#endif
