// SPDX-License-Identifier: GPL-2.0
/* stack.c - the open functions of each task */
#include <stdlib.h>

#include "stack.h"

/* A power of two. */
#ifndef FIRST_SLOTS
#define FIRST_SLOTS 64
#endif

struct stacks {
	struct stack **slots; /* open addressing by task */
	size_t nr_slots, nr;
};

struct stacks *stacks_new(void)
{
	struct stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	stacks->nr_slots = FIRST_SLOTS;
	stacks->slots = calloc(stacks->nr_slots, sizeof(*stacks->slots));
	if (!stacks->slots) {
		free(stacks);
		return NULL;
	}
	return stacks;
}

void stacks_free(struct stacks *stacks)
{
	if (!stacks)
		return;
	for (size_t i = 0; i < stacks->nr_slots; i++)
		free(stacks->slots[i]);
	free(stacks->slots);
	free(stacks);
}

static struct stack **find_slot(struct stack **slots, size_t nr, int pid, int cpu)
{
	uint64_t key = pid ? (uint32_t)pid : 1ull << 32 | (uint32_t)cpu;
	size_t i = (key * 0x9e3779b97f4a7c15ull >> 32) & (nr - 1);

	while (slots[i] && (slots[i]->pid != pid || (!pid && slots[i]->cpu != cpu)))
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

/* Tasks come and go: an empty stack is as none. */
static int make_room(struct stacks *stacks)
{
	struct stack **slots;
	size_t used = 0, nr;

	for (size_t i = 0; i < stacks->nr_slots; i++)
		used += stacks->slots[i] && stacks->slots[i]->n;
	nr = used * 4 >= stacks->nr_slots ? stacks->nr_slots * 2 : stacks->nr_slots;
	slots = calloc(nr, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < stacks->nr_slots; i++) {
		struct stack *stack = stacks->slots[i];

		if (stack && stack->n)
			*find_slot(slots, nr, stack->pid, stack->cpu) = stack;
		else
			free(stack);
	}
	free(stacks->slots);
	stacks->slots = slots;
	stacks->nr_slots = nr;
	stacks->nr = used;
	return 0;
}

struct stack *stacks_find(struct stacks *stacks, int pid, int cpu, bool make)
{
	struct stack *stack = *find_slot(stacks->slots, stacks->nr_slots, pid, cpu);

	if (stack || !make)
		return stack;
	if (stacks->nr * 2 >= stacks->nr_slots && make_room(stacks))
		return NULL;
	stack = calloc(1, sizeof(*stack));
	if (!stack)
		return NULL;
	stack->pid = pid;
	stack->cpu = cpu;
	*find_slot(stacks->slots, stacks->nr_slots, pid, cpu) = stack;
	stacks->nr++;
	return stack;
}

struct stack *stacks_next(struct stacks *stacks, size_t *i)
{
	while (*i < stacks->nr_slots) {
		struct stack *stack = stacks->slots[(*i)++];

		if (stack)
			return stack;
	}
	return NULL;
}
