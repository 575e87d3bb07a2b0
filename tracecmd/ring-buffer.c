// SPDX-License-Identifier: GPL-2.0
/* What the kernel counts of trace buffers. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "ring-buffer.h"
#include "strlist.h"

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
