// SPDX-License-Identifier: GPL-2.0
/*
 * kernelshark_session.c - write a session in which KernelShark shows the recordings of several hosts together
 *
 * Each recording is a data stream of KernelShark. KernelShark adds one constant to all times of a stream: the
 * estimated difference of the clocks in the middle of the recording. Each flow has one lane: a "combo plot"
 * of KernelShark, with the plots of this flow in all streams. The file must list plugins, filters and
 * markers, because KernelShark 2 otherwise refuses the session or crashes.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "flow_plot.h"
#include "hosts/hosts.h"
#include "output/json_string.h"
#include "output/kernelshark_session.h"
#include "output/output_file.h"

/* Maximum number of flows for which KernelShark shows plots when it opens the session. */
#define MAX_LANES 16
/* The type of a task's plot in KernelShark. */
#define TASK_PLOT 1
/* Smallest error of the times that is visible in the plots, in ns. */
#define VISIBLE_NS 1000

static uint64_t middle_of(const struct join_host *host)
{
	return host->sightings->begin + (host->end - host->sightings->begin) / 2;
}

/*
 * Warn if the error of the clock is unknown, or if times are wrong because of its drift. KernelShark corrects
 * the times of a stream by one constant, which cannot express a drift.
 */
static void warn_of_drift(const struct join_host *host, unsigned int i)
{
	const double half = (host->end - host->sightings->begin) / 2.0;
	const double wrong = fabs(host->clock.drift) * half;

	if (host->source == CLOCK_WALL)
		fprintf(stderr, "%s: clock aligned by the time of day only; the error is unknown\n",
			hosts_name(i));
	else if (wrong >= VISIBLE_NS)
		fprintf(stderr,
			"%s: KernelShark cannot correct the drift of its clock: at the start and end of the "
			"recording, times are wrong by %.0f us\n",
			hosts_name(i), wrong / 1000);
}

/* Return: the absolute name of a file as a JSON string, which the caller must free; NULL on failure. */
static char *name_of(const char *file, struct err *err)
{
	char path[PATH_MAX], *utf8, *name = NULL;

	if (!realpath(file, path)) {
		err_set(err, "'%s': %s", file, strerror(errno));
		return NULL;
	}
	utf8 = json_utf8(path);
	if (utf8 && strcmp(utf8, path))
		err_set(err, "'%s': KernelShark cannot open a file with this name from a session",
			file);
	else if (utf8)
		name = json_string(path);
	if (!utf8 || (!name && !strcmp(utf8, path)))
		err_set(err, "out of memory");
	free(utf8);
	return name;
}

static int write_stream(FILE *out, const struct reader *reader, unsigned int i, const char *file,
			struct err *err)
{
	const struct join_host *host = &joined_hosts(reader)->hosts[i];
	const uint64_t middle = middle_of(host);
	char *name = name_of(file, err);
	struct stat info;

	if (!name)
		return -1;
	if (stat(file, &info)) {
		free(name);
		return err_set(err, "'%s': %s", file, strerror(errno));
	}
	fprintf(out,
		"%s{\"type\":\"kshark.config.stream\",\"stream id\":%u,"
		"\"data\":{\"type\":\"kshark.config.data\",\"file\":%s,"
		"\"name\":\"top buffer\",\"time\":%lld},",
		i ? ",\n" : "", i, name, (long long)info.st_mtime);
	free(name);
	if (host->source != CLOCK_REFERENCE) {
		fprintf(out, "\"calib. array\":[%lld],",
			(long long)(clock_convert(&host->clock, middle) - middle));
		warn_of_drift(host, i);
	}
	fputs("\"filters\":{\"type\":\"kshark.config.filter\",\"filter mask\":7},"
	      "\"plugins\":{\"type\":\"kshark.config.plugins\","
	      "\"registered\":[[\"record_skb\",true],[\"missed_events\",true]]},\"CPUPlots\":[",
	      out);
	for (int cpu = 0; cpu < joined_cpus(reader, i); cpu++)
		fprintf(out, "%s%d", cpu ? "," : "", cpu);
	fputs("],\"TaskPlots\":[]}", out);
	return 0;
}

/* Write the plots of a flow in all streams. Return: their number. */
static unsigned int write_lane(FILE *out, const struct reader *reader, uint32_t flow, bool is_first)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < joined_hosts(reader)->nr_hosts; i++) {
		const struct host_map *map = joined_map(reader, i);

		for (uint32_t own = 1; own < map->nr_flows; own++) {
			if (map->flows[own] != flow || !flow_has_plot(own))
				continue;
			fputs(n ? "," : is_first ? "[" : ",\n[", out);
			fprintf(out, "[%u,%d,%d]", i, TASK_PLOT, flow_plot_pid(own));
			n++;
		}
	}
	if (n)
		fputs("]", out);
	return n;
}

static void write_lanes(FILE *out, const struct reader *reader)
{
	uint32_t last = 0;
	unsigned int lanes = 0;

	for (unsigned int i = 0; i < joined_hosts(reader)->nr_hosts; i++) {
		const struct host_map *map = joined_map(reader, i);

		for (uint32_t own = 1; own < map->nr_flows; own++)
			last = map->flows[own] > last ? map->flows[own] : last;
	}
	for (uint32_t flow = 1; flow <= last && lanes < MAX_LANES; flow++)
		lanes += write_lane(out, reader, flow, !lanes) > 0;
}

static int write_session(FILE *out, const struct reader *reader, const struct options *options,
			 struct err *err)
{
	fputs("{\"type\":\"kshark.config.session\",\"data streams\":[\n", out);
	for (unsigned int i = 0; i < options->nr_files; i++) {
		if (write_stream(out, reader, i, options->files[i].path, err))
			return -1;
	}
	fputs("],\n\"Splitter\":[3,1],\"MainWindow\":[1500,950],\n"
	      "\"Markers\":{\"type\":\"kshark.config.markers\",\"markA\":{\"isSet\":false},"
	      "\"markB\":{\"isSet\":false},\"Active\":\"A\"},\n\"ComboPlots\":[",
	      out);
	write_lanes(out, reader);
	fputs("]}\n", out);
	return 0;
}

int kernelshark_session_write(const struct options *options, struct err *err)
{
	struct reader *reader = joined_open(options->files, options->nr_files, options->offsets,
					    options->nr_offsets, err);
	FILE *out;
	int ret = -1;

	if (!reader)
		return -1;
	out = output_file_open(options->file, options->input, "--kernelshark", err);
	if (out) {
		ret = write_session(out, reader, options, err);
		if (ret)
			fclose(out);
		else
			ret = output_file_close(out, options->file, err);
	}
	reader_close(reader);
	return ret;
}
