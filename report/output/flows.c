// SPDX-License-Identifier: GPL-2.0
/* flows.c - print a line for each flow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/flows.h"
#include "output/json_line.h"
#include "model/packet_headers.h"
#include "hash_table.h"
#include "model/packet_text.h"

/* Totals of one flow for each direction. Direction 0 is the direction of the first packet. */
struct one_flow {
	uint32_t number;
	struct flow opener;
	uint64_t first, last;
	uint64_t packets[2], bytes[2]; /* indexed by direction */
	uint64_t stack_ns, calls;
	uint64_t dropped;
	bool incomplete;
};

struct flows {
	const struct flows_options *options;
	struct table by_number;
	struct one_flow all;
};

struct flows *flows_new(const struct flows_options *options)
{
	struct flows *flows = calloc(1, sizeof(*flows));

	if (flows)
		flows->options = options;
	return flows;
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

static void add_to_flow(struct one_flow *flow, const struct packet *packet, int dir)
{
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

static void add_packet(void *data, const struct packet *packet)
{
	struct flows *flows = data;
	struct one_flow *flow = find_or_add(flows, packet);
	int dir;

	if (!flow)
		return;
	if (!flows->all.last)
		flows->all.first = packet->first;
	dir = goes_back(&flow->opener, &packet->copies[0]->flow);
	add_to_flow(flow, packet, dir);
	add_to_flow(&flows->all, packet, dir);
}

/* A flow, and the value by which flows are sorted. */
struct sorted {
	const struct one_flow *flow;
	uint64_t value;
};

static int by_value(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (x->flow->number > y->flow->number) - (x->flow->number < y->flow->number);
}

static uint64_t value_of(const struct one_flow *flow, enum flow_order order)
{
	switch (order) {
	case FLOWS_BY_NUMBER:
		return 0;
	case FLOWS_BY_PACKETS:
		return flow->packets[0] + flow->packets[1];
	case FLOWS_BY_BYTES:
		return flow->bytes[0] + flow->bytes[1];
	case FLOWS_BY_DROPPED:
		return flow->dropped;
	case FLOWS_BY_LASTED:
		return flow->last - flow->first;
	}
	return 0;
}

static void print_flow(const struct one_flow *flow, bool is_all)
{
	char time[TIME_LEN], text[FLOW_TEXT_LEN], lasted[DURATION_LEN], stack[DURATION_LEN];
	char number[16];
	const char *name = words_flow(text, &flow->opener);

	snprintf(number, sizeof(number), is_all ? "all" : "%u", flow->number);
	printf("%6s%c %14s  %-46s %8llu %8llu %10llu %10llu  %8s %8s %8llu %7llu\n", number,
	       flow->incomplete ? '!' : ' ', words_time(time, flow->first),
	       /* All packets without a flow number are counted in one row of the table. */
	       is_all	    ? "" :
	       flow->number ? name :
			      "(of no flow)",
	       (unsigned long long)flow->packets[0], (unsigned long long)flow->packets[1],
	       (unsigned long long)flow->bytes[0], (unsigned long long)flow->bytes[1],
	       words_duration(lasted, flow->last - flow->first),
	       words_duration(stack, flow->stack_ns), (unsigned long long)flow->calls,
	       (unsigned long long)flow->dropped);
}

static void print_flow_json(const struct one_flow *flow, bool is_all)
{
	struct json_object *object = json_new_object(is_all ? "all flows" : "flow");
	char text[FLOW_TEXT_LEN];

	if (!is_all && flow->number) {
		json_add_number(object, "flow", flow->number);
		json_add_text(object, "text", words_flow(text, &flow->opener));
	}
	json_add_time(object, "time", flow->first);
	json_add_time(object, "last", flow->last);
	json_add_number(object, "packets_forward", flow->packets[0]);
	json_add_number(object, "packets_back", flow->packets[1]);
	json_add_number(object, "bytes_forward", flow->bytes[0]);
	json_add_number(object, "bytes_back", flow->bytes[1]);
	json_add_time(object, "stack", flow->stack_ns);
	json_add_number(object, "calls", flow->calls);
	json_add_number(object, "dropped", flow->dropped);
	json_add(object, "complete", json_object_new_boolean(!flow->incomplete));
	json_print_object(object);
}

static void print_flows(void *data)
{
	const struct flows *flows = data;
	const struct flows_options *options = flows->options;
	void (*const print)(const struct one_flow *, bool) = options->json ? print_flow_json :
									     print_flow;
	const struct one_flow *flow;
	struct sorted *sorted;
	size_t i = 0, n = 0, top;

	sorted = calloc(flows->by_number.nr + 1, sizeof(*sorted));
	if (!sorted) {
		fputs("trace-cmd report-skb: no memory to sort the flows\n", stderr);
		return;
	}
	while ((flow = table_next(&flows->by_number, &i)))
		sorted[n++] = (struct sorted){ flow, value_of(flow, options->order) };
	if (n)
		qsort(sorted, n, sizeof(*sorted), by_value);
	top = options->top && options->top < n ? options->top : n;

	if (!options->json)
		printf("%6s  %14s  %-46s %8s %8s %10s %10s  %8s %8s %8s %7s\n", "FLOW", "TIME",
		       "FROM > TO", "PACKETS>", "<PACKETS", "BYTES>", "<BYTES", "LASTED", "STACK",
		       "CALLS", "DROPPED");
	for (i = 0; i < top; i++)
		print(sorted[i].flow, false);
	if (n)
		print(&flows->all, true);
	free(sorted);
}

const struct output flows_output = { .packet = add_packet, .end = print_flows };
