// SPDX-License-Identifier: LGPL-2.1
/*
 * lanes.c - the packets of each flow, in the order of time
 */
#include <stdlib.h>
#include <string.h>

#include "lanes.h"

uint32_t event_flow(const struct resolver *resolver, const struct event_place *event)
{
	const struct tep_record record = noted_record(event->noted);
	uint64_t flow = 0;

	event_field_read(&resolver->rows->fields[event->noted->kind], FIELD_FLOW, &record, &flow);
	return flow;
}

static bool read_ends(const struct resolver *resolver, const struct lane_packet *packet,
		      struct skb_event *own)
{
	const struct event_place *event = &resolver->tasks->events[packet->first];
	const struct tep_record record = noted_record(event->noted);

	return !skb_event_read(&resolver->rows->fields[event->noted->kind], EVENT_PACKET, &record,
			       own);
}

static int by_number(const void *a, const void *b)
{
	const struct lane_packet *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int by_flow_and_time(const void *a, const void *b)
{
	const struct lane_packet *x = a, *y = b;

	if (x->flow != y->flow)
		return x->flow < y->flow ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* As the packets are: in the order of their numbers. */
static void add_packets(struct lanes *lanes, const struct resolver *resolver)
{
	const struct tasks *tasks = resolver->tasks;
	size_t i, event;

	for (i = 0; i < tasks->nr_firsts; i++) {
		event = tasks->firsts[i].event;
		lanes->v[i] = (struct lane_packet){
			.flow = event_flow(resolver, &tasks->events[event]),
			.number = tasks->firsts[i].packet,
			.first = event,
			.last = event,
		};
	}
	lanes->n = tasks->nr_firsts;
}

static void find_lasts(struct lanes *lanes, const struct tasks *tasks)
{
	struct lane_packet wanted, *packet;
	size_t i;

	for (i = 0; i < tasks->nr_events; i++) {
		wanted.number = tasks->events[i].packet;
		packet = bsearch(&wanted, lanes->v, lanes->n, sizeof(wanted), by_number);
		if (packet)
			packet->last = i;
	}
}

static void drop_unknown(struct lanes *lanes)
{
	size_t from, to = 0;

	for (from = 0; from < lanes->n; from++) {
		if (lanes->v[from].flow)
			lanes->v[to++] = lanes->v[from];
	}
	lanes->n = to;
}

static bool goes_back(const struct flow *flow, const struct flow *first)
{
	return !memcmp(flow->daddr, first->saddr, sizeof(flow->daddr)) &&
	       flow->dport == first->sport &&
	       (memcmp(flow->saddr, first->saddr, sizeof(flow->saddr)) ||
		flow->sport != first->sport);
}

static void find_directions(struct lanes *lanes, const struct resolver *resolver)
{
	struct skb_event first, own;
	uint32_t flow = 0;
	size_t i;

	for (i = 0; i < lanes->n; i++) {
		if (!read_ends(resolver, &lanes->v[i], &own))
			continue;
		if (lanes->v[i].flow != flow)
			first = own;
		flow = lanes->v[i].flow;
		lanes->v[i].back = goes_back(&own.flow, &first.flow);
	}
}

void lanes_sort(struct lanes *lanes, const struct resolver *resolver)
{
	lanes->v = calloc(resolver->tasks->nr_firsts, sizeof(*lanes->v));
	if (!lanes->v)
		return;
	add_packets(lanes, resolver);
	find_lasts(lanes, resolver->tasks);
	drop_unknown(lanes);
	qsort(lanes->v, lanes->n, sizeof(*lanes->v), by_flow_and_time);
	find_directions(lanes, resolver);
}

void lanes_free(struct lanes *lanes)
{
	free(lanes->v);
	*lanes = (struct lanes){ NULL };
}

const struct lane_packet *lanes_find(const struct lanes *lanes, uint32_t flow, size_t *n)
{
	size_t low = 0, high = lanes->n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (lanes->v[middle].flow < flow)
			low = middle + 1;
		else
			high = middle;
	}
	for (*n = 0; low + *n < lanes->n && lanes->v[low + *n].flow == flow;)
		++*n;
	return *n ? &lanes->v[low] : NULL;
}
