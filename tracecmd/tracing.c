// SPDX-License-Identifier: GPL-2.0
/* Whether this kernel lets us trace, and whether somebody else does. */
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#include "files.h"
#include "ring-buffer.h"
#include "share.h"
#include "strlist.h"
#include "tracing.h"

int tracing_find(struct err *err)
{
	const char *dir = tracefs_tracing_dir();

	if (!dir)
		return err_set(
			err,
			"tracefs is not there and cannot be mounted: is this a container, or a "
			"kernel without tracing? Try 'mount -t tracefs tracefs /sys/kernel/tracing'");
	/* Mounted, but empty or forbidden. */
	if (!tracefs_file_exists(NULL, "available_tracers"))
		return err_set(err, "this kernel lets nobody trace (lockdown: see "
				    "/sys/kernel/security/lockdown)");
	return 0;
}

int tracing_check_tracer(struct err *err)
{
	if (tracefs_tracer_available(tracefs_tracing_dir(), "function_graph"))
		return 0;
	return err_set(err,
		       "this kernel has no function_graph tracer (CONFIG_FUNCTION_GRAPH_TRACER)");
}

int tracing_check_free(struct err *err)
{
	char *tracer = file_read("current_tracer");
	int ret = 0;

	if (tracer && strcmp(tracer, "nop"))
		ret = err_set(err,
			      "somebody is tracing: current_tracer is %s; if nobody is, run "
			      "'trace-cmd reset' first",
			      tracer);
	free(tracer);
	return ret;
}

unsigned long long tracing_unread(void)
{
	struct ring_buffer_counts counts;

	ring_buffer_count(NULL, -1, &counts);
	return counts.unread;
}

static bool has_trigger(const char *file)
{
	char *text = file_read(file);
	/* "# Available triggers:" stands for none. */
	const bool has = text && *text && *text != '#';

	free(text);
	return has;
}

char *tracing_trigger(void)
{
	char *pattern = xasprintf("%s/events/*/*/trigger", tracefs_tracing_dir());
	char *found = NULL;
	glob_t files = {};

	if (!glob(pattern, GLOB_NOSORT, NULL, &files))
		for (size_t i = 0; i < files.gl_pathc && !found; i++)
			if (has_trigger(files.gl_pathv[i]))
				found = xstrdup(files.gl_pathv[i]);
	globfree(&files);
	free(pattern);
	return found;
}

static bool is_graph_instance(const char *name)
{
	char *file = xasprintf("instances/%s/current_tracer", name);
	char *tracer = file_read(file);
	const bool is = tracer && !strcmp(tracer, "function_graph");

	free(tracer);
	free(file);
	return is;
}

bool tracing_profiles(void)
{
	char *enabled = file_read("function_profile_enabled");
	const bool does = enabled && strcmp(enabled, "0");

	free(enabled);
	return does;
}

char *tracing_graph_instance(void)
{
	char **names = tracefs_instances(NULL);
	char *found = NULL;

	for (char **name = names; name && *name && !found; name++)
		if (!share_is_instance(*name) && is_graph_instance(*name))
			found = xstrdup(*name);
	tracefs_list_free(names);
	return found;
}
