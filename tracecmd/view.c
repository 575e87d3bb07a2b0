// SPDX-License-Identifier: GPL-2.0
/* An instance of tracing that looks like all of tracing. */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mounts.h"
#include "strlist.h"
#include "view.h"

/* One for the whole kernel; trace-cmd empties them, and whatever stands there after that is read. */
static const char *const graph_files[] = { "set_graph_function", "set_graph_notrace" };

static int list(const char *dir, struct strings *names)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;

	if (!stream)
		return -1;
	while ((entry = readdir(stream)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			strings_add(names, entry->d_name);
	closedir(stream);
	return 0;
}

/* Put @from/@name where @to/@name is, if there is such a thing. */
static int put(const char *from, const char *to, const char *name)
{
	char *source = xasprintf("%s/%s", from, name), *target = xasprintf("%s/%s", to, name);
	const int ret = access(target, F_OK) ? 0 : mounts_bind(source, target);

	free(source);
	free(target);
	return ret;
}

/* Not options: the top has some that an instance has not. */
static int put_all(const char *from, const char *to)
{
	struct strings names = {};
	int ret = list(from, &names);

	for (size_t i = 0; !ret && i < names.n; i++)
		if (strcmp(names.v[i], "options"))
			ret = put(from, to, names.v[i]);
	strings_free(&names);
	return ret;
}

static int put_options(const char *from, const char *to)
{
	char *source = xasprintf("%s/options", from), *target = xasprintf("%s/options", to);
	const int ret = put_all(source, target);

	free(source);
	free(target);
	return ret;
}

/* An instance has another that shows the same when it is empty; it is ours to be emptied. */
static int put_graph_files(const char *from, const char *to)
{
	char *source = xasprintf("%s/set_ftrace_notrace", from);
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(graph_files) / sizeof(graph_files[0]); i++) {
		char *target = xasprintf("%s/%s", to, graph_files[i]);

		ret = mounts_bind(source, target);
		free(target);
	}
	free(source);
	return ret;
}

static int hide_instances(const char *tracing)
{
	char *instances = xasprintf("%s/instances", tracing);
	const int ret = mounts_empty(instances);

	free(instances);
	return ret;
}

static int show_in(const char *tracing, const char *instance)
{
	char *from = xasprintf("%s/instances/%s", tracing, instance);
	const int ret = put_all(from, tracing) || put_options(from, tracing) ||
					put_graph_files(from, tracing) || hide_instances(tracing) ?
				-1 :
				0;

	free(from);
	return ret;
}

int view_show(const char *instance, struct err *err)
{
	struct strings places = {};
	int ret = unshare(CLONE_NEWNS) || mounts_keep_to_us() ? -1 : 0;

	if (!ret)
		mounts_of_tracefs(&places);
	for (size_t i = 0; !ret && i < places.n; i++)
		ret = show_in(places.v[i], instance);
	strings_free(&places);
	if (!ret)
		return 0;
	return err_set(err, "cannot show trace-cmd an instance of tracing in the place of all: %s",
		       strerror(errno));
}
