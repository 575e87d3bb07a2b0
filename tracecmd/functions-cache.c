// SPDX-License-Identifier: GPL-2.0
/* What ftrace can trace, kept from one recording to the next. */
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

#include "files.h"
#include "functions-cache.h"
#include "strlist.h"

/* How the list is written. A program of another version, installed since, would read other functions. */
#define FORMAT "2"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

/* A note of the ELF format with the build's hash in it, whose bytes are written in hexadecimal. */
static bool read_build(const char *module, char *hex, size_t room)
{
	unsigned char note[64];
	char *path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", module);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, note, sizeof(note));

	free(path);
	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i < n && 2 * i + 3 < (ssize_t)room; i++)
		sprintf(hex + 2 * i, "%02x", note[i]);
	return n > 0;
}

/*
 * A line of /proc/modules. What is just being loaded has functions that it will not keep, and of what has no
 * build nobody knows whether it is the same. Returns false for these.
 */
static bool print_module(FILE *out, const char *line)
{
	char name[64], size[32], state[16], address[32], build[2 * 64 + 1] = "";

	if (sscanf(line, "%63s %31s %*s %*s %15s %31s", name, size, state, address) != 4 ||
	    strcmp(state, "Live") || !read_build(name, build, sizeof(build)))
		return false;
	fprintf(out, " %s %s %s %s", name, size, address, build);
	return true;
}

static bool print_key(FILE *out, char *boot, char *modules)
{
	char *line;

	if (!boot || !modules)
		return false;
	fprintf(out, FORMAT " %s", boot);
	while ((line = strsep(&modules, "\n")))
		if (*line && !print_module(out, line))
			return false;
	return true;
}

/* And not somebody's folder that looks like it. */
static bool is_of_this_kernel(void)
{
	struct statfs fs;

	return !statfs(tracefs_tracing_dir(), &fs) && fs.f_type == TRACEFS_MAGIC;
}

char *functions_cache_boot(void)
{
	return is_of_this_kernel() ? file_read(BOOT_ID) : NULL;
}

char *functions_cache_key(void)
{
	char *modules = file_read("/proc/modules"), *boot = functions_cache_boot();
	char *key = NULL;
	size_t size;
	FILE *out = open_memstream(&key, &size);
	bool known = out && print_key(out, boot, modules);

	if (out && fclose(out))
		known = false;
	free(modules);
	free(boot);
	if (known)
		return key;
	free(key);
	return NULL;
}

static bool is_roots_alone(const char *file)
{
	struct stat st;

	return !lstat(file, &st) && S_ISREG(st.st_mode) && st.st_uid == 0 && !(st.st_mode & 022);
}

char *functions_cache_get(const char *file, const char *key)
{
	const size_t n = strlen(key);
	char *text = is_roots_alone(file) ? file_read(file) : NULL;

	if (text && !strncmp(text, key, n) && text[n] == '\n') {
		memmove(text, text + n + 1, strlen(text + n + 1) + 1);
		return text;
	}
	free(text);
	return NULL;
}

void functions_cache_put(const char *file, const char *key, const char *text)
{
	char *new = xasprintf("%s.XXXXXX", file);
	const int fd = mkstemp(new);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool bad;

	if (out) {
		fprintf(out, "%s\n%s\n", key, text);
		bad = ferror(out);
		if (fclose(out) || bad || rename(new, file))
			unlink(new);
	} else if (fd >= 0) {
		close(fd);
		unlink(new);
	}
	free(new);
}
