// SPDX-License-Identifier: GPL-2.0
/* --args and --retval: options of function_graph that newer kernels have, if they are built to. */
#include <tracefs.h>

#include "graph-options.h"

/* libtracefs knows options by a number of its own, and these are newer than its numbers. */
#define ARGS   "funcgraph-args"
#define RETVAL "funcgraph-retval"

int graph_options_check(const struct options *o, struct err *err)
{
	if (o->args && !tracefs_file_exists(NULL, "options/" ARGS))
		return err_set(
			err,
			"--args: this kernel cannot record arguments (that needs Linux 6.15 with "
			"CONFIG_FUNCTION_TRACE_ARGS)");
	if (o->retval && !tracefs_file_exists(NULL, "options/" RETVAL))
		return err_set(
			err,
			"--retval: this kernel cannot record what functions return (that needs "
			"Linux 6.5 with CONFIG_FUNCTION_GRAPH_RETVAL); what a probe point returns is "
			"recorded anyway");
	return 0;
}

void graph_options_add(const struct options *o, struct strings *command)
{
	if (o->args) {
		strings_add(command, "-O");
		strings_add(command, ARGS);
	}
	if (o->retval) {
		strings_add(command, "-O");
		strings_add(command, RETVAL);
	}
}
