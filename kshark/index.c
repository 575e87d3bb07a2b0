// SPDX-License-Identifier: LGPL-2.1
/* index.c - find the packet of any row of a stream, in any order */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>

#include "packet_index.h"
#include "index.h"
#include "flow_plots.h"

struct index {
	struct rows rows;
	/* filled by the loading thread; complete after is_loaded was set */
	struct event_cache cache;

	pthread_mutex_t
		lock; /* protects the members below, which are built from the cache on demand */
	bool is_loaded;
	struct loaded loaded;
	bool tasks_built;
	struct tasks tasks;
	struct resolver resolver;
	bool packets_collected;
	struct packet_list packets;
	bool plots_built;
	struct flow_plots plots;
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

static void reset_index(struct index *index)
{
	packet_list_free(&index->packets);
	flow_plots_free(&index->plots);
	resolver_free(&index->resolver);
	tasks_free(&index->tasks);
	event_cache_free(&index->cache);
	free(index->loaded.v);
	index->loaded = (struct loaded){ NULL };
	index->is_loaded = false;
	index->tasks_built = false;
	index->packets_collected = false;
	index->plots_built = false;
}

void index_free(struct index *index)
{
	if (!index)
		return;
	reset_index(index);
	pthread_mutex_destroy(&index->lock);
	free(index);
}

/* Loading */

void index_load_begins(struct index *index)
{
	pthread_mutex_lock(&index->lock);
	reset_index(index);
	pthread_mutex_unlock(&index->lock);
}

void index_add_event(struct index *index, enum event_kind kind, const struct tep_record *record,
		     const struct kshark_entry *entry)
{
	/*
	 * KernelShark's entries are valid from index_load_begins() to the next load. Ignore events that come
	 * at any other time.
	 */
	if (!index->is_loaded)
		event_cache_add(&index->cache, kind, record, entry);
}

void index_add_loss(struct index *index, const struct kshark_entry *mark)
{
	if (!index->is_loaded)
		event_cache_add_loss(&index->cache, mark);
}

/* Copy the array of rows, because KernelShark owns the original. */
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

/* Queries */

static void build_tasks(struct index *index)
{
	struct resolver *resolver = &index->resolver;

	index->tasks_built = true;
	resolver->tasks = &index->tasks;
	resolver->state = graph_state_new();
	resolver->label = calloc(index->loaded.n, sizeof(*resolver->label));
	if (index->cache.incomplete || !resolver->state || !resolver->label ||
	    !tasks_build(&index->tasks, &index->cache, &index->loaded, &index->rows))
		tasks_free(&index->tasks);
}

/*
 * Lock the index, and build the tasks if they do not exist yet. Return: false if no file is loaded. The
 * caller must call end_query() in both cases.
 */
static bool begin_query(struct index *index)
{
	pthread_mutex_lock(&index->lock);
	if (index->is_loaded && !index->tasks_built)
		build_tasks(index);
	return index->is_loaded;
}

static void end_query(struct index *index)
{
	pthread_mutex_unlock(&index->lock);
}

static const char *find_label(struct index *index, const struct kshark_entry *entry)
{
	size_t row = loaded_find(&index->loaded, entry);
	struct graph_span *span;
	struct task *task;
	uint32_t label;

	span = row < index->loaded.n ? tasks_find_span(&index->tasks, entry, row, &task) : NULL;
	if (!span)
		return NULL;
	graph_span_resolve(&index->resolver, task, span);
	label = index->resolver.label[row];
	return label ? index->resolver.labels.v[label] : NULL;
}

const char *index_label(struct index *index, const struct kshark_entry *entry)
{
	const char *label = NULL;

	if (begin_query(index))
		label = find_label(index, entry);
	end_query(index);
	return label;
}

static struct packet_list *get_packets(struct index *index)
{
	if (!index->packets_collected)
		collect_packets(&index->resolver, &index->packets);
	index->packets_collected = true;
	return &index->packets;
}

const struct packet_list *index_packets(struct index *index)
{
	const struct packet_list *packets = NULL;

	if (begin_query(index))
		packets = get_packets(index);
	end_query(index);
	return packets;
}

void index_set_dropped(struct index *index, uint32_t number)
{
	struct packet *packet;

	if (begin_query(index)) {
		packet = packet_list_find(get_packets(index), number);
		if (packet)
			packet->dropped = true;
	}
	end_query(index);
}

struct packet_drop *index_drops(struct index *index, const struct view *view, size_t *n)
{
	struct packet_drop *drops = NULL;

	*n = 0;
	if (begin_query(index) && index->packets_collected)
		drops = collect_drops(&index->packets, view, n);
	end_query(index);
	return drops;
}

bool index_packet_rows(struct index *index, uint32_t number, const struct kshark_entry **first,
		       const struct kshark_entry **last)
{
	bool found = false;

	if (begin_query(index))
		found = find_packet_rows(&index->resolver, &index->tasks, number, first, last);
	end_query(index);
	return found;
}

char *index_packet_text(struct index *index, uint32_t number)
{
	char *text = NULL;

	if (begin_query(index))
		text = packet_text(&index->resolver, number);
	end_query(index);
	return text;
}

static const struct flow_plots *get_flow_plots(struct index *index)
{
	if (!index->plots_built)
		flow_plots_build(&index->plots, &index->resolver);
	index->plots_built = true;
	return &index->plots;
}

size_t index_flows(struct index *index, uint32_t *flows, size_t max)
{
	const struct flow_plots *plots;
	size_t n = 0, i;

	if (begin_query(index)) {
		plots = get_flow_plots(index);
		for (i = 0; i < plots->n && n < max; i++) {
			if (!n || plots->v[i].flow != flows[n - 1])
				flows[n++] = plots->v[i].flow;
		}
	}
	end_query(index);
	return n;
}

char *index_flow_text(struct index *index, uint32_t flow)
{
	const struct plot_packet *packet;
	char *text = NULL, *ends;
	size_t n;

	if (begin_query(index)) {
		packet = flow_plots_find(get_flow_plots(index), flow, &n);
		text = packet ? packet_text(&index->resolver, packet->number) : NULL;
	}
	end_query(index);
	ends = text ? strchr(text, ' ') : NULL;
	if (ends)
		memmove(text, ends + 1, strlen(ends));
	return text;
}

struct packet_span *index_spans(struct index *index, const struct view *view, size_t *n)
{
	struct packet_span *spans = NULL;

	*n = 0;
	if (begin_query(index))
		spans = collect_spans(&index->resolver, &index->tasks, get_flow_plots(index), view,
				      n);
	end_query(index);
	return spans;
}
