// SPDX-License-Identifier: GPL-2.0
/* function_stack.c - the open functions of each task */
#include <stdlib.h>

#include "model/function_stack.h"

/*
 * Return: true if the stack is empty, so that it can be removed. In a long recording, tasks that have ended
 * would otherwise leave many empty stacks.
 */
static bool is_empty(const void *thing)
{
	const struct stack *stack = thing;

	return !stack->n;
}

void stacks_init(struct table *stacks)
{
	*stacks = (struct table){ .idle = is_empty };
}

struct stack *stacks_find(struct table *stacks, int pid, int cpu, bool make)
{
	const struct table_key key = table_task_key(pid, cpu, NULL);
	struct stack *stack = table_find(stacks, key);

	if (stack || !make)
		return stack;
	stack = calloc(1, sizeof(*stack));
	if (!stack)
		return NULL;
	stack->pid = pid;
	stack->cpu = cpu;
	return table_add(stacks, key, stack);
}
