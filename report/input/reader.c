// SPDX-License-Identifier: GPL-2.0
/* reader.c - read a trace.dat and report what happens to packets, as a stream of calls to observers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/function_times.h"
#include "graph_state.h"
#include "hash_table.h"
#include "model/packet_headers.h"
#include "input/trace_rows.h"
#include "input/reader.h"
#include "rows.h"
#include "model/observers.h"
#include "model/packet_text.h"

struct reader {
	struct input *input;
	char *machine;
	struct rows rows;
	struct event_fields wall_clock; /* no event in older recordings */
	struct event_fields stop;
	struct event_fields sched; /* recorded by record-skb --sched */
	struct sched_waits *waits;
	struct trace_marker marker;
	struct ring_end ring_end;
	bool begun;	   /* the wall_clock event was read, which is the first record_skb event */
	bool begins_later; /* another record_skb event came before it: the beginning is missing */
	struct graph_state *graph;
	struct function_times times;
	struct names *names;
	struct table open_calls; /* for each task, the number of the last call that opened a graph */
	struct observers observers;
	int cpus;
	uint64_t *last_ts; /* for each CPU, the time of its last row */
	uint64_t newest;   /* time of the last row of all CPUs */
	uint64_t end;	   /* time of the last row in the file, 0 if not known */
	reader_step *step; /* NULL for none */
	void *step_data;
	uint64_t rows_read;
	uint64_t calls_from; /* see struct read_state */
	bool read_by_others; /* the end of the file tells that another process consumed rows */
	bool can_stream;
	bool stopped;
};

static void find_other(struct reader *reader, struct event_fields *fields, const char *name)
{
	struct tep_event *event = tep_find_event_by_name(reader->rows.tep, RECORD_SKB_MODULE, name);

	memset(fields, 0, sizeof(*fields));
	if (event)
		event_fields_find(fields, event);
}

/*
 * Look up the events. Must be called again after the file was reopened, because @tep is another one
 * then.
 */
static void find_events(struct reader *reader, struct tep_handle *tep)
{
	rows_find(&reader->rows, tep);
	find_other(reader, &reader->wall_clock, "wall_clock");
	find_other(reader, &reader->stop, "stop");
	find_other(reader, &reader->sched, "sched");
	trace_marker_find(&reader->marker, tep);
}

static int set_up(struct reader *reader, int cpus, struct err *err)
{
	reader->cpus = cpus;
	reader->graph = graph_state_new();
	reader->waits = sched_waits_new();
	function_times_init(&reader->times, &reader->observers);
	reader->names = names_new(reader->rows.tep);
	reader->last_ts = calloc(reader->cpus > 0 ? reader->cpus : 1, sizeof(*reader->last_ts));
	if (reader->graph && reader->waits && reader->names && reader->last_ts)
		return 0;
	return err_set(err, "out of memory");
}

/*
 * Return: true if the trace clock counts nanoseconds. The unit of the other clocks (counter, uptime,
 * x86-tsc) is not known here. A file without a clock name was recorded with the default clock.
 */
static bool counts_ns(const char *clock)
{
	static const char *const clocks[] = { "local",	  "global", "perf", "mono",
					      "mono_raw", "boot",   "tai",  "tsc2nsec" };

	for (size_t i = 0; clock && i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(clock, clocks[i]))
			return true;
	return !clock;
}

static int open_input(struct reader *reader, const char *path, struct err *err)
{
	reader->input = input_open(path, err);
	if (!reader->input)
		return -1;
	if (input_machine(reader->input))
		reader->machine = strdup(input_machine(reader->input));
	words_use_ticks(!counts_ns(input_clock(reader->input)));
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
	free(reader->machine);
	free(reader->last_ts);
	names_free(reader->names);
	table_free(&reader->open_calls);
	function_times_free(&reader->times);
	graph_state_free(reader->graph);
	sched_waits_free(reader->waits);
	input_close(reader->input);
	free(reader);
}

void reader_add_observer(struct reader *reader, const struct observer *observer, void *data)
{
	reader->observers.v[reader->observers.n].observer = observer;
	reader->observers.v[reader->observers.n++].data = data;
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

uint64_t reader_last(const struct reader *reader)
{
	return reader->newest;
}

const char *reader_machine(const struct reader *reader)
{
	return reader->machine;
}

int reader_cpus(const struct reader *reader)
{
	return reader->cpus;
}

/* Rows */

static const struct name *name_of(struct reader *reader, uint64_t address)
{
	return address ? names_of(reader->names, address) : NULL;
}

/* Return: the packet of the innermost open function in the task of the row; 0 for none. */
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
	notify_observers(&reader->observers, packet, at, &packet);
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

/*
 * Return: true if the drop reason tells why the packet was dropped. QUEUE_PURGE and SOCKET_CLOSE (the
 * latter from MPTCP) only tell that a queue was emptied when its socket was closed.
 */
static bool says_why(const struct drop_facts *facts)
{
	return facts->name[0] ?
		       strcmp(facts->name, "NOT_SPECIFIED") && strcmp(facts->name, "QUEUE_PURGE") &&
			       strcmp(facts->name, "SOCKET_CLOSE") :
		       facts->reason != 0;
}

/* Return: true if the innermost open function of the task is processing the packet of this event. */
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
	notify_observers(&reader->observers, dropped, at, &packet);
}

static void read_end(struct reader *reader, const struct moment *at, const struct row *row,
		     const struct graph_label *label)
{
	const struct packet_ended packet = {
		.event = &row->event,
		.at_work = is_at_work(label, row),
	};

	notify_observers(&reader->observers, ended, at, &packet);
}

static void read_rule(struct reader *reader, const struct moment *at, const struct row *row,
		      const struct tep_record *record)
{
	struct packet_ruled packet = { .event = &row->event };

	rule_facts_read(&reader->rows.fields[EVENT_RULE], record, &packet.facts);
	notify_observers(&reader->observers, ruled, at, &packet);
}

/* Remember that a call has opened a call graph. */
static void note_open_call(struct reader *reader, const struct moment *at,
			   const struct skb_event *event)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	uint32_t *call = table_find(&reader->open_calls, key);

	if (!call)
		call = table_add(&reader->open_calls, key, calloc(1, sizeof(*call)));
	if (call)
		*call = event->call;
}

/* Return: true if another call of the task has opened the call graph around this one. */
static bool is_nested_call(const struct reader *reader, const struct moment *at,
			   const struct skb_event *event)
{
	const uint32_t *call =
		table_find(&reader->open_calls, table_task_key(at->pid, at->cpu, NULL));

	return call && *call && event->call && *call != event->call;
}

static void read_call_return(struct reader *reader, const struct moment *at,
			     const struct skb_event *event)
{
	if (event->has_stream)
		notify_observers(&reader->observers, stream_returned, at, event);
	if (!is_nested_call(reader, at, event))
		notify_observers(&reader->observers, call_returned, at, event);
}

static void read_return(struct reader *reader, const struct moment *at, const struct row *row)
{
	const struct function_left left = {
		.event = &row->event,
		.name = name_of(reader, row->event.func),
	};

	if (left.name && row->event.pkt)
		notify_observers(&reader->observers, returned, at, &left);
	else if (!row->event.pkt)
		read_call_return(reader, at, &row->event);
}

/* With lost rows, each task may have returned from its call and have made another one. */
static void forget_open_calls(struct reader *reader)
{
	uint32_t *call;
	size_t i = 0;

	while ((call = table_next(&reader->open_calls, &i)))
		*call = 0;
}

static void read_loss(struct reader *reader, const struct moment *at,
		      const struct tep_record *record)
{
	forget_open_calls(reader);
	graph_state_forget(reader->graph, NULL, at->cpu);
	sched_waits_forget(reader->waits, at->ts);
	function_times_lost(&reader->times, at);
	notify_observers(&reader->observers, lost, at,
			 at->cpu < reader->cpus ? reader->last_ts[at->cpu] : 0,
			 record->missed_events > 0 ? record->missed_events : 0);
}

/*
 * Return: true for a function_graph row. Such rows may precede the recording, if function_graph was in use
 * before.
 */
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
		if (owner.missing.calls)
			function_times_missing(&reader->times, &at, row, &owner.missing);
		function_times_leave(&reader->times, &at, row, names_of(reader->names, row->func),
				     &reader->rows.fields[EVENT_EXIT], record);
		break;
	case EVENT_DROP:
		if (row->readable)
			read_drop(reader, &at, row, &owner.label, record);
		break;
	case EVENT_COPY:
		if (row->readable)
			notify_observers(&reader->observers, copied, &at, &row->event);
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
		if (row->readable && row->event.how == RECORD_SKB_HOW_OPEN) {
			note_open_call(reader, &at, &row->event);
			notify_observers(&reader->observers, called, &at, &row->event);
		}
		if (row->readable && row->event.has_stream)
			notify_observers(&reader->observers, stream_called, &at, &row->event);
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
		notify_observers(&reader->observers, wall_clock, at, real);
	}
}

static void read_sched(struct reader *reader, const struct tep_record *record)
{
	struct sched_facts facts;

	if (is_of(reader, &reader->sched, record) &&
	    sched_facts_read(&reader->sched, record, &facts))
		sched_waits_add(reader->waits, record->cpu, record->ts, &facts);
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
	if (trace_marker_rule(&reader->marker, record, &rule))
		notify_observers(&reader->observers, rule_said, at, &rule);
	else if (trace_marker_read_by_others(&reader->marker, record))
		notify_observers(&reader->observers, read_by_others, at);
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

/* Number of rows between two calls of the step function. */
#define STEP_ROWS 1024
/*
 * Number of steps after which all tasks are searched for the oldest row. That is expensive with
 * many tasks.
 */
#define STEPS_PER_SEARCH 64

static void look_at_last_row(void *data, const struct tep_record *record)
{
	struct reader *reader = data;

	if (record->ts > reader->end)
		reader->end = record->ts;
	read_stop(reader, record);
	if (is_of(reader, &reader->marker.fields, record))
		reader->read_by_others |= trace_marker_read_by_others(&reader->marker, record);
}

void reader_set_step(struct reader *reader, reader_step *step, void *data)
{
	reader->step = step;
	reader->step_data = data;
	/*
	 * record-skb writes this mark at the end of a recording. It concerns all packets, so nothing is
	 * certain before the mark was read.
	 */
	reader->can_stream = input_look_at_end(reader->input, look_at_last_row, reader) &&
			     !reader->read_by_others &&
			     reader->rows.fields[EVENT_PACKET].field[FIELD_COPY] &&
			     reader->rows.fields[EVENT_END].event && !words_are_in_ticks();
}

bool reader_can_stream(const struct reader *reader)
{
	return reader->can_stream;
}

bool reader_was_stopped(const struct reader *reader)
{
	return reader->stopped;
}

uint64_t reader_file_end(const struct reader *reader)
{
	return reader->end;
}

/*
 * Return: the time of the earliest row after which lost rows will be found. Each CPU's next row tells if
 * rows were lost before it. Losses behind it begin at its time or later.
 */
static uint64_t losses_from(const struct reader *reader)
{
	const struct tep_record *next;
	uint64_t from = reader->newest;

	for (int cpu = 0; cpu < reader->cpus; cpu++) {
		next = input_peek(reader->input, cpu);
		if (next && next->missed_events && reader->last_ts[cpu] < from)
			from = reader->last_ts[cpu];
	}
	return from;
}

static struct read_state read_state(struct reader *reader)
{
	if (reader->rows_read / STEP_ROWS % STEPS_PER_SEARCH == 1) {
		reader->calls_from = graph_state_oldest(reader->graph);
		if (reader->calls_from > reader->newest)
			reader->calls_from = reader->newest;
	}
	return (struct read_state){
		.now = reader->newest,
		.losses_from = losses_from(reader),
		.calls_from = reader->calls_from,
	};
}

/* Return: false if the step function needs no more rows. */
static bool make_step(struct reader *reader)
{
	struct read_state state;

	if (!reader->step || ++reader->rows_read % STEP_ROWS)
		return true;
	state = read_state(reader);
	return reader->step(reader->step_data, &state);
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
		reader->stopped = !make_step(reader);
		if (reader->stopped)
			break;
	}
	reader_end(reader);
}
