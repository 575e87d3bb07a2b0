// SPDX-License-Identifier: GPL-2.0
/* --args and --retval: newer kernels' function_graph records them, if they are built to. */
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "graph-options.h"

static bool has(const char *tracefs, const char *option)
{
	char *path = xasprintf("%s/options/%s", tracefs, option);
	bool there = !access(path, F_OK);

	free(path);
	return there;
}

int graph_options_check(const struct options *o, const char *tracefs, struct err *err)
{
	if (o->args && !has(tracefs, "funcgraph-args"))
		return err_set(err, "--args: this kernel cannot record arguments (that needs Linux 6.15 with "
			       "CONFIG_FUNCTION_TRACE_ARGS)");
	if (o->retval && !has(tracefs, "funcgraph-retval"))
		return err_set(err, "--retval: this kernel cannot record what functions return (that needs "
			       "Linux 6.5 with CONFIG_FUNCTION_GRAPH_RETVAL); what a probe point returns is "
			       "recorded anyway");
	return 0;
}

void graph_options_add(const struct options *o, struct strings *line)
{
	if (o->args) {
		strings_add(line, "-O");
		strings_add(line, "funcgraph-args");
	}
	if (o->retval) {
		strings_add(line, "-O");
		strings_add(line, "funcgraph-retval");
	}
}
