// SPDX-License-Identifier: GPL-2.0
/* reader.c - a trace.dat as a stream of what happens to packets */
#include <stdlib.h>
#include <string.h>

#include "graph_state.h"
#include "input.h"
#include "reader.h"
#include "skb_event.h"
#include "stack.h"

enum event_kind {
	EVENT_PACKET, EVENT_OTHER, EVENT_CALL, EVENT_RETURN, EVENT_DROP,
	EVENT_ENTRY, EVENT_RETADDR_ENTRY, EVENT_EXIT,
	EVENT_KINDS,
};

static const struct {
	const char *system, *name;
} events[EVENT_KINDS] = {
	[EVENT_PACKET]		= { "record_skb", "packet" },
	[EVENT_OTHER]		= { "record_skb", "other" },
	[EVENT_CALL]		= { "record_skb", "call" },
	[EVENT_RETURN]		= { "record_skb", "return" },
	[EVENT_DROP]		= { "record_skb", "drop" },
	[EVENT_ENTRY]		= { "ftrace", "funcgraph_entry" },
	[EVENT_RETADDR_ENTRY]	= { "ftrace", "fgraph_retaddr_entry" },
	[EVENT_EXIT]		= { "ftrace", "funcgraph_exit" },
};

/* As include/linux/trace_events.h has them. */
#define FLAG_SOFTIRQ	0x10

struct reader {
	struct input *input;
	struct tep_handle *tep;
	struct event_fields fields[EVENT_KINDS];
	struct tep_format_field *flags;
	struct graph_state *graph;
	struct stacks *stacks;
	struct names *names;
	struct {
		const struct sink *sink;
		void *data;
	} sinks[MAX_SINKS];
	int nr_sinks;
	int cpus;
	uint64_t *last_ts;	/* of each CPU's last row */
};

#define tell(reader, what, ...)								\
	do {										\
		for (int i_ = 0; i_ < (reader)->nr_sinks; i_++) {			\
			if ((reader)->sinks[i_].sink->what)				\
				(reader)->sinks[i_].sink->what((reader)->sinks[i_].data,\
							       __VA_ARGS__);		\
		}									\
	} while (0)

static void find_events(struct reader *reader)
{
	struct tep_event *event;

	reader->tep = input_tep(reader->input);
	/* A new event may stand where one was that is gone. */
	memset(reader->fields, 0, sizeof(reader->fields));
	for (int kind = 0; kind < EVENT_KINDS; kind++) {
		event = tep_find_event_by_name(reader->tep, events[kind].system, events[kind].name);
		if (event)
			event_fields_find(&reader->fields[kind], event);
	}
	event = reader->fields[EVENT_PACKET].event;
	reader->flags = event ? tep_find_common_field(event, "common_flags") : NULL;
}

struct reader *reader_open(const char *path, struct err *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		err_set(err, "out of memory");
		return NULL;
	}
	reader->input = input_open(path, err);
	if (!reader->input)
		goto fail;
	find_events(reader);
	if (!reader->fields[EVENT_PACKET].event) {
		err_set(err, "'%s' was not recorded by trace-cmd record-skb: it has no events of "
			"record_skb", path);
		goto fail;
	}

	reader->cpus = input_cpus(reader->input);
	reader->graph = graph_state_new();
	reader->stacks = stacks_new();
	reader->names = names_new(reader->tep);
	reader->last_ts = calloc(reader->cpus > 0 ? reader->cpus : 1, sizeof(*reader->last_ts));
	if (reader->graph && reader->stacks && reader->names && reader->last_ts)
		return reader;
	err_set(err, "out of memory");
fail:
	reader_close(reader);
	return NULL;
}

void reader_close(struct reader *reader)
{
	if (!reader)
		return;
	free(reader->last_ts);
	names_free(reader->names);
	stacks_free(reader->stacks);
	graph_state_free(reader->graph);
	input_close(reader->input);
	free(reader);
}

void reader_add_sink(struct reader *reader, const struct sink *sink, void *data)
{
	reader->sinks[reader->nr_sinks].sink = sink;
	reader->sinks[reader->nr_sinks++].data = data;
}

struct names *reader_names(struct reader *reader)
{
	return reader->names;
}

/* Functions */

static struct function as_function(const struct open_function *open)
{
	return (struct function){
		.name = open->name,
		.depth = open->depth,
		.pkt = open->pkt,
		.starts = open->starts,
	};
}

static void abandon_to(struct reader *reader, const struct row *row, struct stack *stack, int n,
		       bool lost)
{
	struct row where = *row;

	/* The row is not always of this task. */
	where.pid = stack->pid;
	if (!stack->pid)
		where.cpu = stack->cpu;
	while (stack->n > n) {
		struct function function = as_function(&stack->v[--stack->n]);

		function.lost = lost;
		tell(reader, abandoned, &where, &function);
	}
}

static void enter_function(struct reader *reader, const struct row *row, struct stack *stack,
			   const struct name *name, int depth, const struct graph_label *label)
{
	struct open_function *open;
	struct function function;
	int n = stack->n;

	/* What is as deep or deeper has been left, and its exit lost. */
	while (n > 0 && stack->v[n - 1].depth >= depth)
		n--;
	abandon_to(reader, row, stack, n, false);
	if (n == STACK_DEPTH)
		return;
	open = &stack->v[stack->n++];
	open->name = name;
	open->depth = depth;
	open->pkt = label->text ? label->pkt : 0;
	open->starts = label->text && label->first;
	open->entered = row->ts;
	open->below = 0;
	function = as_function(open);
	tell(reader, entered, row, &function);
}

static void leave_function(struct reader *reader, const struct row *row, struct stack *stack,
			   const struct name *name, int depth, uint64_t total)
{
	struct function function;
	int n = stack->n;

	while (n > 0 && stack->v[n - 1].depth > depth)
		n--;
	abandon_to(reader, row, stack, n, false);
	if (!n || stack->v[n - 1].depth != depth || stack->v[n - 1].name != name)
		return;

	stack->n--;
	function = as_function(&stack->v[n - 1]);
	function.total = total;
	function.self = function.total > stack->v[n - 1].below ?
			function.total - stack->v[n - 1].below : 0;
	if (n > 1)
		stack->v[n - 2].below += function.total;
	tell(reader, left, row, &function);
}

/* Rows */

static const struct name *read_name(struct reader *reader, const struct event_fields *fields,
				    enum skb_field which, const struct tep_record *record)
{
	uint64_t address;

	if (event_field_read(fields, which, record, &address))
		return NULL;
	return names_of(reader->names, address);
}

static enum graph_func what_is(const struct name *name)
{
	if (name->gate)
		return GRAPH_FUNC_GATE;
	return name->known ? GRAPH_FUNC_NAMED : GRAPH_FUNC_UNNAMED;
}

static void read_entry(struct reader *reader, const struct row *row,
		       const struct graph_task_id *id, const struct event_fields *fields,
		       const struct tep_record *record)
{
	struct graph_task *task = graph_task_find(reader->graph, id, row->ts);
	struct stack *stack = stacks_find(reader->stacks, id->pid, id->cpu, true);
	const struct name *name = read_name(reader, fields, FIELD_FUNC, record);
	struct graph_label label = { NULL };
	enum graph_func what = GRAPH_FUNC_NAMED;
	uint64_t depth;

	if (!stack || !name || event_field_read(fields, FIELD_DEPTH, record, &depth)) {
		graph_state_forget_task(reader->graph, id);
		return;
	}
	if (task) {
		if (graph_task_expects_gate(task))
			what = what_is(name);
		label = graph_task_entry(task, name->func, depth, what);
	}
	enter_function(reader, row, stack, name, depth, &label);
}

/* As trace-cmd report shows it. Without the times it is known to the row. */
static uint64_t duration(const struct event_fields *fields, const struct tep_record *record,
			 const struct stack *stack, uint64_t ts)
{
	uint64_t from, to;

	if (event_field_read(fields, FIELD_CALLTIME, record, &from) ||
	    event_field_read(fields, FIELD_RETTIME, record, &to)) {
		from = stack->n ? stack->v[stack->n - 1].entered : ts;
		to = ts;
	}
	return to > from ? to - from : 0;
}

static void read_exit(struct reader *reader, const struct row *row,
		      const struct graph_task_id *id, const struct event_fields *fields,
		      const struct tep_record *record)
{
	struct graph_task *task = graph_task_find(reader->graph, id, row->ts);
	struct stack *stack = stacks_find(reader->stacks, id->pid, id->cpu, false);
	const struct name *name = read_name(reader, fields, FIELD_FUNC, record);
	uint64_t depth;
	struct graph_return ret;

	if (!name || event_field_read(fields, FIELD_DEPTH, record, &depth)) {
		graph_state_forget_task(reader->graph, id);
		return;
	}
	if (task)
		graph_task_exit(task, depth, &ret);
	if (stack)
		leave_function(reader, row, stack, name, depth,
			       duration(fields, record, stack, row->ts));
}

static void read_packet(struct reader *reader, const struct row *row,
			const struct event_fields *fields, const struct tep_record *record,
			const struct skb_event *event, bool placed)
{
	struct packet_seen packet = {
		.placed = placed,
		.pkt = event->pkt,
		.flow = event->flow,
		.point = names_of(reader->names, event->func),
	};
	uint64_t value;

	if (!packet.point)
		return;
	if (!event_field_read(fields, FIELD_FLOW, record, &value))
		packet.flow_number = value;
	if (!event_field_read(fields, FIELD_DIR, record, &value))
		packet.dir = value;
	if (!event_field_read(fields, FIELD_LEN, record, &value))
		packet.len = value;
	if (!event_field_read(fields, FIELD_TCP_FLAGS, record, &value))
		packet.tcp_flags = value;
	if (!event_field_read(fields, FIELD_NETNS, record, &value))
		packet.netns = value;
	packet.dev = event_field_bytes(fields, FIELD_DEV, record, &packet.dev_len);
	packet.data = event_field_bytes(fields, FIELD_DATA, record, &packet.data_len);
	if (!packet.data)
		packet.data_len = 0;
	tell(reader, packet, row, &packet);
}

static bool has_reason(const struct packet_dropped *packet)
{
	static const char none[] = "NOT_SPECIFIED";

	if (!packet->name || !packet->name_len || !packet->name[0])
		return packet->reason;
	return packet->name_len < sizeof(none) || memcmp(packet->name, none, sizeof(none));
}

static void read_drop(struct reader *reader, const struct row *row,
		      const struct event_fields *fields, const struct tep_record *record)
{
	struct packet_dropped packet = { 0 };
	uint64_t value;

	if (event_field_read(fields, FIELD_PKT, record, &value))
		return;
	packet.pkt = value;
	packet.place = read_name(reader, fields, FIELD_LOCATION, record);
	if (!event_field_read(fields, FIELD_REASON, record, &value))
		packet.reason = value;
	packet.name = event_field_bytes(fields, FIELD_NAME, record, &packet.name_len);
	packet.freed = packet.place && packet.place->frees_all && !has_reason(&packet);
	tell(reader, dropped, row, &packet);
}

static void read_own_event(struct reader *reader, const struct row *row,
			   const struct graph_task_id *id, enum event_kind kind,
			   const struct tep_record *record)
{
	static const enum skb_event_kind kinds[] = {
		[EVENT_PACKET] = SKB_PACKET, [EVENT_OTHER] = SKB_OTHER,
		[EVENT_CALL] = SKB_CALL, [EVENT_RETURN] = SKB_RETURN,
	};
	const struct event_fields *fields = &reader->fields[kind];
	struct skb_event event;
	int err = skb_event_read(fields, kinds[kind], record, &event);

	graph_state_event(reader->graph, id, row->ts, err ? NULL : &event);
	if (!err && kind == EVENT_PACKET)
		read_packet(reader, row, fields, record, &event,
			    event.how == SKB_HIDDEN || graph_task_find(reader->graph, id, row->ts));
}

static void read_loss(struct reader *reader, const struct row *row, const struct tep_record *record)
{
	struct stack *stack;
	size_t i = 0;

	graph_state_forget(reader->graph, NULL, row->cpu);
	while ((stack = stacks_next(reader->stacks, &i))) {
		if (stack->pid || stack->cpu == row->cpu)
			abandon_to(reader, row, stack, 0, true);
	}
	tell(reader, lost, row, row->cpu < reader->cpus ? reader->last_ts[row->cpu] : 0,
	     record->missed_events > 0 ? record->missed_events : 0);
}

static void read_record(struct reader *reader, const struct tep_record *record)
{
	struct row row = { .ts = record->ts, .cpu = record->cpu };
	struct graph_task_id id = { .cpu = record->cpu };
	enum event_kind kind;
	uint64_t pid;
	int type;

	if (record->missed_events)
		read_loss(reader, &row, record);
	if (row.cpu >= 0 && row.cpu < reader->cpus)
		reader->last_ts[row.cpu] = row.ts;

	if (record->size < 2)
		return;
	type = tep_data_type(reader->tep, (struct tep_record *)record);
	for (kind = 0; kind < EVENT_KINDS; kind++) {
		if (reader->fields[kind].event && reader->fields[kind].event->id == type)
			break;
	}
	if (kind == EVENT_KINDS)
		return;
	if (event_field_read(&reader->fields[kind], FIELD_PID, record, &pid)) {
		graph_state_forget(reader->graph, NULL, row.cpu);
		return;
	}
	row.pid = id.pid = (int)pid;
	row.comm = tep_data_comm_from_pid(reader->tep, row.pid);
	if (reader->flags && record->size > reader->flags->offset)
		row.softirq = ((uint8_t *)record->data)[reader->flags->offset] & FLAG_SOFTIRQ;

	switch (kind) {
	case EVENT_ENTRY:
	case EVENT_RETADDR_ENTRY:
		read_entry(reader, &row, &id, &reader->fields[kind], record);
		break;
	case EVENT_EXIT:
		read_exit(reader, &row, &id, &reader->fields[kind], record);
		break;
	case EVENT_DROP:
		read_drop(reader, &row, &reader->fields[kind], record);
		break;
	default:
		read_own_event(reader, &row, &id, kind, record);
		break;
	}
}

void reader_run(struct reader *reader)
{
	const struct tep_record *record;
	struct row end = { 0 };
	struct stack *stack;
	bool renewed;
	size_t i = 0;

	while ((record = input_next(reader->input, &renewed))) {
		if (renewed) {
			find_events(reader);
			names_set_tep(reader->names, reader->tep);
		}
		end.ts = record->ts;
		read_record(reader, record);
	}
	while ((stack = stacks_next(reader->stacks, &i)))
		abandon_to(reader, &end, stack, 0, false);
}
