/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * tasks.h - where the graphs of each task of a stream begin, and where rows are missing
 *
 * Whose a row is follows from the rows of its task since a graph began: a piece. So what is shown
 * can be told from the pieces that are shown.
 */
#ifndef _RECORD_SKB_KSHARK_TASKS_H
#define _RECORD_SKB_KSHARK_TASKS_H

#include "noted.h"
#include "table.h"

/**
 * struct loaded - all rows of a stream
 * @v: in the order of time
 * @n: how many
 */
struct loaded {
	struct kshark_entry **v;
	size_t n;
};

/* The number of a row; that of none if it is not there. */
size_t loaded_find(const struct loaded *loaded, const struct kshark_entry *entry);

/**
 * struct piece - one graph, or several of which one began before the other one was over
 * @first: the number of the row that it begins with, an event of record_skb
 * @last: the last event of record_skb in it
 * @graphs: how many
 * @over: they are, with the first line of the graph behind @last
 * @packet: the first packet in it that has lines, 0 if there is none
 * @resolved: whose its rows are has been found out, and
 * @stays: which packets are in it
 * @nr_stays: how many
 */
struct piece {
	size_t first;
	const struct kshark_entry *last;
	unsigned int graphs;
	bool over;
	uint32_t packet;
	bool resolved;
	struct stay *stays;
	size_t nr_stays, room_stays;
};

/**
 * struct task - one task; an idle task is one for each CPU
 * @pid: its number
 * @cpu: of an idle task
 * @pieces: in their order
 * @nr_pieces: how many
 */
struct task {
	int pid, cpu;
	struct piece *pieces;
	size_t nr_pieces, room_pieces;
};

/**
 * struct event_place - an event of a packet
 * @noted: the event
 * @task: of which task
 * @piece: within which of its pieces; NO_PIECE if in none
 * @packet: the packet's number
 */
struct event_place {
	const struct noted *noted;
	struct task *task;
	size_t piece;
	uint32_t packet;
};

#define NO_PIECE SIZE_MAX

/* The first event that a packet has, as its place in the list of events. */
struct first_event {
	uint32_t packet;
	size_t event;
};

/* A time in which rows of a CPU are missing. */
struct lost_time {
	const struct kshark_entry *before; /* NULL: from the beginning on */
	const struct kshark_entry *after;
};

/* Of one CPU or all: in the order of their ends. */
struct lost_times {
	struct lost_time *v;
	size_t n, room;
};

/**
 * struct tasks - of a stream
 * @loaded: its rows
 * @table: struct task, by table_task_key()
 * @events: packets' events, in the order of time
 * @nr_events: how many
 * @firsts: the first of each packet, in the order of their numbers
 * @nr_firsts: how many
 * @lost: of all CPUs
 * @lost_of: of each
 * @nr_cpus: how many
 */
struct tasks {
	const struct loaded *loaded;
	struct table table;
	struct event_place *events;
	size_t nr_events, room_events;
	struct first_event *firsts;
	size_t nr_firsts, room_firsts;
	struct lost_times lost, *lost_of;
	int nr_cpus;
};

/* Sort what has been noted; false without memory. @notes and @loaded have to stay. */
bool tasks_sort(struct tasks *tasks, const struct notes *notes, const struct loaded *loaded,
		const struct rows *rows);
void tasks_free(struct tasks *tasks);

/* Where a packet was seen first; NULL if it was not. */
const struct event_place *tasks_first_event(const struct tasks *tasks, uint32_t packet);

/* The piece that a row may be in, NULL if there is none; and its task. */
struct piece *tasks_piece(const struct tasks *tasks, const struct kshark_entry *entry, size_t row,
			  struct task **task);

/* The first row that is not the piece's any more; rows in front of it may be other tasks'. */
size_t piece_end(const struct tasks *tasks, const struct task *task, const struct piece *piece);

/* Up to when all rows of the task are there, if they are from @from on. */
int64_t tasks_complete_until(const struct tasks *tasks, const struct task *task, int64_t from);

#endif /* _RECORD_SKB_KSHARK_TASKS_H */
