/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * task_states.h - the tasks of a graph state, and their open functions and waiting events; only
 * graph_state.c and task_states.c use it
 */
#ifndef _RECORD_SKB_TASK_STATES_H
#define _RECORD_SKB_TASK_STATES_H

#include "graph_state.h"
#include "hash_table.h"

/*
 * Maximum number of packets that are nested inside each other in one task. The limit of the module is lower.
 */
#define MAX_FRAMES 32
/*
 * Maximum number of events of a task that wait for the entry rows of their functions. More than one event
 * can wait only if an interrupt comes between an event and its entry row.
 */
#define MAX_PENDING 8

enum role {
	ROLE_NOBODY, /* an event of an unrelated packet in the graph of another packet */
	ROLE_OWNER,
	ROLE_GATE, /* the gate function that begins the graph of a packet or call */
};

/* @text is empty until graph_label_text() formats it, because most readers do not need it. */
struct graph_owner {
	enum event_kind kind;
	uint32_t pkt;
	uint32_t copy;
	struct flow flow;
	char text[FLOW_TEXT_LEN];
};

/* A packet or call event that waits for the entry row of its function. */
struct pending {
	enum role role;
	uint64_t func;
	int cursor; /* depth of the task's last row before the event */
	struct graph_owner owner;
};

/*
 * An open function that an event has assigned to a packet. The functions that it calls belong to the same
 * packet. The exceptions are functions that a later struct frame in the array assigns to another packet.
 */
struct frame {
	enum role role;
	int depth;
	int point;     /* graph depth of the probe point, -1 until its entry row is found */
	uint64_t func; /* address of the probe point; for a gate: of the function that the gate calls */
	/*
	 * true after the entry row of the probe point was read; for a gate that has a name in the trace, true
	 * from the beginning
	 */
	bool proved;
	bool is_open; /* for a gate: the function that the gate calls has been entered and has not returned */
	bool has_ret;
	int64_t ret;
	struct graph_owner owner;
};

enum last_row { ROW_NONE, ROW_ENTRY, ROW_EXIT };

/* What is known about one task. */
struct graph_task {
	struct graph_task_id id;
	bool gaps; /* copy of graph_state.gaps */
	bool knows_overrun;
	uint32_t overrun;	     /* the kernel's latest count of lost calls of this task */
	uint64_t last_ts, before_ts; /* times of the last row and of the row before it */
	enum last_row last;
	int cursor; /* depth of the last row */
	int nr_frames;
	int nr_pending;
	struct frame frames[MAX_FRAMES];
	struct pending pending[MAX_PENDING];
};

struct graph_state {
	struct table tasks;
	/* task of the last row, because the next row usually belongs to the same task */
	struct graph_task *last;
	bool no_migration; /* forget a task that appears on another CPU */
	/*
	 * other recordings ran at the same time: depths also count functions that are missing in this trace
	 */
	bool gaps;
};

/*
 * Return: true if the task has neither open functions nor waiting events. Then the object may be freed,
 * because a new object would have the same state.
 */
static inline bool graph_task_is_idle(const struct graph_task *task)
{
	return !task->nr_frames && !task->nr_pending;
}

/*
 * Find a task and set the time of its last row. If rows of the task are missing before this row, the task is
 * forgotten. Return: the task; NULL if it was not added.
 */
struct graph_task *graph_task_look_up(struct graph_state *state, const struct graph_task_id *id,
				      uint64_t ts);
/* Add a task that graph_task_look_up() does not find. Return: NULL if there is not enough memory. */
struct graph_task *graph_task_add(struct graph_state *state, const struct graph_task_id *id);
/* Drop the open functions and the waiting events of a task, because rows are missing. */
void graph_task_forget(struct graph_task *task);

#endif
