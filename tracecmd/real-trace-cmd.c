// SPDX-License-Identifier: GPL-2.0
/* Find programs: the real trace-cmd behind the dispatcher, and those of a command line. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "real-trace-cmd.h"
#include "strlist.h"

/* What execvp(3) takes where there is no PATH, and where root's PATH might not lead. */
#define NO_PATH	     "/bin:/usr/bin"
#define USUAL_PLACES "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* Returns 0 or the errno that executing it would give. */
static int runnable(const char *path, struct stat *st)
{
	if (stat(path, st))
		return errno;
	if (S_ISDIR(st->st_mode))
		return EACCES;
	return access(path, X_OK) ? errno : 0;
}

char *own_directory(void)
{
	char path[PATH_MAX];
	ssize_t n;

	n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (n <= 0)
		return NULL;
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	return xstrdup(*path ? path : "/");
}

/* Walk the directories of @dirs; @take says which candidate it is. */
static char *search(const char *dirs, const char *name, bool (*take)(const char *path, void *data),
		    void *data)
{
	const char *end;

	for (;; dirs = end + 1) {
		char *path;

		end = strchrnul(dirs, ':');
		/* As in the shell, an empty part is the current directory. */
		path = end == dirs ? xasprintf("./%s", name) :
				     xasprintf("%.*s/%s", (int)(end - dirs), dirs, name);
		if (take(path, data))
			return path;
		free(path);
		if (!*end)
			return NULL;
	}
}

static bool take_runnable(const char *path, void *data)
{
	int *error = data;
	struct stat st;
	int ret = runnable(path, &st);

	/* One that may not be run is remembered, for it says more than "not found". */
	if (ret == EACCES)
		*error = EACCES;
	return !ret;
}

char *find_program(const char *name, int *error)
{
	const char *dirs = getenv("PATH");
	struct stat st;

	*error = ENOENT;
	if (!*name)
		return NULL;
	if (!strchr(name, '/'))
		return search(dirs ? dirs : NO_PATH, name, take_runnable, error);
	*error = runnable(name, &st);
	return *error ? NULL : xstrdup(name);
}

/*
 * Every program that links this file holds this string. So a copy of the dispatcher is known for
 * one wherever it lies and by whatever link, and two of them never call each other in turns.
 */
static const char mark[] = "record-skb's trace-cmd dispatcher, not trace-cmd itself";

static bool has_mark(const char *path)
{
	bool found = false;
	struct stat st;
	void *text;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && st.st_size > 0) {
		text = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (text != MAP_FAILED) {
			found = memmem(text, st.st_size, mark, sizeof(mark));
			munmap(text, st.st_size);
		}
	}
	close(fd);
	return found;
}

static bool take_real(const char *path, void *data)
{
	struct stat st;

	(void)data;
	return !runnable(path, &st) && !has_mark(path);
}

/* What make install found: a link, from the directory this program is in. */
static char *as_installed(void)
{
	char *dir = own_directory();
	char *path = xasprintf("%s/../lib/record-skb/trace-cmd", dir ? dir : ".");

	free(dir);
	if (take_real(path, NULL))
		return path;
	free(path);
	return NULL;
}

char *real_trace_cmd(void)
{
	const char *named = getenv(REAL_TRACE_CMD);
	const char *dirs = getenv("PATH");
	char *path;

	if (named && *named)
		return take_real(named, NULL) ? xstrdup(named) : NULL;
	path = as_installed();
	if (!path && dirs)
		path = search(dirs, "trace-cmd", take_real, NULL);
	return path ? path : search(USUAL_PLACES, "trace-cmd", take_real, NULL);
}

const char *real_trace_cmd_lacks(void)
{
	const char *named = getenv(REAL_TRACE_CMD);

	return named && *named ?
		       "what " REAL_TRACE_CMD " names is no trace-cmd that can be run" :
		       "the real trace-cmd is not installed: install the package trace-cmd, or say "
		       "where it is with " REAL_TRACE_CMD;
}
