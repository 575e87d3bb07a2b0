// SPDX-License-Identifier: GPL-2.0
/* What is said at the end of a recording. */
#include <sched.h>	/* trace-cmd.h of 1.2 does not */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <trace-cmd.h>

#include "summary.h"

/**
 * struct count - what a trace.dat holds
 * @entries: in all its buffers
 * @lost: of the top buffer, by CPU; the file notes them where they are missing
 * @nr_cpus: length of @lost
 */
struct count {
	unsigned long long entries;
	unsigned long long *lost;
	int nr_cpus;
};

static void count_buffer(struct tracecmd_input *handle, struct count *count, bool top)
{
	const int nr_cpus = tep_get_cpus(tracecmd_get_tep(handle));
	struct tep_record *record;

	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		while ((record = tracecmd_read_data(handle, cpu))) {
			count->entries++;
			/* -1: some, and the kernel had no room to say how many. */
			if (top && cpu < count->nr_cpus && record->missed_events)
				count->lost[cpu] += record->missed_events > 0 ?
						    record->missed_events : 1;
			tracecmd_free_record(record);
		}
	}
}

static int count_file(const char *file, struct count *count, struct err *err)
{
	struct tracecmd_input *handle, *buffer;

	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	handle = tracecmd_open(file, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!handle)
		return err_set(err, "%s cannot be read back", file);
	count_buffer(handle, count, true);
	for (int i = 0; i < tracecmd_buffer_instances(handle); i++) {
		buffer = tracecmd_buffer_instance_handle(handle, i);
		if (buffer) {
			count_buffer(buffer, count, false);
			tracecmd_close(buffer);
		}
	}
	tracecmd_close(handle);
	return 0;
}

static void print_size(FILE *out, unsigned long long bytes)
{
	static const char * const units[] = { "bytes", "KB", "MB", "GB", "TB" };
	double size = bytes;
	size_t unit = 0;

	while (size >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		size /= 1024;
		unit++;
	}
	fprintf(out, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

static const char *plural(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

static void print_lost(FILE *out, const struct count *count)
{
	unsigned long long sum = 0;
	const char *comma = " (";

	for (int cpu = 0; cpu < count->nr_cpus; cpu++)
		sum += count->lost[cpu];
	fprintf(out, "%llu lost", sum);
	if (!sum)
		return;
	for (int cpu = 0; cpu < count->nr_cpus; cpu++) {
		if (count->lost[cpu]) {
			fprintf(out, "%sCPU %d: %llu", comma, cpu, count->lost[cpu]);
			comma = ", ";
		}
	}
	fputs("; a larger buffer helps: -b KB)", out);
}

/* What the module had to let go, each with what it means to the reader. */
static void print_module_losses(FILE *out, const struct record_skb_stats *stats)
{
	const struct {
		unsigned long long n;
		const char *what;
	} losses[] = {
		{ stats->lost_frames, "matches without a graph: no room for their task or depth" },
		{ stats->lost_recursion, "probe points passed unseen: ftrace could not be entered again" },
		{ stats->lost_tracked, "packets forgotten before they were freed: too many at once" },
		{ stats->lost_flows, "flows not remembered: too many at once" },
		{ stats->lost_tasks, "children of the command not followed: too many at once" },
	};

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (losses[i].n)
			fprintf(out, "%llu %s\n", losses[i].n, losses[i].what);
}

int summary_print(FILE *out, const struct outcome *outcome, const char *file, struct err *err)
{
	const struct record_skb_stats *stats = &outcome->stats;
	struct count count = { .nr_cpus = outcome->nr_cpus };
	struct stat st;

	count.lost = calloc(count.nr_cpus + 1, sizeof(*count.lost));
	if (!count.lost)
		return err_set(err, "out of memory");
	if (file && count_file(file, &count, err)) {
		free(count.lost);
		return -1;
	}
	/* Lost after the last entry of a CPU: only the ring buffer knows. */
	for (int cpu = 0; cpu < count.nr_cpus; cpu++)
		if (outcome->lost && outcome->lost[cpu] > count.lost[cpu])
			count.lost[cpu] = outcome->lost[cpu];

	fprintf(out, "%llu packet%s matched, %llu flow%s seen\n", (unsigned long long)stats->packets,
		plural(stats->packets), (unsigned long long)stats->flows, plural(stats->flows));
	if (file)
		fprintf(out, "%llu entries recorded, ", count.entries);
	print_lost(out, &count);
	fputc('\n', out);
	print_module_losses(out, stats);
	if (file && !stat(file, &st)) {
		fprintf(out, "%s: ", file);
		print_size(out, st.st_size);
		fputc('\n', out);
	}
	free(count.lost);
	return 0;
}
