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
 * graph_functions_detail - return the value of --detail, or the default for the other options
 * @options: the user's options: the default depends on --module and -l
 * @kernel: the running kernel; the default depends on its BTF
 *
 * Never returns DETAIL_UNSAID.
 */
enum detail graph_functions_detail(const struct options *options, const struct kernel *kernel);

/*
 * Return true if all functions are recorded: --detail is full, and neither -l nor -n restricts the functions.
 */
bool graph_functions_all(const struct options *options, const struct kernel *kernel);

/**
 * graph_functions_add - add the functions that function_graph records, unless these are all functions
 * @options: the user's options: --detail, --module, -l and -n
 * @kernel: the running kernel; its functions are read here if necessary
 * @functions: the names are added to this list; nothing is added if all functions are recorded. A name can
 *	occur more than once
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
 * This finds the drivers of the devices in this network namespace, and all modules in a directory named net.
 * These are protocols, netfilter, and drivers of devices in other namespaces.
 */
void net_modules(struct strings *modules);

/*
 * Return true if --detail net leaves the function out. Such functions make up two fifths of the lines in
 * the graph of a packet, but tell little: they call no other functions, do not decide about the packet, and
 * do not sleep.
 */
bool net_skip_list_has(const char *name);

/**
 * graph_trampoline_set_up - let the module trace functions on behalf of function_graph
 * @session: file descriptor from session_open(); all probe points must be set
 * @functions: functions of the kernel; read here if this has not been done yet
 * @chosen: names of the functions to trace; NULL for all functions
 * @own: names of the gates, which function_graph always has to trace itself
 * @relayed: set to true if the module attaches to the functions; then function_graph has to trace only @own
 * @err: set to the reason on failure
 *
 * This makes a recording cheaper for all tasks. A function with two users of ftrace costs twice as much as
 * one with a single user, and a function that is traced by function_graph costs eight times as much as one
 * that is traced by the module. So the module attaches to the functions, and passes only the calls that have
 * to be recorded to function_graph. If the kernel does not support this, nothing is done. Returns 0 or -1.
 */
int graph_trampoline_set_up(int session, struct functions *functions, const struct strings *chosen,
			    const struct strings *own, bool *relayed, struct err *err);

#endif
