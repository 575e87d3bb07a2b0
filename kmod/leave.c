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

/* Whether no more is asked for than what the function returns. */
static bool is_plain(const struct frame *frame)
{
	return recording_has(frame->recording, frame->epoch) && frame->state == FRAME_OPEN &&
	       frame->says_return && !frame->copies && frame->fd < 0;
}

/* left() of such a one. As in again.h, nothing is called that is a point. */
static void left_plain(const struct frame *frame, unsigned long ret)
{
	const struct graph_hidden hidden = graph_hide();

	emit_return(frame->recording, frame->func, frame->skb, &frame->of, frame->call, ret);
	if (frame->last)
		trigger_graph_closed();
	graph_show(&hidden);
}

/* Kernel functions called from here must not show in a graph that is still open. */
static noinline void left_quietly(const struct frame *frame, unsigned long ret)
{
	struct quiet quiet;

	if (!quiet_begin(&quiet, (unsigned long)leave, 0, frame_around(frame))) {
		recording_lost(frame->recording, frame->epoch);
		return;
	}
	if (recording_has(frame->recording, frame->epoch))
		left(frame, ret);
	quiet_end(&quiet);
}

/**
 * leave() - the current context leaves its innermost gate
 * @ret: what the function returned
 */
void leave(unsigned long ret)
{
	const struct frame *frame = frame_top();

	/* What is armed stays until we are through. */
	preempt_disable_notrace();
	if (likely(is_plain(frame)))
		left_plain(frame, ret);
	else
		left_quietly(frame, ret);

	/* As late as can be: until then what an interrupt brings is kept out of the graph. */
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
	if (COMPAT_GRAPH_REMEMBERS &&
	    frame_current(READ_ONCE(recording_alone()->epoch)) == FRAME_NONE)
		compat_graph_forget();
}
