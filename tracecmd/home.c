// SPDX-License-Identifier: GPL-2.0
/* The way back to where we were called: from a mount namespace of our own to the caller's. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "home.h"

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
