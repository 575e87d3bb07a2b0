/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * task_graphs.h - find the graphs of each task of a stream, and the periods in which rows are missing
 *
 * To assign a row to a packet, all rows of its task since the beginning of the graph have to be read. These
 * rows are a graph span. To show part of a trace, only the graph spans in this part have to be read.
 */
#ifndef _RECORD_SKB_KSHARK_TASK_GRAPHS_H
#define _RECORD_SKB_KSHARK_TASK_GRAPHS_H

#include "event_cache.h"
#include "hash_table.h"

/**
 * struct loaded - all rows of a stream
 * @v: sorted by time
 * @n: number of rows
 */
struct loaded {
	struct kshark_entry **v;
	size_t n;
};

/* Return: the index of a row, or @loaded->n if the row is not in the array. */
size_t loaded_find(const struct loaded *loaded, const struct kshark_entry *entry);

/**
 * struct graph_span - one graph, or several graphs that overlap in time
 * @first: index of the row with which the span begins, an event of record_skb
 * @last: last event of record_skb in the span
 * @graphs: number of graphs
 * @over: @last is a return event, or a drop event after a return event. The next graph then begins a new span
 * @packet: number of the first packet that has graph lines in the span; 0 if no packet has any
 * @resolved: the rows have been assigned to packets, and @packets is valid
 * @deferred: a plot shows only the events of the span, because assigning its rows would take too long
 * @packets: spans of the packets within this graph span
 * @nr_packets: number of packet spans
 * @packets_capacity: allocated entries in @packets
 */
struct graph_span {
	size_t first;
	const struct kshark_entry *last;
	unsigned int graphs;
	bool over;
	uint32_t packet;
	bool resolved, deferred;
	struct packet_span *packets;
	size_t nr_packets, packets_capacity;
};

/**
 * struct task - a task, or the idle task of one CPU
 * @pid: process id, 0 for an idle task
 * @cpu: CPU of an idle task
 * @spans: graph spans, sorted by time
 * @nr_spans: number of spans
 * @spans_capacity: allocated entries in @spans
 */
struct task {
	int pid, cpu;
	struct graph_span *spans;
	size_t nr_spans, spans_capacity;
};

/**
 * struct packet_event - an event of a packet
 * @cached: the event
 * @task: the task that was running
 * @span: index of the task's graph span with the event, NO_SPAN if the event is in no graph span
 * @packet: number of the packet
 */
struct packet_event {
	const struct cached_event *cached;
	struct task *task;
	size_t span;
	uint32_t packet;
};

#define NO_SPAN SIZE_MAX

/* A packet, and the index of its first event in the array @events of struct tasks. */
struct first_event {
	uint32_t packet;
	size_t event;
};

/* A period in which rows of a CPU are missing. The rows @before and @after are not missing themselves. */
struct lost_time {
	/* last row before the loss; NULL if the loss is at the beginning of the trace */
	const struct kshark_entry *before;
	const struct kshark_entry *after;
};

/* The loss periods of one CPU or of all CPUs, sorted by their ends. */
struct lost_times {
	struct lost_time *v;
	size_t n, capacity;
};

/**
 * struct tasks - the tasks of a stream
 * @loaded: rows of the stream
 * @table: struct task, by table_task_key()
 * @events: events of packets, sorted by time
 * @nr_events: number of events
 * @events_capacity: allocated entries in @events
 * @firsts: first event of each packet, sorted by packet number
 * @nr_firsts: number of packets
 * @firsts_capacity: allocated entries in @firsts
 * @lost: lost times of all CPUs
 * @cpu_lost: lost times of each CPU
 * @nr_cpus: entries in @cpu_lost
 */
struct tasks {
	const struct loaded *loaded;
	struct table table;
	struct packet_event *events;
	size_t nr_events, events_capacity;
	struct first_event *firsts;
	size_t nr_firsts, firsts_capacity;
	struct lost_times lost, *cpu_lost;
	int nr_cpus;
};

/*
 * Build the tasks from the cached events. @cache and @loaded must outlive the result. Return: false if there
 * is not enough memory.
 */
bool tasks_build(struct tasks *tasks, const struct event_cache *cache, const struct loaded *loaded,
		 const struct rows *rows);
void tasks_free(struct tasks *tasks);

/* Return: the first event of a packet; NULL if the packet has no event. */
const struct packet_event *tasks_first_event(const struct tasks *tasks, uint32_t packet);

/* Return: the graph span that may contain a row; NULL if there is none. Sets @task to the task of the row. */
struct graph_span *tasks_find_span(const struct tasks *tasks, const struct kshark_entry *entry,
				   size_t row, struct task **task);

/*
 * Return: the index of the first row after the span. The rows inside the span may belong to other tasks,
 * too.
 */
size_t graph_span_end(const struct tasks *tasks, const struct task *task,
		      const struct graph_span *span);

/*
 * Find the first loss that ends after @from and may concern the task. Return: the time of the last row
 * before this loss; INT64_MAX without such a loss. From @from up to this time, no row of the task is
 * missing.
 */
int64_t tasks_complete_until(const struct tasks *tasks, const struct task *task, int64_t from);

#endif /* _RECORD_SKB_KSHARK_TASK_GRAPHS_H */
