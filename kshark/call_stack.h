/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * call_stack.h - the open function calls of one task
 *
 * An exit row gets its label from the entry row of the same call.
 */
#ifndef _RECORD_SKB_KSHARK_CALL_STACK_H
#define _RECORD_SKB_KSHARK_CALL_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct open_call - an entry of a function that has not returned yet
 * @func: address of the function
 * @depth: depth in the call graph
 * @label: number of the row's label, 0 for none
 * @packet: number of the packet that the row belongs to, 0 for none
 */
struct open_call {
	uint64_t func;
	uint32_t depth;
	uint32_t label;
	uint32_t packet;
};

/**
 * struct call_stack - the open calls of one task; all zeroes is an empty stack
 * @v: outermost call first
 * @n: number of open calls
 * @capacity: allocated entries
 */
struct call_stack {
	struct open_call *v;
	size_t n, capacity;
};

/* Push an entry. If there is not enough memory, the stack is cleared. */
void call_stack_push(struct call_stack *stack, const struct open_call *call);

/**
 * call_stack_pop - find the entry for a function exit and remove it
 * @stack: open calls of the task
 * @func: address of the function
 * @depth: depth of the exit
 *
 * Return: the entry, valid until the next push. If no entry matches, the function clears the stack and
 * returns NULL.
 */
const struct open_call *call_stack_pop(struct call_stack *stack, uint64_t func, uint32_t depth);

/* Remove all entries. Call this before the rows of another task are read. */
void call_stack_clear(struct call_stack *stack);

void call_stack_free(struct call_stack *stack);

#endif /* _RECORD_SKB_KSHARK_CALL_STACK_H */
