// SPDX-License-Identifier: GPL-2.0
/* flamegraph.c - print the self times of all call stacks of packets, in the input format of flame graphs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/flamegraph.h"
#include "model/call_tree.h"
#include "model/packet_times.h"

struct flamegraph {
	struct packet_times *times; /* NULL if all packets are selected */
	struct call_tree *tree;
	uint64_t *selves; /* self time of each node of the tree */
	uint32_t nr;	  /* number of elements in @selves */
};

struct flamegraph *flamegraph_new(bool has_selection)
{
	struct flamegraph *flamegraph = calloc(1, sizeof(*flamegraph));

	if (!flamegraph)
		return NULL;
	flamegraph->times = has_selection ? packet_times_new() : NULL;
	flamegraph->tree = call_tree_new();
	if (flamegraph->tree && (flamegraph->times || !has_selection))
		return flamegraph;
	flamegraph_free(flamegraph);
	return NULL;
}

void flamegraph_free(struct flamegraph *flamegraph)
{
	if (!flamegraph)
		return;
	free(flamegraph->selves);
	call_tree_free(flamegraph->tree);
	packet_times_free(flamegraph->times);
	free(flamegraph);
}

static void flamegraph_handle_entry(void *data, const struct moment *at,
				    const struct function *function)
{
	struct flamegraph *flamegraph = data;

	call_tree_enter(flamegraph->tree, at, function);
}

static void add_self(struct flamegraph *flamegraph, uint32_t node, uint64_t ns)
{
	const uint32_t nr = node < 512 ? 1024 : 2 * node;
	uint64_t *selves;

	if (node >= flamegraph->nr) {
		selves = realloc(flamegraph->selves, nr * sizeof(*selves));
		if (!selves)
			return;
		memset(selves + flamegraph->nr, 0, (nr - flamegraph->nr) * sizeof(*selves));
		flamegraph->selves = selves;
		flamegraph->nr = nr;
	}
	flamegraph->selves[node] += ns;
}

static void flamegraph_handle_exit(void *data, const struct moment *at,
				   const struct function *function)
{
	struct flamegraph *flamegraph = data;
	const uint32_t node = call_tree_leave(flamegraph->tree, at, function);

	if (flamegraph->times && node)
		packet_times_add(flamegraph->times, function->pkt, node, at->ts - function->total,
				 function->self);
	else
		add_self(flamegraph, node, function->self);
}

static void flamegraph_handle_abandoned(void *data, const struct moment *at,
					const struct function *function)
{
	struct flamegraph *flamegraph = data;

	call_tree_leave(flamegraph->tree, at, function);
}

const struct observer flamegraph_observer = { .entered = flamegraph_handle_entry,
					      .left = flamegraph_handle_exit,
					      .abandoned = flamegraph_handle_abandoned };

static void add_time(void *data, const struct packet_time *time)
{
	add_self(data, time->what, time->self);
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

static void print_stack(const struct call_tree *tree, uint32_t node)
{
	const uint32_t caller = call_tree_parent(tree, node);

	if (caller) {
		print_stack(tree, caller);
		putchar(';');
	}
	fputs(call_tree_name(tree, node)->text, stdout);
}

void flamegraph_print(const struct flamegraph *flamegraph)
{
	const uint32_t size = call_tree_size(flamegraph->tree);

	for (uint32_t i = 1; i < size && i < flamegraph->nr; i++) {
		if (!flamegraph->selves[i])
			continue;
		print_stack(flamegraph->tree, i);
		printf(" %llu\n", (unsigned long long)flamegraph->selves[i]);
	}
}
