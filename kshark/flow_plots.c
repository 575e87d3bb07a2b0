// SPDX-License-Identifier: LGPL-2.1
/* flow_plots.c - the packets of each flow, sorted by time, for the plots of flows */
#include <stdlib.h>
#include <string.h>

#include "flow_plots.h"

uint32_t event_flow(const struct resolver *resolver, const struct packet_event *event)
{
	const struct tep_record record = cached_event_record(event->cached);
	uint64_t flow = 0;

	event_field_read(&resolver->rows->fields[event->cached->kind], FIELD_FLOW, &record, &flow);
	return flow;
}

static bool read_first_event(const struct resolver *resolver, const struct plot_packet *packet,
			     struct skb_event *own)
{
	const struct packet_event *event = &resolver->tasks->events[packet->first];
	const struct tep_record record = cached_event_record(event->cached);

	return !skb_event_read(&resolver->rows->fields[event->cached->kind], EVENT_PACKET, &record,
			       own);
}

static int by_number(const void *a, const void *b)
{
	const struct plot_packet *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int by_flow_and_time(const void *a, const void *b)
{
	const struct plot_packet *x = a, *y = b;

	if (x->flow != y->flow)
		return x->flow < y->flow ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* Add one element for each packet of the stream. The result is sorted by packet number. */
static void add_packets(struct flow_plots *plots, const struct resolver *resolver)
{
	const struct tasks *tasks = resolver->tasks;
	size_t i, event;

	for (i = 0; i < tasks->nr_firsts; i++) {
		event = tasks->firsts[i].event;
		plots->v[i] = (struct plot_packet){
			.flow = event_flow(resolver, &tasks->events[event]),
			.number = tasks->firsts[i].packet,
			.first = event,
			.last = event,
		};
	}
	plots->n = tasks->nr_firsts;
}

static void find_lasts(struct flow_plots *plots, const struct tasks *tasks)
{
	struct plot_packet wanted, *packet;
	size_t i;

	for (i = 0; i < tasks->nr_events; i++) {
		wanted.number = tasks->events[i].packet;
		packet = bsearch(&wanted, plots->v, plots->n, sizeof(wanted), by_number);
		if (packet)
			packet->last = i;
	}
}

static void drop_unknown(struct flow_plots *plots)
{
	size_t from, to = 0;

	for (from = 0; from < plots->n; from++) {
		if (plots->v[from].flow)
			plots->v[to++] = plots->v[from];
	}
	plots->n = to;
}

static bool goes_back(const struct flow *flow, const struct flow *first)
{
	return !memcmp(flow->daddr, first->saddr, sizeof(flow->daddr)) &&
	       flow->dport == first->sport &&
	       (memcmp(flow->saddr, first->saddr, sizeof(flow->saddr)) ||
		flow->sport != first->sport);
}

static void find_directions(struct flow_plots *plots, const struct resolver *resolver)
{
	struct skb_event first, own;
	uint32_t flow = 0;
	size_t i;

	for (i = 0; i < plots->n; i++) {
		if (!read_first_event(resolver, &plots->v[i], &own))
			continue;
		if (plots->v[i].flow != flow)
			first = own;
		flow = plots->v[i].flow;
		plots->v[i].back = goes_back(&own.flow, &first.flow);
	}
}

void flow_plots_build(struct flow_plots *plots, const struct resolver *resolver)
{
	plots->v = calloc(resolver->tasks->nr_firsts, sizeof(*plots->v));
	if (!plots->v)
		return;
	add_packets(plots, resolver);
	find_lasts(plots, resolver->tasks);
	drop_unknown(plots);
	qsort(plots->v, plots->n, sizeof(*plots->v), by_flow_and_time);
	find_directions(plots, resolver);
}

void flow_plots_free(struct flow_plots *plots)
{
	free(plots->v);
	*plots = (struct flow_plots){ NULL };
}

const struct plot_packet *flow_plots_find(const struct flow_plots *plots, uint32_t flow, size_t *n)
{
	size_t low = 0, high = plots->n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (plots->v[middle].flow < flow)
			low = middle + 1;
		else
			high = middle;
	}
	for (*n = 0; low + *n < plots->n && plots->v[low + *n].flow == flow;)
		++*n;
	return *n ? &plots->v[low] : NULL;
}
