/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_RET_STACK_H
#define RECORD_SKB_COMPAT_RET_STACK_H

#include <linux/ftrace.h>
#include <linux/sched.h>
#include <linux/version.h>

/*
 * The functions of the current task whose return function_graph waits for. Up to 6.10 they are an array, and
 * curr_ret_stack is the last one's index; from 6.11 on (42675b723b48, "function_graph: Convert ret_stack to
 * a series of longs") they are words, and it is where the next one comes. Goes when 6.1 does.
 */

/* Where the next one comes. */
static inline int compat_ret_stack_next(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
	return READ_ONCE(current->curr_ret_stack) + 1;
#else
	return READ_ONCE(current->curr_ret_stack);
#endif
}

/* Whether it is the function from @func on that stands at @at. */
static inline bool compat_ret_stack_has(int at, unsigned long func)
{
	const struct ftrace_ret_stack *entry;

	if (!current->ret_stack || at < 0 || at >= compat_ret_stack_next())
		return false;
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
	entry = &current->ret_stack[at];
#else
	entry = (const struct ftrace_ret_stack *)&current->ret_stack[at];
#endif
	/* ftrace's name of it is within the first instructions. */
	return entry->func - func < MCOUNT_INSN_SIZE;
}

#endif
