// SPDX-License-Identifier: GPL-2.0
/*
 * packet_graphs.c - collect the call graphs of many packets
 *
 * Rows of several packets can alternate. Therefore each graph has its own buffer.
 */
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "output/packet_graph.h"
#include "output/packet_graphs.h"

/*
 * Limits for the number of graphs and for their total size. Browsers and other programs cannot show an
 * unlimited number of graphs.
 */
#define MAX_GRAPHS 1000
#define MAX_BYTES  (64 << 20)

/*
 * The graph of a packet. @end is the current length of its text. @done is true after packet_graphs_take() or
 * packet_graphs_forget().
 */
struct graph {
	struct packet_graph *graph;
	FILE *out;
	char *text;
	size_t size;
	long end;
	bool done, cut;
};

/* The packets that a task is processing. Each packet has the number of open functions that process it. */
#define MAX_OPEN 16
struct task {
	struct {
		uint32_t number;
		unsigned int functions;
	} open[MAX_OPEN];
	unsigned int nr;
};

struct packet_graphs {
	const struct selected_numbers *selected;
	const char *drop_mark;
	struct table graphs; /* table of struct graph, by number of the packet */
	struct table tasks;
	unsigned int nr; /* number of graphs, without the forgotten ones */
	size_t bytes;
};

static bool is_in_no_function(const void *thing)
{
	return !((const struct task *)thing)->nr;
}

static bool is_done(const void *thing)
{
	return ((const struct graph *)thing)->done;
}

struct packet_graphs *packet_graphs_new(const struct selected_numbers *selected,
					const char *drop_mark)
{
	struct packet_graphs *graphs = calloc(1, sizeof(*graphs));

	if (!graphs)
		return NULL;
	graphs->selected = selected;
	graphs->drop_mark = drop_mark;
	graphs->tasks.idle = is_in_no_function;
	graphs->graphs.idle = selected ? NULL : is_done;
	return graphs;
}

static void end_graph(struct graph *graph)
{
	if (graph->graph)
		packet_graph_end(graph->graph);
	packet_graph_free(graph->graph);
	if (graph->out)
		fclose(graph->out);
	graph->graph = NULL;
	graph->out = NULL;
}

void packet_graphs_free(struct packet_graphs *graphs)
{
	struct graph *graph;
	size_t i = 0;

	if (!graphs)
		return;
	while ((graph = table_next(&graphs->graphs, &i))) {
		end_graph(graph);
		free(graph->text);
	}
	table_free(&graphs->graphs);
	table_free(&graphs->tasks);
	free(graphs);
}

static struct graph *find_graph(const struct packet_graphs *graphs, uint32_t number)
{
	return number ? table_find(&graphs->graphs, (struct table_key){ .number = number }) : NULL;
}

/*
 * Return: the graph of the packet; NULL if the packet gets no graph. The function creates the graph if
 * necessary.
 */
static struct graph *graph_of(struct packet_graphs *graphs, uint32_t number)
{
	struct graph *graph = find_graph(graphs, number);

	if (graph || !number || graphs->nr == MAX_GRAPHS ||
	    (graphs->selected && !selected_numbers_has(graphs->selected, number)))
		return graph;
	graph = table_add(&graphs->graphs, (struct table_key){ .number = number },
			  calloc(1, sizeof(*graph)));
	if (!graph)
		return NULL;
	graphs->nr++;
	graph->out = open_memstream(&graph->text, &graph->size);
	if (graph->out)
		graph->graph = packet_graph_new(number, graph->out, graphs->drop_mark);
	return graph;
}

static bool is_open(const struct graph *graph)
{
	return graph && graph->graph && !graph->done && !graph->cut;
}

/*
 * Count the bytes that an event has added to a graph. Mark the graph as cut if all graphs together are too
 * large.
 */
static void count_bytes(struct packet_graphs *graphs, struct graph *graph)
{
	const long end = ftell(graph->out);

	if (end > graph->end)
		graphs->bytes += end - graph->end;
	graph->end = end;
	graph->cut = graphs->bytes > MAX_BYTES;
}

static struct task *task_of(struct packet_graphs *graphs, const struct moment *at, bool add)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct task *task = table_find(&graphs->tasks, key);

	return task || !add ? task : table_add(&graphs->tasks, key, calloc(1, sizeof(*task)));
}

/* Pass an event of a function to the graphs of all packets that the task is processing. */
#define TELL_GRAPHS(graphs, task, callback, at, function)                                   \
	do {                                                                                \
		for (unsigned int i_ = 0; i_ < (task)->nr; i_++) {                          \
			struct graph *graph_ = find_graph(graphs, (task)->open[i_].number); \
                                                                                            \
			if (!is_open(graph_))                                               \
				continue;                                                   \
			packet_graph_observer.callback(graph_->graph, at, function);        \
			count_bytes(graphs, graph_);                                        \
		}                                                                           \
	} while (0)

static void handle_entry(void *data, const struct moment *at, const struct function *function)
{
	struct packet_graphs *graphs = data;
	struct task *task = task_of(graphs, at, function->pkt);
	unsigned int i = 0;

	if (!task)
		return;
	while (function->pkt && i < task->nr && task->open[i].number != function->pkt)
		i++;
	if (function->pkt && i == task->nr && i < MAX_OPEN && graph_of(graphs, function->pkt)) {
		task->open[i].number = function->pkt;
		task->open[i].functions = 0;
		task->nr++;
	}
	if (function->pkt && i < task->nr)
		task->open[i].functions++;
	TELL_GRAPHS(graphs, task, entered, at, function);
}

static void close_function(struct task *task, const struct function *function)
{
	for (unsigned int i = 0; i < task->nr; i++) {
		if (task->open[i].number != function->pkt || --task->open[i].functions)
			continue;
		task->open[i] = task->open[--task->nr];
		return;
	}
}

static void handle_exit(void *data, const struct moment *at, const struct function *function)
{
	struct task *task = task_of(data, at, false);

	if (!task)
		return;
	TELL_GRAPHS((struct packet_graphs *)data, task, left, at, function);
	close_function(task, function);
}

static void handle_abandoned(void *data, const struct moment *at, const struct function *function)
{
	struct task *task = task_of(data, at, false);

	if (!task)
		return;
	TELL_GRAPHS((struct packet_graphs *)data, task, abandoned, at, function);
	close_function(task, function);
}

static void handle_probe(void *data, const struct moment *at, const struct packet_seen *packet)
{
	struct graph *graph = graph_of(data, packet->event->pkt);

	if (!is_open(graph))
		return;
	packet_graph_observer.packet(graph->graph, at, packet);
	count_bytes(data, graph);
}

static void handle_drop(void *data, const struct moment *at, const struct packet_dropped *packet)
{
	struct graph *graph = find_graph(data, packet->event->pkt);

	if (!is_open(graph))
		return;
	packet_graph_observer.dropped(graph->graph, at, packet);
	count_bytes(data, graph);
}

static void handle_missing(void *data, const struct moment *at, const struct calls_missing *calls)
{
	struct graph *graph = find_graph(data, calls->pkt);

	if (!is_open(graph))
		return;
	packet_graph_observer.missing(graph->graph, at, calls);
	count_bytes(data, graph);
}

static void handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	struct packet_graphs *graphs = data;
	struct graph *graph;
	size_t i = 0;

	while ((graph = table_next(&graphs->graphs, &i))) {
		if (!is_open(graph))
			continue;
		packet_graph_observer.lost(graph->graph, at, from, count);
		count_bytes(graphs, graph);
	}
}

const struct observer packet_graphs_observer = {
	.packet = handle_probe,
	.dropped = handle_drop,
	.entered = handle_entry,
	.left = handle_exit,
	.abandoned = handle_abandoned,
	.missing = handle_missing,
	.lost = handle_loss,
};

bool packet_graphs_take(struct packet_graphs *graphs, uint32_t number,
			struct packet_graph_text *text)
{
	struct graph *graph = find_graph(graphs, number);

	if (!graph || graph->done)
		return false;
	end_graph(graph);
	*text = (struct packet_graph_text){ graph->text, graph->cut };
	graph->text = NULL;
	graph->done = true;
	return true;
}

void packet_graphs_forget(struct packet_graphs *graphs, uint32_t number)
{
	struct graph *graph = find_graph(graphs, number);
	struct packet_graph_text text;

	if (!packet_graphs_take(graphs, number, &text))
		return;
	free(text.text);
	graphs->nr--;
	graphs->bytes -= graph->end;
}
