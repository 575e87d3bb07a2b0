/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_RECURSION_GUARD_H
#define RECORD_SKB_RECURSION_GUARD_H

#include <linux/trace_recursion.h>

#include "gate_stack.h"
#include "task_pause.h"

/*
 * struct recursion_guard - the state between recursion_guard_begin() and recursion_guard_end()
 *
 * Between these two calls, preemption is off, and functions that are called do not appear in an open graph.
 *
 * ftrace's recursion lock has two levels, and the guard holds the first one. Functions that the module calls
 * may have other ftrace users, such as a live patch. The callback of such a user needs the second level. If
 * the guard held both levels, these functions would run without the live patch.
 *
 * Because function_graph can use the second level too, the graph has to be paused to hide these functions.
 * Interrupts are off during the pause, because packets that an interrupt handles would be hidden as well.
 */
struct recursion_guard {
	int level;
	bool paused;
	struct graph_hidden hidden;
};

/*
 * Enter the guarded section. @around: state of the call graph around the call
 *
 * Return: false if the call comes from a function that the module itself called; then recursion_guard_end()
 * must not be called.
 */
static __always_inline bool recursion_guard_begin(struct recursion_guard *q, unsigned long ip,
						  unsigned long parent_ip, enum frame_state around)
{
	q->level = ftrace_test_recursion_trylock(ip, parent_ip);
	if (q->level < 0)
		return false;
	/*
	 * The first level is in use: another ftrace callback, usually of this module, is running in this
	 * context.
	 */
	if (q->level == TRACE_FTRACE_TRANSITION_BIT) {
		ftrace_test_recursion_unlock(q->level);
		return false;
	}
	q->paused = around == FRAME_OPEN;
	if (q->paused)
		q->hidden = graph_hide();
	return true;
}

static __always_inline void recursion_guard_end(const struct recursion_guard *q)
{
	if (q->paused)
		graph_show(&q->hidden);
	ftrace_test_recursion_unlock(q->level);
}

#endif
