/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * graph_spans.h - assign the rows of a graph span to packets
 *
 * A graph span is all rows of a task from the beginning of a graph to its end.
 */
#ifndef _RECORD_SKB_KSHARK_GRAPH_SPANS_H
#define _RECORD_SKB_KSHARK_GRAPH_SPANS_H

#include "call_stack.h"
#include "task_graphs.h"

struct kshark_data_stream;

/**
 * struct labels - texts that are shown after the text of a row
 * @v: the texts; index 0 is unused
 * @n: index of the last text
 * @capacity: allocated entries
 */
struct labels {
	char **v;
	size_t n, capacity;
};

/**
 * struct resolver - state for resolving the graph spans of a stream
 * @stream: the stream
 * @rows: event formats of the trace in the stream
 * @tasks: tasks of the stream
 * @state: function graph state of the task that is being read
 * @label: label number of each loaded row, 0 for none; valid for rows in graph spans that are resolved
 * @labels: the label texts
 * @calls: open function calls in the graph span that is being resolved
 * @last_read: the row that was read last
 */
struct resolver {
	struct kshark_data_stream *stream;
	struct rows *rows;
	const struct tasks *tasks;
	struct graph_state *state;
	uint32_t *label;
	struct labels labels;
	struct call_stack calls;
	const struct kshark_entry *last_read;
};

/*
 * Assign each row of the graph span to a packet. If the rows of the span have been assigned already, this
 * does nothing.
 */
void graph_span_resolve(struct resolver *resolver, struct task *task, struct graph_span *span);

void resolver_free(struct resolver *resolver);

#endif /* _RECORD_SKB_KSHARK_GRAPH_SPANS_H */
