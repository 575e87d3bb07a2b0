// SPDX-License-Identifier: GPL-2.0
/* Of the kernel's events trace-cmd is shown those of a recording only. */
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mounts.h"
#include "own-events.h"
#include "record_skb.h"
#include "strlist.h"

/* Of events/. Each kernel has all of them. */
static const char *const needed[] = {
	"enable", "header_event", "header_page", "ftrace", RECORD_SKB_MODULE,
};
#define NR_NEEDED (sizeof(needed) / sizeof(needed[0]))

/* Put what @fd is there as @name in @dir. */
static int put(int fd, const char *dir, const char *name)
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

static int show_in(const char *tracing)
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
			ret = put(fds[i], events, needed[i]);
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
		ret = show_in(places.v[i]);
	strings_free(&places);
	return ret;
}

/* Tried in a process that ends at once. */
static bool works(void)
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
	return works();
}
