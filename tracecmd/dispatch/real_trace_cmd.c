// SPDX-License-Identifier: GPL-2.0
/* real_trace_cmd.c - find the real trace-cmd, which the dispatcher hides, and other programs on PATH */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dispatch/real_trace_cmd.h"
#include "text.h"

/*
 * NO_PATH: the directories that execvp(3) searches if PATH is not set. USUAL_PLACES: directories of programs,
 * some of which may be missing in root's PATH.
 */
#define NO_PATH	     "/bin:/usr/bin"
#define USUAL_PLACES "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* Check if a file can be executed. Returns 0, or the errno with which executing the file would fail. */
static int check_executable(const char *path, struct stat *st)
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

/*
 * Search @dirs, which is a list of directories with colons between them, for a file @name that @take accepts.
 * Return its path, or NULL.
 */
static char *search_directories(const char *dirs, const char *name,
				bool (*take)(const char *path, void *data), void *data)
{
	const char *end;

	for (;; dirs = end + 1) {
		char *path;

		end = strchrnul(dirs, ':');
		/* An empty entry means the current directory, as in the shell. */
		path = end == dirs ? xasprintf("./%s", name) :
				     xasprintf("%.*s/%s", (int)(end - dirs), dirs, name);
		if (take(path, data))
			return path;
		free(path);
		if (!*end)
			return NULL;
	}
}

static bool accept_executable(const char *path, void *data)
{
	int *error = data;
	struct stat st;
	int ret = check_executable(path, &st);

	/*
	 * If a file exists and must not be executed, report that, which tells the user more than "not found".
	 */
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
		return search_directories(dirs ? dirs : NO_PATH, name, accept_executable, error);
	*error = check_executable(name, &st);
	return *error ? NULL : xstrdup(name);
}

/*
 * Every program that links this file, such as a dispatcher, contains this string. Thus a dispatcher is
 * recognized in any directory and through any link, and two dispatchers never call each other in a loop.
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

static bool accept_real(const char *path, void *data)
{
	struct stat st;

	(void)data;
	return !check_executable(path, &st) && !has_mark(path);
}

/*
 * Return the path of the real trace-cmd that "make install" has found, or NULL. "make install" has made a
 * symbolic link to it in ../lib/record-skb, relative to the directory of this program.
 */
static char *as_installed(void)
{
	char *dir = own_directory();
	char *path = xasprintf("%s/../lib/record-skb/trace-cmd", dir ? dir : ".");

	free(dir);
	if (accept_real(path, NULL))
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
		return accept_real(named, NULL) ? xstrdup(named) : NULL;
	path = as_installed();
	if (!path && dirs)
		path = search_directories(dirs, "trace-cmd", accept_real, NULL);
	return path ? path : search_directories(USUAL_PLACES, "trace-cmd", accept_real, NULL);
}

const char *real_trace_cmd_lacks(void)
{
	const char *named = getenv(REAL_TRACE_CMD);

	return named && *named ?
		       "the file that " REAL_TRACE_CMD " names cannot be executed, or is not "
		       "trace-cmd" :
		       "the real trace-cmd is not installed: install the package trace-cmd, or "
		       "give its path in " REAL_TRACE_CMD;
}
