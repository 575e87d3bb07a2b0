// SPDX-License-Identifier: GPL-2.0
/*
 * latency.c - print percentiles of the times between stages, for all packets, for each server or for each
 * flow
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/packet_text.h"
#include "model/servers.h"
#include "output/json_line.h"
#include "output/latency.h"

/* Lines of the table: one for each step from a stage to another stage, and one for each kind of delay. */
#define NR_STEPS (STAGES * STAGES)
#define NR_LINES (NR_STEPS + DELAYS)

/* The times of a group of packets: one direction of a flow, one server, or all packets. */
struct group {
	uint32_t flow;
	unsigned int dir;
	const struct server *server;
	bool named;
	struct flow name;
	struct histogram *lines[NR_LINES]; /* NULL for a line without any time */
};

struct latency {
	const struct latency_options *options;
	struct stages *stages;
	struct packets **packets;
	const struct output *output;
	void *data;
	struct delays *delays;
	struct servers *servers;
	struct open_waits *waits; /* NULL if options->reads is NULL */
	struct group all;
	/* table of struct group, by server, or by the number and the direction of the flow */
	struct table groups;
	bool no_memory;
	struct requests_table *requests; /* unused (NULL) if packets are selected */
};

/*
 * Return: the group of a packet: its server, or its flow and direction. NULL if all packets are in one group,
 * or if there is not enough memory.
 */
static struct group *group_of(struct latency *latency, uint32_t flow, unsigned int dir)
{
	struct table_key key = { .number = (uint64_t)flow << 1 | dir };
	const struct server *server = NULL;
	struct group *group;

	if (latency->options->group == LATENCY_OF_ALL)
		return NULL;
	if (latency->options->group == LATENCY_OF_SERVERS) {
		server = servers_of_flow(latency->servers, flow);
		key = (struct table_key){ .owner = server };
	}
	group = table_find(&latency->groups, key);
	if (group)
		return group;
	group = table_add(&latency->groups, key, calloc(1, sizeof(*group)));
	if (!group) {
		latency->no_memory = true;
		return NULL;
	}
	group->flow = flow;
	group->dir = dir;
	group->server = server;
	return group;
}

static void add_to_group(struct latency *latency, struct group *group, unsigned int line,
			 uint64_t ns, uint32_t packet)
{
	struct histogram **times = &group->lines[line];

	if (!*times)
		*times = calloc(1, sizeof(**times));
	latency->no_memory |= !*times || !histogram_add(*times, ns, packet);
}

static void add_time(struct latency *latency, struct group *group, unsigned int line, uint64_t ns,
		     uint32_t packet)
{
	add_to_group(latency, &latency->all, line, ns, packet);
	if (group)
		add_to_group(latency, group, line, ns, packet);
}

static void note_error(struct histogram *times, uint64_t error)
{
	if (times && error > times->clock_error)
		times->clock_error = error;
}

static void add_step(struct latency *latency, struct group *group, const struct step *step,
		     uint32_t packet)
{
	const unsigned int line = step->from * STAGES + step->to;

	add_time(latency, group, line, step->ns, packet);
	note_error(latency->all.lines[line], step_clock_error(step));
	if (group)
		note_error(group->lines[line], step_clock_error(step));
}

static void add_delay(void *data, const struct delay *delay, uint32_t flow, unsigned int dir)
{
	struct latency *latency = data;

	add_time(latency, group_of(latency, flow, dir), NR_STEPS + delay->kind, delay->ns,
		 delay->number);
}

struct latency *latency_new(const struct latency_options *options, struct stages *stages,
			    struct packets **packets, const struct output *output, void *data)
{
	struct latency *latency = calloc(1, sizeof(*latency));

	if (!latency)
		return NULL;
	latency->options = options;
	latency->stages = stages;
	latency->packets = packets;
	latency->output = output;
	latency->data = data;
	latency->servers = servers_new();
	/*
	 * If another output gets the packets, this output prints no table, and only needs the longest delay.
	 */
	latency->delays = delays_new(stages, output ? NULL : add_delay, latency);
	if (options->reads)
		latency->waits = open_waits_new(packets, options->reads);
	if (latency->delays && latency->servers && (latency->waits || !options->reads))
		return latency;
	latency_free(latency);
	return NULL;
}

static void free_lines(struct group *group)
{
	for (unsigned int line = 0; line < NR_LINES; line++) {
		if (group->lines[line])
			histogram_free(group->lines[line]);
		free(group->lines[line]);
	}
}

void latency_set_requests(struct latency *latency, struct requests_table *requests)
{
	latency->requests = requests;
}

void latency_free(struct latency *latency)
{
	struct group *group;
	size_t i = 0;

	if (!latency)
		return;
	while ((group = table_next(&latency->groups, &i)))
		free_lines(group);
	free_lines(&latency->all);
	table_free(&latency->groups);
	if (latency->delays)
		delays_free(latency->delays);
	open_waits_free(latency->waits);
	servers_free(latency->servers);
	free(latency);
}

static void latency_begin(void *data)
{
	struct latency *latency = data;

	if (latency->output && latency->output->begin)
		latency->output->begin(latency->data);
}

static void add_steps(struct latency *latency, const struct packet *packet, unsigned int dir)
{
	const struct way *way = stages_way(latency->stages, packet->number);
	struct group *group = group_of(latency, packet->flow_number, dir);

	if (group && !group->named) {
		group->name = packet->copies[0]->flow;
		group->named = true;
	}
	for (unsigned int i = 0; way && i < way->nr_steps; i++)
		add_step(latency, group, &way->steps[i], packet->number);
}

static void latency_add_packet(void *data, const struct packet *packet)
{
	struct latency *latency = data;
	unsigned int dir;

	const struct server *server = NULL;

	servers_set_losses(latency->servers, packets_losses(*latency->packets));
	if (latency->options->group == LATENCY_OF_SERVERS || latency->waits)
		server = servers_add(latency->servers, packet);
	dir = delays_packet(latency->delays, packet);
	if (latency->output)
		latency->output->packet(latency->data, packet);
	else
		add_steps(latency, packet, dir);
	if (latency->waits)
		open_waits_add(latency->waits, packet, stages_way(latency->stages, packet->number),
			       server);
	stages_forget(latency->stages, packet->number);
}

static void forget_other(void *data, const struct packet *packet)
{
	struct latency *latency = data;

	servers_set_losses(latency->servers, packets_losses(*latency->packets));
	if (latency->waits)
		servers_hear(latency->servers, packet);
	stages_forget(latency->stages, packet->number);
}

/* Printing */

static int by_flow(const void *a, const void *b)
{
	const struct group *const *x = a, *const *y = b;

	if ((*x)->flow != (*y)->flow)
		return (*x)->flow > (*y)->flow ? 1 : -1;
	return (int)(*x)->dir - (int)(*y)->dir;
}

static int by_packets(const void *a, const void *b)
{
	const struct group *const *x = a, *const *y = b;
	const struct server *one = (*x)->server, *other = (*y)->server;
	const uint64_t nr_one = one ? one->packets[0] + one->packets[1] : 0;
	const uint64_t nr_other = other ? other->packets[0] + other->packets[1] : 0;

	if (nr_one != nr_other)
		return nr_one > nr_other ? -1 : 1;
	return by_flow(a, b);
}

/* A line of the table. @value is the value by which lines are sorted. */
struct line {
	unsigned int number;
	struct histogram *times;
	uint64_t value;
};

static int by_value(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (int)x->number - (int)y->number;
}

static uint64_t value_of(struct histogram *times, enum latency_order order)
{
	switch (order) {
	case LATENCY_BY_STAGE:
		return 0;
	case LATENCY_BY_COUNT:
		return times->nr;
	case LATENCY_BY_TOTAL:
		return times->sum;
	case LATENCY_BY_MEDIAN:
		return histogram_percentile(times, 50);
	case LATENCY_BY_P99:
		return histogram_percentile(times, 99);
	case LATENCY_BY_MAX:
		return times->max;
	}
	return 0;
}

static const char *line_name(char *buf, size_t size, unsigned int line)
{
	if (line < NR_STEPS)
		snprintf(buf, size, "%s -> %s", stage_name(line / STAGES),
			 stage_name(line % STAGES));
	else
		snprintf(buf, size, "%s", delay_name(line - NR_STEPS));
	return buf;
}

static void print_line(const struct latency *latency, const struct group *group,
		       struct histogram *times, const char *what)
{
	char p50[DURATION_LEN], p90[DURATION_LEN], p99[DURATION_LEN], max[DURATION_LEN];
	char flow[FLOW_TEXT_LEN], number[NUMBER_LEN], name[64 + CLOCK_ERROR_LEN],
		error[CLOCK_ERROR_LEN];

	snprintf(name, sizeof(name), "%s%s", what, words_clock_error(error, times->clock_error));
	if (latency->options->group == LATENCY_OF_FLOWS)
		printf("%6u", group->flow);
	snprintf(number, sizeof(number), "#%u", times->packet);
	printf("  %-28s %8llu %8s %8s %8s %8s", name, (unsigned long long)times->nr,
	       words_duration(p50, histogram_percentile(times, 50)),
	       words_duration(p90, histogram_percentile(times, 90)),
	       words_duration(p99, histogram_percentile(times, 99)),
	       words_duration(max, times->max));
	if (latency->options->group != LATENCY_OF_FLOWS)
		printf(" %8s", number);
	if (latency->options->group == LATENCY_OF_FLOWS)
		printf("  %s", group->named ? words_flow(flow, &group->name) : "-");
	else if (latency->options->group == LATENCY_OF_SERVERS)
		printf("  %s", group == &latency->all ? "all" :
			       group->server	      ? words_server(flow, group->server) :
							"-");
	putchar('\n');
}

static void print_line_json(const struct latency *latency, const struct group *group,
			    struct histogram *times, const char *what)
{
	struct json_object *object = json_new_object("latency");

	json_add_text(object, "stage", what);
	if (group == &latency->all)
		json_add(object, "all", json_object_new_boolean(true));
	else if (latency->options->group == LATENCY_OF_FLOWS)
		json_add_number(object, "flow", group->flow);
	else if (group->server)
		json_add_server(object, group->server);
	if (group != &latency->all && latency->options->group == LATENCY_OF_FLOWS)
		json_add_number(object, "direction", group->dir);
	json_add_times(object, times);
	json_add_time(object, "p90", histogram_percentile(times, 90));
	json_add_time(object, "total", times->sum);
	json_print_object(object);
}

static void print_group(const struct latency *latency, struct group *group)
{
	const uint32_t top = latency->options->top;
	struct line lines[NR_LINES];
	char what[64];
	size_t n = 0;

	for (unsigned int line = 0; line < NR_LINES; line++) {
		struct histogram *times = group->lines[line];

		if (!times || (line >= NR_STEPS && !delay_name(line - NR_STEPS)))
			continue;
		lines[n++] = (struct line){ line, times, value_of(times, latency->options->order) };
	}
	if (n)
		qsort(lines, n, sizeof(*lines), by_value);
	for (size_t i = 0; i < n && (!top || i < top); i++) {
		line_name(what, sizeof(what), lines[i].number);
		if (latency->options->json)
			print_line_json(latency, group, lines[i].times, what);
		else
			print_line(latency, group, lines[i].times, what);
	}
}

/*
 * Return: true if @delay is time in a function, and the task waited for a CPU during at most half of this
 * time.
 */
static bool is_work(const struct delay *delay)
{
	return delay->kind == DELAY_WORK && delay->waited.no_cpu * 2 <= delay->ns;
}

/*
 * Return: the duration of a wait until the end of the recording. An answer that the client has not read
 * counts as 0. The client may have a reason to pause, so this wait may be no delay.
 */
static uint64_t open_ns(const struct latency *latency, const struct open_wait *wait)
{
	const uint64_t end = reader_last(latency->options->reader);

	return wait->kind != OPEN_UNREAD_BY_CLIENT && end > wait->since ? end - wait->since : 0;
}

/*
 * Return: the longest wait that had not ended at the end of the recording; NULL if all waits had ended, or if
 * a delay is longer.
 */
static const struct open_wait *longest_open(const struct latency *latency)
{
	const struct delay *delay = delays_longest(latency->delays);
	const struct open_wait *longest = NULL;
	struct open_wait *const *waits;
	size_t n = 0;

	waits = latency->waits ? open_waits_all(latency->waits, &n) : NULL;
	for (size_t i = 0; i < n; i++) {
		if (open_ns(latency, waits[i]) > (longest ? open_ns(latency, longest) :
						  delay	  ? delay->ns :
							    0))
			longest = waits[i];
	}
	return longest;
}

static void print_open(const struct latency *latency)
{
	char ns[DURATION_LEN], number[NUMBER_LEN], text[OPEN_WAIT_LEN];
	const uint64_t end = reader_last(latency->options->reader);
	struct open_wait *const *waits;
	size_t n;

	waits = open_waits_all(latency->waits, &n);
	if (n)
		printf("  %-10s %8s %8s  %s\n", "AT LEAST", "COUNT", "EXAMPLE",
		       "STILL WAITING AT THE END");
	for (size_t i = 0; i < n; i++) {
		snprintf(number, sizeof(number), "#%u", waits[i]->packet);
		printf("  %-10s %8llu %8s  %s\n",
		       words_duration(ns, end > waits[i]->since ? end - waits[i]->since : 0),
		       (unsigned long long)waits[i]->nr, number, words_open_wait(text, waits[i]));
	}
}

static void print_longest_open(FILE *out, const struct latency *latency,
			       const struct open_wait *open)
{
	char ns[DURATION_LEN], wait[OPEN_WAIT_LEN], closed[CLOSED_LEN];

	fprintf(out, "longest gap %s: #%u: still waiting at the end: %s%s\n",
		words_duration(ns, open_ns(latency, open)), open->packet,
		words_open_wait(wait, open), words_open_closed(closed, open));
}

/* Print the longest delay. @is_second is true if print_longest_open() has printed a line before. */
static void print_longest_delay(FILE *out, const struct latency *latency, bool is_second)
{
	const struct delay *delay = delays_longest(latency->delays);
	char text[DELAY_LEN], ns[DURATION_LEN];

	if (delay)
		fprintf(out, "longest %s%s %s: %s\n", is_work(delay) ? "work" : "gap",
			is_second ? " that ended" : "", words_duration(ns, delay->ns),
			words_delay(text, delay, packets_devices(*latency->packets)));
}

static void print_longest(const struct latency *latency)
{
	const struct open_wait *open = longest_open(latency);

	if (open)
		print_longest_open(stdout, latency, open);
	else if (!delays_longest(latency->delays))
		fputs("no gap: each packet was being processed all the time\n", stdout);
	print_longest_delay(stdout, latency, open);
}

static void print_longest_open_json(const struct latency *latency, const struct open_wait *open)
{
	struct json_object *object = json_new_object("longest delay");
	char wait[OPEN_WAIT_LEN + CLOSED_LEN];

	json_add_time(object, "duration", open_ns(latency, open));
	json_add(object, "is_work", json_object_new_boolean(false));
	json_add(object, "is_open", json_object_new_boolean(true));
	json_add_number(object, "packet", open->packet);
	words_open_wait(wait, open);
	words_open_closed(wait + strlen(wait), open);
	json_add_text(object, "text", wait);
	json_print_object(object);
}

static void print_longest_json(const struct latency *latency)
{
	const struct delay *delay = delays_longest(latency->delays);
	const struct open_wait *open = longest_open(latency);
	struct json_object *object;
	char text[DELAY_LEN];

	if (open)
		print_longest_open_json(latency, open);
	if (!delay)
		return;
	object = json_new_object("longest delay");
	json_add_time(object, "duration", delay->ns);
	json_add(object, "is_work", json_object_new_boolean(is_work(delay)));
	json_add_number(object, "packet", delay->number);
	if (delay->next)
		json_add_number(object, "next_packet", delay->next);
	json_add_text(object, "text", words_delay(text, delay, packets_devices(*latency->packets)));
	json_print_object(object);
}

static void print_titles(const struct latency *latency)
{
	const enum latency_group group = latency->options->group;

	if (group == LATENCY_OF_FLOWS)
		printf("%6s", "FLOW");
	printf("  %-28s %8s %8s %8s %8s %8s", "FROM -> TO", "COUNT", "P50", "P90", "P99", "MAX");
	if (group == LATENCY_OF_FLOWS)
		printf("  OF\n");
	else
		printf(" %8s%s\n", "EXAMPLE", group == LATENCY_OF_SERVERS ? "  OF" : "");
}

static void print_table(struct latency *latency)
{
	const enum latency_group by = latency->options->group;
	struct group **sorted = calloc(latency->groups.nr + 1, sizeof(*sorted)), *group;
	size_t i = 0, n = 0;

	if (!latency->options->json)
		print_titles(latency);
	if (by != LATENCY_OF_FLOWS)
		print_group(latency, &latency->all);
	while (sorted && (group = table_next(&latency->groups, &i)))
		sorted[n++] = group;
	if (n)
		qsort(sorted, n, sizeof(*sorted), by == LATENCY_OF_SERVERS ? by_packets : by_flow);
	for (i = 0; i < n; i++)
		print_group(latency, sorted[i]);
	latency->no_memory |= !sorted;
	free(sorted);
	if (latency->requests)
		latency->no_memory |= !requests_table_print(latency->requests);
	if (latency->no_memory)
		fputs("not all times are in it: out of memory\n", stderr);
	if (latency->requests && requests_table_count(latency->requests) && !latency->options->json)
		putchar('\n');
	if (latency->waits && !latency->options->json)
		print_open(latency);
	if (latency->options->json)
		print_longest_json(latency);
	else
		print_longest(latency);
}

static void latency_end(void *data)
{
	struct latency *latency = data;

	/* If the rest of the file was not read, a wait may have ended there. */
	if (latency->waits && !reader_was_stopped(latency->options->reader))
		open_waits_finish(latency->waits, latency->servers);
	if (!latency->output)
		print_table(latency);
	else if (latency->output->end)
		latency->output->end(latency->data);
}

const struct output latency_output = {
	.begin = latency_begin,
	.packet = latency_add_packet,
	.other = forget_other,
	.end = latency_end,
};

void latency_print_longest(const struct latency *latency)
{
	const struct open_wait *open;

	if (!latency->output)
		return;
	open = longest_open(latency);
	if (open && open_ns(latency, open) >= LONG_WAIT)
		print_longest_open(stderr, latency, open);
	else
		open = NULL;
	if (delays_stands_out(latency->delays))
		print_longest_delay(stderr, latency, open);
}
