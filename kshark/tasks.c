// SPDX-License-Identifier: LGPL-2.1
/*
 * tasks.c - where the graphs of each task of a stream begin, and where rows are missing
 */
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>

#include "packets.h"
#include "room.h"
#include "tasks.h"

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

/* Up to where a CPU's events are sorted. */
struct cursor {
	const struct noted *next, *end;
	struct task *last; /* most rows are of the same task as the row before */
};

struct sorting {
	struct tasks *tasks;
	const struct rows *rows;
	struct cursor *cursors;
	int nr_cpus;
};

static struct task *task_of(struct tasks *tasks, struct cursor *cursor, const struct noted *noted)
{
	const int pid = noted->entry->pid, cpu = noted->entry->cpu;
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

/* What the event says, as far as it is asked for here. */
struct outline {
	uint64_t how, packet;
};

static struct outline outline_of(const struct rows *rows, const struct noted *noted)
{
	const struct event_fields *fields = &rows->fields[noted->kind];
	const struct tep_record record = noted_record(noted);
	struct outline outline = { .how = RECORD_SKB_HOW_HIDDEN };

	if (noted->kind == EVENT_PACKET || noted->kind == EVENT_CALL)
		event_field_read(fields, FIELD_HOW, &record, &outline.how);
	if (noted->kind != EVENT_CALL)
		event_field_read(fields, FIELD_PKT, &record, &outline.packet);
	return outline;
}

/*
 * A graph is over once what its function returned has been said. An interrupt may come in front of a
 * graph's first line, and have one of its own: both are one piece.
 */
static bool begin_graph(struct tasks *tasks, struct task *task, const struct noted *noted)
{
	struct piece *piece = task->nr_pieces ? &task->pieces[task->nr_pieces - 1] : NULL;

	if (!piece || piece->over) {
		if (!make_room(&task->pieces, task->nr_pieces, &task->room_pieces,
			       sizeof(*task->pieces)))
			return false;
		piece = &task->pieces[task->nr_pieces++];
		*piece = (struct piece){ .first = loaded_find(tasks->loaded, noted->entry) };
	}
	piece->graphs++;
	return true;
}

/* Where the packet is, or would have to be. */
static size_t place_of(const struct tasks *tasks, uint32_t packet)
{
	size_t low = 0, high = tasks->nr_firsts, middle;

	/* Mostly it is one of the last. */
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
	size_t place = place_of(tasks, packet);
	struct first_event *first;

	if (is_at(tasks, place, packet))
		return true;
	if (!make_room(&tasks->firsts, tasks->nr_firsts, &tasks->room_firsts, sizeof(*first)))
		return false;
	first = &tasks->firsts[place];
	memmove(first + 1, first, (tasks->nr_firsts++ - place) * sizeof(*first));
	*first = (struct first_event){ .packet = packet, .event = tasks->nr_events };
	return true;
}

const struct event_place *tasks_first_event(const struct tasks *tasks, uint32_t packet)
{
	size_t place = place_of(tasks, packet);

	return is_at(tasks, place, packet) ? &tasks->events[tasks->firsts[place].event] : NULL;
}

static bool add_event(struct tasks *tasks, const struct event_place *event)
{
	if (event->noted->kind == EVENT_PACKET && !add_first(tasks, event->packet))
		return false;
	if (!make_room(&tasks->events, tasks->nr_events, &tasks->room_events,
		       sizeof(*tasks->events)))
		return false;
	tasks->events[tasks->nr_events++] = *event;
	return true;
}

static bool is_of_packet(const struct noted *noted, const struct outline *outline)
{
	return outline->packet && (noted->kind == EVENT_PACKET || noted->kind == EVENT_DROP);
}

static bool sort_event(struct sorting *sorting, struct cursor *cursor)
{
	const struct noted *noted = cursor->next++;
	const struct outline outline = outline_of(sorting->rows, noted);
	struct tasks *tasks = sorting->tasks;
	struct task *task = task_of(tasks, cursor, noted);
	struct event_place event = {
		.noted = noted,
		.task = task,
		.piece = NO_PIECE,
		.packet = outline.packet,
	};
	struct piece *piece;

	if (!task || (outline.how == RECORD_SKB_HOW_OPEN && !begin_graph(tasks, task, noted)))
		return false;
	if (task->nr_pieces) {
		event.piece = task->nr_pieces - 1;
		piece = &task->pieces[event.piece];
		piece->last = noted->entry;
		piece->over = noted->kind == EVENT_RETURN ||
			      (piece->over && noted->kind == EVENT_DROP);
		if (!piece->packet && noted->kind == EVENT_PACKET &&
		    outline.how != RECORD_SKB_HOW_HIDDEN)
			piece->packet = outline.packet;
	}
	return !is_of_packet(noted, &outline) || add_event(tasks, &event);
}

static bool before(const struct cursor *a, const struct cursor *b)
{
	/* Of the same time, the lower CPU's is the first. */
	return a->next->entry->ts != b->next->entry->ts ? a->next->entry->ts < b->next->entry->ts :
							  a < b;
}

/* The CPU whose next row is the first, and the one after it. */
static struct cursor *first_of(struct sorting *sorting, struct cursor **second)
{
	struct cursor *first = NULL, *cursor;
	int cpu;

	*second = NULL;
	for (cpu = 0; cpu < sorting->nr_cpus; cpu++) {
		cursor = &sorting->cursors[cpu];
		if (cursor->next == cursor->end)
			continue;
		if (!first || before(cursor, first)) {
			*second = first;
			first = cursor;
		} else if (!*second || before(cursor, *second)) {
			*second = cursor;
		}
	}
	return first;
}

static bool sort_events(struct sorting *sorting)
{
	struct cursor *first, *second;

	while ((first = first_of(sorting, &second))) {
		do {
			if (!sort_event(sorting, first))
				return false;
		} while (first->next != first->end && (!second || before(first, second)));
	}
	return true;
}

/* KernelShark's mark has a time of its own. */
static const struct kshark_entry *first_after(const struct kshark_entry *mark)
{
	return mark->next ? mark->next : mark;
}

/* The last row of the CPU before those that are missing, of any event. */
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
	if (!make_room(&times->v, times->n, &times->room, sizeof(*times->v)))
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

/* Of those that end later, the one that begins first is what counts. */
static void spread_beginnings(struct lost_times *times)
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
	spread_beginnings(times);
}

static bool sort_losses(struct tasks *tasks, const struct notes *notes)
{
	const struct kshark_entry *mark;
	struct lost_time lost;
	size_t i;
	int cpu;

	for (i = 0; i < notes->nr_losses; i++) {
		mark = notes->losses[i];
		lost.before = last_before(tasks->loaded, mark);
		lost.after = first_after(mark);
		if (!add_lost(&tasks->lost, &lost))
			return false;
		/* On a CPU without events nobody's rows are known. */
		if (mark->cpu < tasks->nr_cpus && !add_lost(&tasks->lost_of[mark->cpu], &lost))
			return false;
	}
	for (cpu = 0; cpu < tasks->nr_cpus; cpu++)
		sort_lost_times(&tasks->lost_of[cpu]);
	sort_lost_times(&tasks->lost);
	return true;
}

bool tasks_sort(struct tasks *tasks, const struct notes *notes, const struct loaded *loaded,
		const struct rows *rows)
{
	struct sorting sorting = { .tasks = tasks, .rows = rows, .nr_cpus = notes->nr_cpus };
	bool done = false;
	int cpu;

	tasks->loaded = loaded;
	sorting.cursors = calloc(notes->nr_cpus + 1, sizeof(*sorting.cursors));
	tasks->lost_of = calloc(notes->nr_cpus + 1, sizeof(*tasks->lost_of));
	if (sorting.cursors && tasks->lost_of) {
		tasks->nr_cpus = notes->nr_cpus;
		for (cpu = 0; cpu < notes->nr_cpus; cpu++) {
			if (!notes->cpus[cpu].n)
				continue;
			sorting.cursors[cpu].next = notes->cpus[cpu].v;
			sorting.cursors[cpu].end = notes->cpus[cpu].v + notes->cpus[cpu].n;
		}
		done = sort_events(&sorting) && sort_losses(tasks, notes);
	}
	free(sorting.cursors);
	return done;
}

void tasks_free(struct tasks *tasks)
{
	struct task *task;
	size_t i = 0, n;
	int cpu;

	while ((task = table_next(&tasks->table, &i))) {
		for (n = 0; n < task->nr_pieces; n++)
			free(task->pieces[n].stays);
		free(task->pieces);
	}
	table_free(&tasks->table);
	for (cpu = 0; cpu < tasks->nr_cpus; cpu++)
		free(tasks->lost_of[cpu].v);
	free(tasks->lost_of);
	free(tasks->lost.v);
	free(tasks->events);
	free(tasks->firsts);
	*tasks = (struct tasks){ .nr_cpus = 0 };
}

struct piece *tasks_piece(const struct tasks *tasks, const struct kshark_entry *entry, size_t row,
			  struct task **task)
{
	size_t low = 0, high, middle;

	*task = table_find(&tasks->table, table_task_key(entry->pid, entry->cpu, NULL));
	if (!*task)
		return NULL;
	high = (*task)->nr_pieces;
	while (low < high) {
		middle = (low + high) / 2;
		if ((*task)->pieces[middle].first <= row)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &(*task)->pieces[low - 1] : NULL;
}

size_t piece_end(const struct tasks *tasks, const struct task *task, const struct piece *piece)
{
	return piece + 1 < task->pieces + task->nr_pieces ? piece[1].first : tasks->loaded->n;
}

int64_t tasks_complete_until(const struct tasks *tasks, const struct task *task, int64_t from)
{
	/* A task may have been on any CPU; an idle task stays. */
	const struct lost_times *times = task->pid ? &tasks->lost : &tasks->lost_of[task->cpu];
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
