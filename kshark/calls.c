// SPDX-License-Identifier: LGPL-2.1
/*
 * calls.c - the functions that are open in each task, so that an exit has what its entry has
 */
#include <stdlib.h>

#include "calls.h"
#include "table.h"

struct task {
	int pid, cpu;
	struct call *v;
	size_t n, room;
};

struct calls {
	struct table tasks;
};

struct calls *calls_new(void)
{
	return calloc(1, sizeof(struct calls));
}

void calls_free(struct calls *calls)
{
	struct task *task;
	size_t i = 0;

	if (!calls)
		return;
	while ((task = table_next(&calls->tasks, &i)))
		free(task->v);
	table_free(&calls->tasks);
	free(calls);
}

static struct task *find(const struct calls *calls, int pid, int cpu)
{
	return table_find(&calls->tasks, table_task_key(pid, cpu, NULL));
}

static struct task *find_or_add(struct calls *calls, int pid, int cpu)
{
	struct task *task = find(calls, pid, cpu);

	if (task)
		return task;
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->pid = pid;
	task->cpu = cpu;
	return table_add(&calls->tasks, table_task_key(pid, cpu, NULL), task);
}

bool calls_enter(struct calls *calls, int pid, int cpu, const struct call *call)
{
	struct task *task = find_or_add(calls, pid, cpu);
	struct call *v;

	if (!task)
		return false;
	if (task->n == task->room) {
		v = realloc(task->v, (task->room * 2 + 16) * sizeof(*v));
		if (!v) {
			task->n = 0;
			return false;
		}
		task->v = v;
		task->room = task->room * 2 + 16;
	}
	task->v[task->n++] = *call;
	return true;
}

bool calls_leave(struct calls *calls, int pid, int cpu, uint64_t func, uint32_t depth,
		 struct call *call)
{
	struct task *task = find(calls, pid, cpu);

	if (!task || !task->n)
		return false;
	*call = task->v[--task->n];
	if (call->func == func && call->depth == depth)
		return true;
	task->n = 0;
	return false;
}

void calls_forget(struct calls *calls, int pid, int cpu)
{
	struct task *task = find(calls, pid, cpu);

	if (task)
		task->n = 0;
}

void calls_loss(struct calls *calls, int cpu)
{
	struct task *task;
	size_t i = 0;

	while ((task = table_next(&calls->tasks, &i))) {
		if (task->pid || task->cpu == cpu)
			task->n = 0;
	}
}
