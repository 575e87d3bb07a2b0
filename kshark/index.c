// SPDX-License-Identifier: LGPL-2.1
/*
 * index.c - whose each row of a stream is, to be asked in any order
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "index.h"
#include "packets.h"
#include "rows.h"

/* What is noted of a CPU beside its rows. */
enum {
	LOSS_ENDS = EVENT_KINDS, /* up to here, rows of this CPU are missing */
	LOSS_BEGINS,		 /* from here on */
};

#define UNREADABLE UINT32_MAX

/* A row as it is noted: less than a struct row, for there are many. */
struct noted {
	uint64_t ts;
	int64_t offset;
	int cpu;
	int pid;
	int kind;	/* enum event_kind, or one of those above */
	uint32_t depth; /* of entries and exits; UNREADABLE if the record is cut short */
	/* Of entries and exits the function, of our events the place in own. */
	uint64_t value;
	const struct kshark_entry *entry;
};

/* The last row of one CPU, of any event. */
struct last_row {
	uint64_t ts;
	int64_t offset; /* -1 if there is none yet */
};

/* Rows of one CPU that have a label, in the order of the file. */
struct cpu_labels {
	struct {
		int64_t offset;
		uint32_t label;
	} * v;
	size_t n, room;
};

struct index {
	pthread_mutex_t lock; /* of building */
	bool built;
	struct rows rows;

	/* Noted while loading. */
	struct noted *noted;
	size_t nr_noted, room_noted;
	struct skb_event *own;
	size_t nr_own, room_own;
	struct last_row *last; /* by CPU */
	int nr_cpus;
	bool incomplete; /* for want of memory: then nothing is known */

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

	if (!index)
		return NULL;
	pthread_mutex_init(&index->lock, NULL);
	rows_find(&index->rows, tep);
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
	free(index->noted);
	free(index->own);
	index->noted = NULL;
	index->own = NULL;
	index->nr_noted = index->room_noted = 0;
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

static struct noted *add_row(struct index *index, uint64_t ts, int cpu, int64_t offset, int kind)
{
	struct noted *row;

	if (!make_room(&index->noted, index->nr_noted, &index->room_noted, sizeof(*index->noted))) {
		index->incomplete = true;
		return NULL;
	}
	row = &index->noted[index->nr_noted++];
	*row = (struct noted){ .ts = ts, .cpu = cpu, .offset = offset, .kind = kind };
	return row;
}

/* Rows are missing in front of this one, so all tasks may have been on this CPU since the last. */
static void note_loss(struct index *index, const struct tep_record *record)
{
	const struct last_row *last = &index->last[record->cpu];

	add_row(index, last->ts, record->cpu, last->offset, LOSS_BEGINS);
	add_row(index, record->ts, record->cpu, record->offset, LOSS_ENDS);
}

static void note_own_event(struct index *index, struct noted *noted, const struct row *row)
{
	noted->depth = UNREADABLE;
	if (!make_room(&index->own, index->nr_own, &index->room_own, sizeof(*index->own))) {
		index->incomplete = true;
		return;
	}
	if (!row->readable)
		return;
	index->own[index->nr_own] = row->event;
	noted->depth = 0;
	noted->value = index->nr_own++;
}

static void note_function(struct noted *noted, const struct row *row)
{
	noted->depth = UNREADABLE;
	if (!row->readable || row->depth >= UNREADABLE)
		return;
	noted->depth = row->depth;
	noted->value = row->func;
}

/* The row that was noted, but for what no label needs. */
static struct row as_row(const struct index *index, const struct noted *noted)
{
	struct row row = {
		.kind = noted->kind,
		.ts = noted->ts,
		.cpu = noted->cpu,
		.pid = noted->pid,
		.readable = noted->depth != UNREADABLE,
	};

	if (row.readable && row.kind < OWN_EVENTS)
		row.event = index->own[noted->value];
	row.func = noted->value;
	row.depth = noted->depth;
	return row;
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
	struct noted *noted;
	enum row_read read;
	struct row row;

	if (record->cpu < 0 || record->size < 2)
		return;
	if (is_new_load(index, record))
		start_over(index);
	if (!add_cpu(index, record->cpu)) {
		index->incomplete = true;
		return;
	}
	last = &index->last[record->cpu];
	read = rows_read(&index->rows, record, &row);
	if (record->missed_events || read == ROW_OF_ANYBODY)
		note_loss(index, record);
	last->ts = record->ts;
	last->offset = record->offset;
	if (read != ROW_READ)
		return;
	noted = add_row(index, record->ts, record->cpu, record->offset, row.kind);
	if (!noted)
		return;
	noted->pid = row.pid;
	noted->entry = entry;
	if (row.kind < OWN_EVENTS)
		note_own_event(index, noted, &row);
	else
		note_function(noted, &row);
}

/* Building */

/* A loss lies between two rows, with the time of the first and that of the second. */
static int place(const struct noted *row)
{
	return (row->kind == LOSS_BEGINS) - (row->kind == LOSS_ENDS);
}

static int by_time(const void *a, const void *b)
{
	const struct noted *x = a, *y = b;

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

static void add_label(struct index *index, const struct noted *row, uint32_t label)
{
	struct cpu_labels *cpu = &index->cpus[row->cpu];

	if (!make_room(&cpu->v, cpu->n, &cpu->room, sizeof(*cpu->v)))
		return;
	cpu->v[cpu->n].offset = row->offset;
	cpu->v[cpu->n++].label = label;
}

static struct packet_row packet_row(const struct noted *row)
{
	return (struct packet_row){
		.ts = row->ts,
		.cpu = row->cpu,
		.pid = row->pid,
		.entry = row->entry,
	};
}

/* Whether the packet can be told or not: that it was here its event says by itself. */
static void go_through_event(struct index *index, const struct noted *row)
{
	const struct skb_event *own = &index->own[row->value];
	const struct packet_row at = packet_row(row);
	char text[FLOW_TEXT_LEN];
	struct packet *packet;

	if (row->kind != EVENT_PACKET)
		return;
	packet = packets_event(&index->packets, &at, own->pkt);
	if (!packet || packet->text)
		return;
	flow_text_packet(text, own->pkt, &own->flow);
	packet->text = strdup(text);
	packet->flow = own->flow_number;
	packet->dir = own->dir;
}

static void go_through_drop(struct index *index, const struct noted *row)
{
	const uint32_t pkt = index->own[row->value].pkt;
	const struct packet_row at = packet_row(row);

	if (packets_find(&index->packets, pkt))
		packets_event(&index->packets, &at, pkt);
}

/* What is known on the way through the rows. */
struct way {
	struct graph_state *state;
	struct calls *calls;
	int lossy; /* CPUs of which rows are missing now */
};

static void set_label(struct index *index, const struct noted *row, const struct call *call)
{
	const struct packet_row at = packet_row(row);

	if (call->label != NO_LABEL)
		add_label(index, row, call->label);
	if (call->packet)
		packets_function(&index->packets, &at, call->packet);
}

static void go_through_entry(struct index *index, struct way *way, const struct noted *row,
			     const struct graph_label *label)
{
	struct call call = { .func = row->value, .depth = row->depth, .label = NO_LABEL };

	if (label->text) {
		call.label = label_number(index, label->text);
		call.packet = label->kind == EVENT_PACKET ? label->pkt : 0;
	}
	set_label(index, row, &call);
	calls_enter(way->calls, row->pid, row->cpu, &call);
}

static void go_through_exit(struct index *index, struct way *way, const struct noted *row)
{
	struct call call;

	if (calls_leave(way->calls, row->pid, row->cpu, row->value, row->depth, &call))
		set_label(index, row, &call);
}

static void go_through_function(struct index *index, struct way *way, const struct noted *noted)
{
	const struct row row = as_row(index, noted);
	const struct graph_task_id id = row_task(&row, NULL);
	struct row_owner owner;
	bool known;

	if (way->lossy && row.pid)
		graph_state_forget_task(way->state, &id);
	known = row.readable && graph_task_find(way->state, &id, row.ts);
	owner = rows_follow(&index->rows, way->state, NULL, &row);
	if (known && row.kind == EVENT_EXIT)
		go_through_exit(index, way, noted);
	else if (known)
		go_through_entry(index, way, noted, &owner.label);

	if (!graph_task_find(way->state, &id, row.ts)) {
		calls_forget(way->calls, row.pid, row.cpu);
		packets_graph_ends(&index->packets, row.cpu, row.pid);
	}
}

static void go_through_own_event(struct index *index, struct way *way, const struct noted *noted)
{
	const struct row row = as_row(index, noted);

	rows_follow(&index->rows, way->state, NULL, &row);
	if (!row.readable)
		return;
	if (row.kind == EVENT_DROP)
		go_through_drop(index, noted);
	else
		go_through_event(index, noted);
}

static void go_through_row(struct index *index, struct way *way, const struct noted *row)
{
	if (row->kind == LOSS_BEGINS) {
		way->lossy++;
	} else if (row->kind == LOSS_ENDS) {
		way->lossy--;
		graph_state_forget(way->state, NULL, row->cpu);
		calls_loss(way->calls, row->cpu);
		packets_loss(&index->packets, row->cpu);
	} else if (row->kind < OWN_EVENTS) {
		go_through_own_event(index, way, row);
	} else {
		go_through_function(index, way, row);
	}
}

static void go_through(struct index *index)
{
	struct way way = { .state = graph_state_new(), .calls = calls_new() };
	size_t i;

	for (i = 0; way.state && way.calls && i < index->nr_noted; i++)
		go_through_row(index, &way, &index->noted[i]);
	packets_finish(&index->packets);
	calls_free(way.calls);
	graph_state_free(way.state);
}

/* The rows are in the order of time now, so each CPU's labels are in the order of the file. */
static void build(struct index *index)
{
	index->cpus = calloc(index->nr_cpus ? index->nr_cpus : 1, sizeof(*index->cpus));
	if (index->cpus && index->nr_noted && !index->incomplete) {
		qsort(index->noted, index->nr_noted, sizeof(*index->noted), by_time);
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
