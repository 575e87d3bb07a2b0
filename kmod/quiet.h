/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_QUIET_H
#define RECORD_SKB_QUIET_H

#include <linux/trace_recursion.h>

#include "frame.h"
#include "pause.h"

/*
 * While quiet, preemption is off and nothing that is called from here shows in an open graph.
 *
 * Of ftrace's recursion lock one level is held. The other is for the callbacks of others, who stand at
 * functions that we call: a live patch that did not get it would be passed by. So it takes a pause of
 * the graph to keep such functions out of it. While that lasts, no interrupt may come whose packets
 * would be left out as well.
 */
struct quiet {
	int level;
	bool paused;
	struct graph_hidden hidden;
};

/*
 * @around: what the gate around means, of what is armed
 *
 * Return: false if something that we called has led here again; then there is nothing to end.
 */
static __always_inline bool quiet_begin(struct quiet *q, unsigned long ip, unsigned long parent_ip,
					enum frame_state around)
{
	q->level = ftrace_test_recursion_trylock(ip, parent_ip);
	if (q->level < 0)
		return false;
	/* The second level: a tracer's callback is under way in this context, mostly our own. */
	if (q->level == TRACE_FTRACE_TRANSITION_BIT) {
		ftrace_test_recursion_unlock(q->level);
		return false;
	}
	q->paused = around == FRAME_OPEN;
	if (q->paused)
		q->hidden = graph_hide();
	return true;
}

static __always_inline void quiet_end(const struct quiet *q)
{
	if (q->paused)
		graph_show(&q->hidden);
	ftrace_test_recursion_unlock(q->level);
}

#endif
