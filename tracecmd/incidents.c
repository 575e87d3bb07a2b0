// SPDX-License-Identifier: GPL-2.0
/* --keep: the last few rings that a packet has ended, each a file of its own. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "incidents.h"

#define EXTENSION ".dat"

int incidents_check(const char *file, struct err *err)
{
	if (access(file, F_OK))
		return 0;
	return err_set(err,
		       "%s is there: with --keep each ring is written to it before it has its own "
		       "name; move it, or take another -o",
		       file);
}

static char *stamped(const char *file)
{
	const size_t n = strlen(file), tail = strlen(EXTENSION);
	const bool has_extension = n > tail && !strcmp(file + n - tail, EXTENSION) &&
				   file[n - tail - 1] != '/';
	struct timespec now;
	char stamp[32];
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	return xasprintf("%.*s-%s.%03ld%s", (int)(has_extension ? n - tail : n), file, stamp,
			 now.tv_nsec / 1000000, has_extension ? EXTENSION : "");
}

static void remove_oldest(struct strings *files)
{
	unlink(files->v[0]);
	free(files->v[0]);
	/* With the NULL behind the last. */
	memmove(files->v, files->v + 1, files->n * sizeof(*files->v));
	files->n--;
}

const char *incidents_add(struct strings *files, const char *file, unsigned long keep,
			  struct err *err)
{
	char *name = stamped(file);
	int ret;

	/* Never onto another's. */
	ret = renameat2(AT_FDCWD, file, AT_FDCWD, name, RENAME_NOREPLACE);
	/* Not every file system can say so. */
	if (ret && errno == EINVAL && access(name, F_OK))
		ret = rename(file, name);
	if (ret)
		err_set(err, "cannot rename %s to %s: %s", file, name, strerror(errno));
	else
		strings_add(files, name);
	free(name);
	if (ret)
		return NULL;
	if (files->n > keep)
		remove_oldest(files);
	return files->v[files->n - 1];
}
