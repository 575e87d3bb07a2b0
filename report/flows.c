// SPDX-License-Identifier: GPL-2.0
/* flows.c - a line for each flow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flows.h"
#include "headers.h"
#include "table.h"
#include "words.h"

/* The packets of one flow, seen from the one that came first. */
struct one_flow {
	uint32_t number;
	struct flow opener;
	uint64_t first, last;
	uint64_t packets[2], bytes[2]; /* in its direction, and in the other */
	uint64_t stack_ns, calls;
	uint64_t dropped;
	bool incomplete;
};

struct flows {
	struct table by_number;
};

struct flows *flows_new(void)
{
	return calloc(1, sizeof(struct flows));
}

void flows_free(struct flows *flows)
{
	if (!flows)
		return;
	table_free(&flows->by_number);
	free(flows);
}

static struct one_flow *find_or_add(struct flows *flows, const struct packet *packet)
{
	const struct table_key key = { .number = packet->flow_number };
	struct one_flow *flow = table_find(&flows->by_number, key);

	if (flow)
		return flow;
	flow = calloc(1, sizeof(*flow));
	if (!flow)
		return NULL;
	flow->number = packet->flow_number;
	flow->opener = packet->copies[0]->flow;
	flow->first = packet->first;
	return table_add(&flows->by_number, key, flow);
}

static void one_packet(void *data, const struct packet *packet)
{
	struct one_flow *flow = find_or_add(data, packet);
	int dir;

	if (!flow)
		return;
	dir = goes_back(&flow->opener, &packet->copies[0]->flow);
	flow->packets[dir]++;
	flow->bytes[dir] += packet->copies[0]->len;
	if (packet->first < flow->first)
		flow->first = packet->first;
	if (packet->last > flow->last)
		flow->last = packet->last;
	flow->stack_ns += packet->stack_ns;
	flow->calls += packet->calls;
	flow->dropped += packet->decided->outcome.verdict == VERDICT_DROPPED;
	flow->incomplete |= packet->incomplete;
}

static int by_number(const void *a, const void *b)
{
	const struct one_flow *const *x = a, *const *y = b;

	return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

static void print_flow(const struct one_flow *flow)
{
	char time[TIME_LEN], text[FLOW_TEXT_LEN], lasted[DURATION_LEN], stack[DURATION_LEN];
	const char *name = words_flow(text, &flow->opener);

	printf("%6u%c %14s  %-46s %8llu %8llu %10llu %10llu  %8s %8s %8llu %7llu\n", flow->number,
	       flow->incomplete ? '!' : ' ', words_time(time, flow->first),
	       /* What has no number has no flow of its own. */
	       flow->number ? name : "(of no flow)", (unsigned long long)flow->packets[0],
	       (unsigned long long)flow->packets[1], (unsigned long long)flow->bytes[0],
	       (unsigned long long)flow->bytes[1], words_duration(lasted, flow->last - flow->first),
	       words_duration(stack, flow->stack_ns), (unsigned long long)flow->calls,
	       (unsigned long long)flow->dropped);
}

static void end(void *data)
{
	const struct flows *flows = data;
	struct one_flow **sorted, *flow;
	size_t i = 0, n = 0;

	sorted = calloc(flows->by_number.nr + 1, sizeof(*sorted));
	if (!sorted) {
		fputs("trace-cmd report-skb: no memory to sort the flows\n", stderr);
		return;
	}
	while ((flow = table_next(&flows->by_number, &i)))
		sorted[n++] = flow;
	qsort(sorted, n, sizeof(*sorted), by_number);

	printf("%6s  %14s  %-46s %8s %8s %10s %10s  %8s %8s %8s %7s\n", "FLOW", "TIME", "FROM > TO",
	       "PACKETS>", "<PACKETS", "BYTES>", "<BYTES", "LASTED", "STACK", "CALLS", "DROPPED");
	for (i = 0; i < n; i++)
		print_flow(sorted[i]);
	free(sorted);
}

const struct output flows_output = { .packet = one_packet, .end = end };
