// SPDX-License-Identifier: GPL-2.0
/*
 * instances.c - create and remove tracing instances, and change in a private mount namespace which files of
 * tracefs trace-cmd sees
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracefs/instances.h"
#include "tracefs/files.h"
#include "module/module_client.h"
#include "record_skb.h"
#include "text.h"

int mounts_keep_to_us(void)
{
	return mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL);
}

/* Return true if the mount point @dir shows all of tracefs, and not only a part that was bind-mounted. */
static bool is_whole(const char *dir)
{
	char *path = xasprintf("%s/events/enable", dir);
	const bool is = !access(path, F_OK);

	free(path);
	return is;
}

void mounts_of_tracefs(struct strings *places)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	const struct mntent *entry;

	while (mounts && (entry = getmntent(mounts)))
		if (!strcmp(entry->mnt_type, "tracefs") && is_whole(entry->mnt_dir))
			strings_add(places, entry->mnt_dir);
	if (mounts)
		endmntent(mounts);
}

int mounts_bind(const char *from, const char *to)
{
	return mount(from, to, NULL, MS_BIND, NULL);
}

int mounts_empty(const char *dir)
{
	return mount("none", dir, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=700");
}

enum { NAMESPACE, ROOT, DIRECTORY };

int home_open(struct home *home, struct err *err)
{
	static const char *const names[] = { "/proc/self/ns/mnt", "/proc/self/root",
					     "/proc/self/cwd" };

	*home = (struct home)NO_HOME;
	for (int i = 0; i < HOME_FILES; i++) {
		home->fds[i] = open(names[i], (i == NAMESPACE ? O_RDONLY : O_PATH) | O_CLOEXEC);
		if (home->fds[i] >= 0)
			continue;
		err_set(err, "cannot open %s: %s; is /proc mounted?", names[i], strerror(errno));
		home_close(home);
		return -1;
	}
	return 0;
}

void home_close(struct home *home)
{
	for (int i = 0; i < HOME_FILES; i++)
		if (home->fds[i] >= 0)
			close(home->fds[i]);
	*home = (struct home)NO_HOME;
}

static bool is_here(const struct home *home)
{
	struct stat there, here;

	return !fstat(home->fds[NAMESPACE], &there) && !stat("/proc/self/ns/mnt", &here) &&
	       there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

int home_return(const struct home *home)
{
	if (home->fds[NAMESPACE] < 0 || is_here(home))
		return 0;
	return setns(home->fds[NAMESPACE], CLONE_NEWNS) || fchdir(home->fds[ROOT]) || chroot(".") ||
			       fchdir(home->fds[DIRECTORY]) ?
		       -1 :
		       0;
}

void home_pass(const struct home *home, bool pass)
{
	for (int i = 0; i < HOME_FILES; i++)
		fcntl(home->fds[i], F_SETFD, pass ? 0 : FD_CLOEXEC);
}

char *recording_name(const char *what, unsigned int recording)
{
	return recording ? xasprintf("%s_%u", what, recording) : xstrdup(what);
}

static bool is_numbered(const char *function, const char *what)
{
	const size_t n = strlen(what);

	return !strncmp(function, what, n) && function[n] == '_';
}

bool is_gate_of_others(const char *function, unsigned int recording)
{
	return (is_numbered(function, RECORD_SKB_GATE) || is_numbered(function, RECORD_SKB_HIDE)) &&
	       (!recording || strtoul(strrchr(function, '_') + 1, NULL, 10) != recording);
}

bool instance_is_shared(const char *name)
{
	return is_numbered(name, RECORD_SKB_MODULE);
}

int instance_make(int instances, const char *name)
{
	return mkdirat(instances, name, 0700) ? -errno : 0;
}

int instance_set(int instances, const char *name, const char *file, const char *value)
{
	char *path = xasprintf("%s/%s", name, file);
	const int ret = file_write_at(instances, path, value);

	free(path);
	return ret;
}

int instance_remove(int instances, const char *name)
{
	const int ret = instance_set(instances, name, "current_tracer", "nop");

	if (ret == -ENOENT)
		return 0;
	if (ret)
		return ret;
	return unlinkat(instances, name, AT_REMOVEDIR) ? -errno : 0;
}

/*
 * Files of tracefs that only the top instance has. trace-cmd clears these files, and reads them back to check
 * that they are empty.
 */
static const char *const graph_files[] = { "set_graph_function", "set_graph_notrace" };

static int list_directory(const char *dir, struct strings *names)
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

/* Bind-mount @from/@name on @to/@name, if @to has this name. Returns 0 or -1. */
static int bind_name(const char *from, const char *to, const char *name)
{
	char *source = xasprintf("%s/%s", from, name), *target = xasprintf("%s/%s", to, name);
	const int ret = access(target, F_OK) ? 0 : mounts_bind(source, target);

	free(source);
	free(target);
	return ret;
}

/*
 * Bind-mount everything in the directory @from on the same names in @to. Leave out the directory "options",
 * because some options exist only in the top instance. Returns 0 or -1.
 */
static int put_all(const char *from, const char *to)
{
	struct strings names = {};
	int ret = list_directory(from, &names);

	for (size_t i = 0; !ret && i < names.n; i++)
		if (strcmp(names.v[i], "options"))
			ret = bind_name(from, to, names.v[i]);
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

/*
 * Bind-mount set_ftrace_notrace of @from on each file of graph_files in @to. When trace-cmd clears such a
 * file, it clears set_ftrace_notrace instead, which it may do, and reads it back as empty.
 */
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

int instance_overlay_keep_lists(void)
{
	struct strings places = {};
	int ret = mounts_keep_to_us();

	mounts_of_tracefs(&places);
	if (!places.n)
		ret = -1;
	for (size_t i = 0; !ret && i < places.n; i++)
		ret = put_graph_files(places.v[i], places.v[i]);
	strings_free(&places);
	return ret;
}

int instance_overlay_show(const char *instance, struct err *err)
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
	return err_set(err, "cannot show trace-cmd the tracing instance of this recording: %s",
		       strerror(errno));
}

/* Entries of the directory events/ that trace-cmd needs for a recording. Every kernel has them. */
static const char *const needed[] = {
	"enable", "header_event", "header_page", "ftrace", RECORD_SKB_MODULE,
};
#define NR_NEEDED (sizeof(needed) / sizeof(needed[0]))

/* Create @dir/@name, and bind-mount the file or directory @fd on it. Returns 0 or -1. */
static int bind_file(int fd, const char *dir, const char *name)
{
	char *from = xasprintf("/proc/self/fd/%d", fd);
	char *to = xasprintf("%s/%s", dir, name);
	struct stat st;
	int ret;

	ret = fstat(fd, &st);
	if (!ret)
		ret = S_ISDIR(st.st_mode) ? mkdir(to, 0700) : mknod(to, S_IFREG | 0600, 0);
	if (!ret)
		ret = mounts_bind(from, to);
	free(from);
	free(to);
	return ret;
}

static int show_events_in(const char *tracing)
{
	char *events = xasprintf("%s/events", tracing);
	int fds[NR_NEEDED], ret = 0;

	for (size_t i = 0; i < NR_NEEDED; i++) {
		char *path = xasprintf("%s/%s", events, needed[i]);

		fds[i] = open(path, O_PATH | O_CLOEXEC);
		free(path);
		if (fds[i] < 0)
			ret = -1;
	}
	if (!ret)
		ret = mounts_empty(events);
	for (size_t i = 0; i < NR_NEEDED; i++) {
		if (!ret)
			ret = bind_file(fds[i], events, needed[i]);
		if (fds[i] >= 0)
			close(fds[i]);
	}
	free(events);
	return ret;
}

int own_events_show(void)
{
	struct strings places = {};
	int ret;

	ret = mounts_keep_to_us();
	mounts_of_tracefs(&places);
	if (!places.n)
		ret = -1;
	for (size_t i = 0; !ret && i < places.n; i++)
		ret = show_events_in(places.v[i]);
	strings_free(&places);
	return ret;
}

/*
 * Return true if the mounts of own_events_show() are possible on this machine. A child process tries them and
 * exits at once.
 */
static bool mounts_work(void)
{
	const pid_t pid = fork();
	int status = -1;

	if (!pid)
		_exit(unshare(CLONE_NEWNS) || own_events_show());
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

bool own_events_will_do(const struct options *o)
{
	static const char *const others[] = { "-a", "-B", "-e", "-f", "-H", "-R", "-v" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (options_pass(o, others[i]))
			return false;
	return mounts_work();
}

/*
 * How often to set and remove a tracer until slot 0 of fgraph is in use. fgraph has 16 slots and assigns them
 * in turn; other users may take some of them at the same time.
 */
#define TRIES 24

static int make_occupant(int instances, const char *name, const char *function)
{
	int ret;

	/* A killed recording may have left this instance. Remove it. */
	fgraph_slot0_release(instances, name);
	ret = instance_make(instances, name);
	if (!ret)
		ret = instance_set(instances, name, "tracing_on", "0");
	return ret ? ret : instance_set(instances, name, "set_ftrace_filter", function);
}

int fgraph_slot0_take(int instances, const char *name, const char *function, int session,
		      struct err *err)
{
	int ret;

	if (session_slot0_taken(session))
		return 0;
	ret = make_occupant(instances, name, function);
	for (int i = 0; !ret && i < TRIES; i++) {
		ret = instance_set(instances, name, "current_tracer", "function_graph");
		if (!ret && session_slot0_taken(session))
			return 0;
		if (!ret)
			ret = instance_set(instances, name, "current_tracer", "nop");
	}
	fgraph_slot0_release(instances, name);
	if (ret)
		return err_set(err, "cannot use function_graph in a tracing instance: %s",
			       strerror(-ret));
	return err_set(err, "cannot occupy function_graph's first slot: try again, or record "
			    "without --shared");
}

void fgraph_slot0_release(int instances, const char *name)
{
	instance_remove(instances, name);
}
