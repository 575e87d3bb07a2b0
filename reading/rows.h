/* SPDX-License-Identifier: LGPL-2.1 */
/* rows.h - the records of a trace as rows: which event, which task, whose packet */
#ifndef _RECORD_SKB_ROWS_H
#define _RECORD_SKB_ROWS_H

#include "event.h"
#include "graph_state.h"

/**
 * struct rows - how to read one trace
 * @tep: of the trace
 * @fields: of each event that it has
 * @gate: address of the gate once a row showed it, else 0
 */
struct rows {
	struct tep_handle *tep;
	struct event_fields fields[EVENT_KINDS];
	uint64_t gate;
};

/**
 * struct row - one record
 * @kind: which event
 * @ts: its time
 * @cpu: where
 * @pid: the task that was running
 * @softirq: in softirq, on top of whatever the task did
 * @readable: what follows could be read
 * @event: of an event of record_skb
 * @func: of an entry or exit
 * @depth: likewise
 */
struct row {
	enum event_kind kind;
	uint64_t ts;
	int cpu;
	int pid;
	bool softirq;
	bool readable;
	struct skb_event event;
	uint64_t func;
	uint64_t depth;
};

/* What rows_read() makes of a record. */
enum row_read {
	ROW_READ,
	ROW_OF_ANYBODY, /* whose it is has been cut off: any task of its CPU may have done it */
	ROW_UNKNOWN,	/* of an event that means nothing here */
};

/* Look the events of a trace up; again when @tep is another one. */
void rows_find(struct rows *rows, struct tep_handle *tep);

/**
 * rows_read - decode a record
 * @rows: of its trace
 * @record: may be cut short
 * @row: filled in if this returns ROW_READ; otherwise its time, CPU and kind are
 */
enum row_read rows_read(const struct rows *rows, const struct tep_record *record, struct row *row);

/**
 * struct row_owner - whose a row is
 * @label: of an entry; at an exit, drop, copy or end: of the innermost function that is open
 * @returned: an exit, and it is known what the function returned
 * @ret: what
 */
struct row_owner {
	struct graph_label label;
	bool returned;
	struct graph_return ret;
};

/**
 * rows_follow - lead the graph's state through a row
 * @rows: of the trace
 * @graph: its state, which has seen all rows before
 * @buffer: the trace buffer the row is from; only compared
 * @row: from rows_read()
 *
 * Returns whose the row is.
 */
struct row_owner rows_follow(struct rows *rows, struct graph_state *graph, const void *buffer,
			     const struct row *row);

/* The task a row is of. */
struct graph_task_id row_task(const struct row *row, const void *buffer);

#endif /* _RECORD_SKB_ROWS_H */
