// SPDX-License-Identifier: LGPL-2.1
/*
 * calls.c - the functions that are open in each task, so that an exit has what its entry has
 */
#include <stdlib.h>

#include "calls.h"

#define CHAINS 1024

struct task {
	struct task *next;
	int pid, cpu;
	struct call *v;
	size_t n, room;
};

struct calls {
	struct task *chains[CHAINS];
};

struct calls *calls_new(void)
{
	return calloc(1, sizeof(struct calls));
}

void calls_free(struct calls *calls)
{
	struct task *task;
	int i;

	for (i = 0; calls && i < CHAINS; i++) {
		while ((task = calls->chains[i])) {
			calls->chains[i] = task->next;
			free(task->v);
			free(task);
		}
	}
	free(calls);
}

static struct task **find(struct calls *calls, int pid, int cpu)
{
	struct task **task = &calls->chains[(unsigned int)(pid ? pid : cpu) % CHAINS];

	while (*task && ((*task)->pid != pid || (!pid && (*task)->cpu != cpu)))
		task = &(*task)->next;
	return task;
}

static struct task *find_or_add(struct calls *calls, int pid, int cpu)
{
	struct task **task = find(calls, pid, cpu);

	if (!*task) {
		*task = calloc(1, sizeof(**task));
		if (!*task)
			return NULL;
		(*task)->pid = pid;
		(*task)->cpu = cpu;
	}
	return *task;
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
	struct task *task = *find(calls, pid, cpu);

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
	struct task *task = *find(calls, pid, cpu);

	if (task)
		task->n = 0;
}

void calls_loss(struct calls *calls, int cpu)
{
	struct task *task;
	int i;

	for (i = 0; i < CHAINS; i++) {
		for (task = calls->chains[i]; task; task = task->next) {
			if (task->pid || task->cpu == cpu)
				task->n = 0;
		}
	}
}
