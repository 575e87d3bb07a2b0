// SPDX-License-Identifier: GPL-2.0
/* flows.c - a line for each flow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flows.h"
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
	struct one_flow **slots; /* open addressing by number */
	size_t nr_slots, nr;
};

struct flows *flows_new(void)
{
	struct flows *flows = calloc(1, sizeof(*flows));

	if (!flows)
		return NULL;
	flows->nr_slots = 256;
	flows->slots = calloc(flows->nr_slots, sizeof(*flows->slots));
	if (!flows->slots) {
		free(flows);
		return NULL;
	}
	return flows;
}

void flows_free(struct flows *flows)
{
	if (!flows)
		return;
	for (size_t i = 0; i < flows->nr_slots; i++)
		free(flows->slots[i]);
	free(flows->slots);
	free(flows);
}

static struct one_flow **find_slot(struct one_flow **slots, size_t nr, uint32_t number)
{
	size_t i = number & (nr - 1);

	while (slots[i] && slots[i]->number != number)
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

static int grow(struct flows *flows)
{
	size_t nr = flows->nr_slots * 2;
	struct one_flow **slots = calloc(nr, sizeof(*slots));

	if (!slots)
		return -1;
	for (size_t i = 0; i < flows->nr_slots; i++) {
		if (flows->slots[i])
			*find_slot(slots, nr, flows->slots[i]->number) = flows->slots[i];
	}
	free(flows->slots);
	flows->slots = slots;
	flows->nr_slots = nr;
	return 0;
}

static struct one_flow *find_or_add(struct flows *flows, const struct packet *packet)
{
	struct one_flow **slot = find_slot(flows->slots, flows->nr_slots, packet->flow_number);

	if (*slot)
		return *slot;
	if (flows->nr * 2 >= flows->nr_slots) {
		if (grow(flows))
			return NULL;
		slot = find_slot(flows->slots, flows->nr_slots, packet->flow_number);
	}
	*slot = calloc(1, sizeof(**slot));
	if (!*slot)
		return NULL;
	flows->nr++;
	(*slot)->number = packet->flow_number;
	(*slot)->opener = packet->copies[0]->flow;
	(*slot)->first = packet->first;
	return *slot;
}

static int is_other_direction(const struct one_flow *flow, const struct copy *first)
{
	return memcmp(flow->opener.saddr, first->flow.saddr, sizeof(first->flow.saddr)) ||
	       flow->opener.sport != first->flow.sport;
}

static void one_packet(void *data, const struct packet *packet)
{
	struct one_flow *flow = find_or_add(data, packet);
	int dir;

	if (!flow)
		return;
	dir = is_other_direction(flow, packet->copies[0]);
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
	struct flows *flows = data;
	size_t n = 0;

	printf("%6s  %14s  %-46s %8s %8s %10s %10s  %8s %8s %8s %7s\n", "FLOW", "TIME", "FROM > TO",
	       "PACKETS>", "<PACKETS", "BYTES>", "<BYTES", "LASTED", "STACK", "CALLS", "DROPPED");
	for (size_t i = 0; i < flows->nr_slots; i++) {
		struct one_flow *flow = flows->slots[i];

		flows->slots[i] = NULL;
		if (flow)
			flows->slots[n++] = flow;
	}
	qsort(flows->slots, n, sizeof(*flows->slots), by_number);
	for (size_t i = 0; i < n; i++)
		print_flow(flows->slots[i]);
}

const struct output flows_output = { .packet = one_packet, .end = end };
