// SPDX-License-Identifier: LGPL-2.1
/* graph_spans.c - assign the rows of a graph span to packets; see struct graph_span */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <libkshark.h>
#include <libkshark-tepdata.h>
#include <trace-cmd.h>

#include "packet_lookup.h"
#include "graph_spans.h"
#include "grow_array.h"

/*
 * Return: the number of a label; 0 if there is not enough memory. If the text is the same as in the previous
 * call, the number is the same, too.
 */
static uint32_t label_number(struct labels *labels, const char *text)
{
	char *copy;

	if (labels->n && !strcmp(labels->v[labels->n], text))
		return labels->n;
	if (!grow_array(&labels->v, labels->n + 1, &labels->capacity, sizeof(*labels->v)))
		return 0;
	copy = strdup(text);
	if (!copy)
		return 0;
	labels->v[++labels->n] = copy;
	return labels->n;
}

/*
 * Find the part of @span in which the packet is on the CPU of @entry, or add this part if there is none.
 * Usually, the part that was added last is the right one.
 */
static struct packet_span *get_packet_span(struct graph_span *span,
					   const struct kshark_entry *entry, uint32_t number)
{
	struct packet_span *packet;
	size_t i;

	for (i = span->nr_packets; i > 0; i--) {
		packet = &span->packets[i - 1];
		if (packet->number == number && packet->cpu == entry->cpu)
			return packet;
	}
	if (!grow_array(&span->packets, span->nr_packets, &span->packets_capacity,
			sizeof(*span->packets)))
		return NULL;
	packet = &span->packets[span->nr_packets++];
	*packet = (struct packet_span){
		.number = number,
		.cpu = entry->cpu,
		.pid = entry->pid,
		.first = entry,
	};
	return packet;
}

/* A row within a graph span. */
struct row_place {
	struct graph_span *span;
	const struct kshark_entry *entry;
	uint32_t *label;
};

static void set_label(const struct row_place *at, const struct open_call *call)
{
	struct packet_span *packet;

	*at->label = call->label;
	if (!call->packet)
		return;
	packet = get_packet_span(at->span, at->entry, call->packet);
	if (packet)
		packet->last = at->entry;
}

static void resolve_entry(struct resolver *resolver, const struct row_place *at,
			  const struct row *row, const struct graph_label *label)
{
	struct open_call call = { .func = row->func, .depth = row->depth };

	if (label->owner) {
		call.label = label_number(&resolver->labels, graph_label_text(label));
		call.packet = label->kind == EVENT_PACKET ? label->pkt : 0;
	}
	set_label(at, &call);
	call_stack_push(&resolver->calls, &call);
}

/* If calls before this row are missing, append a note to the label of this row. */
static void mark_missing(struct resolver *resolver, const struct row_place *at,
			 const struct graph_missing *missing)
{
	const char *own = *at->label ? resolver->labels.v[*at->label] : NULL;
	char text[FLOW_TEXT_LEN + 80];

	if (!missing->calls)
		return;
	snprintf(text, sizeof(text), "%s%s%u call%s missing: the return stack was full",
		 own ? own : "", own ? "; " : "", missing->calls,
		 missing->calls == 1 ? " is" : "s are");
	*at->label = label_number(&resolver->labels, text);
}

static void resolve_function(struct resolver *resolver, const struct row_place *at,
			     const struct row *row)
{
	const struct graph_task_id id = row_task(row, NULL);
	const struct open_call *call;
	struct row_owner owner;
	bool known;

	known = row->readable && graph_task_find(resolver->state, &id, row->ts);
	owner = rows_follow(resolver->rows, resolver->state, NULL, row);
	if (known && row->kind == EVENT_EXIT) {
		call = call_stack_pop(&resolver->calls, row->func, row->depth);
		if (call)
			set_label(at, call);
		mark_missing(resolver, at, &owner.missing);
	} else if (known) {
		resolve_entry(resolver, at, row, &owner.label);
	}
}

/* Begin the span of a packet at its event. If no lines of the graph follow, the span is removed later. */
static void resolve_event(struct resolver *resolver, const struct row_place *at,
			  const struct row *row)
{
	rows_follow(resolver->rows, resolver->state, NULL, row);
	if (row->kind == EVENT_PACKET && row->readable && row->event.how != RECORD_SKB_HOW_HIDDEN)
		get_packet_span(at->span, at->entry, row->event.pkt);
}

static void drop_spans_without_lines(struct graph_span *span)
{
	size_t from, to = 0;

	for (from = 0; from < span->nr_packets; from++) {
		if (span->packets[from].last)
			span->packets[to++] = span->packets[from];
	}
	span->nr_packets = to;
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
 * Read the record of a row. This is fast if the previous call has read the record before this one. For any
 * other record, libtracecmd has to parse a page from its beginning. The caller must hold the lock of the
 * input.
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

/* Parse the row and release the record. */
static enum row_read read_row(struct resolver *resolver, const struct kshark_entry *entry,
			      struct row *row)
{
	struct tep_record *record = read_record(resolver, entry);
	enum row_read read;

	if (!record)
		return ROW_UNKNOWN;
	read = rows_read(resolver->rows, record, row);
	tracecmd_free_record(record);
	/*
	 * Take the time from KernelShark's entry, because KernelShark may shift or convert the timestamps of
	 * records.
	 */
	row->ts = entry->ts;
	return read;
}

static bool begins_graph(const struct row *row)
{
	return (row->kind == EVENT_PACKET || row->kind == EVENT_CALL) && row->readable &&
	       row->event.how == RECORD_SKB_HOW_OPEN;
}

static void forget_task(struct resolver *resolver, const struct graph_task_id *id)
{
	graph_state_forget_task(resolver->state, id);
	call_stack_clear(&resolver->calls);
}

static void resolve_row(struct resolver *resolver, const struct row_place *at,
			const struct row *row)
{
	const struct graph_task_id id = row_task(row, NULL);

	if (row->kind < OWN_EVENTS)
		resolve_event(resolver, at, row);
	else
		resolve_function(resolver, at, row);
	if (!graph_task_find(resolver->state, &id, row->ts))
		call_stack_clear(&resolver->calls);
}

/*
 * Read the rows of the task from the beginning of the span. Stop when all graphs of the span have begun and
 * no call is open.
 */
static void resolve_rows(struct resolver *resolver, struct task *task, struct graph_span *span)
{
	const struct loaded *loaded = resolver->tasks->loaded;
	const size_t end = graph_span_end(resolver->tasks, task, span);
	struct graph_task_id id = { .pid = task->pid, .cpu = task->cpu };
	int64_t complete_until = INT64_MIN;
	unsigned int graphs = 0;
	struct row_place at;
	struct row row;
	size_t i;

	for (i = span->first; i < end; i++) {
		at.span = span;
		at.entry = loaded->v[i];
		at.label = &resolver->label[i];
		if (at.entry->pid != task->pid || (!task->pid && at.entry->cpu != task->cpu) ||
		    !is_ours(resolver, at.entry))
			continue;
		if (at.entry->ts > complete_until) {
			forget_task(resolver, &id);
			complete_until = tasks_complete_until(resolver->tasks, task, at.entry->ts);
		}
		if (read_row(resolver, at.entry, &row) != ROW_READ) {
			forget_task(resolver, &id);
			continue;
		}
		graphs += begins_graph(&row);
		resolve_row(resolver, &at, &row);
		id.cpu = row.cpu;
		if (graphs == span->graphs && !graph_task_find(resolver->state, &id, row.ts))
			break;
	}
}

void graph_span_resolve(struct resolver *resolver, struct task *task, struct graph_span *span)
{
	if (span->resolved)
		return;
	span->resolved = true;
	pthread_mutex_lock(&resolver->stream->input_mutex);
	resolver->last_read = NULL;
	resolve_rows(resolver, task, span);
	pthread_mutex_unlock(&resolver->stream->input_mutex);
	drop_spans_without_lines(span);
}

void resolver_free(struct resolver *resolver)
{
	size_t i;

	for (i = 1; i <= resolver->labels.n; i++)
		free(resolver->labels.v[i]);
	free(resolver->labels.v);
	free(resolver->label);
	call_stack_free(&resolver->calls);
	graph_state_free(resolver->state);
	*resolver = (struct resolver){ .stream = resolver->stream, .rows = resolver->rows };
}
