// SPDX-License-Identifier: GPL-2.0
/* mounts.c - mount tracefs in a private mount namespace, and return to the one of the caller */
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
#include <unistd.h>

#include "tracefs/mounts.h"

int mounts_keep_to_us(void)
{
	return mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL);
}

/* Return true if the mount point @dir shows all of tracefs, and not only a subdirectory of it. */
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
