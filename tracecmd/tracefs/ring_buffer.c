// SPDX-License-Identifier: GPL-2.0
/* ring_buffer.c - read the counters of the ring buffer, and detect other processes that read the buffer */
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/files.h"
#include "text.h"
#include "tracefs/ring_buffer.h"

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

static double seconds_after(const char *text, const char *label)
{
	const char *p = strstr(text, label);

	return p ? strtod(p + strlen(label), NULL) : 0;
}

static void add_cpu(const char *instance, int cpu, struct ring_buffer_counts *counts)
{
	char *file = instance ? xasprintf("instances/%s/per_cpu/cpu%d/stats", instance, cpu) :
				xasprintf("per_cpu/cpu%d/stats", cpu);
	char *text = file_read(file);
	unsigned long long overwritten;
	double oldest;

	free(file);
	if (!text)
		return;
	counts->unread += number_after(text, "entries: ");
	counts->read += number_after(text, "read events: ");
	counts->bytes += number_after(text, "bytes: ");
	overwritten = number_after(text, "overrun: ");
	counts->overwritten += overwritten;
	counts->lost +=
		number_after(text, "commit overrun: ") + number_after(text, "dropped events: ");
	counts->now = seconds_after(text, "now ts: ");
	oldest = seconds_after(text, "oldest event ts: ");
	if (overwritten && oldest > counts->oldest)
		counts->oldest = oldest;
	free(text);
}

void ring_buffer_count(const char *instance, int cpu, struct ring_buffer_counts *counts)
{
	const int cpus = sysconf(_SC_NPROCESSORS_CONF);

	*counts = (struct ring_buffer_counts){};
	if (cpu >= 0) {
		add_cpu(instance, cpu, counts);
		return;
	}
	for (cpu = 0; cpu < cpus; cpu++)
		add_cpu(instance, cpu, counts);
}

#define PIPE	 "trace_pipe"
#define RAW_PIPE "trace_pipe_raw"
#define TRACE	 OTHER_READERS_EMPTIED

/*
 * The file trace_pipe_raw of one CPU. trace-cmd's recorder process opens the file once; a second open means
 * that another process reads the buffer.
 */
struct raw {
	int watch;
	unsigned int opened;
};

struct other_readers {
	int fd;
	struct raw *raw;
	size_t nr_raw;
	const char *found;
};

static int add_watch(const struct other_readers *others, const char *dir, const char *name,
		     uint32_t what)
{
	char *path = xasprintf("%s/%s%s", tracefs_tracing_dir(), dir, name);
	const int watch = inotify_add_watch(others->fd, path, what);

	free(path);
	return watch;
}

static void watch_raw(struct other_readers *others, const char *dir)
{
	const int number = add_watch(others, dir, RAW_PIPE, IN_OPEN);

	if (number < 0)
		return;
	others->raw = xrealloc(others->raw, (others->nr_raw + 1) * sizeof(*others->raw));
	others->raw[others->nr_raw++] = (struct raw){ .watch = number };
}

struct other_readers *other_readers_watch(bool has_recorders)
{
	struct other_readers *others = xrealloc(NULL, sizeof(*others));
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	char dir[32];

	*others = (struct other_readers){ .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC) };
	if (others->fd < 0) {
		free(others);
		return NULL;
	}
	add_watch(others, "", PIPE, IN_ACCESS);
	add_watch(others, "", TRACE, IN_MODIFY);
	for (long cpu = 0; cpu < cpus; cpu++) {
		snprintf(dir, sizeof(dir), "per_cpu/cpu%ld/", cpu);
		add_watch(others, dir, PIPE, IN_ACCESS);
		add_watch(others, dir, TRACE, IN_MODIFY);
		if (has_recorders)
			watch_raw(others, dir);
	}
	return others;
}

static void note_access(struct other_readers *others, const struct inotify_event *event)
{
	if (event->mask & IN_ACCESS)
		others->found = PIPE;
	if (event->mask & IN_MODIFY)
		others->found = TRACE;
	if (!(event->mask & IN_OPEN))
		return;
	for (size_t i = 0; i < others->nr_raw; i++)
		if (others->raw[i].watch == event->wd && ++others->raw[i].opened > 1)
			others->found = RAW_PIPE;
}

const char *other_readers_look(struct other_readers *others)
{
	char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	ssize_t n;

	while (others && (n = read(others->fd, events, sizeof(events))) > 0) {
		for (const char *at = events; at < events + n; at += sizeof(*event) + event->len) {
			event = (const struct inotify_event *)at;
			note_access(others, event);
		}
	}
	return others ? others->found : NULL;
}

void other_readers_forget(struct other_readers *others)
{
	if (!others)
		return;
	other_readers_look(others);
	others->found = NULL;
}

void other_readers_free(struct other_readers *others)
{
	if (!others)
		return;
	close(others->fd);
	free(others->raw);
	free(others);
}
