// SPDX-License-Identifier: GPL-2.0
/*
 * flamegraph.c - print the self times of all call stacks of packets, in the input format of flame graphs
 *
 * All call stacks together form one tree. The parent of a function is its caller. The outermost function of
 * each packet is a child of the root node, even if a function of another packet called it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "output/flamegraph.h"
#include "model/function_stack.h"
#include "model/packet_times.h"

/* Limit for damaged files. Real recordings have fewer different stacks. */
#ifndef MAX_NODES
#define MAX_NODES (1 << 20)
#endif

struct node {
	uint32_t parent;
	uint32_t child, sibling; /* first child and next sibling; 0 for none */
	const struct name *name;
	uint64_t self;
};

struct flamegraph {
	struct packet_times *times; /* NULL if all packets are selected */
	struct node *nodes;	    /* node 0 is the root */
	uint32_t nr, capacity;
	struct table
		stacks; /* stacks of open functions; their member pkt contains the index of a node */
};

struct flamegraph *flamegraph_new(bool has_selection)
{
	struct flamegraph *flamegraph = calloc(1, sizeof(*flamegraph));

	if (!flamegraph)
		return NULL;
	flamegraph->times = has_selection ? packet_times_new() : NULL;
	flamegraph->capacity = 1024;
	flamegraph->nr = 1;
	flamegraph->nodes = calloc(flamegraph->capacity, sizeof(*flamegraph->nodes));
	stacks_init(&flamegraph->stacks);
	if (!flamegraph->nodes || (has_selection && !flamegraph->times)) {
		flamegraph_free(flamegraph);
		return NULL;
	}
	return flamegraph;
}

void flamegraph_free(struct flamegraph *flamegraph)
{
	if (!flamegraph)
		return;
	free(flamegraph->nodes);
	table_free(&flamegraph->stacks);
	packet_times_free(flamegraph->times);
	free(flamegraph);
}

/* Return: the index of the child node with this name, which is added if necessary; 0 without memory. */
static uint32_t child_of(struct flamegraph *flamegraph, uint32_t parent, const struct name *name)
{
	struct node *nodes = flamegraph->nodes;
	uint32_t i;

	for (i = nodes[parent].child; i; i = nodes[i].sibling) {
		if (nodes[i].name == name)
			return i;
	}
	if (flamegraph->nr == MAX_NODES)
		return 0;
	if (flamegraph->nr == flamegraph->capacity) {
		nodes = realloc(nodes, 2 * flamegraph->capacity * sizeof(*nodes));
		if (!nodes)
			return 0;
		flamegraph->nodes = nodes;
		flamegraph->capacity *= 2;
	}
	i = flamegraph->nr++;
	nodes[i] = (struct node){
		.parent = parent,
		.sibling = nodes[parent].child,
		.name = name,
	};
	nodes[parent].child = i;
	return i;
}

static void flamegraph_handle_entry(void *data, const struct moment *at,
				    const struct function *function)
{
	struct flamegraph *flamegraph = data;
	struct stack *stack = stacks_find(&flamegraph->stacks, at->pid, at->cpu, true);
	uint32_t parent = 0, node = 0;

	if (!stack || stack->n == STACK_DEPTH)
		return;
	if (stack->n && !function->starts)
		parent = stack->v[stack->n - 1].pkt;
	if (function->pkt && !function->name->gate)
		node = child_of(flamegraph, parent, function->name);
	stack->v[stack->n++] = (struct open_function){ .depth = function->depth, .pkt = node };
}

/*
 * Remove the innermost function from its stack, because it has returned. Return: its node; 0 without a node.
 */
static uint32_t pop_function(struct flamegraph *flamegraph, const struct moment *at,
			     const struct function *function)
{
	struct stack *stack = stacks_find(&flamegraph->stacks, at->pid, at->cpu, false);

	if (!stack || !stack->n || stack->v[stack->n - 1].depth != function->depth)
		return 0;
	return stack->v[--stack->n].pkt;
}

static void flamegraph_handle_exit(void *data, const struct moment *at,
				   const struct function *function)
{
	struct flamegraph *flamegraph = data;
	const uint32_t node = pop_function(flamegraph, at, function);

	if (flamegraph->times && node)
		packet_times_add(flamegraph->times, function->pkt, node, function->self);
	else
		flamegraph->nodes[node].self += function->self;
}

static void flamegraph_handle_abandoned(void *data, const struct moment *at,
					const struct function *function)
{
	pop_function(data, at, function);
}

const struct observer flamegraph_observer = { .entered = flamegraph_handle_entry,
					      .left = flamegraph_handle_exit,
					      .abandoned = flamegraph_handle_abandoned };

static void add_time(void *data, uintptr_t node, uint64_t ns)
{
	struct flamegraph *flamegraph = data;

	flamegraph->nodes[node].self += ns;
}

static void forget_packet(void *data, const struct packet *packet)
{
	struct flamegraph *flamegraph = data;

	if (flamegraph->times)
		packet_times_forget(flamegraph->times, packet->number);
}

static void add_packet(void *data, const struct packet *packet)
{
	struct flamegraph *flamegraph = data;

	if (flamegraph->times)
		packet_times_each(flamegraph->times, packet->number, add_time, flamegraph);
	forget_packet(data, packet);
}

const struct output flamegraph_output = { .packet = add_packet, .other = forget_packet };

static void print_stack(const struct flamegraph *flamegraph, uint32_t node)
{
	if (flamegraph->nodes[node].parent) {
		print_stack(flamegraph, flamegraph->nodes[node].parent);
		putchar(';');
	}
	fputs(flamegraph->nodes[node].name->text, stdout);
}

void flamegraph_print(const struct flamegraph *flamegraph)
{
	for (uint32_t i = 1; i < flamegraph->nr; i++) {
		if (!flamegraph->nodes[i].self)
			continue;
		print_stack(flamegraph, i);
		printf(" %llu\n", (unsigned long long)flamegraph->nodes[i].self);
	}
}
