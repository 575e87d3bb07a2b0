// SPDX-License-Identifier: GPL-2.0
/* function_graph's first place, in which a recording would be told of what others trace. */
#include <string.h>

#include "first-place.h"
#include "instances.h"
#include "session.h"
#include "strlist.h"

/* There are sixteen places, of which others take some meanwhile. */
#define TRIES 24

static int make(int instances, const char *name, const char *function)
{
	int ret;

	/* One that somebody has left who was killed. */
	first_place_leave(instances, name);
	ret = instance_make(instances, name);
	if (!ret)
		ret = instance_set(instances, name, "tracing_on", "0");
	return ret ? ret : instance_set(instances, name, "set_ftrace_filter", function);
}

int first_place_take(int instances, const char *name, const char *function, int session,
		     struct err *err)
{
	int ret;

	if (session_graph_first(session))
		return 0;
	ret = make(instances, name, function);
	for (int i = 0; !ret && i < TRIES; i++) {
		ret = instance_set(instances, name, "current_tracer", "function_graph");
		if (!ret && session_graph_first(session))
			return 0;
		if (!ret)
			ret = instance_set(instances, name, "current_tracer", "nop");
	}
	first_place_leave(instances, name);
	if (ret)
		return err_set(err, "cannot use function_graph in an instance of tracing: %s",
			       strerror(-ret));
	return err_set(err, "cannot get function_graph's first place out of the way");
}

void first_place_leave(int instances, const char *name)
{
	instance_remove(instances, name);
}
