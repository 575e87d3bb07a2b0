// SPDX-License-Identifier: LGPL-2.1
/* rows.c - decode the records of a trace into rows, and find the packet of each row */
#include <string.h>

#include "functions.h"
#include "rows.h"

/* The softirq bit of common_flags, from include/linux/trace_events.h. */
#define FLAG_SOFTIRQ 0x10

void rows_find(struct rows *rows, struct tep_handle *tep)
{
	struct tep_event *event;

	/* Forget the old events, because a new event may be allocated at the address of a freed one. */
	memset(rows, 0, sizeof(*rows));
	rows->tep = tep;
	rows->any = EVENT_KINDS;
	for (int kind = 0; kind < EVENT_KINDS; kind++) {
		event = tep_find_event_by_name(tep, event_names[kind].system,
					       event_names[kind].name);
		rows->types[kind] = event ? event->id : -1;
		if (!event)
			continue;
		event_fields_find(&rows->fields[kind], event);
		rows->any = kind;
	}
}

static enum event_kind kind_of(const struct rows *rows, const struct tep_record *record)
{
	uint64_t type;

	if (rows->any == EVENT_KINDS ||
	    event_field_read(&rows->fields[rows->any], FIELD_EVENT_TYPE, record, &type))
		return EVENT_KINDS;
	/*
	 * Search from the end of the array, because most rows are function_graph rows and these kinds come
	 * last.
	 */
	for (int kind = EVENT_KINDS - 1; kind >= 0; kind--)
		if (rows->types[kind] == (int)type)
			return kind;
	return EVENT_KINDS;
}

enum row_read rows_read(const struct rows *rows, const struct tep_record *record, struct row *row)
{
	const struct event_fields *fields;
	uint64_t value;

	/* Leave row->event as it is: it is large, and it is set only for events of record_skb. */
	row->kind = kind_of(rows, record);
	row->ts = record->ts;
	row->cpu = record->cpu;
	row->pid = 0;
	row->softirq = row->readable = row->says_overrun = false;
	row->func = row->depth = 0;
	row->overrun = 0;
	if (row->kind == EVENT_KINDS)
		return ROW_UNKNOWN;
	fields = &rows->fields[row->kind];
	if (event_field_read(fields, FIELD_PID, record, &value))
		return ROW_OF_ANYBODY;
	row->pid = (int)value;
	row->softirq = !event_field_read(fields, FIELD_FLAGS, record, &value) &&
		       value & FLAG_SOFTIRQ;
	if (row->kind < OWN_EVENTS) {
		row->readable = !skb_event_read(fields, row->kind, record, &row->event);
		return ROW_READ;
	}
	row->readable = !event_field_read(fields, FIELD_FUNC, record, &row->func) &&
			!event_field_read(fields, FIELD_DEPTH, record, &row->depth);
	row->says_overrun = row->kind == EVENT_EXIT &&
			    !event_field_read(fields, FIELD_OVERRUN, record, &value);
	row->overrun = row->says_overrun ? value : 0;
	return ROW_READ;
}

static enum graph_func what_is(struct rows *rows, uint64_t func)
{
	const char *name;

	if (rows->gate && func == rows->gate)
		return GRAPH_FUNC_GATE;
	name = tep_find_function(rows->tep, func);
	if (!name)
		return GRAPH_FUNC_UNNAMED;
	if (!function_is_gate(name))
		return GRAPH_FUNC_NAMED;
	rows->gate = func;
	return GRAPH_FUNC_GATE;
}

struct graph_task_id row_task(const struct row *row, const void *buffer)
{
	return (struct graph_task_id){ .buffer = buffer, .pid = row->pid, .cpu = row->cpu };
}

static void follow_entry(struct rows *rows, struct graph_task *task, const struct row *row,
			 struct row_owner *owner)
{
	enum graph_func what = GRAPH_FUNC_NAMED;

	if (graph_task_expects_gate(task))
		what = what_is(rows, row->func);
	owner->label = graph_task_entry(task, row->func, row->depth, what);
}

struct row_owner rows_follow(struct rows *rows, struct graph_state *graph, const void *buffer,
			     const struct row *row)
{
	const struct graph_task_id id = row_task(row, buffer);
	struct row_owner owner = { .label = { NULL } };
	struct graph_task *task;

	if (row->kind < PLACING_EVENTS) {
		graph_state_event(graph, &id, row->ts, row->readable ? &row->event : NULL);
		return owner;
	}
	if (row->kind < OWN_EVENTS) {
		task = graph_task_find(graph, &id, row->ts);
		if (task)
			owner.label = graph_task_owner(task);
		return owner;
	}
	if (!row->readable) {
		graph_state_forget_task(graph, &id);
		return owner;
	}
	task = graph_task_find(graph, &id, row->ts);
	if (!task)
		return owner;
	if (row->kind == EVENT_EXIT) {
		owner.label = graph_task_owner(task);
		if (row->says_overrun)
			owner.missing = graph_task_missing(task, row->overrun);
		owner.returned = graph_task_exit(task, row->depth, &owner.ret);
	} else {
		follow_entry(rows, task, row, &owner);
	}
	return owner;
}
