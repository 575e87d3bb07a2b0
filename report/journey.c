// SPDX-License-Identifier: GPL-2.0
/*
 * journey.c - one packet's whole way as an indented graph
 *
 * The packet is worked for in pieces: here a system call, there a softirq on another CPU. They
 * are put one after the other with the time in between. What other packets' functions do within a
 * piece is one line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journey.h"
#include "stack.h"
#include "words.h"

enum whose { NOT_SHOWN, OURS, OTHERS };

struct journey {
	uint32_t number;
	bool seen;
	struct table stacks; /* whose functions' pkt is enum whose */
	int pid, cpu;	     /* of the piece that is being printed */
	bool printing;
	int base; /* depth of its outermost function */
	int pieces;
	uint64_t last; /* when the last row of ours was */
	/* The function just entered, which may turn out to be a leaf. */
	const struct name *held;
	int held_depth;
};

struct journey *journey_new(uint32_t number)
{
	struct journey *journey = calloc(1, sizeof(*journey));

	if (!journey)
		return NULL;
	journey->number = number;
	stacks_init(&journey->stacks);
	return journey;
}

void journey_free(struct journey *journey)
{
	if (!journey)
		return;
	table_free(&journey->stacks);
	free(journey);
}

static void print_line(const struct journey *journey, const uint64_t *ns, int depth,
		       const char *text, const char *more)
{
	char duration[DURATION_LEN] = "";
	int indent = depth > journey->base ? depth - journey->base : 0;

	if (ns)
		words_duration(duration, *ns);
	printf("%10s |  %*s%s%s\n", duration, 2 * indent, "", text, more);
}

static void print_held(struct journey *journey)
{
	if (journey->held)
		print_line(journey, NULL, journey->held_depth, journey->held->text, "() {");
	journey->held = NULL;
}

static void print_place(struct journey *journey, const struct moment *at, bool gap)
{
	char time[TIME_LEN], later[DURATION_LEN];

	print_held(journey);
	printf("-- %s  CPU %d  %s-%d%s", words_time(time, at->ts), at->cpu,
	       at->comm ? at->comm : "?", at->pid, at->softirq ? "  softirq" : "");
	if (gap && journey->last)
		printf("  %s later", words_duration(later, at->ts - journey->last));
	putchar('\n');
	journey->pid = at->pid;
	journey->cpu = at->cpu;
	journey->printing = true;
}

/* Rows of several CPUs may come in turns. */
static void go_to(struct journey *journey, const struct moment *at)
{
	if (!journey->printing || journey->pid != at->pid || journey->cpu != at->cpu)
		print_place(journey, at, !journey->pieces);
	journey->last = at->ts;
}

static void packet_seen(void *data, const struct moment *at, const struct packet_seen *packet)
{
	static const char *const dirs[] = { "", "receive ", "transmit " };
	struct journey *journey = data;
	char text[FLOW_TEXT_LEN];

	if (packet->event->pkt != journey->number)
		return;
	journey->seen = true;
	go_to(journey, at);
	print_held(journey);
	flow_text_packet(text, packet->event->pkt, &packet->event->flow);
	printf("           >  %s at %s, %s%s%s%s%u bytes\n", text, packet->point->text,
	       packet->event->dir < 3 ? dirs[packet->event->dir] : "",
	       packet->facts.dev[0] ? "on " : "", packet->facts.dev,
	       packet->facts.dev[0] ? ", " : "", packet->facts.len);
}

static void packet_dropped(void *data, const struct moment *at, const struct packet_dropped *packet)
{
	struct journey *journey = data;

	if (packet->event->pkt != journey->number)
		return;
	go_to(journey, at);
	print_held(journey);
	if (!packet->says_why && packet->place && packet->place->facts &&
	    packet->place->facts->frees_all) {
		printf("           >  #%u freed in %s, no reason given\n", packet->event->pkt,
		       packet->place->text);
		return;
	}
	printf("           >  #%u dropped in %s: ", packet->event->pkt,
	       packet->place ? packet->place->text : "?");
	printf("%s\n", packet->facts.why);
}

static enum whose whose(const struct journey *journey, const struct function *function,
			const struct stack *stack)
{
	if (function->pkt == journey->number)
		return function->name->gate ? NOT_SHOWN : OURS;
	if (stack->n && stack->v[stack->n - 1].pkt == OURS)
		return OTHERS;
	return NOT_SHOWN;
}

static void entered(void *data, const struct moment *at, const struct function *function)
{
	struct journey *journey = data;
	struct stack *stack =
		stacks_find(&journey->stacks, at->pid, at->cpu, function->pkt == journey->number);
	enum whose owner;

	if (!stack || stack->n == STACK_DEPTH)
		return;
	owner = whose(journey, function, stack);
	stack->v[stack->n++] = (struct open_function){
		.depth = function->depth,
		.pkt = owner,
		.starts = function->starts,
	};
	if (owner != OURS)
		return;
	go_to(journey, at);
	print_held(journey);
	if (!journey->pieces++)
		journey->base = function->depth;
	journey->held = function->name;
	journey->held_depth = function->depth;
}

static enum whose pop(struct journey *journey, const struct moment *at,
		      const struct function *function)
{
	struct stack *stack = stacks_find(&journey->stacks, at->pid, at->cpu, false);
	enum whose owner;

	if (!stack || !stack->n || stack->v[stack->n - 1].depth != function->depth)
		return NOT_SHOWN;
	owner = stack->v[--stack->n].pkt;
	if (owner == OURS)
		journey->pieces--;
	return owner;
}

static void left(void *data, const struct moment *at, const struct function *function)
{
	struct journey *journey = data;
	enum whose owner = pop(journey, at, function);
	char more[32];

	if (owner == NOT_SHOWN)
		return;
	go_to(journey, at);
	if (owner == OTHERS) {
		print_held(journey);
		if (function->pkt)
			snprintf(more, sizeof(more), "(); /* #%u */", function->pkt);
		else
			snprintf(more, sizeof(more), "(); /* not its own */");
		print_line(journey, &function->total, function->depth, function->name->text, more);
		return;
	}
	if (journey->held == function->name && journey->held_depth == function->depth) {
		print_line(journey, &function->total, function->depth, function->name->text, "();");
		journey->held = NULL;
		return;
	}
	print_held(journey);
	print_line(journey, &function->total, function->depth, "}", "");
}

static void abandoned(void *data, const struct moment *at, const struct function *function)
{
	struct journey *journey = data;

	if (pop(journey, at, function) == OURS) {
		print_held(journey);
		print_line(journey, NULL, function->depth, "}", " /* its end is not recorded */");
	}
}

static void lost(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	struct journey *journey = data;
	char time[TIME_LEN];

	/* Before the packet came it is nothing to it. */
	if (!journey->seen || from < journey->last)
		return;
	(void)count;
	print_held(journey);
	printf("-- %s  CPU %d  rows are lost here\n", words_time(time, at->ts), at->cpu);
	journey->printing = false;
}

const struct sink journey_sink = {
	.packet = packet_seen,
	.dropped = packet_dropped,
	.entered = entered,
	.left = left,
	.abandoned = abandoned,
	.lost = lost,
};

bool journey_end(struct journey *journey)
{
	print_held(journey);
	return journey->seen;
}
