// SPDX-License-Identifier: GPL-2.0
/* Whether this kernel lets us trace, and whether somebody else does. */
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#include "files.h"
#include "tracing.h"

int tracing_find(struct err *err)
{
	const char *dir = tracefs_tracing_dir();

	if (!dir)
		return err_set(err, "tracefs is not there and cannot be mounted: has this kernel tracing? "
			       "Try 'mount -t tracefs tracefs /sys/kernel/tracing'");
	/* Mounted, but empty or forbidden. */
	if (!tracefs_file_exists(NULL, "available_tracers"))
		return err_set(err, "this kernel lets nobody trace (lockdown: see "
			       "/sys/kernel/security/lockdown)");
	return 0;
}

int tracing_check(struct err *err)
{
	char *tracer;
	int ret = 0;

	if (!tracefs_tracer_available(tracefs_tracing_dir(), "function_graph"))
		return err_set(err, "this kernel has no function_graph tracer "
			       "(CONFIG_FUNCTION_GRAPH_TRACER)");
	tracer = file_read("current_tracer");
	if (tracer && strcmp(tracer, "nop"))
		ret = err_set(err, "somebody is tracing: current_tracer is %s; if nobody is, run "
			      "'trace-cmd reset' first", tracer);
	free(tracer);
	return ret;
}
