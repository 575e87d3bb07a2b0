/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_QUIET_H
#define RECORD_SKB_QUIET_H

#include "compat/ftrace.h"

/*
 * While quiet, preemption is off and function_graph records nothing that this context calls.
 *
 * ftrace's recursion lock lets one level through, for an interrupt that comes before the preempt
 * count says so. Kernel functions that we call would slip through there: take that level too.
 */
struct quiet {
	int outer;
	int inner;
};

/* Return: false if ftrace is being entered again here; then there is nothing to end. */
static __always_inline bool quiet_begin(struct quiet *q, unsigned long ip, unsigned long parent_ip)
{
	q->outer = ftrace_test_recursion_trylock(ip, parent_ip);
	if (q->outer < 0)
		return false;
	q->inner = ftrace_test_recursion_trylock(ip, parent_ip);
	return true;
}

static __always_inline void quiet_end(const struct quiet *q)
{
	if (q->inner >= 0)
		ftrace_test_recursion_unlock(q->inner);
	ftrace_test_recursion_unlock(q->outer);
}

#endif
