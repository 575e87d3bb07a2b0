// SPDX-License-Identifier: GPL-2.0
/* reader.c - a trace.dat as a stream of what happens to packets */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function-times.h"
#include "graph_state.h"
#include "headers.h"
#include "input.h"
#include "reader.h"
#include "rows.h"
#include "sinks.h"

struct reader {
	struct input *input;
	struct rows rows;
	struct event_fields wall_clock; /* without an event in older recordings */
	struct event_fields stop;
	struct event_fields sched; /* of record-skb --sched */
	struct waits *waits;
	struct marker marker;
	struct ring_end ring_end;
	bool begun; /* the wall clock was said, as it is before all else of ours */
	bool begins_later;
	struct graph_state *graph;
	struct function_times times;
	struct names *names;
	struct sinks sinks;
	int cpus;
	uint64_t *last_ts; /* of each CPU's last row */
	uint64_t newest;   /* of all rows */
};

static void find_other(struct reader *reader, struct event_fields *fields, const char *name)
{
	struct tep_event *event = tep_find_event_by_name(reader->rows.tep, RECORD_SKB_MODULE, name);

	memset(fields, 0, sizeof(*fields));
	if (event)
		event_fields_find(fields, event);
}

/* Again when the file was opened anew. */
static void find_events(struct reader *reader, struct tep_handle *tep)
{
	rows_find(&reader->rows, tep);
	find_other(reader, &reader->wall_clock, "wall_clock");
	find_other(reader, &reader->stop, "stop");
	find_other(reader, &reader->sched, "sched");
	marker_find(&reader->marker, tep);
}

static int set_up(struct reader *reader, int cpus, struct err *err)
{
	reader->cpus = cpus;
	reader->graph = graph_state_new();
	reader->waits = waits_new();
	function_times_init(&reader->times, &reader->sinks);
	reader->names = names_new(reader->rows.tep);
	reader->last_ts = calloc(reader->cpus > 0 ? reader->cpus : 1, sizeof(*reader->last_ts));
	if (reader->graph && reader->waits && reader->names && reader->last_ts)
		return 0;
	return err_set(err, "out of memory");
}

static int open_input(struct reader *reader, const char *path, struct err *err)
{
	reader->input = input_open(path, err);
	if (!reader->input)
		return -1;
	find_events(reader, input_tep(reader->input));
	if (!reader->rows.fields[EVENT_PACKET].event)
		return err_set(err,
			       "'%s' was not recorded by trace-cmd record-skb: it has no events of "
			       "record_skb",
			       path);
	return set_up(reader, input_cpus(reader->input), err);
}

struct reader *reader_open(const char *path, struct err *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		err_set(err, "out of memory");
		return NULL;
	}
	if (!open_input(reader, path, err))
		return reader;
	reader_close(reader);
	return NULL;
}

struct reader *reader_begin(struct tep_handle *tep, int cpus, struct err *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		err_set(err, "out of memory");
		return NULL;
	}
	find_events(reader, tep);
	if (!reader->rows.fields[EVENT_PACKET].event)
		err_set(err, "the kernel has no events of record_skb: is the module loaded?");
	else if (!set_up(reader, cpus, err))
		return reader;
	reader_close(reader);
	return NULL;
}

void reader_close(struct reader *reader)
{
	if (!reader)
		return;
	free(reader->last_ts);
	names_free(reader->names);
	function_times_free(&reader->times);
	graph_state_free(reader->graph);
	waits_free(reader->waits);
	input_close(reader->input);
	free(reader);
}

void reader_add_sink(struct reader *reader, const struct sink *sink, void *data)
{
	reader->sinks.v[reader->sinks.n].sink = sink;
	reader->sinks.v[reader->sinks.n++].data = data;
}

void reader_take_off(struct reader *reader, const struct graph_cost *cost)
{
	reader->times.cost = *cost;
}

struct names *reader_names(struct reader *reader)
{
	return reader->names;
}

const struct ring_end *reader_ring_end(const struct reader *reader)
{
	return &reader->ring_end;
}

bool reader_has_beginning(const struct reader *reader)
{
	return !reader->begins_later;
}

/* Rows */

static const struct name *name_of(struct reader *reader, uint64_t address)
{
	return address ? names_of(reader->names, address) : NULL;
}

/* Whose the innermost function is that is open in the row's task. */
static uint32_t packet_within(struct reader *reader, const struct row *row)
{
	const struct graph_task_id id = row_task(row, NULL);
	const struct graph_task *task = graph_task_find(reader->graph, &id, row->ts);
	const struct graph_label label = task ? graph_task_owner(task) :
						(struct graph_label){ NULL };

	return label.text && label.kind == EVENT_PACKET ? label.pkt : 0;
}

static void read_packet(struct reader *reader, const struct moment *at, const struct row *row,
			const struct tep_record *record)
{
	const struct graph_task_id id = row_task(row, NULL);
	struct packet_seen packet = {
		.event = &row->event,
		.point = name_of(reader, row->event.func),
		.within = packet_within(reader, row),
		.placed = row->event.how == RECORD_SKB_HOW_HIDDEN ||
			  graph_task_find(reader->graph, &id, row->ts),
	};

	if (!packet.point)
		return;
	packet_facts_read(&reader->rows.fields[EVENT_PACKET], record, &packet.facts);
	tell(&reader->sinks, packet, at, &packet);
}

bool writes_len(const struct packet_seen *seen)
{
	return seen->point->facts && seen->point->facts->writes_len;
}

uint32_t packet_len(const struct packet_seen *seen)
{
	const struct packet_facts *facts = &seen->facts;

	return writes_len(seen) ? facts->net_len :
				  network_len(facts->data, facts->data_len, facts->net_len);
}

/* Whether it is known why: queues that are closed are emptied with the other names, MPTCP's with the last. */
static bool says_why(const struct drop_facts *facts)
{
	return facts->name[0] ?
		       strcmp(facts->name, "NOT_SPECIFIED") && strcmp(facts->name, "QUEUE_PURGE") &&
			       strcmp(facts->name, "SOCKET_CLOSE") :
		       facts->reason != 0;
}

/* Somebody works for the packet that the event is about. */
static bool is_at_work(const struct graph_label *label, const struct row *row)
{
	return label->text && label->kind == EVENT_PACKET && label->pkt == row->event.pkt;
}

static void read_drop(struct reader *reader, const struct moment *at, const struct row *row,
		      const struct graph_label *label, const struct tep_record *record)
{
	struct packet_dropped packet = {
		.event = &row->event,
		.place = name_of(reader, row->event.func),
		.at_work = is_at_work(label, row),
	};

	drop_facts_read(&reader->rows.fields[EVENT_DROP], record, &packet.facts);
	packet.says_why = says_why(&packet.facts);
	tell(&reader->sinks, dropped, at, &packet);
}

static void read_end(struct reader *reader, const struct moment *at, const struct row *row,
		     const struct graph_label *label)
{
	const struct packet_ended packet = {
		.event = &row->event,
		.at_work = is_at_work(label, row),
	};

	tell(&reader->sinks, ended, at, &packet);
}

static void read_rule(struct reader *reader, const struct moment *at, const struct row *row,
		      const struct tep_record *record)
{
	struct packet_ruled packet = { .event = &row->event };

	rule_facts_read(&reader->rows.fields[EVENT_RULE], record, &packet.facts);
	tell(&reader->sinks, ruled, at, &packet);
}

static void read_return(struct reader *reader, const struct moment *at, const struct row *row)
{
	const struct function_left left = {
		.event = &row->event,
		.name = name_of(reader, row->event.func),
	};

	if (left.name && row->event.pkt)
		tell(&reader->sinks, returned, at, &left);
	else if (!row->event.pkt)
		tell(&reader->sinks, call_returned, at, &row->event);
}

static void read_loss(struct reader *reader, const struct moment *at,
		      const struct tep_record *record)
{
	graph_state_forget(reader->graph, NULL, at->cpu);
	waits_lost(reader->waits, at->ts);
	function_times_lost(&reader->times, at);
	tell(&reader->sinks, lost, at, at->cpu < reader->cpus ? reader->last_ts[at->cpu] : 0,
	     record->missed_events > 0 ? record->missed_events : 0);
}

/* Of anybody's function_graph, which may be there before we begin. */
static bool is_of_graph(enum event_kind kind)
{
	return kind == EVENT_ENTRY || kind == EVENT_RETADDR_ENTRY || kind == EVENT_EXIT;
}

static void read_row(struct reader *reader, const struct row *row, const struct tep_record *record)
{
	const struct moment at = {
		.ts = row->ts,
		.cpu = row->cpu,
		.pid = row->pid,
		.softirq = row->softirq,
		.waits = reader->waits,
		.comm = tep_data_comm_from_pid(reader->rows.tep, row->pid),
	};
	const struct row_owner owner = rows_follow(&reader->rows, reader->graph, NULL, row);

	if (reader->wall_clock.event && !reader->begun && !is_of_graph(row->kind))
		reader->begins_later = true;
	switch (row->kind) {
	case EVENT_ENTRY:
	case EVENT_RETADDR_ENTRY:
		function_times_enter(&reader->times, &at, row, names_of(reader->names, row->func),
				     &owner.label);
		break;
	case EVENT_EXIT:
		function_times_leave(&reader->times, &at, row, names_of(reader->names, row->func),
				     &reader->rows.fields[EVENT_EXIT], record);
		break;
	case EVENT_DROP:
		if (row->readable)
			read_drop(reader, &at, row, &owner.label, record);
		break;
	case EVENT_COPY:
		if (row->readable)
			tell(&reader->sinks, copied, &at, &row->event);
		break;
	case EVENT_END:
		if (row->readable)
			read_end(reader, &at, row, &owner.label);
		break;
	case EVENT_RULE:
		if (row->readable)
			read_rule(reader, &at, row, record);
		break;
	case EVENT_CALL:
		if (row->readable && row->event.how == RECORD_SKB_HOW_OPEN)
			tell(&reader->sinks, called, &at, &row->event);
		break;
	case EVENT_RETURN:
		if (row->readable)
			read_return(reader, &at, row);
		break;
	case EVENT_PACKET:
		if (row->readable)
			read_packet(reader, &at, row, record);
		break;
	default:
		break;
	}
}

static bool is_of(const struct reader *reader, const struct event_fields *fields,
		  const struct tep_record *record)
{
	return fields->event && record->size >= 2 &&
	       tep_data_type(reader->rows.tep, (struct tep_record *)record) == fields->event->id;
}

static void read_wall_clock(struct reader *reader, const struct moment *at,
			    const struct tep_record *record)
{
	uint64_t real;

	if (is_of(reader, &reader->wall_clock, record) &&
	    !event_field_read(&reader->wall_clock, FIELD_REAL, record, &real)) {
		reader->begun = true;
		tell(&reader->sinks, wall_clock, at, real);
	}
}

static void read_sched(struct reader *reader, const struct tep_record *record)
{
	struct sched_facts facts;

	if (is_of(reader, &reader->sched, record) &&
	    sched_facts_read(&reader->sched, record, &facts))
		waits_sched(reader->waits, record->cpu, record->ts, &facts);
}

static void read_stop(struct reader *reader, const struct tep_record *record)
{
	uint64_t by, pkt, copy;

	if (!is_of(reader, &reader->stop, record) ||
	    event_field_read(&reader->stop, FIELD_BY, record, &by) ||
	    event_field_read(&reader->stop, FIELD_PKT, record, &pkt) ||
	    event_field_read(&reader->stop, FIELD_COPY, record, &copy))
		return;
	reader->ring_end = (struct ring_end){
		.is = true,
		.by = by,
		.pkt = pkt,
		.copy = copy,
		.ts = record->ts,
	};
}

static void read_marker(struct reader *reader, const struct moment *at,
			const struct tep_record *record)
{
	struct rule_text rule;

	if (!is_of(reader, &reader->marker.fields, record))
		return;
	if (marker_rule(&reader->marker, record, &rule))
		tell(&reader->sinks, rule_said, at, &rule);
	else if (marker_read_by_others(&reader->marker, record))
		tell(&reader->sinks, read_by_others, at);
}

void reader_row(struct reader *reader, const struct tep_record *record)
{
	const struct moment at = { .ts = record->ts, .cpu = record->cpu };
	struct row row;

	reader->newest = record->ts;
	if (record->missed_events)
		read_loss(reader, &at, record);
	if (at.cpu >= 0 && at.cpu < reader->cpus)
		reader->last_ts[at.cpu] = at.ts;
	switch (rows_read(&reader->rows, record, &row)) {
	case ROW_READ:
		read_row(reader, &row, record);
		break;
	case ROW_OF_ANYBODY:
		graph_state_forget(reader->graph, NULL, at.cpu);
		break;
	case ROW_UNKNOWN:
		read_wall_clock(reader, &at, record);
		read_stop(reader, record);
		read_sched(reader, record);
		read_marker(reader, &at, record);
		break;
	}
}

void reader_end(struct reader *reader)
{
	const struct moment end = { .ts = reader->newest };

	function_times_end(&reader->times, &end);
}

void reader_run(struct reader *reader)
{
	const struct tep_record *record;
	bool renewed;

	while ((record = input_next(reader->input, &renewed))) {
		if (renewed) {
			find_events(reader, input_tep(reader->input));
			names_set_tep(reader->names, reader->rows.tep);
		}
		reader_row(reader, record);
	}
	reader_end(reader);
}
