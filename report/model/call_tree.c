// SPDX-License-Identifier: GPL-2.0
/* call_tree.c - merge the call stacks of all packets into one tree */
#include <stdlib.h>

#include "model/call_tree.h"
#include "model/function_stack.h"

/*
 * Maximum number of nodes. Real recordings have fewer different call stacks, so only damaged files reach this
 * limit.
 */
#ifndef MAX_NODES
#define MAX_NODES (1 << 20)
#endif

struct node {
	uint32_t parent;
	uint32_t child, sibling; /* first child and next sibling; 0 for none */
	const struct name *name;
};

struct call_tree {
	struct node *nodes;
	uint32_t nr, capacity;
	struct table stacks; /* open functions; their member pkt contains the index of a node */
};

struct call_tree *call_tree_new(void)
{
	struct call_tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return NULL;
	tree->capacity = 1024;
	tree->nr = 1;
	tree->nodes = calloc(tree->capacity, sizeof(*tree->nodes));
	stacks_init(&tree->stacks);
	if (tree->nodes)
		return tree;
	call_tree_free(tree);
	return NULL;
}

void call_tree_free(struct call_tree *tree)
{
	if (!tree)
		return;
	free(tree->nodes);
	table_free(&tree->stacks);
	free(tree);
}

/*
 * Return: the index of the child node with this name; 0 if there is not enough memory. The function adds the
 * node if necessary.
 */
static uint32_t child_of(struct call_tree *tree, uint32_t parent, const struct name *name)
{
	struct node *nodes = tree->nodes;
	uint32_t i;

	for (i = nodes[parent].child; i; i = nodes[i].sibling) {
		if (nodes[i].name == name)
			return i;
	}
	if (tree->nr == MAX_NODES)
		return 0;
	if (tree->nr == tree->capacity) {
		nodes = realloc(nodes, 2 * tree->capacity * sizeof(*nodes));
		if (!nodes)
			return 0;
		tree->nodes = nodes;
		tree->capacity *= 2;
	}
	i = tree->nr++;
	nodes[i] = (struct node){
		.parent = parent,
		.sibling = nodes[parent].child,
		.name = name,
	};
	nodes[parent].child = i;
	return i;
}

void call_tree_enter(struct call_tree *tree, const struct moment *at,
		     const struct function *function)
{
	struct stack *stack = stacks_find(&tree->stacks, at->pid, at->cpu, true);
	uint32_t parent = 0, node = 0;

	if (!stack || stack->n == STACK_DEPTH)
		return;
	if (stack->n && !function->starts)
		parent = stack->v[stack->n - 1].pkt;
	if (function->pkt && !function->name->gate)
		node = child_of(tree, parent, function->name);
	stack->v[stack->n++] = (struct open_function){ .depth = function->depth, .pkt = node };
}

uint32_t call_tree_leave(struct call_tree *tree, const struct moment *at,
			 const struct function *function)
{
	struct stack *stack = stacks_find(&tree->stacks, at->pid, at->cpu, false);

	if (!stack || !stack->n || stack->v[stack->n - 1].depth != function->depth)
		return 0;
	return stack->v[--stack->n].pkt;
}

uint32_t call_tree_size(const struct call_tree *tree)
{
	return tree->nr;
}

uint32_t call_tree_parent(const struct call_tree *tree, uint32_t node)
{
	return tree->nodes[node].parent;
}

const struct name *call_tree_name(const struct call_tree *tree, uint32_t node)
{
	return tree->nodes[node].name;
}
