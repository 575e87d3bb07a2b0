// SPDX-License-Identifier: LGPL-2.1
/*
 * pieces.c - whose the rows of a piece are
 */
#include <pthread.h>
#include <string.h>

#include <libkshark.h>
#include <libkshark-tepdata.h>
#include <trace-cmd.h>

#include "packets.h"
#include "pieces.h"
#include "room.h"

/* The number of a text; the same as the last one's if it is the same. 0 without memory. */
static uint32_t label_number(struct labels *labels, const char *text)
{
	char *copy;

	if (labels->n && !strcmp(labels->v[labels->n], text))
		return labels->n;
	if (!make_room(&labels->v, labels->n + 1, &labels->room, sizeof(*labels->v)))
		return 0;
	copy = strdup(text);
	if (!copy)
		return 0;
	labels->v[++labels->n] = copy;
	return labels->n;
}

/* The packet on this CPU, within this piece; mostly it is the last. */
static struct stay *stay_of(struct piece *piece, const struct kshark_entry *entry, uint32_t number)
{
	struct stay *stay;
	size_t i;

	for (i = piece->nr_stays; i > 0; i--) {
		stay = &piece->stays[i - 1];
		if (stay->number == number && stay->cpu == entry->cpu)
			return stay;
	}
	if (!make_room(&piece->stays, piece->nr_stays, &piece->room_stays, sizeof(*piece->stays)))
		return NULL;
	stay = &piece->stays[piece->nr_stays++];
	*stay = (struct stay){
		.number = number,
		.cpu = entry->cpu,
		.pid = entry->pid,
		.first = entry,
	};
	return stay;
}

/* A row of a piece. */
struct place {
	struct piece *piece;
	const struct kshark_entry *entry;
	uint32_t *label;
};

static void set_label(const struct place *at, const struct call *call)
{
	struct stay *stay;

	*at->label = call->label;
	if (!call->packet)
		return;
	stay = stay_of(at->piece, at->entry, call->packet);
	if (stay)
		stay->last = at->entry;
}

static void resolve_entry(struct resolver *resolver, const struct place *at, const struct row *row,
			  const struct graph_label *label)
{
	struct call call = { .func = row->func, .depth = row->depth };

	if (label->text) {
		call.label = label_number(&resolver->labels, label->text);
		call.packet = label->kind == EVENT_PACKET ? label->pkt : 0;
	}
	set_label(at, &call);
	calls_enter(&resolver->calls, &call);
}

static void resolve_function(struct resolver *resolver, const struct place *at,
			     const struct row *row)
{
	const struct graph_task_id id = row_task(row, NULL);
	const struct call *call;
	struct row_owner owner;
	bool known;

	known = row->readable && graph_task_find(resolver->state, &id, row->ts);
	owner = rows_follow(resolver->rows, resolver->state, NULL, row);
	if (known && row->kind == EVENT_EXIT) {
		call = calls_leave(&resolver->calls, row->func, row->depth);
		if (call)
			set_label(at, call);
	} else if (known) {
		resolve_entry(resolver, at, row, &owner.label);
	}
}

/* A packet is there from its event on, if lines follow. */
static void resolve_event(struct resolver *resolver, const struct place *at, const struct row *row)
{
	rows_follow(resolver->rows, resolver->state, NULL, row);
	if (row->kind == EVENT_PACKET && row->readable && row->event.how != RECORD_SKB_HOW_HIDDEN)
		stay_of(at->piece, at->entry, row->event.pkt);
}

static void drop_stays_without_lines(struct piece *piece)
{
	size_t from, to = 0;

	for (from = 0; from < piece->nr_stays; from++) {
		if (piece->stays[from].last)
			piece->stays[to++] = piece->stays[from];
	}
	piece->nr_stays = to;
}

static bool is_ours(const struct resolver *resolver, const struct kshark_entry *entry)
{
	int kind;

	for (kind = 0; kind < EVENT_KINDS; kind++) {
		if (resolver->rows->fields[kind].event &&
		    resolver->rows->fields[kind].event->id == entry->event_id)
			return true;
	}
	return false;
}

/*
 * The record behind the one that was read last is the next one to be read; to find any other, its page is
 * gone through from the beginning. The lock of the input is held.
 */
static struct tep_record *read_record(struct resolver *resolver, const struct kshark_entry *entry)
{
	struct tracecmd_input *input = kshark_get_tep_input(resolver->stream);
	const bool follows = resolver->last_read && resolver->last_read->next == entry;
	struct tep_record *record;

	if (!input)
		return NULL;
	resolver->last_read = entry;
	record = follows ? tracecmd_read_data(input, entry->cpu) : NULL;
	if (record && (int64_t)record->offset == entry->offset)
		return record;
	tracecmd_free_record(record);
	return tracecmd_read_at(input, entry->offset, NULL);
}

/* What the row says; nothing of the record stays. */
static enum row_read read_row(struct resolver *resolver, const struct kshark_entry *entry,
			      struct row *row)
{
	struct tep_record *record = read_record(resolver, entry);
	enum row_read read;

	if (!record)
		return ROW_UNKNOWN;
	read = rows_read(resolver->rows, record, row);
	tracecmd_free_record(record);
	/* KernelShark may count time otherwise. */
	row->ts = entry->ts;
	return read;
}

static bool begins_graph(const struct row *row)
{
	return (row->kind == EVENT_PACKET || row->kind == EVENT_CALL) && row->readable &&
	       row->event.how == RECORD_SKB_HOW_OPEN;
}

static void forget(struct resolver *resolver, const struct graph_task_id *id)
{
	graph_state_forget_task(resolver->state, id);
	calls_forget(&resolver->calls);
}

static void resolve_row(struct resolver *resolver, const struct place *at, const struct row *row)
{
	const struct graph_task_id id = row_task(row, NULL);

	if (row->kind < OWN_EVENTS)
		resolve_event(resolver, at, row);
	else
		resolve_function(resolver, at, row);
	if (!graph_task_find(resolver->state, &id, row->ts))
		calls_forget(&resolver->calls);
}

/* The rows of the task, from the piece's first until nothing is known any more and no graph begins in it. */
static void resolve_rows(struct resolver *resolver, struct task *task, struct piece *piece)
{
	const struct loaded *loaded = resolver->tasks->loaded;
	const size_t end = piece_end(resolver->tasks, task, piece);
	struct graph_task_id id = { .pid = task->pid, .cpu = task->cpu };
	int64_t complete_until = INT64_MIN;
	unsigned int graphs = 0;
	struct place at;
	struct row row;
	size_t i;

	for (i = piece->first; i < end; i++) {
		at.piece = piece;
		at.entry = loaded->v[i];
		at.label = &resolver->label[i];
		if (at.entry->pid != task->pid || (!task->pid && at.entry->cpu != task->cpu) ||
		    !is_ours(resolver, at.entry))
			continue;
		if (at.entry->ts > complete_until) {
			forget(resolver, &id);
			complete_until = tasks_complete_until(resolver->tasks, task, at.entry->ts);
		}
		if (read_row(resolver, at.entry, &row) != ROW_READ) {
			forget(resolver, &id);
			continue;
		}
		graphs += begins_graph(&row);
		resolve_row(resolver, &at, &row);
		id.cpu = row.cpu;
		if (graphs == piece->graphs && !graph_task_find(resolver->state, &id, row.ts))
			break;
	}
}

void piece_resolve(struct resolver *resolver, struct task *task, struct piece *piece)
{
	if (piece->resolved)
		return;
	piece->resolved = true;
	pthread_mutex_lock(&resolver->stream->input_mutex);
	resolver->last_read = NULL;
	resolve_rows(resolver, task, piece);
	pthread_mutex_unlock(&resolver->stream->input_mutex);
	drop_stays_without_lines(piece);
}

void resolver_free(struct resolver *resolver)
{
	size_t i;

	for (i = 1; i <= resolver->labels.n; i++)
		free(resolver->labels.v[i]);
	free(resolver->labels.v);
	free(resolver->label);
	calls_free(&resolver->calls);
	graph_state_free(resolver->state);
	*resolver = (struct resolver){ .stream = resolver->stream, .rows = resolver->rows };
}
