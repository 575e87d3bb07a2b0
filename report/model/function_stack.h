/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_FUNCTION_STACK_H
#define _RECORD_SKB_FUNCTION_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/function_names.h"
#include "hash_table.h"
#include "model/sched_waits.h"

#define STACK_DEPTH 128

/**
 * struct open_function - a function that was entered and has not returned
 * @name: name of the function
 * @depth: depth in the call graph
 * @pkt: as in struct function
 * @copy: as in struct function
 * @point: as in struct function
 * @starts: as in struct function
 * @entered: time of the entry, in ns
 * @below: total recorded duration of the nested functions that have returned, in ns
 * @waited_below: the part of @below in which the task was not running
 */
struct open_function {
	const struct name *name;
	int depth;
	uint32_t pkt;
	uint32_t copy;
	bool point;
	bool starts;
	uint64_t entered, below;
	struct waited waited_below;
};

/*
 * The open functions of a task. PID 0 has a stack for each CPU, because each CPU has an idle task with the
 * PID 0.
 */
struct stack {
	int pid, cpu;
	int n;
	struct open_function v[STACK_DEPTH];
};

/*
 * Initialize the table with the stacks of all tasks. Use table_next() to visit the stacks, and table_free()
 * to free the table.
 */
void stacks_init(struct table *stacks);

/*
 * Find the stack of a task. If the task has no stack and @make is true, create a stack. Creating a stack may
 * remove empty stacks of other tasks.
 *
 * Return: the stack; NULL if the task has no stack, or if there is not enough memory.
 */
struct stack *stacks_find(struct table *stacks, int pid, int cpu, bool make);

#endif
