// SPDX-License-Identifier: GPL-2.0
/* reader_rows.c - turn each row of a trace into calls to observers */
#include <stdlib.h>
#include <string.h>

#include "input/reader_state.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"

/* Return: the function at @address. If recordings are joined, @address must be from common_func(). */
static const struct name *name_of(struct reader *reader, uint64_t address)
{
	return address ? names_of(reader->common ? reader->common : reader->names, address) : NULL;
}

/*
 * For joined recordings, return the address that all hosts use for the function at @address of one host.
 * Other recordings keep their addresses.
 */
static uint64_t common_func(struct reader *reader, uint64_t address)
{
	const struct name *name;

	if (!reader->common || !address)
		return address;
	name = names_intern(reader->common, names_of(reader->names, address));
	return name ? name->func : 0;
}

/*
 * Return: number of the packet that the row's task is processing in its innermost open function; 0 for none.
 */
static uint32_t packet_within(struct reader *reader, const struct row *row)
{
	const struct graph_task_id id = row_task(row, NULL);
	struct graph_task *task = graph_task_find(reader->graph, &id, row->ts);
	const struct graph_label label = task ? graph_task_owner(task) :
						(struct graph_label){ NULL };

	return label.owner && label.kind == EVENT_PACKET ? label.pkt : 0;
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
	packet.facts.netns = common_netns(reader, packet.facts.netns);
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
 * Return: true if the drop reason tells why the packet was dropped. Returns false for QUEUE_PURGE and
 * SOCKET_CLOSE (used by MPTCP), because they only tell that a queue was emptied when its socket was closed.
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
	return label->owner && label->kind == EVENT_PACKET && label->pkt == row->event.pkt;
}

/*
 * Find the offset of a drop in its function. Read the address from the record, because the event of a joined
 * recording has a made-up address.
 */
static void locate_drop(const struct reader *reader, const struct tep_record *record,
			struct packet_dropped *packet)
{
	const struct name *name = NULL;
	uint64_t address;

	if (event_field_read(&reader->rows.fields[EVENT_DROP], FIELD_LOCATION, record, &address) ||
	    !address)
		return;
	name = names_of(reader->names, address);
	packet->offset = name ? name->offset : 0;
	packet->address = address;
	packet->lines = reader->lines;
}

const char *packet_dropped_line(const struct packet_dropped *packet, char line[SOURCE_LINE_LEN])
{
	return packet->place ? source_lines_find(packet->lines, packet->address,
						 packet->place->text, packet->offset, line) :
			       NULL;
}

static void read_drop(struct reader *reader, const struct moment *at, const struct row *row,
		      const struct graph_label *label, const struct tep_record *record)
{
	struct packet_dropped packet = {
		.event = &row->event,
		.place = name_of(reader, row->event.func),
		.at_work = is_at_work(label, row),
	};

	locate_drop(reader, record, &packet);
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
	packet.facts.netns = common_netns(reader, packet.facts.netns);
	notify_observers(&reader->observers, ruled, at, &packet);
}

static void read_limit(struct reader *reader, const struct moment *at, const struct row *row,
		       const struct tep_record *record)
{
	struct packet_limited packet = { .event = &row->event };

	limit_facts_read(&reader->rows.fields[EVENT_LIMIT], record, &packet.facts);
	notify_observers(&reader->observers, limited, at, &packet);
}

/*
 * Find the packet of an event. If the event names no packet, it belongs to the packet or call that the
 * innermost open function of the task processes. Return: false if there is none.
 */
static bool find_packet(const struct row *row, const struct graph_label *label, uint32_t *pkt,
			uint32_t *copy)
{
	const bool is_within = !row->event.pkt && label->owner && label->kind == EVENT_PACKET;

	*pkt = is_within ? label->pkt : row->event.pkt;
	*copy = is_within ? label->copy : row->event.copy;
	return row->event.pkt || label->owner;
}

static void read_program(struct reader *reader, const struct moment *at, const struct row *row,
			 const struct graph_label *label, const struct tep_record *record)
{
	struct packet_program packet = { .event = &row->event };

	if (!find_packet(row, label, &packet.pkt, &packet.copy))
		return;
	program_facts_read(&reader->rows.fields[EVENT_PROGRAM], record, &packet.facts);
	packet.facts.netns = common_netns(reader, packet.facts.netns);
	notify_observers(&reader->observers, program, at, &packet);
}

static void read_decision(struct reader *reader, const struct moment *at, const struct row *row,
			  const struct graph_label *label, const struct tep_record *record)
{
	struct packet_decided packet = { .by = name_of(reader, row->event.func) };

	if (!find_packet(row, label, &packet.pkt, &packet.copy))
		return;
	decision_facts_read(&reader->rows.fields[EVENT_DECISION], record, &packet.facts);
	packet.facts.netns = common_netns(reader, packet.facts.netns);
	if (packet.facts.kind == RECORD_SKB_DECISION_TAP && packet.facts.number)
		packet.socket = netns_names_find(
			reader->netns_names, packet.facts.number,
			common_cookie(reader, RECORD_SKB_NETNS_SOCKET | packet.facts.number));
	notify_observers(&reader->observers, decided, at, &packet);
}

static void read_reset(struct reader *reader, const struct moment *at, const struct row *row,
		       const struct tep_record *record)
{
	struct packet_reset packet = { .event = &row->event };

	reset_facts_read(&reader->rows.fields[EVENT_RESET], record, &packet.facts);
	for (unsigned int i = 0; i < RECORD_SKB_RESET_CALLERS; i++) {
		if (packet.facts.callers[i])
			packet.callers[i] = names_of(reader->names, packet.facts.callers[i]);
	}
	notify_observers(&reader->observers, reset, at, &packet);
}

/*
 * The last call of a task that opened a call graph. @losses is the number of losses at that time. If rows
 * were lost since, the task may have returned from the call without a row, and may have made another call. So
 * the call does not count any more.
 */
struct open_call {
	uint32_t call;
	uint64_t losses;
};

/* Note that a socket call has opened a call graph. */
static void note_open_call(struct reader *reader, const struct moment *at,
			   const struct skb_event *event)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct open_call *open = table_find(&reader->open_calls, key);

	if (!open)
		open = table_add(&reader->open_calls, key, malloc(sizeof(*open)));
	if (open)
		*open = (struct open_call){ event->call, reader->losses };
}

/* Return: true if another call of the same task has opened the call graph that contains this call. */
static bool is_nested_call(const struct reader *reader, const struct moment *at,
			   const struct skb_event *event)
{
	const struct open_call *open =
		table_find(&reader->open_calls, table_task_key(at->pid, at->cpu, NULL));

	return open && open->losses == reader->losses && open->call && event->call &&
	       open->call != event->call;
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

static void read_loss(struct reader *reader, const struct moment *at,
		      const struct tep_record *record)
{
	reader->losses++;
	graph_state_forget(reader->graph, NULL, at->cpu);
	sched_waits_forget(reader->waits, at->ts);
	function_times_lost(&reader->times, at);
	notify_observers(&reader->observers, lost, at,
			 record->cpu < reader->cpus ? reader->last_ts[record->cpu] : 0,
			 record->missed_events > 0 ? record->missed_events : 0);
}

void reader_lose_rest(struct reader *reader, int cpu)
{
	const struct moment at = { .ts = reader->newest, .cpu = common_cpu(reader, cpu) };

	/*
	 * Set the beginning of the loss. A loss without a beginning counts as the overwritten part of a ring.
	 */
	reader->last_ts[cpu] = reader->last_ts[cpu] ?: 1;
	read_loss(reader, &at, &(struct tep_record){ .cpu = cpu });
}

/*
 * Return: true for a row of function_graph. Such rows may precede the recording if function_graph was in use
 * before.
 */
static bool is_of_graph(enum event_kind kind)
{
	return kind == EVENT_ENTRY || kind == EVENT_RETADDR_ENTRY || kind == EVENT_EXIT;
}

static void notify_row(struct reader *reader, const struct row *row, const struct moment *at,
		       const struct row_owner *owner, const struct tep_record *record)
{
	if (reader->wall_clock.event && !reader->begun && !is_of_graph(row->kind))
		reader->begins_later = true;
	if (row->kind < OWN_EVENTS && !row->readable)
		return;
	switch (row->kind) {
	case EVENT_ENTRY:
	case EVENT_RETADDR_ENTRY:
		function_times_enter(&reader->times, at, row, name_of(reader, row->func),
				     &owner->label);
		break;
	case EVENT_EXIT:
		if (owner->missing.calls)
			function_times_missing(&reader->times, at, row, &owner->missing);
		function_times_leave(&reader->times, at, row, name_of(reader, row->func),
				     &reader->rows.fields[EVENT_EXIT], record);
		break;
	case EVENT_DROP:
		read_drop(reader, at, row, &owner->label, record);
		break;
	case EVENT_COPY:
		notify_observers(&reader->observers, copied, at, &row->event);
		break;
	case EVENT_END:
		read_end(reader, at, row, &owner->label);
		break;
	case EVENT_RULE:
		read_rule(reader, at, row, record);
		break;
	case EVENT_LIMIT:
		read_limit(reader, at, row, record);
		break;
	case EVENT_PROGRAM:
		read_program(reader, at, row, &owner->label, record);
		break;
	case EVENT_DECISION:
		read_decision(reader, at, row, &owner->label, record);
		break;
	case EVENT_RESET:
		read_reset(reader, at, row, record);
		break;
	case EVENT_CALL:
		if (row->event.how == RECORD_SKB_HOW_OPEN) {
			note_open_call(reader, at, &row->event);
			notify_observers(&reader->observers, called, at, &row->event);
		}
		if (row->event.has_stream)
			notify_observers(&reader->observers, stream_called, at, &row->event);
		break;
	case EVENT_RETURN:
		read_return(reader, at, row);
		break;
	case EVENT_PACKET:
		read_packet(reader, at, row, record);
		break;
	default:
		break;
	}
}

/*
 * Return: the name of a task. libtraceevent searches for it each time. While a file is read, the name does
 * not change.
 */
static const char *comm_of(struct reader *reader, int pid)
{
	if (!reader->input)
		return tep_data_comm_from_pid(reader->rows.tep, pid);
	if (!reader->comm || reader->comm_pid != pid) {
		reader->comm = tep_data_comm_from_pid(reader->rows.tep, pid);
		reader->comm_pid = pid;
	}
	return reader->comm;
}

static void read_row(struct reader *reader, struct row *row, const struct tep_record *record)
{
	const char *comm = comm_of(reader, row->pid);
	const struct departure *departure = joined_departure_of(reader, row);
	const uint8_t before = joined_hosts_before(reader, row);
	const bool is_shown = joined_map_row(reader, row, departure);
	const struct moment at = {
		.ts = row->ts,
		.cpu = row->cpu,
		.pid = row->pid,
		.softirq = row->softirq,
		.hosts_before = before,
		.waits = reader->waits,
		.comm = comm,
	};
	const struct row_owner owner = rows_follow(&reader->rows, reader->graph, NULL, row);

	if (!is_shown)
		return;
	if (row->kind < OWN_EVENTS)
		row->event.func = common_func(reader, row->event.func);
	else
		row->func = common_func(reader, row->func);
	notify_row(reader, row, &at, &owner, record);
	if (departure && row->kind == EVENT_PACKET && row->ts == departure->ts)
		joined_leave_host(reader, &at, &row->event, departure);
}

bool reader_is_event(const struct event_fields *fields, const struct tep_record *record)
{
	uint64_t type;

	return fields->event && !event_field_read(fields, FIELD_EVENT_TYPE, record, &type) &&
	       (int)type == fields->event->id;
}

static void read_wall_clock(struct reader *reader, const struct moment *at,
			    const struct tep_record *record)
{
	uint64_t real, sample;

	if (!reader_is_event(&reader->wall_clock, record) ||
	    event_field_read(&reader->wall_clock, FIELD_REAL, record, &real))
		return;
	/* The module emits this event twice: at the beginning, and when it stops matching packets. */
	reader->over = reader->begun && !reader->over ? at->ts : 0;
	reader->begun = true;
	if (!event_field_read(&reader->wall_clock, FIELD_SAMPLE, record, &sample))
		reader->sample = sample;
	/*
	 * For joined recordings, report only the wall clock of the reference host, because all times are
	 * converted to its clock.
	 */
	if (!reader->map || reader->map->is_reference)
		notify_observers(&reader->observers, wall_clock, at, real);
}

static void read_sched(struct reader *reader, const struct moment *at,
		       const struct tep_record *record)
{
	struct sched_facts facts;

	if (!reader_is_event(&reader->sched, record) ||
	    !sched_facts_read(&reader->sched, record, &facts))
		return;
	facts.task = common_task(reader, facts.task);
	facts.other = common_task(reader, facts.other);
	sched_waits_add(reader->waits, record->cpu, at->ts, &facts);
}

static void read_netns(struct reader *reader, const struct moment *at,
		       const struct tep_record *record)
{
	struct netns_facts facts;

	if (!reader_is_event(&reader->netns, record) ||
	    !netns_facts_read(&reader->netns, record, &facts))
		return;
	facts.netns = common_netns(reader, facts.netns);
	facts.cookie = common_cookie(reader, facts.cookie);
	if (facts.kind == RECORD_SKB_NETNS_SEEN)
		netns_names_see(reader->netns_names, &facts);
	else
		netns_names_add(reader->netns_names, at->ts, &facts);
}

void reader_handle_stop(struct reader *reader, const struct tep_record *record)
{
	uint64_t by, pkt, copy;

	if (!reader_is_event(&reader->stop, record) ||
	    event_field_read(&reader->stop, FIELD_BY, record, &by) ||
	    event_field_read(&reader->stop, FIELD_PKT, record, &pkt) ||
	    event_field_read(&reader->stop, FIELD_COPY, record, &copy))
		return;
	reader->ring_end = (struct ring_end){
		.is = true,
		.by = by,
		.pkt = pkt,
		.copy = copy,
		.ts = common_time(reader, record->ts),
	};
	if (reader->map)
		reader->ring_end.pkt = host_map_number(reader->map, pkt);
}

static void read_marker(struct reader *reader, const struct moment *at,
			const struct tep_record *record)
{
	struct rule_text rule;

	if (!reader_is_event(&reader->marker.fields, record))
		return;
	if (trace_marker_rule(&reader->marker, record, &rule)) {
		rule.netns = common_netns(reader, rule.netns);
		notify_observers(&reader->observers, rule_said, at, &rule);
	} else if (trace_marker_read_by_others(&reader->marker, record)) {
		notify_observers(&reader->observers, read_by_others, at);
	} else {
		trace_marker_losses(&reader->marker, record, &reader->module_losses);
	}
}

void reader_row(struct reader *reader, const struct tep_record *record)
{
	const struct moment at = { .ts = common_time(reader, record->ts),
				   .cpu = common_cpu(reader, record->cpu) };
	struct row row;

	reader->newest = at.ts;
	if (record->missed_events)
		read_loss(reader, &at, record);
	if (record->cpu >= 0 && record->cpu < reader->cpus)
		reader->last_ts[record->cpu] = at.ts;
	switch (rows_read(&reader->rows, record, &row)) {
	case ROW_READ:
		read_row(reader, &row, record);
		break;
	case ROW_OF_ANYBODY:
		graph_state_forget(reader->graph, NULL, at.cpu);
		break;
	case ROW_UNKNOWN:
		read_wall_clock(reader, &at, record);
		reader_handle_stop(reader, record);
		read_sched(reader, &at, record);
		read_netns(reader, &at, record);
		read_marker(reader, &at, record);
		break;
	}
}
