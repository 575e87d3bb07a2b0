// SPDX-License-Identifier: LGPL-2.1
/* task_states.c - find, add and forget the tasks of a graph state */
#include <stdint.h>
#include <stdlib.h>

#include "task_states.h"

static bool is_idle(const void *task)
{
	return graph_task_is_idle(task);
}

struct graph_state *graph_state_new(void)
{
	struct graph_state *state = calloc(1, sizeof(*state));

	if (state)
		state->tasks.idle = is_idle;
	return state;
}

void graph_state_free(struct graph_state *state)
{
	if (!state)
		return;
	table_free(&state->tasks);
	free(state);
}

static struct table_key key_of(const struct graph_task_id *id)
{
	return table_task_key(id->pid, id->cpu, id->buffer);
}

static bool same_task(const struct graph_task_id *a, const struct graph_task_id *b)
{
	return a->pid == b->pid && a->buffer == b->buffer && (a->pid != 0 || a->cpu == b->cpu);
}

struct graph_task *graph_task_add(struct graph_state *state, const struct graph_task_id *id)
{
	struct graph_task *task = calloc(1, sizeof(*task));

	if (task) {
		task->id = *id;
		task->gaps = state->gaps;
	}
	/* table_add() may free the object that @last points to. */
	state->last = NULL;
	return table_add(&state->tasks, key_of(id), task);
}

void graph_task_forget(struct graph_task *task)
{
	task->nr_frames = 0;
	task->nr_pending = 0;
	task->last = ROW_NONE;
	task->knows_overrun = false;
}

struct graph_task *graph_task_look_up(struct graph_state *state, const struct graph_task_id *id,
				      uint64_t ts)
{
	struct graph_task *task = state->last;

	if (!task || !same_task(&task->id, id)) {
		task = table_find(&state->tasks, key_of(id));
		if (!task)
			return NULL;
		state->last = task;
	}
	if (ts < task->last_ts || (state->no_migration && task->id.pid && task->id.cpu != id->cpu))
		graph_task_forget(task);
	task->id.cpu = id->cpu;
	if (ts != task->last_ts)
		task->before_ts = task->last_ts;
	task->last_ts = ts;
	return task;
}

struct graph_task *graph_task_find(struct graph_state *state, const struct graph_task_id *id,
				   uint64_t ts)
{
	struct graph_task *task = graph_task_look_up(state, id, ts);

	return task && !graph_task_is_idle(task) ? task : NULL;
}

uint64_t graph_state_oldest(const struct graph_state *state)
{
	const struct graph_task *task;
	uint64_t oldest = UINT64_MAX;
	size_t i = 0;

	while ((task = table_next(&state->tasks, &i))) {
		if (!graph_task_is_idle(task) && task->last_ts < oldest)
			oldest = task->last_ts;
	}
	return oldest;
}

void graph_state_forget_task(struct graph_state *state, const struct graph_task_id *id)
{
	struct graph_task *task = table_find(&state->tasks, key_of(id));

	if (task)
		graph_task_forget(task);
}

void graph_state_distrust_migration(struct graph_state *state)
{
	state->no_migration = true;
}

void graph_state_forget(struct graph_state *state, const void *buffer, int cpu)
{
	struct graph_task *task;
	size_t i = 0;

	while ((task = table_next(&state->tasks, &i))) {
		if (task->id.buffer == buffer && (task->id.pid || task->id.cpu == cpu))
			graph_task_forget(task);
	}
}
