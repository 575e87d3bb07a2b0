// SPDX-License-Identifier: LGPL-2.1
/*
 * call_stack.c - the open function calls of one task
 */
#include "call_stack.h"
#include "grow_array.h"

void call_stack_push(struct call_stack *stack, const struct open_call *call)
{
	if (grow_array(&stack->v, stack->n, &stack->capacity, sizeof(*stack->v)))
		stack->v[stack->n++] = *call;
	else
		stack->n = 0;
}

const struct open_call *call_stack_pop(struct call_stack *stack, uint64_t func, uint32_t depth)
{
	const struct open_call *call;

	if (!stack->n)
		return NULL;
	call = &stack->v[--stack->n];
	if (call->func == func && call->depth == depth)
		return call;
	stack->n = 0;
	return NULL;
}

void call_stack_clear(struct call_stack *stack)
{
	stack->n = 0;
}

void call_stack_free(struct call_stack *stack)
{
	free(stack->v);
	*stack = (struct call_stack){ NULL };
}
