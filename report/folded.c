// SPDX-License-Identifier: GPL-2.0
/*
 * folded.c - where the packets' time went, for flame graphs
 *
 * All stacks are one tree. A function of a packet hangs below the one that called it, and a
 * packet's outermost function at the root, whatever else was below it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "choice.h"
#include "folded.h"
#include "stack.h"

/* More than any kernel's calls make; a limit for bad files. */
#ifndef MAX_NODES
#define MAX_NODES (1 << 20)
#endif

struct node {
	uint32_t parent;
	uint32_t child, sibling; /* 0 for none */
	const struct name *name;
	uint64_t self;
};

struct folded {
	const struct choice *choice;
	struct node *nodes; /* the first is the root */
	uint32_t nr, room;
	struct table stacks; /* whose functions' pkt is the number of their node */
};

struct folded *folded_new(const struct choice *choice)
{
	struct folded *folded = calloc(1, sizeof(*folded));

	if (!folded)
		return NULL;
	folded->choice = choice;
	folded->room = 1024;
	folded->nr = 1;
	folded->nodes = calloc(folded->room, sizeof(*folded->nodes));
	stacks_init(&folded->stacks);
	if (!folded->nodes) {
		folded_free(folded);
		return NULL;
	}
	return folded;
}

void folded_free(struct folded *folded)
{
	if (!folded)
		return;
	free(folded->nodes);
	table_free(&folded->stacks);
	free(folded);
}

/* Returns 0, the root, if there is no room. */
static uint32_t child_of(struct folded *folded, uint32_t parent, const struct name *name)
{
	struct node *nodes = folded->nodes;
	uint32_t i;

	for (i = nodes[parent].child; i; i = nodes[i].sibling) {
		if (nodes[i].name == name)
			return i;
	}
	if (folded->nr == MAX_NODES)
		return 0;
	if (folded->nr == folded->room) {
		nodes = realloc(nodes, 2 * folded->room * sizeof(*nodes));
		if (!nodes)
			return 0;
		folded->nodes = nodes;
		folded->room *= 2;
	}
	i = folded->nr++;
	nodes[i] = (struct node){
		.parent = parent,
		.sibling = nodes[parent].child,
		.name = name,
	};
	nodes[parent].child = i;
	return i;
}

static void entered(void *data, const struct moment *at, const struct function *function)
{
	struct folded *folded = data;
	struct stack *stack = stacks_find(&folded->stacks, at->pid, at->cpu, true);
	uint32_t parent = 0, node = 0;

	if (!stack || stack->n == STACK_DEPTH)
		return;
	if (stack->n && !function->starts)
		parent = stack->v[stack->n - 1].pkt;
	if (function->pkt && !function->name->gate && choice_has(folded->choice, function->pkt))
		node = child_of(folded, parent, function->name);
	stack->v[stack->n++] = (struct open_function){ .depth = function->depth, .pkt = node };
}

/* The node of the function that is left, which is the innermost; 0 if it has none. */
static uint32_t pop(struct folded *folded, const struct moment *at, const struct function *function)
{
	struct stack *stack = stacks_find(&folded->stacks, at->pid, at->cpu, false);

	if (!stack || !stack->n || stack->v[stack->n - 1].depth != function->depth)
		return 0;
	return stack->v[--stack->n].pkt;
}

static void left(void *data, const struct moment *at, const struct function *function)
{
	struct folded *folded = data;

	folded->nodes[pop(folded, at, function)].self += function->self;
}

static void abandoned(void *data, const struct moment *at, const struct function *function)
{
	pop(data, at, function);
}

const struct sink folded_sink = { .entered = entered, .left = left, .abandoned = abandoned };

static void print_stack(const struct folded *folded, uint32_t node)
{
	if (folded->nodes[node].parent) {
		print_stack(folded, folded->nodes[node].parent);
		putchar(';');
	}
	fputs(folded->nodes[node].name->text, stdout);
}

void folded_print(const struct folded *folded)
{
	for (uint32_t i = 1; i < folded->nr; i++) {
		if (!folded->nodes[i].self)
			continue;
		print_stack(folded, i);
		printf(" %llu\n", (unsigned long long)folded->nodes[i].self);
	}
}
