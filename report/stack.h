/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_STACK_H
#define _REPORT_SKB_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "names.h"
#include "table.h"
#include "waits.h"

#define STACK_DEPTH 128

/**
 * struct open_function - entered and not left
 * @name: which
 * @depth: how deep
 * @pkt: whose; see struct function
 * @copy: likewise
 * @point: likewise
 * @starts: likewise
 * @entered: when, in ns
 * @below: time spent in functions below it that have been left, as it was recorded
 * @shown: the same as it is shown: without what recording them cost, if that is wanted
 * @calls: how many they are
 * @waited_below: what its task did not work in them
 */
struct open_function {
	const struct name *name;
	int depth;
	uint32_t pkt;
	uint32_t copy;
	bool point;
	bool starts;
	uint64_t entered, below, shown;
	unsigned int calls;
	struct waited waited_below;
};

/* The open functions of one task; for pid 0 of one CPU's. */
struct stack {
	int pid, cpu;
	int n;
	struct open_function v[STACK_DEPTH];
};

/* The stacks of all tasks: table_next() gives one after the other, table_free() frees them. */
void stacks_init(struct table *stacks);

/*
 * The task's, made if @make is set: then others that are empty may go. NULL if there is none, or no
 * memory.
 */
struct stack *stacks_find(struct table *stacks, int pid, int cpu, bool make);

#endif
