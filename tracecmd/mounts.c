// SPDX-License-Identifier: GPL-2.0
/* Mounts of tracefs, in a mount namespace of our own. */
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "mounts.h"

int mounts_keep_to_us(void)
{
	return mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL);
}

/* And not a part of it that is mounted somewhere. */
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
