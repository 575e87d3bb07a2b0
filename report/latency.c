// SPDX-License-Identifier: GPL-2.0
/* latency.c - where the time goes: of each flow and direction, from station to station */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"
#include "table.h"
#include "words.h"

/* What a line is about: a step from one station to another, or a gap. */
#define NR_STEPS (STATIONS * STATIONS)
#define NR_LINES (NR_STEPS + GAPS)

struct times {
	uint64_t *v;
	size_t n, room;
};

/* One direction of a flow. */
struct direction {
	uint32_t flow;
	unsigned int dir;
	bool named;
	struct flow name;
	struct times lines[NR_LINES];
};

struct latency {
	struct stations *stations;
	struct packets **packets;
	const struct output *output;
	void *data;
	struct gaps *gaps;
	struct table directions; /* by flow and direction */
	bool no_memory;
};

static struct direction *direction_of(struct latency *latency, uint32_t flow, unsigned int dir)
{
	const struct table_key key = { .number = (uint64_t)flow << 1 | dir };
	struct direction *direction = table_find(&latency->directions, key);

	if (direction)
		return direction;
	direction = table_add(&latency->directions, key, calloc(1, sizeof(*direction)));
	if (direction) {
		direction->flow = flow;
		direction->dir = dir;
	}
	return direction;
}

static void add_time(struct latency *latency, struct direction *direction, unsigned int line,
		     uint64_t ns)
{
	struct times *times = direction ? &direction->lines[line] : NULL;
	size_t room = times && times->room ? times->room * 2 : 8;
	uint64_t *v;

	if (times && times->n == times->room) {
		v = realloc(times->v, room * sizeof(*v));
		if (v) {
			times->v = v;
			times->room = room;
		}
	}
	if (times && times->n < times->room)
		times->v[times->n++] = ns;
	else
		latency->no_memory = true;
}

static void add_gap(void *data, const struct gap *gap, uint32_t flow, unsigned int dir)
{
	struct latency *latency = data;

	add_time(latency, direction_of(latency, flow, dir), NR_STEPS + gap->kind, gap->ns);
}

struct latency *latency_new(struct stations *stations, struct packets **packets,
			    const struct output *output, void *data)
{
	struct latency *latency = calloc(1, sizeof(*latency));

	if (!latency)
		return NULL;
	latency->stations = stations;
	latency->packets = packets;
	latency->output = output;
	latency->data = data;
	/* For one line at the end no times are kept. */
	latency->gaps = gaps_new(stations, output ? NULL : add_gap, latency);
	if (!latency->gaps) {
		free(latency);
		return NULL;
	}
	return latency;
}

void latency_free(struct latency *latency)
{
	struct direction *direction;
	size_t i = 0;

	if (!latency)
		return;
	while ((direction = table_next(&latency->directions, &i))) {
		for (unsigned int line = 0; line < NR_LINES; line++)
			free(direction->lines[line].v);
	}
	table_free(&latency->directions);
	gaps_free(latency->gaps);
	free(latency);
}

static void begin(void *data)
{
	struct latency *latency = data;

	if (latency->output && latency->output->begin)
		latency->output->begin(latency->data);
}

static void add_steps(struct latency *latency, const struct packet *packet, unsigned int dir)
{
	const struct way *way = stations_way(latency->stations, packet->number);
	struct direction *direction = direction_of(latency, packet->flow_number, dir);

	if (direction && !direction->named) {
		direction->name = packet->copies[0]->flow;
		direction->named = true;
	}
	for (unsigned int i = 0; way && i < way->nr_steps; i++)
		add_time(latency, direction, way->steps[i].from * STATIONS + way->steps[i].to,
			 way->steps[i].ns);
}

static void one_packet(void *data, const struct packet *packet)
{
	struct latency *latency = data;
	unsigned int dir = gaps_packet(latency->gaps, packet);

	if (latency->output)
		latency->output->packet(latency->data, packet);
	else
		add_steps(latency, packet, dir);
	stations_forget(latency->stations, packet->number);
}

static int by_time(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int by_flow(const void *a, const void *b)
{
	const struct direction *const *x = a, *const *y = b;

	if ((*x)->flow != (*y)->flow)
		return (*x)->flow > (*y)->flow ? 1 : -1;
	return (int)(*x)->dir - (int)(*y)->dir;
}

/* The smallest that @percent of them are not longer than. */
static const char *percentile(char *buf, const struct times *times, unsigned int percent)
{
	return words_duration(buf, times->v[(times->n * percent + 99) / 100 - 1]);
}

static void print_line(const struct direction *direction, const char *what,
		       const struct times *times)
{
	char p50[DURATION_LEN], p90[DURATION_LEN], p99[DURATION_LEN], max[DURATION_LEN];
	char flow[FLOW_TEXT_LEN];

	qsort(times->v, times->n, sizeof(*times->v), by_time);
	printf("%6u  %-28s %8zu %8s %8s %8s %8s  %s\n", direction->flow, what, times->n,
	       percentile(p50, times, 50), percentile(p90, times, 90), percentile(p99, times, 99),
	       percentile(max, times, 100),
	       direction->named ? words_flow(flow, &direction->name) : "-");
}

static void print_direction(const struct direction *direction)
{
	char what[64];

	for (unsigned int line = 0; line < NR_LINES; line++) {
		const struct times *times = &direction->lines[line];

		if (!times->n || (line >= NR_STEPS && !gap_name(line - NR_STEPS)))
			continue;
		if (line < NR_STEPS)
			snprintf(what, sizeof(what), "%s -> %s", station_name(line / STATIONS),
				 station_name(line % STATIONS));
		else
			snprintf(what, sizeof(what), "%s", gap_name(line - NR_STEPS));
		print_line(direction, what, times);
	}
}

/* Not if it waited most of the time. */
static bool is_work(const struct gap *gap)
{
	return gap->kind == GAP_WORK && gap->waited.no_cpu * 2 <= gap->ns;
}

static void print_longest(FILE *out, const struct latency *latency)
{
	const struct gap *gap = gaps_longest(latency->gaps);
	char text[GAP_LEN], ns[DURATION_LEN];

	if (gap)
		fprintf(out, "longest %s %s: %s\n", is_work(gap) ? "work" : "gap",
			words_duration(ns, gap->ns),
			words_gap(text, gap, packets_devices(*latency->packets)));
	else
		fputs("no gap: somebody worked for each packet all the time\n", out);
}

static void print_table(const struct latency *latency)
{
	struct direction **sorted = calloc(latency->directions.nr + 1, sizeof(*sorted));
	struct direction *direction;
	size_t i = 0, n = 0;

	printf("%6s  %-28s %8s %8s %8s %8s %8s  %s\n", "FLOW", "FROM -> TO", "COUNT", "P50", "P90",
	       "P99", "MAX", "OF");
	while (sorted && (direction = table_next(&latency->directions, &i)))
		sorted[n++] = direction;
	if (n)
		qsort(sorted, n, sizeof(*sorted), by_flow);
	for (i = 0; i < n; i++)
		print_direction(sorted[i]);
	free(sorted);
	if (latency->no_memory)
		puts("not all times are in it: out of memory");
	print_longest(stdout, latency);
}

static void end(void *data)
{
	struct latency *latency = data;

	if (!latency->output)
		print_table(latency);
	else if (latency->output->end)
		latency->output->end(latency->data);
}

const struct output latency_output = { .begin = begin, .packet = one_packet, .end = end };

void latency_say(const struct latency *latency)
{
	if (latency->output && gaps_stands_out(latency->gaps))
		print_longest(stderr, latency);
}
