// SPDX-License-Identifier: GPL-2.0
/* slowest.c - print the slowest packets, each with the function or delay that took longest */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/slowest.h"
#include "hash_table.h"
#include "model/histogram.h"
#include "model/packet_text.h"

/* A histogram has FINE classes for each power of two, so that the error of a time is at most 1.6%. */
#define FINE	   32
#define NR_CLASSES (FINE * 61)

/* A histogram of durations. */
struct counts {
	uint64_t nr;
	uint32_t classes[NR_CLASSES];
};

/*
 * A slow packet, with its longest delay or its longest function. If @delay is empty, no delay is longer than
 * the time in @function. If @is_open is true, the packet had not ended at the end of the recording, so it
 * took at least @took.
 */
struct slow {
	uint32_t number;
	bool is_incomplete, is_open;
	uint64_t first, took, clock_error;
	struct flow flow;
	struct delay delay;
	const struct name *function;
	uint64_t function_ns;
};

struct slowest {
	struct stages *stages;
	const struct socket_reads *reads;
	struct packets **packets;
	struct slow *slow; /* sorted, slowest packet first */
	uint32_t n, capacity;
	struct table functions; /* table of struct counts, by function (address of its struct name) */
	struct counts delays[DELAYS], took;
	bool has_open; /* a packet had not ended at the end of the recording */
};

struct slowest *slowest_new(uint32_t n, struct stages *stages, const struct socket_reads *reads,
			    struct packets **packets)
{
	struct slowest *slowest = calloc(1, sizeof(*slowest));

	if (!slowest)
		return NULL;
	slowest->stages = stages;
	slowest->reads = reads;
	slowest->packets = packets;
	slowest->capacity = n;
	slowest->slow = calloc((size_t)n + 1, sizeof(*slowest->slow));
	if (!slowest->slow) {
		free(slowest);
		return NULL;
	}
	return slowest;
}

void slowest_free(struct slowest *slowest)
{
	if (!slowest)
		return;
	table_free(&slowest->functions);
	free(slowest->slow);
	free(slowest);
}

/* Counting */

static void add_duration(struct counts *counts, uint64_t ns)
{
	counts->nr++;
	counts->classes[time_class(ns, FINE)]++;
}

static uint64_t median_of(const struct counts *counts)
{
	uint64_t below = 0;
	unsigned int class = 0;

	while (class < NR_CLASSES - 1 && (below += counts->classes[class]) * 2 < counts->nr)
		class ++;
	return time_class_middle(class, FINE);
}

static struct table_key function_key(const struct name *name)
{
	return (struct table_key){ .number = (uintptr_t)name };
}

static void slowest_handle_exit(void *data, const struct moment *at,
				const struct function *function)
{
	struct slowest *slowest = data;
	const struct table_key key = function_key(function->name);
	struct counts *counts;

	(void)at;
	if (!function->pkt || function->name->gate)
		return;
	counts = table_find(&slowest->functions, key);
	if (!counts)
		counts = table_add(&slowest->functions, key, calloc(1, sizeof(*counts)));
	if (counts)
		add_duration(counts, function->self);
}

const struct observer slowest_observer = { .left = slowest_handle_exit };

/* Packets */

/* Insert a packet before all faster packets. */
static void insert_packet(struct slowest *slowest, const struct slow *slow)
{
	uint32_t i = slowest->n;

	while (i && slowest->slow[i - 1].took < slow->took)
		i--;
	memmove(&slowest->slow[i + 1], &slowest->slow[i],
		(slowest->n - i) * sizeof(*slowest->slow));
	slowest->slow[i] = *slow;
	if (slowest->n < slowest->capacity)
		slowest->n++;
}

static void slowest_add_packet(void *data, const struct packet *packet)
{
	struct slowest *slowest = data;
	const struct way *way = stages_way(slowest->stages, packet->number);
	const uint64_t since = waits_since(packet, packet->decided, way, slowest->reads);
	const uint64_t newest = stages_newest(slowest->stages);
	struct slow slow = {
		.number = packet->number,
		.is_incomplete = packet->incomplete,
		.first = packet->first,
		.took = way_end(packet, way) - packet->first,
		.clock_error = way_clock_error(packet, way),
		.flow = packet->copies[0]->flow,
		.delay = way ? longest_own_delay(packet, way, stages_losses(slowest->stages)) :
			       (struct delay){ 0 },
		.function = packet->slowest,
		.function_ns = packet->slowest_ns,
	};

	if (since && newest > since) {
		slow.is_open = slowest->has_open = true;
		slow.took = newest - packet->first;
		if (newest - since > slow.delay.ns)
			slow.delay = (struct delay){ .ns = newest - since, .kind = DELAYS };
	} else {
		add_duration(&slowest->took, slow.took);
	}
	if (slow.delay.ns && slow.delay.kind != DELAYS)
		add_duration(&slowest->delays[slow.delay.kind], slow.delay.ns);
	if (slow.delay.ns < slow.function_ns)
		slow.delay.ns = 0;
	insert_packet(slowest, &slow);
	stages_forget(slowest->stages, packet->number);
}

static void forget_other(void *data, const struct packet *packet)
{
	stages_forget(((struct slowest *)data)->stages, packet->number);
}

/* Output */

static void print_why(const struct slowest *slowest, const struct slow *slow)
{
	const struct devices *devices = packets_devices(*slowest->packets);
	char ns[DURATION_LEN], median[DURATION_LEN], text[DELAY_LEN];
	char error[CLOCK_ERROR_LEN];
	const struct counts *counts;

	if (slow->delay.ns && slow->delay.kind == DELAYS) {
		printf(">%7s  it was still in a queue, or not completely read, at the end\n",
		       words_duration(ns, slow->delay.ns));
		return;
	}
	if (slow->delay.ns) {
		counts = &slowest->delays[slow->delay.kind];
		printf("%8s  %s%s", words_duration(ns, slow->delay.ns),
		       words_own_delay(text, &slow->delay, devices),
		       words_clock_error(error, slow->delay.clock_error));
	} else if (slow->function) {
		counts = table_find(&slowest->functions, function_key(slow->function));
		printf("%8s  in %s", words_duration(ns, slow->function_ns), slow->function->text);
	} else {
		printf("%8s  -\n", "-");
		return;
	}
	if (counts && counts->nr > 1)
		printf(" (median of %llu: %s)", (unsigned long long)counts->nr,
		       words_duration(median, median_of(counts)));
	putchar('\n');
}

static void print_slowest(void *data)
{
	const struct slowest *slowest = data;
	char time[TIME_LEN], flow[FLOW_TEXT_LEN], took[DURATION_LEN];
	char least[DURATION_LEN + 1 + CLOCK_ERROR_LEN], error[CLOCK_ERROR_LEN];

	printf("%6s  %14s  %-46s %8s %8s  %s\n", "PACKET", "TIME", "FLOW", "TOOK", "OF WHICH",
	       "WHERE");
	for (uint32_t i = 0; i < slowest->n; i++) {
		const struct slow *slow = &slowest->slow[i];

		words_duration(took, slow->took);
		snprintf(least, sizeof(least), "%s%s%s", slow->is_open ? ">" : "", took,
			 words_clock_error(error, slow->clock_error));
		printf("%6u%c %14s  %-46s %8s ", slow->number, slow->is_incomplete ? '!' : ' ',
		       words_time(time, slow->first), words_flow(flow, &slow->flow), least);
		print_why(slowest, slow);
	}
	if (slowest->took.nr > 1)
		printf("median of %llu packets%s: %s\n", (unsigned long long)slowest->took.nr,
		       slowest->has_open ? " that ended" : "",
		       words_duration(took, median_of(&slowest->took)));
}

const struct output slowest_output = { .packet = slowest_add_packet,
				       .other = forget_other,
				       .end = print_slowest };
