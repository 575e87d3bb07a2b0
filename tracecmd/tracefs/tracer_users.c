// SPDX-License-Identifier: GPL-2.0
/*
 * tracer_users.c - check that this kernel allows tracing, find other users of tracing, and take the locks
 * that keep recordings apart
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/tracer_users.h"
#include "tracefs/files.h"
#include "tracefs/instances.h"
#include "module/module_client.h"
#include "text.h"
#include "tracefs/ring_buffer.h"

int tracing_find(struct err *err)
{
	const char *dir = tracefs_tracing_dir();

	if (!dir)
		return err_set(
			err,
			"tracefs is not mounted and cannot be mounted: is this a container, or a "
			"kernel without tracing? Try 'mount -t tracefs tracefs "
			"/sys/kernel/tracing'");
	/* If tracefs is mounted, but is empty or not accessible, lockdown forbids tracing. */
	if (!tracefs_file_exists(NULL, "available_tracers"))
		return err_set(err, "this kernel does not allow tracing (lockdown: see "
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
			      "tracing is in use: current_tracer is %s; if no program needs it "
			      "any more, run 'trace-cmd reset'",
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
	/*
	 * A line that begins with # is not a trigger. The file of an event without a trigger has only the
	 * line "# Available triggers:".
	 */
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
		if (!instance_is_shared(*name) && is_graph_instance(*name))
			found = xstrdup(*name);
	tracefs_list_free(names);
	return found;
}

int tracing_check_graph_race(int session, struct err *err)
{
	char *name = session_graph_race(session) ? tracing_graph_instance() : NULL;

	if (!name)
		return 0;
	err_set(err,
		"the tracing instance '%s' uses function_graph, and a recording changes "
		"set_graph_function, which can crash this kernel in the meantime: end that "
		"tracer first",
		name);
	free(name);
	return -1;
}

/*
 * Return true if the flag @flag is set for the function in a line of enabled_functions. A line has the form
 * "name [module] (count) R I D\ttramp: ...". Indented lines may follow. The flag I (IPMODIFY) means that an
 * ftrace user redirects the function, and D means that a BPF trampoline is called directly.
 */
static bool has_flag(const char *line, char flag)
{
	const char *flags = strstr(line, " (");
	const char *end;

	if (*line == '\t' || !flags)
		return false;
	flags = strchr(flags, ')');
	for (end = flags; end && *end && *end != '\t'; end++)
		if (end[0] == ' ' && end[1] == flag && (!end[2] || strchr(" \t", end[2])))
			return true;
	return false;
}

void ipmodify_users_read(struct strings *redirected)
{
	char *text = file_read("enabled_functions");
	char *rest = text, *line;

	while (rest && (line = strsep(&rest, "\n"))) {
		if (!has_flag(line, 'I'))
			continue;
		line[strcspn(line, " ")] = '\0';
		strings_add(redirected, line);
	}
	free(text);
}

/*
 * Return the name of the live patch that redirects @function, to be freed; NULL if no live patch does. In
 * sysfs, a live patch has a directory for each object, and in it a directory "name,number" for each function.
 */
static char *live_patch(const char *function)
{
	char *pattern = xasprintf("/sys/kernel/livepatch/*/*/%s,*", function);
	char *found, *name = NULL;
	glob_t paths;

	if (!glob(pattern, 0, NULL, &paths)) {
		found = paths.gl_pathv[0] + strlen("/sys/kernel/livepatch/");
		name = xasprintf("the live patch %.*s", (int)strcspn(found, "/"), found);
		globfree(&paths);
	}
	free(pattern);
	return name;
}

char *ipmodify_user_of(const struct strings *redirected, const char *function)
{
	char *name;

	for (size_t i = 0; i < redirected->n; i++) {
		if (strcmp(redirected->v[i], function))
			continue;
		name = live_patch(function);
		return name ? name : xstrdup("another user of ftrace (see enabled_functions)");
	}
	return NULL;
}

void ipmodify_users_keep_patched(struct strings *redirected)
{
	struct strings patched = {};
	char *name;

	for (size_t i = 0; i < redirected->n; i++) {
		name = live_patch(redirected->v[i]);
		if (name)
			strings_add(&patched, redirected->v[i]);
		free(name);
	}
	strings_free(redirected);
	*redirected = patched;
}

char *direct_call_user(const struct strings *functions)
{
	char *text = file_read("enabled_functions");
	char *rest = text, *line, *found = NULL;

	while (!found && rest && (line = strsep(&rest, "\n"))) {
		if (!has_flag(line, 'D') || has_flag(line, 'I'))
			continue;
		line[strcspn(line, " ")] = '\0';
		for (size_t i = 0; !found && i < functions->n; i++)
			if (!strcmp(functions->v[i], line))
				found = xstrdup(line);
	}
	free(text);
	return found;
}

/*
 * Find the first line of enabled_functions that shows fprobe as a user of fgraph. Such a line has the form
 * "name [module] (count) M\ttramp: ... subops: {ent:... ret:...} {ent:fprobe_... ret:fprobe_...}".
 */
char *fprobe_users_find(void)
{
	char *text = file_read("enabled_functions");
	char *rest = text, *line, *name = NULL;

	while (!name && rest && (line = strsep(&rest, "\n")))
		if (strstr(line, " ret:fprobe_"))
			name = xasprintf("%.*s", (int)strcspn(line, " "), line);
	free(text);
	return name;
}

/*
 * How long to wait for a lock. The process that holds it may be detaching function_graph from all functions,
 * which takes seconds on a slow machine.
 */
#define WAIT_MSEC 60000
#define POLL_MSEC 100

static int open_directory(const char *name, struct err *err)
{
	char *path = xasprintf("%s/%s", tracefs_tracing_dir(), name);
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		err_set(err, "cannot open %s: %s", path, strerror(errno));
	free(path);
	return fd;
}

/*
 * Wait a moment after flock() has failed because another process has the lock. Returns 0 if the caller should
 * try again. Returns -1 if a recording has the lock, if the time is over, or if flock() failed for another
 * reason.
 */
static int wait_for_others(int *msec, struct err *err)
{
	if (errno != EWOULDBLOCK && errno != EINTR)
		return err_set(err, "cannot lock %s: %s", tracefs_tracing_dir(), strerror(errno));
	if (session_is_held(err))
		return -1;
	if (*msec >= WAIT_MSEC)
		return err_set(
			err,
			"another process holds a lock on %s, and it is not a recording: 'fuser -v' "
			"shows it",
			tracefs_tracing_dir());
	usleep(POLL_MSEC * 1000);
	*msec += POLL_MSEC;
	return 0;
}

int lock_take(struct err *err)
{
	const int lock = open_directory(".", err);
	int msec = 0;

	while (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB)) {
		if (!wait_for_others(&msec, err))
			continue;
		close(lock);
		return -1;
	}
	return lock;
}

int lock_brief(int instances, struct err *err)
{
	const int brief = openat(instances, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int msec = 0;

	if (brief < 0)
		return err_set(err, "cannot open the directory of tracing instances: %s",
			       strerror(errno));
	while (flock(brief, LOCK_EX | LOCK_NB)) {
		if ((errno == EWOULDBLOCK || errno == EINTR) && msec < WAIT_MSEC) {
			usleep(POLL_MSEC * 1000);
			msec += POLL_MSEC;
			continue;
		}
		err_set(err, "cannot lock the directory of tracing instances: %s",
			errno == EWOULDBLOCK ? "another process holds the lock" : strerror(errno));
		close(brief);
		return -1;
	}
	return brief;
}

int lock_join(int *instances, int *brief, bool *first, struct err *err)
{
	const int lock = open_directory(".", err);
	int msec = 0;

	if (lock < 0)
		return -1;
	*instances = open_directory("instances", err);
	while (*instances >= 0) {
		*brief = lock_brief(*instances, err);
		if (*brief < 0)
			break;
		*first = !flock(lock, LOCK_EX | LOCK_NB);
		if (!flock(lock, LOCK_SH | LOCK_NB))
			return lock;
		close(*brief);
		if (wait_for_others(&msec, err))
			break;
	}
	close(lock);
	return -1;
}

bool lock_is_last(int lock)
{
	return !flock(lock, LOCK_EX | LOCK_NB);
}
