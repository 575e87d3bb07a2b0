/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * graph_state.h - whose each line of the function graph is
 *
 * Fed with the rows of a report in their order, it keeps for each task which packets' functions are
 * open, as Documentation/events.md "Order" says. It knows nothing of records and files.
 *
 * It never guesses. Entry and exit depths have to follow each other without a gap; where they do
 * not, rows are missing, and all that was known of the task is forgotten until the next gate.
 */
#ifndef _RECORD_SKB_GRAPH_STATE_H
#define _RECORD_SKB_GRAPH_STATE_H

#include "event.h"

struct graph_state;
struct graph_task;

/**
 * struct graph_task_id - who a stream of rows is of
 * @buffer: the trace buffer; instances have their own stream. Only compared
 * @pid: the task
 * @cpu: tells the idle tasks apart, which all have pid 0; not looked at for others
 */
struct graph_task_id {
	const void *buffer;
	int pid;
	int cpu;
};

/* What an entry's function is, as far as its name tells. */
enum graph_func {
	GRAPH_FUNC_UNNAMED, /* the trace has no name for the address */
	GRAPH_FUNC_GATE,
	GRAPH_FUNC_NAMED,
};

/**
 * struct graph_label - what to write behind an entry
 * @text: without the comment signs, NULL for nothing
 * @first: this line is the first of the packet's graph
 * @kind: EVENT_PACKET or EVENT_CALL, if there is a text
 * @pkt: the packet's number, 0 for a call
 * @copy: which of its skbs
 * @point: an entry of the very function that the event announced; of the others nothing says
 *	which of the packet's skbs they are given
 */
struct graph_label {
	const char *text;
	bool first;
	bool point;
	enum event_kind kind;
	uint32_t pkt;
	uint32_t copy;
};

/**
 * struct graph_return - what a probe point returned
 * @func: its address
 * @value: as the register held it
 */
struct graph_return {
	uint64_t func;
	int64_t value;
};

/**
 * graph_state_new - state for one trace
 *
 * Returns NULL without memory. Ends with graph_state_free().
 */
struct graph_state *graph_state_new(void);
void graph_state_free(struct graph_state *state);

/**
 * graph_task_find - the task, if anything is known of it
 * @state: of the trace
 * @id: which
 * @ts: the time of the row at hand; if it is before the row before, nothing is known any more
 *
 * Returns NULL if nothing is known: then no row of it is anybody's.
 */
struct graph_task *graph_task_find(struct graph_state *state, const struct graph_task_id *id,
				   uint64_t ts);

/**
 * graph_state_event - a record_skb event
 * @state: of the trace
 * @id: the task it is of
 * @ts: its time
 * @event: what it says; NULL for an event that could not be read
 */
void graph_state_event(struct graph_state *state, const struct graph_task_id *id, uint64_t ts,
		       const struct skb_event *event);

/**
 * graph_task_expects_gate - whether the next entry's name matters to graph_task_entry()
 * @task: the task
 */
bool graph_task_expects_gate(const struct graph_task *task);

/**
 * graph_task_entry - a function is entered
 * @task: in this task
 * @func: its address
 * @depth: its depth
 * @what: used only if graph_task_expects_gate()
 *
 * Returns whose line it is; the text stays until the next call for this task.
 */
struct graph_label graph_task_entry(struct graph_task *task, uint64_t func, uint64_t depth,
				    enum graph_func what);

/**
 * graph_task_owner - whose the innermost open function is
 * @task: the task
 *
 * Before an exit: whose that is.
 */
struct graph_label graph_task_owner(const struct graph_task *task);

/**
 * graph_task_exit - a function is left
 * @task: in this task
 * @depth: its depth
 * @ret: if the function is a gate whose return value is known, that value and what returned it
 *
 * Returns whether @ret was set. The exits of leaves may be missing: trace-cmd merges them into
 * their entries' lines.
 */
bool graph_task_exit(struct graph_task *task, uint64_t depth, struct graph_return *ret);

/**
 * graph_state_forget - rows of this CPU are missing
 * @state: of the trace
 * @buffer: in this buffer
 * @cpu: this CPU
 *
 * What any task did there is unknown: all but the other CPUs' idle tasks are forgotten.
 */
void graph_state_forget(struct graph_state *state, const void *buffer, int cpu);

/**
 * graph_state_distrust_migration - from now on, forget a task that turns up on another CPU
 * @state: of the trace
 *
 * For who learns of lost rows only when it sees the next one of that CPU.
 */
void graph_state_distrust_migration(struct graph_state *state);

/**
 * graph_state_forget_task - rows of this task are missing
 * @state: of the trace
 * @id: the task
 */
void graph_state_forget_task(struct graph_state *state, const struct graph_task_id *id);

#endif /* _RECORD_SKB_GRAPH_STATE_H */
