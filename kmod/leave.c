// SPDX-License-Identifier: GPL-2.0
/* leave.c - a function returns to the gate that stands in for it */
#include <linux/preempt.h>

#include "armed.h"
#include "calls.h"
#include "compat/trace_recursion.h"
#include "copies.h"
#include "emit.h"
#include "frame.h"
#include "leave.h"
#include "pause-all.h"
#include "quiet.h"
#include "trigger.h"

static void left(const struct frame *frame, unsigned long ret)
{
	/* Preemption is off: what is armed stays until we are through. */
	const struct recording *r = frame->recording;
	const struct armed *a = recording_armed(r);

	if (frame->says_return)
		emit_return(r, frame->func, frame->skb, &frame->of, frame->call, ret);
	if (frame->copies)
		copies_made(r, frame->skb, &frame->of, frame->copies - 1, frame->func, ret);
	if (a && frame->fd >= 0)
		call_left(a, frame->fd);
	if (frame->last)
		trigger_graph_closed();
}

/**
 * leave() - the current context leaves its innermost gate
 * @ret: what the function returned
 */
void leave(unsigned long ret)
{
	const struct frame *frame = frame_top();
	struct quiet quiet;
	/* Kernel functions called from here must not show in a graph that is still open. */
	bool is_quiet = quiet_begin(&quiet, (unsigned long)leave, 0, frame_around(frame));

	if (is_quiet && recording_has(frame->recording, frame->epoch))
		left(frame, ret);
	if (is_quiet)
		quiet_end(&quiet);

	/* As late as can be: until then what an interrupt brings is kept out of the graph. */
	preempt_disable_notrace();
	frame_pop(frame->unpaused && pause_all_is_on());
	preempt_enable_notrace();
}

/**
 * leave_graph() - leave() for the gate that opened the graph
 * @ret: what the function returned
 *
 * function_graph forgets the graph as the gate returns, if it has taken it: not where the tracer has ended
 * meanwhile, nor on a CPU that is not to be recorded. A gate around this one, which an interrupt has come
 * into on its way in, has its graph open still.
 */
void leave_graph(unsigned long ret)
{
	leave(ret);
	if (!frame_innermost())
		compat_graph_forget();
}
