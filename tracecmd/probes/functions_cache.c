// SPDX-License-Identifier: GPL-2.0
/* functions_cache.c - keep lists of the kernel's functions in files of root */
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <tracefs.h>
#include <unistd.h>

#include "probes/functions_cache.h"
#include "text.h"
#include "tracefs/files.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

/* Print the ELF note with the hash of a module's build. Return false if it cannot be read. */
static bool print_build(FILE *out, const char *module)
{
	unsigned char note[64];
	char *path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", module);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, note, sizeof(note));

	free(path);
	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i < n; i++)
		fprintf(out, "%02x", note[i]);
	return n > 0;
}

/*
 * Print the part of the key that describes a module. @line is the module's line in /proc/modules. Return
 * false if the module is just being loaded or unloaded, or if its build is unknown.
 */
static bool print_module(FILE *out, const char *line)
{
	char name[64], size[32], state[16], address[32];

	if (sscanf(line, "%63s %31s %*s %*s %15s %31s", name, size, state, address) != 4 ||
	    strcmp(state, "Live"))
		return false;
	fprintf(out, "%s %s %s ", name, size, address);
	return print_build(out, name) && fputc('\n', out) != EOF;
}

static bool print_modules(FILE *out, char *modules)
{
	char *line;

	while ((line = strsep(&modules, "\n")))
		if (*line && !print_module(out, line))
			return false;
	return true;
}

/* In tests, the directory of tracefs may be an ordinary directory. */
static bool is_tracefs(void)
{
	struct statfs fs;

	return !statfs(tracefs_tracing_dir(), &fs) && fs.f_type == TRACEFS_MAGIC;
}

char *functions_cache_key(const char *name)
{
	char *boot = file_read(BOOT_ID), *modules = file_read("/proc/modules"), *key = NULL;
	size_t size;
	FILE *out = open_memstream(&key, &size);
	bool is_known = false;

	if (out) {
		fprintf(out, "%s %s\n", boot ?: "", name);
		is_known = boot && modules && is_tracefs() && print_modules(out, modules);
		is_known &= !fclose(out);
	}
	free(boot);
	free(modules);
	if (is_known)
		return key;
	free(key);
	return NULL;
}

static bool only_root_writes(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_uid && !(st.st_mode & 022);
}

/* Read the whole regular file @fd. Return its text, or NULL. */
static char *read_whole(int fd)
{
	struct stat st;
	char *text;
	ssize_t n;

	if (fstat(fd, &st))
		return NULL;
	text = xrealloc(NULL, st.st_size + 1);
	n = read(fd, text, st.st_size);
	if (n == st.st_size) {
		text[n] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

char *functions_cache_read(const char *file, const char *key)
{
	const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	const size_t n = strlen(key);
	char *text, *list = NULL;

	if (fd < 0)
		return NULL;
	text = only_root_writes(fd) ? read_whole(fd) : NULL;
	close(fd);
	/* An empty line separates the key from the list. */
	if (text && !strncmp(text, key, n) && text[n] == '\n')
		list = xstrdup(text + n + 1);
	free(text);
	return list;
}

void functions_cache_write(const char *file, const char *key, const char *text)
{
	char *new = xasprintf("%s.XXXXXX", file);
	const int fd = mkostemp(new, O_CLOEXEC);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool is_whole = false;

	if (out) {
		is_whole = fprintf(out, "%s\n%s", key, text) >= 0;
		is_whole &= !fclose(out);
	} else if (fd >= 0) {
		close(fd);
	}
	if (fd >= 0 && (!is_whole || rename(new, file)))
		unlink(new);
	free(new);
}
