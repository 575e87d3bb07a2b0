// SPDX-License-Identifier: GPL-2.0
/* Instances of tracing that are ours, by the directory of all. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "instances.h"
#include "strlist.h"

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
