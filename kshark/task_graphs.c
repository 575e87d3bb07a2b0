// SPDX-License-Identifier: LGPL-2.1
/*
 * task_graphs.c - find the graphs of each task of a stream, and the periods in which rows are missing
 */
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>

#include "packet_lookup.h"
#include "grow_array.h"
#include "task_graphs.h"

size_t loaded_find(const struct loaded *loaded, const struct kshark_entry *entry)
{
	size_t low = 0, high = loaded->n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (loaded->v[middle]->ts < entry->ts)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < loaded->n && loaded->v[low]->ts == entry->ts; low++) {
		if (loaded->v[low] == entry)
			return low;
	}
	return loaded->n;
}

/* The events of one CPU that were not processed yet. */
struct cursor {
	const struct cached_event *next, *end;
	/* task of the last event, because the next event is usually of the same task */
	struct task *last;
};

struct merge {
	struct tasks *tasks;
	const struct rows *rows;
	struct cursor *cursors;
	int nr_cpus;
};

static struct task *find_task(struct tasks *tasks, struct cursor *cursor,
			      const struct cached_event *cached)
{
	const int pid = cached->entry->pid, cpu = cached->entry->cpu;
	struct table_key key;
	struct task *task = cursor->last;

	if (task && task->pid == pid)
		return task;
	key = table_task_key(pid, cpu, NULL);
	task = table_find(&tasks->table, key);
	if (!task) {
		task = calloc(1, sizeof(*task));
		if (!task)
			return NULL;
		task->pid = pid;
		task->cpu = cpu;
		task = table_add(&tasks->table, key, task);
	}
	cursor->last = task;
	return task;
}

/* The fields of an event that this file uses. */
struct event_summary {
	uint64_t how, packet;
};

static struct event_summary read_summary(const struct rows *rows, const struct cached_event *cached)
{
	const struct event_fields *fields = &rows->fields[cached->kind];
	const struct tep_record record = cached_event_record(cached);
	struct event_summary summary = { .how = RECORD_SKB_HOW_HIDDEN };

	if (cached->kind == EVENT_PACKET || cached->kind == EVENT_CALL)
		event_field_read(fields, FIELD_HOW, &record, &summary.how);
	if (cached->kind != EVENT_CALL)
		event_field_read(fields, FIELD_PKT, &record, &summary.packet);
	return summary;
}

/*
 * Add a graph to the task. A graph ends with the return event of its first function. If an interrupt opens a
 * graph before the first line of another graph, both graphs belong to the same span.
 */
static bool begin_graph(struct tasks *tasks, struct task *task, const struct cached_event *cached)
{
	struct graph_span *span = task->nr_spans ? &task->spans[task->nr_spans - 1] : NULL;

	if (!span || span->over) {
		if (!grow_array(&task->spans, task->nr_spans, &task->spans_capacity,
				sizeof(*task->spans)))
			return false;
		span = &task->spans[task->nr_spans++];
		*span = (struct graph_span){ .first = loaded_find(tasks->loaded, cached->entry) };
	}
	span->graphs++;
	return true;
}

/*
 * Return: the index of the packet in @firsts. If the packet is not in the array, return the index where it
 * must be inserted.
 */
static size_t find_place(const struct tasks *tasks, uint32_t packet)
{
	size_t low = 0, high = tasks->nr_firsts, middle;

	/* This is the normal case: packets usually arrive in order. */
	if (high && tasks->firsts[high - 1].packet < packet)
		return high;
	while (low < high) {
		middle = (low + high) / 2;
		if (tasks->firsts[middle].packet < packet)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_at(const struct tasks *tasks, size_t place, uint32_t packet)
{
	return place < tasks->nr_firsts && tasks->firsts[place].packet == packet;
}

static bool add_first(struct tasks *tasks, uint32_t packet)
{
	size_t place = find_place(tasks, packet);
	struct first_event *first;

	if (is_at(tasks, place, packet))
		return true;
	if (!grow_array(&tasks->firsts, tasks->nr_firsts, &tasks->firsts_capacity, sizeof(*first)))
		return false;
	first = &tasks->firsts[place];
	memmove(first + 1, first, (tasks->nr_firsts++ - place) * sizeof(*first));
	*first = (struct first_event){ .packet = packet, .event = tasks->nr_events };
	return true;
}

const struct packet_event *tasks_first_event(const struct tasks *tasks, uint32_t packet)
{
	size_t place = find_place(tasks, packet);

	return is_at(tasks, place, packet) ? &tasks->events[tasks->firsts[place].event] : NULL;
}

static bool add_event(struct tasks *tasks, const struct packet_event *event)
{
	if (event->cached->kind == EVENT_PACKET && !add_first(tasks, event->packet))
		return false;
	if (!grow_array(&tasks->events, tasks->nr_events, &tasks->events_capacity,
			sizeof(*tasks->events)))
		return false;
	tasks->events[tasks->nr_events++] = *event;
	return true;
}

static bool is_of_packet(const struct cached_event *cached, const struct event_summary *summary)
{
	return summary->packet && (cached->kind == EVENT_PACKET || cached->kind == EVENT_DROP);
}

static bool add_cached_event(struct merge *merge, struct cursor *cursor)
{
	const struct cached_event *cached = cursor->next++;
	const struct event_summary summary = read_summary(merge->rows, cached);
	struct tasks *tasks = merge->tasks;
	struct task *task = find_task(tasks, cursor, cached);
	struct packet_event event = {
		.cached = cached,
		.task = task,
		.span = NO_SPAN,
		.packet = summary.packet,
	};
	struct graph_span *span;

	if (!task || (summary.how == RECORD_SKB_HOW_OPEN && !begin_graph(tasks, task, cached)))
		return false;
	if (task->nr_spans) {
		event.span = task->nr_spans - 1;
		span = &task->spans[event.span];
		span->last = cached->entry;
		span->over = cached->kind == EVENT_RETURN ||
			     (span->over && cached->kind == EVENT_DROP);
		if (!span->packet && cached->kind == EVENT_PACKET &&
		    summary.how != RECORD_SKB_HOW_HIDDEN)
			span->packet = summary.packet;
	}
	return !is_of_packet(cached, &summary) || add_event(tasks, &event);
}

static bool is_before(const struct cursor *a, const struct cursor *b)
{
	/* If the times are equal, the CPU with the lower number comes first. */
	return a->next->entry->ts != b->next->entry->ts ? a->next->entry->ts < b->next->entry->ts :
							  a < b;
}

/* Find the CPU with the earliest event. @second is set to the CPU with the second earliest event. */
static struct cursor *find_first(struct merge *merge, struct cursor **second)
{
	struct cursor *first = NULL, *cursor;
	int cpu;

	*second = NULL;
	for (cpu = 0; cpu < merge->nr_cpus; cpu++) {
		cursor = &merge->cursors[cpu];
		if (cursor->next == cursor->end)
			continue;
		if (!first || is_before(cursor, first)) {
			*second = first;
			first = cursor;
		} else if (!*second || is_before(cursor, *second)) {
			*second = cursor;
		}
	}
	return first;
}

static bool merge_events(struct merge *merge)
{
	struct cursor *first, *second;

	while ((first = find_first(merge, &second))) {
		do {
			if (!add_cached_event(merge, first))
				return false;
		} while (first->next != first->end && (!second || is_before(first, second)));
	}
	return true;
}

/*
 * Return: the first row after a loss. The entry @mark that KernelShark makes for the loss is not used,
 * because its time is not the time of a row.
 */
static const struct kshark_entry *first_after(const struct kshark_entry *mark)
{
	return mark->next ? mark->next : mark;
}

/* Return: the last row of the CPU before the loss. It can be a row of any event. */
static const struct kshark_entry *last_before(const struct loaded *loaded,
					      const struct kshark_entry *mark)
{
	size_t row = loaded_find(loaded, mark);

	while (row-- > 0) {
		if (loaded->v[row]->cpu == mark->cpu)
			return loaded->v[row];
	}
	return NULL;
}

static bool add_lost(struct lost_times *times, const struct lost_time *lost)
{
	if (!grow_array(&times->v, times->n, &times->capacity, sizeof(*times->v)))
		return false;
	times->v[times->n++] = *lost;
	return true;
}

static int by_end(const void *a, const void *b)
{
	const struct lost_time *x = a, *y = b;

	return (x->after->ts > y->after->ts) - (x->after->ts < y->after->ts);
}

static bool is_earlier(const struct kshark_entry *a, const struct kshark_entry *b)
{
	return !a || (b && a->ts < b->ts);
}

/*
 * The losses are sorted by their ends. Extend each loss back to the earliest beginning of all later losses,
 * so that the losses are sorted by their beginnings, too.
 */
static void extend_beginnings(struct lost_times *times)
{
	size_t i;

	for (i = times->n; i > 1; i--) {
		if (is_earlier(times->v[i - 1].before, times->v[i - 2].before))
			times->v[i - 2].before = times->v[i - 1].before;
	}
}

static void sort_lost_times(struct lost_times *times)
{
	if (times->n)
		qsort(times->v, times->n, sizeof(*times->v), by_end);
	extend_beginnings(times);
}

static bool add_losses(struct tasks *tasks, const struct event_cache *cache)
{
	const struct kshark_entry *mark;
	struct lost_time lost;
	size_t i;
	int cpu;

	for (i = 0; i < cache->nr_losses; i++) {
		mark = cache->losses[i];
		lost.before = last_before(tasks->loaded, mark);
		lost.after = first_after(mark);
		if (!add_lost(&tasks->lost, &lost))
			return false;
		/*
		 * Ignore CPUs that have no events of record_skb, because none of their rows belongs to a
		 * packet.
		 */
		if (mark->cpu < tasks->nr_cpus && !add_lost(&tasks->cpu_lost[mark->cpu], &lost))
			return false;
	}
	for (cpu = 0; cpu < tasks->nr_cpus; cpu++)
		sort_lost_times(&tasks->cpu_lost[cpu]);
	sort_lost_times(&tasks->lost);
	return true;
}

bool tasks_build(struct tasks *tasks, const struct event_cache *cache, const struct loaded *loaded,
		 const struct rows *rows)
{
	struct merge merge = { .tasks = tasks, .rows = rows, .nr_cpus = cache->nr_cpus };
	bool done = false;
	int cpu;

	tasks->loaded = loaded;
	merge.cursors = calloc(cache->nr_cpus + 1, sizeof(*merge.cursors));
	tasks->cpu_lost = calloc(cache->nr_cpus + 1, sizeof(*tasks->cpu_lost));
	if (merge.cursors && tasks->cpu_lost) {
		tasks->nr_cpus = cache->nr_cpus;
		for (cpu = 0; cpu < cache->nr_cpus; cpu++) {
			if (!cache->cpus[cpu].n)
				continue;
			merge.cursors[cpu].next = cache->cpus[cpu].v;
			merge.cursors[cpu].end = cache->cpus[cpu].v + cache->cpus[cpu].n;
		}
		done = merge_events(&merge) && add_losses(tasks, cache);
	}
	free(merge.cursors);
	return done;
}

void tasks_free(struct tasks *tasks)
{
	struct task *task;
	size_t i = 0, n;
	int cpu;

	while ((task = table_next(&tasks->table, &i))) {
		for (n = 0; n < task->nr_spans; n++)
			free(task->spans[n].packets);
		free(task->spans);
	}
	table_free(&tasks->table);
	for (cpu = 0; cpu < tasks->nr_cpus; cpu++)
		free(tasks->cpu_lost[cpu].v);
	free(tasks->cpu_lost);
	free(tasks->lost.v);
	free(tasks->events);
	free(tasks->firsts);
	*tasks = (struct tasks){ .nr_cpus = 0 };
}

struct graph_span *tasks_find_span(const struct tasks *tasks, const struct kshark_entry *entry,
				   size_t row, struct task **task)
{
	size_t low = 0, high, middle;

	*task = table_find(&tasks->table, table_task_key(entry->pid, entry->cpu, NULL));
	if (!*task)
		return NULL;
	high = (*task)->nr_spans;
	while (low < high) {
		middle = (low + high) / 2;
		if ((*task)->spans[middle].first <= row)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &(*task)->spans[low - 1] : NULL;
}

size_t graph_span_end(const struct tasks *tasks, const struct task *task,
		      const struct graph_span *span)
{
	return span + 1 < task->spans + task->nr_spans ? span[1].first : tasks->loaded->n;
}

int64_t tasks_complete_until(const struct tasks *tasks, const struct task *task, int64_t from)
{
	/*
	 * If the task is an idle task, only losses on its own CPU matter. For any other task, losses on all
	 * CPUs matter, because tasks migrate.
	 */
	const struct lost_times *times = task->pid ? &tasks->lost : &tasks->cpu_lost[task->cpu];
	size_t low = 0, high = times->n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (times->v[middle].after->ts <= from)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == times->n)
		return INT64_MAX;
	return times->v[low].before ? times->v[low].before->ts : INT64_MIN;
}
