// SPDX-License-Identifier: LGPL-2.1
/*
 * index.c - whose each row of a stream is, to be asked in any order
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>

#include "gather.h"
#include "index.h"
#include "lanes.h"

struct index {
	struct rows rows;
	struct notes notes; /* of the thread that loads, while it does */

	pthread_mutex_t lock; /* of all below, which is made of the notes when it is asked for */
	bool is_loaded;
	struct loaded loaded;
	bool sorted;
	struct tasks tasks;
	struct resolver resolver;
	bool gathered;
	struct packets packets;
	bool lanes_sorted;
	struct lanes lanes;
};

struct index *index_new(struct kshark_data_stream *stream, struct tep_handle *tep)
{
	struct index *index = calloc(1, sizeof(*index));

	if (!index)
		return NULL;
	pthread_mutex_init(&index->lock, NULL);
	rows_find(&index->rows, tep);
	index->resolver.rows = &index->rows;
	index->resolver.stream = stream;
	return index;
}

static void start_over(struct index *index)
{
	packets_free(&index->packets);
	lanes_free(&index->lanes);
	resolver_free(&index->resolver);
	tasks_free(&index->tasks);
	notes_free(&index->notes);
	free(index->loaded.v);
	index->loaded = (struct loaded){ NULL };
	index->is_loaded = false;
	index->sorted = false;
	index->gathered = false;
	index->lanes_sorted = false;
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

void index_load_begins(struct index *index)
{
	pthread_mutex_lock(&index->lock);
	start_over(index);
	pthread_mutex_unlock(&index->lock);
}

void index_note(struct index *index, enum event_kind kind, const struct tep_record *record,
		const struct kshark_entry *entry)
{
	/* Entries of a load that does not begin with index_load_begins() do not stay. */
	if (!index->is_loaded)
		notes_event(&index->notes, kind, record, entry);
}

void index_note_loss(struct index *index, const struct kshark_entry *mark)
{
	if (!index->is_loaded)
		notes_loss(&index->notes, mark);
}

/* The array is not ours. */
void index_loaded(struct index *index, struct kshark_entry **rows, size_t n)
{
	pthread_mutex_lock(&index->lock);
	index->loaded.v = malloc(n * sizeof(*rows));
	if (index->loaded.v) {
		memcpy(index->loaded.v, rows, n * sizeof(*rows));
		index->loaded.n = n;
		index->is_loaded = true;
	}
	pthread_mutex_unlock(&index->lock);
}

/* Asking */

static void sort(struct index *index)
{
	struct resolver *resolver = &index->resolver;

	index->sorted = true;
	resolver->tasks = &index->tasks;
	resolver->state = graph_state_new();
	resolver->label = calloc(index->loaded.n, sizeof(*resolver->label));
	if (index->notes.incomplete || !resolver->state || !resolver->label ||
	    !tasks_sort(&index->tasks, &index->notes, &index->loaded, &index->rows))
		tasks_free(&index->tasks);
}

/* False if there is nothing to be asked about; to be ended all the same. */
static bool begin_to_ask(struct index *index)
{
	pthread_mutex_lock(&index->lock);
	if (index->is_loaded && !index->sorted)
		sort(index);
	return index->is_loaded;
}

static void end_asking(struct index *index)
{
	pthread_mutex_unlock(&index->lock);
}

static const char *find_label(struct index *index, const struct kshark_entry *entry)
{
	size_t row = loaded_find(&index->loaded, entry);
	struct piece *piece;
	struct task *task;
	uint32_t label;

	piece = row < index->loaded.n ? tasks_piece(&index->tasks, entry, row, &task) : NULL;
	if (!piece)
		return NULL;
	piece_resolve(&index->resolver, task, piece);
	label = index->resolver.label[row];
	return label ? index->resolver.labels.v[label] : NULL;
}

const char *index_label(struct index *index, const struct kshark_entry *entry)
{
	const char *label = NULL;

	if (begin_to_ask(index))
		label = find_label(index, entry);
	end_asking(index);
	return label;
}

const struct packets *index_packets(struct index *index)
{
	const struct packets *packets = NULL;

	if (begin_to_ask(index)) {
		if (!index->gathered)
			gather_packets(&index->resolver, &index->tasks, 0, &index->packets);
		index->gathered = true;
		packets = &index->packets;
	}
	end_asking(index);
	return packets;
}

bool index_packet_rows(struct index *index, uint32_t number, const struct kshark_entry **first,
		       const struct kshark_entry **last)
{
	struct packets packets = { NULL };
	bool found;

	if (begin_to_ask(index))
		gather_packets(&index->resolver, &index->tasks, number, &packets);
	end_asking(index);
	found = packets.n;
	if (found) {
		*first = packets.v[0].first;
		*last = packets.v[0].last;
	}
	packets_free(&packets);
	return found;
}

char *index_packet_text(struct index *index, uint32_t number)
{
	char *text = NULL;

	if (begin_to_ask(index))
		text = packet_text(&index->resolver, number);
	end_asking(index);
	return text;
}

static const struct lanes *lanes_of(struct index *index)
{
	if (!index->lanes_sorted)
		lanes_sort(&index->lanes, &index->resolver);
	index->lanes_sorted = true;
	return &index->lanes;
}

size_t index_flows(struct index *index, uint32_t *flows, size_t max)
{
	const struct lanes *lanes;
	size_t n = 0, i;

	if (begin_to_ask(index)) {
		lanes = lanes_of(index);
		for (i = 0; i < lanes->n && n < max; i++) {
			if (!n || lanes->v[i].flow != flows[n - 1])
				flows[n++] = lanes->v[i].flow;
		}
	}
	end_asking(index);
	return n;
}

char *index_flow_text(struct index *index, uint32_t flow)
{
	const struct lane_packet *packet;
	char *text = NULL, *ends;
	size_t n;

	if (begin_to_ask(index)) {
		packet = lanes_find(lanes_of(index), flow, &n);
		text = packet ? packet_text(&index->resolver, packet->number) : NULL;
	}
	end_asking(index);
	ends = text ? strchr(text, ' ') : NULL;
	if (ends)
		memmove(text, ends + 1, strlen(ends));
	return text;
}

struct stay *index_stays(struct index *index, const struct view *view, size_t *n)
{
	struct stay *stays = NULL;

	*n = 0;
	if (begin_to_ask(index))
		stays = gather_stays(&index->resolver, &index->tasks, lanes_of(index), view, n);
	end_asking(index);
	return stays;
}
