/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * graph_state.h - find the packet that each line of the function graph belongs to
 *
 * The caller passes the rows of a trace in the order of trace-cmd report. For each task, the state stores the
 * open functions with packets, as described in Documentation/events.md under "Order". The state does not
 * depend on the format of records and files.
 *
 * The state never guesses. If the depths of successive entries and exits of a task do not match, rows are
 * missing. Then the state of the task is dropped, and its rows are not assigned to a packet until the next
 * gate.
 */
#ifndef _RECORD_SKB_GRAPH_STATE_H
#define _RECORD_SKB_GRAPH_STATE_H

#include "event.h"

struct graph_state;
struct graph_task;
struct graph_owner;

/**
 * struct graph_task_id - identifies a task; the rows of a task are processed in order
 * @buffer: the trace buffer. Each instance has its own rows. The pointer is only compared
 * @pid: PID of the task
 * @cpu: CPU of an idle task, because all idle tasks have PID 0; ignored for other tasks
 */
struct graph_task_id {
	const void *buffer;
	int pid;
	int cpu;
};

/* Kind of the function of an entry row, according to the function's name. */
enum graph_func {
	GRAPH_FUNC_UNNAMED, /* the trace has no name for the address */
	GRAPH_FUNC_GATE,
	GRAPH_FUNC_NAMED,
};

/**
 * struct graph_label - the packet or call that an entry belongs to
 * @owner: the packet or call, for graph_label_text(); NULL for none
 * @first: the line is the first line of the packet's graph
 * @point: the function is the probe point of the packet's event. Any other function may process another skb
 *	of the packet
 * @kind: EVENT_PACKET or EVENT_CALL, if @owner is set
 * @pkt: number of the packet, 0 for a call
 * @copy: number of the skb within the packet
 */
struct graph_label {
	struct graph_owner *owner;
	bool first;
	bool point;
	enum event_kind kind;
	uint32_t pkt;
	uint32_t copy;
};

/**
 * struct graph_return - return value of a probe point
 * @func: address of the function
 * @value: content of the return register (RAX)
 */
struct graph_return {
	uint64_t func;
	int64_t value;
};

/**
 * struct graph_missing - calls that have no rows because function_graph's return stack was full
 * @calls: number of such calls, usually 0
 * @from: time of the task's last row before these calls
 */
struct graph_missing {
	uint32_t calls;
	uint64_t from;
};

/**
 * graph_state_new - allocate the state of one trace
 *
 * Return: the state, to be freed with graph_state_free(); NULL if there is not enough memory.
 */
struct graph_state *graph_state_new(void);
void graph_state_free(struct graph_state *state);

/**
 * graph_task_find - find the state of a task
 * @state: state of the trace
 * @id: the task
 * @ts: time of the current row; if it is earlier than the previous row, the state of the task is dropped
 *
 * Return: the task; NULL if the task has no state. Then its rows belong to no packet or call.
 */
struct graph_task *graph_task_find(struct graph_state *state, const struct graph_task_id *id,
				   uint64_t ts);

/*
 * For each task that has open functions or waiting events, take the time of its last row. Return: the
 * earliest of these times; UINT64_MAX if there is no such task.
 */
uint64_t graph_state_oldest(const struct graph_state *state);

/**
 * graph_state_event - process a record_skb event
 * @state: state of the trace
 * @id: task of the event
 * @ts: time of the event
 * @event: the event; NULL for an event that could not be read
 */
void graph_state_event(struct graph_state *state, const struct graph_task_id *id, uint64_t ts,
		       const struct skb_event *event);

/**
 * graph_task_expects_gate - test if an event of the task waits for the entry of a gate
 * @task: the task
 *
 * Only in this case, graph_task_entry() needs the kind of the function (@what).
 *
 * Return: true if a gate is expected.
 */
bool graph_task_expects_gate(const struct graph_task *task);

/**
 * graph_task_entry - process the entry of a function
 * @task: the task
 * @func: address of the function
 * @depth: depth of the entry
 * @what: kind of the function; used only if graph_task_expects_gate()
 *
 * Return: the label of the line; its owner is valid until the next call for this task.
 */
struct graph_label graph_task_entry(struct graph_task *task, uint64_t func, uint64_t depth,
				    enum graph_func what);

/**
 * graph_task_owner - get the label of the innermost open function
 * @task: the task
 *
 * Call this before graph_task_exit() to get the label of an exit row.
 *
 * Return: the label; its owner is NULL if the function belongs to no packet or call.
 */
struct graph_label graph_task_owner(struct graph_task *task);

/**
 * graph_label_text - get the text to append to an entry
 * @label: the label, while its owner is valid
 *
 * Return: text for a comment, without the delimiters of C; NULL if the label has no owner.
 */
const char *graph_label_text(const struct graph_label *label);

/**
 * graph_task_exit - process the exit of a function
 * @task: the task
 * @depth: depth of the exit
 * @ret: set if the function is a gate with a known return value
 *
 * A leaf function may have no exit row, because trace-cmd shows its entry and exit on one line.
 *
 * Return: true if @ret was set.
 */
bool graph_task_exit(struct graph_task *task, uint64_t depth, struct graph_return *ret);

/**
 * graph_task_missing - count the calls since the previous row that have no rows, because function_graph's
 * stack was full
 * @task: the task of the current row, which is an exit
 * @overrun: total number of lost calls of the task so far, as the exit row reports it
 *
 * Must be called before graph_task_exit(). Waiting events that may belong to the lost calls are dropped.
 *
 * Return: the number of missing calls and the time of the row before them.
 */
struct graph_missing graph_task_missing(struct graph_task *task, uint32_t overrun);

/**
 * graph_state_forget - drop the state of tasks that may have run on a CPU with lost rows
 * @state: state of the trace
 * @buffer: the trace buffer
 * @cpu: the CPU
 *
 * Any task may have run on that CPU. So the state of all tasks is dropped, except that of the idle tasks of
 * other CPUs.
 */
void graph_state_forget(struct graph_state *state, const void *buffer, int cpu);

/**
 * graph_state_distrust_migration - from now on, drop the state of a task that appears on another CPU
 * @state: state of the trace
 *
 * Callers use this if they detect lost rows of a CPU only at the next row of that CPU. By then, a task may
 * have run on another CPU.
 */
void graph_state_distrust_migration(struct graph_state *state);

/**
 * graph_state_forget_task - drop the state of a task with lost rows
 * @state: state of the trace
 * @id: the task
 */
void graph_state_forget_task(struct graph_state *state, const struct graph_task_id *id);

#endif /* _RECORD_SKB_GRAPH_STATE_H */
