// SPDX-License-Identifier: LGPL-2.1
/* packet_index.c - collect packets, and the time spans to draw for them */
#include <stdlib.h>
#include <netinet/in.h>
#include <string.h>
#include <time.h>

#include <libkshark.h>

#include "packet_index.h"
#include "grow_array.h"

/* Packets */

static const struct event_fields *get_fields(const struct resolver *resolver,
					     const struct packet_event *event)
{
	return &resolver->rows->fields[event->cached->kind];
}

static void read_packet(const struct resolver *resolver, const struct packet_event *event,
			struct packet *packet)
{
	const struct tep_record record = cached_event_record(event->cached);
	const struct event_fields *fields = get_fields(resolver, event);
	char text[FLOW_TEXT_LEN];
	struct packet_facts facts;
	struct skb_event own;

	if (skb_event_read(fields, EVENT_PACKET, &record, &own))
		return;
	packet_facts_read(fields, &record, &facts);
	flow_text_packet(text, own.pkt, &own.flow);
	packet->text = strdup(text);
	packet->flow = own.flow_number;
	packet->dir = own.dir;
	packet->len = facts.net_len;
	packet->tcp_flags = facts.tcp_flags;
	packet->is_tcp = own.flow.family && own.flow.proto == IPPROTO_TCP;
}

char *packet_text(const struct resolver *resolver, uint32_t number)
{
	const struct packet_event *event = tasks_first_event(resolver->tasks, number);
	struct packet packet = { .text = NULL };

	if (event)
		read_packet(resolver, event, &packet);
	return packet.text;
}

static uint32_t get_flow(const struct resolver *resolver, uint32_t number)
{
	const struct packet_event *event = tasks_first_event(resolver->tasks, number);

	return event ? event_flow(resolver, event) : 0;
}

/* Add each packet once, sorted by number. */
static void add_packets(const struct resolver *resolver, struct packet_list *packets)
{
	const struct tasks *tasks = resolver->tasks;
	const struct packet_event *event;
	struct packet *packet;
	size_t i;

	for (i = 0; i < tasks->nr_firsts; i++) {
		event = &tasks->events[tasks->firsts[i].event];
		if (!grow_array(&packets->v, packets->n, &packets->capacity, sizeof(*packets->v)))
			return;
		packet = &packets->v[packets->n++];
		*packet = (struct packet){
			.number = event->packet,
			.first = event->cached->entry,
		};
		read_packet(resolver, event, packet);
	}
}

void collect_packets(const struct resolver *resolver, struct packet_list *packets)
{
	const struct tasks *tasks = resolver->tasks;
	const struct kshark_entry *entry;
	struct packet *packet;
	size_t i;

	add_packets(resolver, packets);
	for (i = 0; i < tasks->nr_events; i++) {
		packet = packet_list_find(packets, tasks->events[i].packet);
		if (!packet)
			continue;
		entry = tasks->events[i].cached->entry;
		packet->last_event = entry;
		if (tasks->events[i].cached->kind == EVENT_DROP)
			packet->last_drop = entry;
		packet->cpus |= 1ull << (entry->cpu < 63 ? entry->cpu : 63);
	}
}

void packet_list_free(struct packet_list *packets)
{
	size_t i;

	for (i = 0; i < packets->n; i++)
		free(packets->v[i].text);
	free(packets->v);
	*packets = (struct packet_list){ NULL };
}

/* Rows of one packet */

struct row_range {
	const struct kshark_entry *first, *last;
};

static void add_row(struct row_range *range, const struct kshark_entry *entry)
{
	if (!range->first)
		range->first = range->last = entry;
	if (entry->ts >= range->last->ts)
		range->last = entry;
}

bool find_packet_rows(struct resolver *resolver, struct tasks *tasks, uint32_t number,
		      const struct kshark_entry **first, const struct kshark_entry **last)
{
	struct row_range range = { NULL };
	const struct packet_event *event;
	struct graph_span *span;
	size_t i, n;

	for (i = 0; i < tasks->nr_events; i++) {
		event = &tasks->events[i];
		if (event->packet != number)
			continue;
		add_row(&range, event->cached->entry);
		if (event->span == NO_SPAN)
			continue;
		span = &event->task->spans[event->span];
		graph_span_resolve(resolver, event->task, span);
		for (n = 0; n < span->nr_packets; n++) {
			if (span->packets[n].number == number)
				add_row(&range, span->packets[n].last);
		}
	}
	*first = range.first;
	*last = range.last;
	return range.first;
}

/* Packet spans */

/**
 * struct span_list - the packet spans of one plot
 * @v: spans
 * @n: number of spans
 * @capacity: allocated entries in @v
 * @deadline: CPU time of the thread after which no more rows are assigned to packets
 * @deferred: graph spans for which there was no time
 */
struct span_list {
	struct packet_span *v;
	size_t n, capacity;
	int64_t deadline;
	size_t deferred;
};

/*
 * The CPU time that one plot may spend on assigning rows to packets. In a compressed recording of 450
 * MB, libtracecmd needs about a tenth of a millisecond to find a page. The next drawing of the plot
 * goes on with other graph spans.
 */
#define RESOLVE_NSEC 50000000

static int64_t thread_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static bool in_view(const struct view *view, const struct kshark_entry *first,
		    const struct kshark_entry *last)
{
	return first->ts <= view->to && last->ts >= view->from;
}

static void add_span(struct span_list *list, const struct view *view,
		     const struct packet_span *item)
{
	if ((view->kind == VIEW_CPU ? item->cpu : item->pid) == view->id &&
	    in_view(view, item->first, item->last) &&
	    grow_array(&list->v, list->n, &list->capacity, sizeof(*list->v)))
		list->v[list->n++] = *item;
}

/*
 * If the graph span is shorter than one bin of the plot, add only one packet for the bin. The plot cannot
 * show more, and reading the lines of the graph would take too long: such spans are common after zooming out.
 *
 * Return: false if the graph span is longer, has not ended, or ends on another CPU.
 */
static bool add_narrow_span(struct span_list *list, const struct view *view,
			    const struct graph_span *span, const struct packet_span *whole,
			    int64_t *last_bin)
{
	int64_t bin = (whole->first->ts - view->from) / view->bin;

	if (!span->over || whole->last->ts - whole->first->ts > view->bin ||
	    whole->first->cpu != whole->last->cpu)
		return false;
	if (span->packet && bin != *last_bin) {
		*last_bin = bin;
		add_span(list, view, whole);
	}
	return true;
}

static void add_task(struct resolver *resolver, struct task *task, const struct view *view,
		     struct span_list *list)
{
	struct kshark_entry **rows = resolver->tasks->loaded->v;
	int64_t last_bin = INT64_MIN;
	struct packet_span whole;
	struct graph_span *span;
	size_t i, n;

	for (i = 0; i < task->nr_spans; i++) {
		span = &task->spans[i];
		span->deferred = false;
		whole = (struct packet_span){
			.number = span->packet,
			.pid = task->pid,
			.cpu = rows[span->first]->cpu,
			.first = rows[span->first],
			.last = span->last,
		};
		if (whole.first->ts > view->to || (span->over && whole.last->ts < view->from) ||
		    (!span->resolved && add_narrow_span(list, view, span, &whole, &last_bin)))
			continue;
		if (!span->resolved && thread_time() > list->deadline) {
			span->deferred = true;
			list->deferred++;
			continue;
		}
		graph_span_resolve(resolver, task, span);
		for (n = 0; n < span->nr_packets; n++)
			add_span(list, view, &span->packets[n]);
	}
}

/*
 * Return: true if both spans are drawn in the same row of the plot. Spans on the same CPU share a row. In a
 * flow plot, spans in the same direction share a row.
 */
static bool share_row(const struct packet_span *x, const struct packet_span *y)
{
	return x->cpu == y->cpu && x->back == y->back;
}

static int by_place_and_time(const void *a, const void *b)
{
	const struct packet_span *x = a, *y = b;

	if (!share_row(x, y))
		return x->cpu < y->cpu || (x->cpu == y->cpu && x->back < y->back) ? -1 : 1;
	if (x->first->ts != y->first->ts)
		return x->first->ts < y->first->ts ? -1 : 1;
	return (x->last->ts < y->last->ts) - (x->last->ts > y->last->ts);
}

static int by_level_and_time(const void *a, const void *b)
{
	const struct packet_span *x = a, *y = b;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	return (x->first->ts > y->first->ts) - (x->first->ts < y->first->ts);
}

/*
 * Set the nesting level of each span. A span is nested in an earlier span if the earlier one has not ended
 * yet.
 */
static void set_levels(struct span_list *list)
{
	struct packet_span **outer = calloc(list->n, sizeof(*outer));
	size_t depth = 0, i;

	for (i = 0; outer && i < list->n; i++) {
		struct packet_span *item = &list->v[i];

		while (depth && (!share_row(outer[depth - 1], item) ||
				 outer[depth - 1]->last->ts <= item->first->ts))
			depth--;
		item->level = depth;
		outer[depth++] = item;
	}
	free(outer);
}

static void add_tasks(struct resolver *resolver, struct tasks *tasks, const struct view *view,
		      struct span_list *list)
{
	struct task *task;
	size_t i = 0;

	while ((task = table_next(&tasks->table, &i))) {
		if (view->kind == VIEW_CPU || task->pid == view->id)
			add_task(resolver, task, view, list);
	}
}

static bool is_deferred(const struct packet_event *event)
{
	const struct graph_span *span;

	if (event->span == NO_SPAN)
		return false;
	span = &event->task->spans[event->span];
	return span->deferred && !span->resolved;
}

/* Return: the index of the first event at @ts or later. */
static size_t find_event(const struct tasks *tasks, int64_t ts)
{
	size_t from = 0, to = tasks->nr_events, middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (tasks->events[middle].cached->entry->ts < ts)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/*
 * Add the packets of the deferred graph spans by their events, which are in memory. After zooming out,
 * one packet per bin is enough.
 */
static void add_deferred(const struct tasks *tasks, const struct view *view, struct span_list *list)
{
	const struct kshark_entry *entry;
	const struct packet_event *event;
	int64_t bin, last_bin = INT64_MIN;
	size_t i;

	for (i = find_event(tasks, view->from); i < tasks->nr_events; i++) {
		event = &tasks->events[i];
		entry = event->cached->entry;
		if (entry->ts > view->to)
			break;
		bin = (entry->ts - view->from) / view->bin;
		if (bin == last_bin || !is_deferred(event) ||
		    (view->kind == VIEW_CPU ? entry->cpu : entry->pid) != view->id)
			continue;
		last_bin = bin;
		add_span(list, view,
			 &(struct packet_span){
				 .number = event->packet,
				 .pid = entry->pid,
				 .cpu = entry->cpu,
				 .first = entry,
				 .last = entry,
			 });
	}
}

/*
 * Return: the last row of the packet in the graph span of this event. If the rows of the graph span are not
 * assigned to packets yet, return the row of the event itself.
 */
static const struct kshark_entry *last_row(const struct packet_event *event)
{
	const struct kshark_entry *last = event->cached->entry;
	const struct graph_span *span;
	size_t i;

	if (event->span == NO_SPAN)
		return last;
	span = &event->task->spans[event->span];
	for (i = 0; i < span->nr_packets; i++) {
		if (span->packets[i].number == event->packet &&
		    span->packets[i].last->ts > last->ts)
			last = span->packets[i].last;
	}
	return last;
}

/* Add the packets of a flow plot. After zooming out, one packet per bin and direction is enough. */
static void add_flow_plot(const struct tasks *tasks, const struct flow_plots *plots,
			  const struct view *view, struct span_list *list)
{
	int64_t last_bin[2] = { INT64_MIN, INT64_MIN }, bin;
	const struct plot_packet *packet;
	struct packet_span item;
	size_t n;

	for (packet = flow_plots_find(plots, view->id, &n); n; packet++, n--) {
		item = (struct packet_span){
			.number = packet->number,
			.back = packet->back,
			.first = tasks->events[packet->first].cached->entry,
			.last = last_row(&tasks->events[packet->last]),
		};
		bin = (item.first->ts - view->from) / view->bin;
		if (!in_view(view, item.first, item.last) ||
		    (bin == last_bin[item.back] && item.last->ts - item.first->ts < view->bin))
			continue;
		last_bin[item.back] = bin;
		if (grow_array(&list->v, list->n, &list->capacity, sizeof(*list->v)))
			list->v[list->n++] = item;
	}
}

struct packet_span *collect_spans(struct resolver *resolver, struct tasks *tasks,
				  const struct flow_plots *plots, const struct view *view,
				  size_t *n)
{
	struct span_list list = { .deadline = thread_time() + RESOLVE_NSEC };
	size_t i;

	if (view->kind == VIEW_FLOW)
		add_flow_plot(tasks, plots, view, &list);
	else
		add_tasks(resolver, tasks, view, &list);
	if (list.deferred)
		add_deferred(tasks, view, &list);
	*n = list.n;
	if (!list.n)
		return NULL;
	for (i = 0; i < list.n; i++)
		list.v[i].flow = get_flow(resolver, list.v[i].number);
	qsort(list.v, list.n, sizeof(*list.v), by_place_and_time);
	set_levels(&list);
	qsort(list.v, list.n, sizeof(*list.v), by_level_and_time);
	return list.v;
}

/* Drops */

static bool is_in_plot(const struct packet *packet, const struct kshark_entry *entry,
		       const struct view *view)
{
	switch (view->kind) {
	case VIEW_CPU:
		return entry->cpu == view->id;
	case VIEW_TASK:
		return entry->pid == view->id;
	case VIEW_FLOW:
		return packet->flow == (uint32_t)view->id;
	}
	return false;
}

static int by_time(const void *a, const void *b)
{
	const struct packet_drop *x = a, *y = b;

	return (x->entry->ts > y->entry->ts) - (x->entry->ts < y->entry->ts);
}

/* Keep only the first drop of each bin, because more cannot be shown. */
static size_t keep_first_of_bins(struct packet_drop *drops, size_t n, const struct view *view)
{
	int64_t bin, last_bin = INT64_MIN;
	size_t from, to = 0;

	for (from = 0; from < n; from++) {
		bin = (drops[from].entry->ts - view->from) / view->bin;
		if (bin != last_bin)
			drops[to++] = drops[from];
		last_bin = bin;
	}
	return to;
}

struct packet_drop *collect_drops(const struct packet_list *packets, const struct view *view,
				  size_t *n)
{
	struct packet_drop *drops = NULL;
	const struct kshark_entry *entry;
	const struct packet *packet;
	size_t i, capacity = 0;

	*n = 0;
	for (i = 0; i < packets->n; i++) {
		packet = &packets->v[i];
		entry = packet->last_drop ? packet->last_drop : packet->last_event;
		if (!packet->dropped || !is_in_plot(packet, entry, view) ||
		    !in_view(view, entry, entry) ||
		    !grow_array(&drops, *n, &capacity, sizeof(*drops)))
			continue;
		drops[(*n)++] = (struct packet_drop){ .number = packet->number, .entry = entry };
	}
	if (*n)
		qsort(drops, *n, sizeof(*drops), by_time);
	*n = keep_first_of_bins(drops, *n, view);
	return drops;
}
