/* SPDX-License-Identifier: LGPL-2.1 */
/* rows.h - decode the records of a trace into rows, and find the packet of each row */
#ifndef _RECORD_SKB_ROWS_H
#define _RECORD_SKB_ROWS_H

#include "event.h"
#include "graph_state.h"

/**
 * struct rows - state of decoding one trace
 * @tep: handle of the trace
 * @fields: fields of each event in the trace
 * @types: the number of each event in the trace, -1 for none
 * @any: a kind of event that the trace has; EVENT_KINDS if it has none. The number of a record's event has
 *	the same place in all events, so it is read with the format of this kind
 * @gate: address of the gate; 0 until a row with the gate was read
 */
struct rows {
	struct tep_handle *tep;
	struct event_fields fields[EVENT_KINDS];
	int types[EVENT_KINDS];
	enum event_kind any;
	uint64_t gate;
};

/**
 * struct row - one decoded record
 * @kind: kind of the event
 * @ts: time of the record
 * @cpu: CPU of the record
 * @pid: task that was running
 * @softirq: the record was written in a softirq that interrupted the task
 * @readable: @event, or @func and @depth, could be read
 * @event: the decoded event, if it is an event of record_skb
 * @func: function of an entry or exit
 * @depth: depth of an entry or exit
 * @says_overrun: exits: @overrun is valid
 * @overrun: as in struct skb_event
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
	bool says_overrun;
	uint32_t overrun;
};

/* Result of rows_read(). */
enum row_read {
	ROW_READ,
	ROW_OF_ANYBODY, /* the record is too short for the PID, so it may belong to any task of its CPU */
	ROW_UNKNOWN, /* an event that the callers do not use */
};

/* Look up the events of a trace. Call this function again if @tep changes. */
void rows_find(struct rows *rows, struct tep_handle *tep);

/**
 * rows_read - decode a record
 * @rows: state of the trace
 * @record: the record, which may be truncated
 * @row: filled in if the result is ROW_READ; otherwise only time, CPU and kind are set
 *
 * Return: see enum row_read.
 */
enum row_read rows_read(const struct rows *rows, const struct tep_record *record, struct row *row);

/**
 * struct row_owner - the packet or call that a row belongs to
 * @label: entry rows: label of the entry. Exit, drop, copy and end rows: label of the innermost open function
 * @returned: the row is an exit with a known return value
 * @ret: the return value
 * @missing: calls of the task that function_graph could not record, between the previous row and this row
 */
struct row_owner {
	struct graph_label label;
	bool returned;
	struct graph_return ret;
	struct graph_missing missing;
};

/**
 * rows_follow - update the state of the graph with a row
 * @rows: state of the trace
 * @graph: state of the graph; all previous rows must have been passed to it
 * @buffer: trace buffer of the row; the pointer is only compared
 * @row: the row, from rows_read()
 *
 * Return: the owner of the row.
 */
struct row_owner rows_follow(struct rows *rows, struct graph_state *graph, const void *buffer,
			     const struct row *row);

/* Return: the task of a row. */
struct graph_task_id row_task(const struct row *row, const void *buffer);

#endif /* _RECORD_SKB_ROWS_H */
