// SPDX-License-Identifier: GPL-2.0
/* hosts_section.c - print the hosts of joined recordings, their clocks, and the times between them */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "hosts/hosts.h"
#include "model/packet_text.h"
#include "output/hosts_section.h"
#include "output/json_line.h"

#define CLOCK_LEN 192

static uint64_t count_packets(const struct sightings *sightings)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < sightings->nr_packets; i++)
		n += sightings->packets[i].first != 0;
	return n;
}

/* Format the difference of a clock from the reference: "37.000012 s ahead, 200.1 ppm fast (± 21 us)". */
static const char *words_clock(char *buf, const struct join_host *host)
{
	const struct clock_line *clock = &host->clock;
	const double seconds = fabs((double)clock->ns / 1e9), ppm = -clock->drift * 1e6;
	char duration[DURATION_LEN], error[DURATION_LEN + 8] = "error not known";
	int n;

	if (host->error_is_known)
		snprintf(error, sizeof(error), "± %s", words_duration(duration, clock->error));
	n = snprintf(buf, CLOCK_LEN, "%.6f s %s", seconds, clock->ns > 0 ? "behind" : "ahead");
	if (host->source == CLOCK_REFERENCE)
		snprintf(buf, CLOCK_LEN, "times are those of this host");
	else if (host->source == CLOCK_SYNC_ONLY || host->source == CLOCK_SYNC)
		snprintf(buf + n, CLOCK_LEN - n, " by trace-cmd's time synchronization (%s)",
			 error);
	else if (host->source == CLOCK_GIVEN)
		snprintf(buf + n, CLOCK_LEN - n, " (--offset)");
	else if (host->source == CLOCK_WALL)
		snprintf(buf + n, CLOCK_LEN - n,
			 " by the time of the day (error not known: needs packets both ways)");
	else
		snprintf(buf + n, CLOCK_LEN - n, ", %.1f ppm %s (%s)", fabs(ppm),
			 ppm < 0 ? "slow" : "fast", error);
	if (host->sync_is_wrong)
		strncat(buf, "; packets contradict trace-cmd's time synchronization",
			CLOCK_LEN - 1 - strlen(buf));
	return buf;
}

static unsigned int print_hosts(FILE *out, const struct join *join)
{
	char text[CLOCK_LEN];

	fprintf(out, "%8s  %-16s  %s\n", "PACKETS", "HOST", "CLOCK");
	for (unsigned int i = 0; i < join->nr_hosts; i++)
		fprintf(out, "%8" PRIu64 "  %-16s  %s\n", count_packets(join->hosts[i].sightings),
			hosts_name(i), words_clock(text, &join->hosts[i]));
	return 1 + join->nr_hosts;
}

/* Print a line: "client > router: 120 us there, 110 us back (± 21 us), round trip on the wire 230 us". */
static void print_pair(FILE *out, const struct host_pair *pair)
{
	char forth[DURATION_LEN], back[DURATION_LEN], error[DURATION_LEN], round[DURATION_LEN];

	fprintf(out, "%s > %s:", hosts_name(pair->a), hosts_name(pair->b));
	if (pair->has_error) {
		fprintf(out, " %s there", words_duration(forth, pair->forth));
		if (pair->nr_back)
			fprintf(out, ", %s back", words_duration(back, pair->back));
		fprintf(out, " (± %s)", words_duration(error, pair->error));
	} else {
		fprintf(out, " one-way times are not known");
	}
	if (pair->nr_rounds)
		fprintf(out, ", round trip on the wire %s", words_duration(round, pair->round));
	fputc('\n', out);
}

static const char *comma(bool *is_first)
{
	const char *text = *is_first ? "" : ", ";

	*is_first = false;
	return text;
}

void hosts_section_print_left(FILE *out, const struct reader *reader)
{
	const struct join *join = joined_hosts(reader);
	const struct join_counts *counts = join ? &join->counts : NULL;
	bool is_first = true;

	if (!join || !(counts->alike || counts->unclear || counts->differ || counts->clock))
		return;
	fputs("not joined: ", out);
	if (counts->alike)
		fprintf(out, "%s%" PRIu64 " that NAT between the hosts may have changed",
			comma(&is_first), counts->alike);
	if (counts->unclear)
		fprintf(out, "%s%" PRIu64 " that fit several packets", comma(&is_first),
			counts->unclear);
	if (counts->differ)
		fprintf(out, "%s%" PRIu64 " in other TCP segments", comma(&is_first),
			counts->differ);
	if (counts->clock)
		fprintf(out, "%s%" PRIu64 " that arrived before they were sent, by the clocks",
			comma(&is_first), counts->clock);
	fputc('\n', out);
}

unsigned int hosts_section_print(FILE *out, const struct reader *reader)
{
	const struct join *join = joined_hosts(reader);
	const struct join_times *times = joined_times(reader);
	const struct join_counts *counts = join ? &join->counts : NULL;
	unsigned int lines;

	if (!join)
		return 0;
	lines = print_hosts(out, join);
	fprintf(out, "joined: %" PRIu64 " arrival%s", counts->joined, plural_of(counts->joined));
	if (counts->doubled)
		fprintf(out, ", %" PRIu64 " of them duplicates", counts->doubled);
	if (counts->parts)
		fprintf(out, ", %" PRIu64 " of them parts of a segment", counts->parts);
	if (counts->translated)
		fprintf(out, ", %" PRIu64 " of them through NAT between the hosts",
			counts->translated);
	fputc('\n', out);
	hosts_section_print_left(out, reader);
	for (size_t i = 0; i < times->n; i++)
		print_pair(out, &times->v[i]);
	return lines + 2 + times->n;
}

static void add_host(struct json_object *array, const struct join_host *host, unsigned int number)
{
	static const char *const sources[] = {
		[CLOCK_REFERENCE] = "reference", [CLOCK_PACKETS] = "packets",
		[CLOCK_SYNC] = "trace-cmd",	 [CLOCK_SYNC_ONLY] = "trace-cmd",
		[CLOCK_GIVEN] = "given",	 [CLOCK_WALL] = "time of day",
	};
	struct json_object *object = json_object_new_object();

	json_add_text(object, "name", hosts_name(number));
	json_add_number(object, "packets", count_packets(host->sightings));
	json_add_text(object, "clock", sources[host->source]);
	json_add(object, "offset_ns", json_object_new_int64(host->clock.ns));
	json_add_number(object, "offset_at_ns", host->clock.from);
	json_add(object, "drift_ppm", json_object_new_double(host->clock.drift * 1e6));
	if (host->source != CLOCK_REFERENCE && host->error_is_known)
		json_add_number(object, "error_ns", host->clock.error);
	json_object_array_add(array, object);
}

static void add_pair(struct json_object *array, const struct host_pair *pair)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "from", hosts_name(pair->a));
	json_add_text(object, "to", hosts_name(pair->b));
	json_add_number(object, "packets_there", pair->nr_forth);
	json_add_number(object, "packets_back", pair->nr_back);
	if (pair->has_error) {
		if (pair->nr_forth)
			json_add_number(object, "there_ns", pair->forth);
		if (pair->nr_back)
			json_add_number(object, "back_ns", pair->back);
		json_add_number(object, "error_ns", pair->error);
	}
	if (pair->nr_rounds)
		json_add_number(object, "round_trip_ns", pair->round);
	json_object_array_add(array, object);
}

void hosts_section_add(struct json_object *to, const struct reader *reader)
{
	const struct join *join = joined_hosts(reader);
	const struct join_times *times = joined_times(reader);
	struct json_object *hosts, *between, *joined;

	if (!join)
		return;
	hosts = json_object_new_array();
	between = json_object_new_array();
	joined = json_object_new_object();
	for (unsigned int i = 0; i < join->nr_hosts; i++)
		add_host(hosts, &join->hosts[i], i);
	for (size_t i = 0; i < times->n; i++)
		add_pair(between, &times->v[i]);
	json_add_number(joined, "arrivals", join->counts.joined);
	json_add_number(joined, "duplicates", join->counts.doubled);
	json_add_number(joined, "parts", join->counts.parts);
	json_add_number(joined, "translated", join->counts.translated);
	json_add_number(joined, "maybe_translated", join->counts.alike);
	json_add_number(joined, "unclear", join->counts.unclear);
	json_add_number(joined, "other_segments", join->counts.differ);
	json_add_number(joined, "before_sent", join->counts.clock);
	json_add_number(joined, "not_arrived", join->counts.gone);
	json_add(to, "hosts", hosts);
	json_add(to, "joined", joined);
	json_add(to, "between_hosts", between);
}
