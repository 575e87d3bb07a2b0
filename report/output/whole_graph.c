// SPDX-License-Identifier: GPL-2.0
/*
 * whole_graph.c - print the graphs in which a packet is nested, for --whole
 *
 * Only at the end of a task's graph is it known if the graph contains the packet. Until then, the text of the
 * graph is in a buffer of the task.
 */
#include <stdio.h>
#include <stdlib.h>

#include "hash_table.h"
#include "output/packet_graph.h"
#include "output/whole_graph.h"

/* The graph of a task. It is printed only if it contains the packet. */
struct task_graph {
	struct packet_graph *graph;
	FILE *out; /* a stream that writes to @text */
	char *text;
	size_t len;
};

/* The graphs in which the packet is nested. */
struct whole_graph {
	uint32_t number;
	FILE *out;
	struct table tasks; /* table of struct task_graph, by task */
	uint64_t last;	    /* time of the last row that was printed */
	bool seen, no_memory;
};

struct whole_graph *whole_graph_new(uint32_t number, FILE *out)
{
	struct whole_graph *whole = calloc(1, sizeof(*whole));

	if (!whole)
		return NULL;
	whole->number = number;
	whole->out = out;
	return whole;
}

static void free_task_graph(struct task_graph *task)
{
	packet_graph_free(task->graph);
	if (task->out)
		fclose(task->out);
	free(task->text);
	*task = (struct task_graph){ NULL };
}

/* Free the graph of a task. If the graph contains the packet, print it. */
static void end_task_graph(struct whole_graph *whole, struct task_graph *task)
{
	bool seen;

	if (!task->graph)
		return;
	seen = packet_graph_end(task->graph);
	/* Close the stream first, because the text is complete only after that. */
	fclose(task->out);
	task->out = NULL;
	if (seen) {
		whole->seen = true;
		whole->last = packet_graph_last(task->graph);
		if (fwrite(task->text, 1, task->len, whole->out) != task->len)
			whole->no_memory = true;
	}
	free_task_graph(task);
}

void whole_graph_free(struct whole_graph *whole)
{
	struct task_graph *task;
	size_t i = 0;

	if (!whole)
		return;
	while ((task = table_next(&whole->tasks, &i)))
		free_task_graph(task);
	table_free(&whole->tasks);
	free(whole);
}

static struct task_graph *find_task_graph(struct whole_graph *whole, const struct moment *at)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct task_graph *task = table_find(&whole->tasks, key);

	if (!task)
		task = table_add(&whole->tasks, key, calloc(1, sizeof(*task)));
	if (!task || task->graph)
		return task;
	task->out = open_memstream(&task->text, &task->len);
	if (task->out)
		task->graph = packet_graph_new(whole->number, task->out, "");
	if (!task->graph) {
		free_task_graph(task);
		whole->no_memory = true;
		return NULL;
	}
	packet_graph_set_whole(task->graph, whole->last);
	return task;
}

#define FORWARD(member, type, ends)                                                               \
	static void whole_handle_##member(void *data, const struct moment *at, const type *event) \
	{                                                                                         \
		struct task_graph *task = find_task_graph(data, at);                              \
                                                                                                  \
		if (!task)                                                                        \
			return;                                                                   \
		packet_graph_observer.member(task->graph, at, event);                             \
		if (ends && packet_graph_is_complete(task->graph, at))                            \
			end_task_graph(data, task);                                               \
	}

FORWARD(packet, struct packet_seen, false)
FORWARD(program, struct packet_program, false)
FORWARD(decided, struct packet_decided, false)
FORWARD(dropped, struct packet_dropped, false)
FORWARD(entered, struct function, false)
FORWARD(left, struct function, true)
FORWARD(abandoned, struct function, true)
FORWARD(missing, struct calls_missing, false)

static void whole_handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	struct whole_graph *whole = data;
	struct task_graph *task;
	size_t i = 0;

	while ((task = table_next(&whole->tasks, &i))) {
		if (task->graph)
			packet_graph_observer.lost(task->graph, at, from, count);
	}
}

const struct observer whole_graph_observer = {
	.packet = whole_handle_packet,
	.program = whole_handle_program,
	.decided = whole_handle_decided,
	.dropped = whole_handle_dropped,
	.entered = whole_handle_entered,
	.left = whole_handle_left,
	.abandoned = whole_handle_abandoned,
	.missing = whole_handle_missing,
	.lost = whole_handle_loss,
};

bool whole_graph_end(struct whole_graph *whole)
{
	struct task_graph *task;
	size_t i = 0;

	while ((task = table_next(&whole->tasks, &i)))
		end_task_graph(whole, task);
	if (whole->no_memory)
		fputs("not all of it is there: out of memory\n", stderr);
	return whole->seen;
}
