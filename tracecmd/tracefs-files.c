// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "strlist.h"
#include "tracefs-files.h"

static char *path_of(const char *dir, const char *file)
{
	return *file == '/' ? xstrdup(file) : xasprintf("%s/%s", dir, file);
}

char *tracefs_read(const char *dir, const char *file)
{
	size_t size = 0, room = 0;
	char *path = path_of(dir, file);
	char *text = NULL;
	ssize_t n = -1;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return NULL;
	do {
		if (size + 1 >= room) {
			room = room ? 2 * room : 4096;
			text = xrealloc(text, room);
		}
		n = read(fd, text + size, room - size - 1);
		if (n > 0)
			size += n;
	} while (n > 0);
	close(fd);
	if (n < 0) {
		free(text);
		return NULL;
	}
	while (size && strchr(" \t\n", text[size - 1]))
		size--;
	text[size] = '\0';
	return text;
}

int tracefs_write(const char *dir, const char *file, const char *text, int truncate)
{
	char *path = path_of(dir, file);
	int ret = 0;
	int fd;

	fd = open(path, O_WRONLY | O_CLOEXEC | (truncate ? O_TRUNC : 0));
	if (fd < 0)
		ret = -errno;
	free(path);
	if (fd < 0)
		return ret;
	if (*text && write(fd, text, strlen(text)) < 0)
		ret = -errno;
	/* set_ftrace_filter and its like take effect, and fail, on closing. */
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

const char *tracefs_find(struct err *err)
{
	const char *dir = tracefs_tracing_dir();
	char *tracers = dir ? tracefs_read(dir, "available_tracers") : NULL;

	if (tracers) {
		free(tracers);
		return dir;
	}
	/* Mounted, but empty or forbidden. */
	if (dir)
		err_set(err, "this kernel lets nobody trace (lockdown: see "
			"/sys/kernel/security/lockdown)");
	else
		err_set(err, "tracefs is not there and cannot be mounted: has this kernel tracing? "
			"Try 'mount -t tracefs tracefs /sys/kernel/tracing'");
	return NULL;
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += n)
		if ((p == text || p[-1] == ' ') && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

int tracefs_check(const char *dir, struct err *err)
{
	char *text;
	int ret = 0;

	text = tracefs_read(dir, "available_tracers");
	if (!text || !has_word(text, "function_graph"))
		ret = err_set(err, "this kernel has no function_graph tracer "
			      "(CONFIG_FUNCTION_GRAPH_TRACER)");
	free(text);
	if (ret)
		return ret;
	text = tracefs_read(dir, "current_tracer");
	if (text && strcmp(text, "nop"))
		ret = err_set(err, "somebody is tracing: current_tracer is %s; if nobody is, run "
			      "'trace-cmd reset' first", text);
	free(text);
	return ret;
}

static unsigned long long number_after(const char *text, const char *label)
{
	const char *p = text;
	size_t n = strlen(label);

	do {
		if (!strncmp(p, label, n))
			return strtoull(p + n, NULL, 10);
		p = strchr(p, '\n');
	} while (p++);
	return 0;
}

static int count_cpu(const char *dir, int cpu, struct tracefs_counts *counts)
{
	char file[64];
	char *text;

	snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", cpu);
	text = tracefs_read(dir, file);
	if (!text)
		return -1;
	counts->entries += number_after(text, "entries: ") + number_after(text, "read events: ");
	counts->lost += number_after(text, "overrun: ") + number_after(text, "commit overrun: ") +
			number_after(text, "dropped events: ");
	free(text);
	return 0;
}

int tracefs_count(const char *dir, int cpu, struct tracefs_counts *counts)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	counts->entries = 0;
	counts->lost = 0;
	if (cpu >= 0)
		return count_cpu(dir, cpu, counts);
	for (cpu = 0; cpu < cpus; cpu++)
		count_cpu(dir, cpu, counts);
	return 0;
}
