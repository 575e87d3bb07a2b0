// SPDX-License-Identifier: LGPL-2.1
/*
 * stream_standin.c - a canned trace in the form of an open KernelShark stream, to test kshark/index.c alone
 */
#include <stdlib.h>
#include <string.h>

#include <libkshark-tepdata.h>
#include <trace-cmd.h>

#include "stream_standin.h"

#define NR_CPUS 4

static struct stream_standin *opened;

/* Stand-ins for the functions with which an index reads records. */

struct tracecmd_input *kshark_get_tep_input(struct kshark_data_stream *stream)
{
	return (struct tracecmd_input *)stream;
}

struct tep_record *tracecmd_read_at(struct tracecmd_input *handle, unsigned long long offset,
				    int *cpu)
{
	(void)handle;
	(void)cpu;
	for (int i = 0; i < opened->trace->nr; i++) {
		if (opened->trace->rows[i].record.offset == offset)
			return &opened->trace->rows[i].record;
	}
	return NULL;
}

/*
 * The index looks for the next record first. Return NULL, so that it has to read the record at its offset.
 */
struct tep_record *tracecmd_read_data(struct tracecmd_input *handle, int cpu)
{
	(void)handle;
	(void)cpu;
	return NULL;
}

void tracecmd_free_record(struct tep_record *record)
{
	(void)record;
}

static int by_time(const void *a, const void *b)
{
	const struct kshark_entry *x = *(struct kshark_entry *const *)a;
	const struct kshark_entry *y = *(struct kshark_entry *const *)b;

	return x->ts != y->ts ? (x->ts > y->ts) - (x->ts < y->ts) : (x > y) - (x < y);
}

/* Link each row to the next row on the same CPU, as KernelShark does. */
static void link_rows(struct stream_standin *standin)
{
	struct kshark_entry *last[NR_CPUS] = { NULL };

	for (size_t i = 0; i < standin->n; i++) {
		struct kshark_entry *row = standin->by_time[i];

		if (last[row->cpu])
			last[row->cpu]->next = row;
		last[row->cpu] = row;
	}
}

void stream_standin_open(struct stream_standin *standin, struct canned_trace *trace,
			 struct tep_handle *tep)
{
	opened = standin;
	memset(standin, 0, sizeof(*standin));
	standin->trace = trace;
	standin->tep = tep;
	pthread_mutex_init(&standin->stream.input_mutex, NULL);
	for (int i = 0; i < trace->nr; i++) {
		struct canned_row *from = &trace->rows[i];
		struct kshark_entry *row = &standin->rows[i];

		*row = (struct kshark_entry){
			.cpu = from->cpu,
			.pid = from->pid,
			.ts = from->record.ts,
			.offset = from->record.offset,
			.event_id = from->record.size >= 2 ? tep_data_type(tep, &from->record) : 0,
		};
		if (from->missed_events) {
			standin->marks[i] = *row;
			standin->marks[i].event_id = KS_EVENT_OVERFLOW;
			standin->by_time[standin->n++] = &standin->marks[i];
		}
		standin->by_time[standin->n++] = row;
	}
	qsort(standin->by_time, standin->n, sizeof(*standin->by_time), by_time);
	link_rows(standin);
}

void stream_standin_close(struct stream_standin *standin)
{
	pthread_mutex_destroy(&standin->stream.input_mutex);
	opened = NULL;
}

/* Return: the kind of an event; EVENT_KINDS if the event has no handler. */
static enum event_kind kind_of(const struct stream_standin *standin, int id)
{
	static const enum event_kind cached[] = { EVENT_PACKET, EVENT_CALL, EVENT_RETURN,
						  EVENT_DROP };
	const struct tep_event *event;

	for (size_t i = 0; i < sizeof(cached) / sizeof(cached[0]); i++) {
		event = tep_find_event_by_name(standin->tep, event_names[cached[i]].system,
					       event_names[cached[i]].name);
		if (event && event->id == id)
			return cached[i];
	}
	return EVENT_KINDS;
}

static void load_row(struct stream_standin *standin, struct index *index, int i)
{
	const enum event_kind kind = kind_of(standin, standin->rows[i].event_id);

	if (standin->trace->rows[i].missed_events)
		index_add_loss(index, &standin->marks[i]);
	if (kind != EVENT_KINDS)
		index_add_event(index, kind, &standin->trace->rows[i].record, &standin->rows[i]);
}

void stream_standin_load(struct stream_standin *standin, struct index *index)
{
	index_load_begins(index);
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		for (int i = 0; i < standin->trace->nr; i++) {
			if (standin->trace->rows[i].cpu == cpu)
				load_row(standin, index, i);
		}
	}
	if (standin->n)
		index_loaded(index, standin->by_time, standin->n);
}
