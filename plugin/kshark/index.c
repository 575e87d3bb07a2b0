// SPDX-License-Identifier: LGPL-2.1
/*
 * index.c - whose each row of a stream is, to be asked in any order
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "graph_state.h"
#include "index.h"
#include "packets.h"
#include "skb_event.h"

enum row_kind {
	ROW_PACKET, ROW_OTHER, ROW_CALL, ROW_RETURN,	/* as enum skb_event_kind */
	ROW_ENTRY, ROW_RETADDR_ENTRY, ROW_EXIT,
	ROW_DROP,
	ROW_LOSS,		/* up to here, rows of this CPU are missing */
	ROW_LOSS_BEGINS,	/* from here on */
};

static const struct {
	const char *system, *name;
} events[ROW_LOSS] = {
	[ROW_PACKET]		= { "record_skb", "packet" },
	[ROW_OTHER]		= { "record_skb", "other" },
	[ROW_CALL]		= { "record_skb", "call" },
	[ROW_RETURN]		= { "record_skb", "return" },
	[ROW_ENTRY]		= { "ftrace", "funcgraph_entry" },
	[ROW_RETADDR_ENTRY]	= { "ftrace", "fgraph_retaddr_entry" },
	[ROW_EXIT]		= { "ftrace", "funcgraph_exit" },
	[ROW_DROP]		= { "record_skb", "drop" },
};

#define GATE	"record_skb_gate"

#define UNREADABLE	UINT32_MAX

struct row {
	uint64_t ts;
	int64_t offset;
	int cpu;
	int pid;
	enum row_kind kind;
	uint32_t depth;		/* of entries and exits; UNREADABLE if the record is cut short */
	/* Of entries the function, of drops the packet, of our other events the place in own. */
	uint64_t value;
	const struct kshark_entry *entry;
};

struct own_event {
	struct skb_event event;
	uint32_t flow;
	uint8_t dir;
};

/* The last row of one CPU, of any event. */
struct last_row {
	uint64_t ts;
	int64_t offset;		/* -1 if there is none yet */
};

/* Rows of one CPU that have a label, in the order of the file. */
struct cpu_labels {
	struct { int64_t offset; uint32_t label; } *v;
	size_t n, room;
};

struct index {
	struct tep_handle *tep;
	pthread_mutex_t lock;	/* of building */
	bool built;
	struct event_fields fields[ROW_LOSS];

	/* Noted while loading. */
	struct row *rows;
	size_t nr_rows, room_rows;
	struct own_event *own;
	size_t nr_own, room_own;
	struct last_row *last;	/* by CPU */
	int nr_cpus;
	bool incomplete;	/* for want of memory: then nothing is known */

	/* Built from it. */
	char **labels;
	size_t nr_labels, room_labels;
	struct cpu_labels *cpus;
	struct packets packets;
};

/* Makes room for one more; false without memory. */
static bool make_room(void *array, size_t n, size_t *room, size_t size)
{
	void **v = array;
	size_t more = *room ? *room * 2 : 64;
	void *new;

	if (n < *room)
		return true;
	new = realloc(*v, more * size);
	if (!new)
		return false;
	*v = new;
	*room = more;
	return true;
}

struct index *index_new(struct tep_handle *tep)
{
	struct index *index = calloc(1, sizeof(*index));
	struct tep_event *event;
	int kind;

	if (!index)
		return NULL;
	index->tep = tep;
	pthread_mutex_init(&index->lock, NULL);
	for (kind = 0; kind < ROW_LOSS; kind++) {
		event = tep_find_event_by_name(tep, events[kind].system, events[kind].name);
		if (event)
			event_fields_find(&index->fields[kind], event);
	}
	return index;
}

static void forget_built(struct index *index)
{
	size_t i;
	int cpu;

	for (i = 0; i < index->nr_labels; i++)
		free(index->labels[i]);
	for (cpu = 0; index->cpus && cpu < index->nr_cpus; cpu++)
		free(index->cpus[cpu].v);
	free(index->cpus);
	free(index->labels);
	index->cpus = NULL;
	index->labels = NULL;
	packets_free(&index->packets);
	index->nr_labels = index->room_labels = 0;
	index->built = false;
}

static void forget_noted(struct index *index)
{
	free(index->rows);
	free(index->own);
	index->rows = NULL;
	index->own = NULL;
	index->nr_rows = index->room_rows = 0;
	index->nr_own = index->room_own = 0;
}

static void start_over(struct index *index)
{
	forget_built(index);
	forget_noted(index);
	free(index->last);
	index->last = NULL;
	index->nr_cpus = 0;
	index->incomplete = false;
}

void index_free(struct index *index)
{
	if (!index)
		return;
	start_over(index);
	pthread_mutex_destroy(&index->lock);
	free(index);
}

/* Noting */

static bool add_cpu(struct index *index, int cpu)
{
	struct last_row *last;

	if (cpu < index->nr_cpus)
		return true;
	last = realloc(index->last, (cpu + 1) * sizeof(*last));
	if (!last)
		return false;
	index->last = last;
	while (index->nr_cpus <= cpu)
		last[index->nr_cpus++] = (struct last_row){ .offset = -1 };
	return true;
}

static struct row *add_row(struct index *index, uint64_t ts, int cpu, int64_t offset,
			   enum row_kind kind)
{
	struct row *row;

	if (!make_room(&index->rows, index->nr_rows, &index->room_rows, sizeof(*index->rows))) {
		index->incomplete = true;
		return NULL;
	}
	row = &index->rows[index->nr_rows++];
	*row = (struct row){ .ts = ts, .cpu = cpu, .offset = offset, .kind = kind };
	return row;
}

/* Rows are missing in front of this one, so all tasks may have been on this CPU since the last. */
static void note_loss(struct index *index, const struct tep_record *record)
{
	const struct last_row *last = &index->last[record->cpu];

	add_row(index, last->ts, record->cpu, last->offset, ROW_LOSS_BEGINS);
	add_row(index, record->ts, record->cpu, record->offset, ROW_LOSS);
}

static void note_own_event(struct index *index, struct row *row, const struct tep_record *record)
{
	const struct event_fields *fields = &index->fields[row->kind];
	struct own_event *own;
	uint64_t value;

	row->depth = UNREADABLE;
	if (!make_room(&index->own, index->nr_own, &index->room_own, sizeof(*index->own))) {
		index->incomplete = true;
		return;
	}
	own = &index->own[index->nr_own];
	if (skb_event_read(fields, (enum skb_event_kind)row->kind, record, &own->event))
		return;
	own->flow = event_field_read(fields, FIELD_FLOW, record, &value) ? 0 : value;
	own->dir = event_field_read(fields, FIELD_DIR, record, &value) ? 0 : value;
	row->depth = 0;
	row->value = index->nr_own++;
}

static void note_drop(struct index *index, struct row *row, const struct tep_record *record)
{
	if (event_field_read(&index->fields[row->kind], FIELD_PKT, record, &row->value))
		row->depth = UNREADABLE;
}

static void note_function(struct index *index, struct row *row, const struct tep_record *record)
{
	const struct event_fields *fields = &index->fields[row->kind];
	uint64_t depth;

	if (event_field_read(fields, FIELD_FUNC, record, &row->value) ||
	    event_field_read(fields, FIELD_DEPTH, record, &depth) || depth >= UNREADABLE)
		row->depth = UNREADABLE;
	else
		row->depth = depth;
}

static bool is_new_load(const struct index *index, const struct tep_record *record)
{
	return index->built || (record->cpu < index->nr_cpus &&
				(int64_t)record->offset <= index->last[record->cpu].offset);
}

void index_note(struct index *index, const struct tep_record *record,
		const struct kshark_entry *entry)
{
	struct last_row *last;
	struct row *row;
	bool anybodys;
	uint64_t pid;
	int kind, type;

	if (record->cpu < 0 || record->size < 2)
		return;
	if (is_new_load(index, record))
		start_over(index);
	if (!add_cpu(index, record->cpu)) {
		index->incomplete = true;
		return;
	}
	last = &index->last[record->cpu];
	type = tep_data_type(index->tep, (struct tep_record *)record);
	for (kind = 0; kind < ROW_LOSS; kind++) {
		if (index->fields[kind].event && index->fields[kind].event->id == type)
			break;
	}
	/* It does not say whose it is. */
	anybodys = kind < ROW_LOSS &&
		   event_field_read(&index->fields[kind], FIELD_PID, record, &pid);
	if (record->missed_events || anybodys)
		note_loss(index, record);
	last->ts = record->ts;
	last->offset = record->offset;
	if (kind == ROW_LOSS || anybodys)
		return;
	row = add_row(index, record->ts, record->cpu, record->offset, kind);
	if (!row)
		return;
	row->pid = (int)pid;
	row->entry = entry;
	if (kind <= ROW_RETURN)
		note_own_event(index, row, record);
	else if (kind == ROW_DROP)
		note_drop(index, row, record);
	else
		note_function(index, row, record);
}

/* Building */

/* A loss lies between two rows, with the time of the first and that of the second. */
static int place(const struct row *row)
{
	return (row->kind == ROW_LOSS_BEGINS) - (row->kind == ROW_LOSS);
}

static int by_time(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return place(x) - place(y);
}

/* The number of a text; the same as the last one's if it is the same. */
static uint32_t label_number(struct index *index, const char *text)
{
	char *copy;

	if (index->nr_labels && !strcmp(index->labels[index->nr_labels - 1], text))
		return index->nr_labels - 1;
	copy = strdup(text);
	if (!copy || !make_room(&index->labels, index->nr_labels, &index->room_labels,
				sizeof(*index->labels))) {
		free(copy);
		return NO_LABEL;
	}
	index->labels[index->nr_labels] = copy;
	return index->nr_labels++;
}

static void add_label(struct index *index, const struct row *row, uint32_t label)
{
	struct cpu_labels *cpu = &index->cpus[row->cpu];

	if (!make_room(&cpu->v, cpu->n, &cpu->room, sizeof(*cpu->v)))
		return;
	cpu->v[cpu->n].offset = row->offset;
	cpu->v[cpu->n++].label = label;
}

static enum graph_func what_is(struct index *index, uint64_t func)
{
	const char *name = tep_find_function(index->tep, func);

	if (!name)
		return GRAPH_FUNC_UNNAMED;
	return strcmp(name, GATE) ? GRAPH_FUNC_NAMED : GRAPH_FUNC_GATE;
}

static struct packet_row packet_row(const struct row *row)
{
	return (struct packet_row){
		.ts = row->ts, .cpu = row->cpu, .pid = row->pid, .entry = row->entry,
	};
}

/* Whether the packet can be told or not: that it was here its event says by itself. */
static void go_through_event(struct index *index, const struct row *row)
{
	const struct own_event *own = &index->own[row->value];
	const struct packet_row at = packet_row(row);
	char text[FLOW_TEXT_LEN];
	struct packet *packet;

	if (row->kind != ROW_PACKET)
		return;
	packet = packets_event(&index->packets, &at, own->event.pkt);
	if (!packet || packet->text)
		return;
	flow_text_packet(text, own->event.pkt, &own->event.flow);
	packet->text = strdup(text);
	packet->flow = own->flow;
	packet->dir = own->dir;
}

static void go_through_drop(struct index *index, const struct row *row)
{
	const struct packet_row at = packet_row(row);

	if (packets_find(&index->packets, row->value))
		packets_event(&index->packets, &at, row->value);
}

/* What is known on the way through the rows. */
struct way {
	struct graph_state *state;
	struct calls *calls;
	int lossy;		/* CPUs of which rows are missing now */
};

static void set_label(struct index *index, const struct row *row, const struct call *call)
{
	const struct packet_row at = packet_row(row);

	if (call->label != NO_LABEL)
		add_label(index, row, call->label);
	if (call->packet)
		packets_function(&index->packets, &at, call->packet);
}

static void go_through_entry(struct index *index, struct way *way, struct graph_task *task,
			     const struct row *row)
{
	struct call call = { .func = row->value, .depth = row->depth, .label = NO_LABEL };
	enum graph_func what = GRAPH_FUNC_NAMED;
	struct graph_label label;

	if (graph_task_expects_gate(task))
		what = what_is(index, row->value);
	label = graph_task_entry(task, row->value, row->depth, what);
	if (label.text) {
		call.label = label_number(index, label.text);
		call.packet = label.kind == SKB_PACKET ? label.pkt : 0;
	}
	set_label(index, row, &call);
	calls_enter(way->calls, row->pid, row->cpu, &call);
}

static void go_through_exit(struct index *index, struct way *way, struct graph_task *task,
			    const struct row *row)
{
	struct call call;
	struct graph_return ret;

	if (calls_leave(way->calls, row->pid, row->cpu, row->value, row->depth, &call))
		set_label(index, row, &call);
	graph_task_exit(task, row->depth, &ret);
}

static void go_through_function(struct index *index, struct way *way, const struct row *row)
{
	const struct graph_task_id id = { .pid = row->pid, .cpu = row->cpu };
	struct graph_task *task = graph_task_find(way->state, &id, row->ts);

	if (row->depth == UNREADABLE || (way->lossy && row->pid))
		graph_state_forget_task(way->state, &id);
	else if (task && row->kind == ROW_EXIT)
		go_through_exit(index, way, task, row);
	else if (task)
		go_through_entry(index, way, task, row);

	if (!graph_task_find(way->state, &id, row->ts)) {
		calls_forget(way->calls, row->pid, row->cpu);
		packets_graph_ends(&index->packets, row->cpu, row->pid);
	}
}

static void go_through_row(struct index *index, struct way *way, const struct row *row)
{
	const struct graph_task_id id = { .pid = row->pid, .cpu = row->cpu };
	bool readable = row->depth != UNREADABLE;

	if (row->kind == ROW_LOSS_BEGINS) {
		way->lossy++;
	} else if (row->kind == ROW_LOSS) {
		way->lossy--;
		graph_state_forget(way->state, NULL, row->cpu);
		calls_loss(way->calls, row->cpu);
		packets_loss(&index->packets, row->cpu);
	} else if (row->kind == ROW_DROP) {
		if (readable)
			go_through_drop(index, row);
	} else if (row->kind <= ROW_RETURN) {
		graph_state_event(way->state, &id, row->ts,
				  readable ? &index->own[row->value].event : NULL);
		if (readable)
			go_through_event(index, row);
	} else {
		go_through_function(index, way, row);
	}
}

static void go_through(struct index *index)
{
	struct way way = { .state = graph_state_new(), .calls = calls_new() };
	size_t i;

	for (i = 0; way.state && way.calls && i < index->nr_rows; i++)
		go_through_row(index, &way, &index->rows[i]);
	packets_finish(&index->packets);
	calls_free(way.calls);
	graph_state_free(way.state);
}

/* The rows are in the order of time now, so each CPU's labels are in the order of the file. */
static void build(struct index *index)
{
	index->cpus = calloc(index->nr_cpus ? index->nr_cpus : 1, sizeof(*index->cpus));
	if (index->cpus && index->nr_rows && !index->incomplete) {
		qsort(index->rows, index->nr_rows, sizeof(*index->rows), by_time);
		go_through(index);
	}
	forget_noted(index);
	index->built = true;
}

static void build_once(struct index *index)
{
	pthread_mutex_lock(&index->lock);
	if (!index->built)
		build(index);
	pthread_mutex_unlock(&index->lock);
}

const struct packets *index_packets(struct index *index)
{
	build_once(index);
	return &index->packets;
}

const struct packets *index_packets_shown(struct index *index)
{
	bool built;

	pthread_mutex_lock(&index->lock);
	built = index->built;
	pthread_mutex_unlock(&index->lock);
	return built ? &index->packets : NULL;
}

const char *index_label(struct index *index, int cpu, int64_t offset)
{
	const struct cpu_labels *labels;
	size_t low = 0, high, middle;

	build_once(index);
	if (cpu < 0 || cpu >= index->nr_cpus || !index->cpus)
		return NULL;
	labels = &index->cpus[cpu];
	high = labels->n;
	while (low < high) {
		middle = (low + high) / 2;
		if (labels->v[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == labels->n || labels->v[low].offset != offset)
		return NULL;
	return index->labels[labels->v[low].label];
}
