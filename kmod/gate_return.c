// SPDX-License-Identifier: GPL-2.0
/* gate_return.c - leave a gate after the probed function has returned */
#include <linux/preempt.h>

#include "active_config.h"
#include "socket_calls.h"
#include "compat/trace_recursion.h"
#include "skb_copies.h"
#include "trace_emit.h"
#include "gate_stack.h"
#include "gate_return.h"
#include "graph_pause.h"
#include "recursion_guard.h"
#include "ring_trigger.h"

static void emit_gate_return(const struct gate_frame *frame, unsigned long ret)
{
	/* Preemption is off, so the active configuration stays valid until this function returns. */
	const struct recording *r = frame->recording;
	const struct active_config *a = recording_armed(r);

	if (frame->report_return)
		emit_return(r, frame->func, frame->skb, &frame->packet, frame->call, ret,
			    frame->sk);
	if (frame->copies)
		skb_copies_made(r, frame->skb, &frame->packet, frame->copies - 1, frame->func, ret);
	if (a && frame->fd >= 0)
		call_left(a, frame->fd);
	if (frame->last)
		trigger_graph_closed();
}

/* Return: true if the gate only has to report the return value, inside an open graph. */
static bool is_plain(const struct gate_frame *frame)
{
	return recording_has(frame->recording, frame->epoch) && frame->state == FRAME_OPEN &&
	       frame->report_return && !frame->copies && frame->fd < 0;
}

/*
 * Fast path of emit_gate_return() for a gate for which is_plain() is true. Interrupts are off, and none of
 * the functions called here is a probe point, as in known_packet_seen().
 */
static void left_plain(const struct gate_frame *frame, unsigned long ret)
{
	const struct graph_hidden hidden = graph_hide();

	emit_return(frame->recording, frame->func, frame->skb, &frame->packet, frame->call, ret,
		    frame->sk);
	if (frame->last)
		trigger_graph_closed();
	graph_show(&hidden);
}

/*
 * Call emit_gate_return() while the graph is hidden, because kernel functions that emit_gate_return() calls
 * must not appear in an open graph.
 */
static noinline void left_quietly(const struct gate_frame *frame, unsigned long ret)
{
	struct recursion_guard quiet;

	if (!recursion_guard_begin(&quiet, (unsigned long)gate_leave, 0,
				   gate_stack_around(frame))) {
		recording_lost(frame->recording, frame->epoch);
		return;
	}
	if (recording_has(frame->recording, frame->epoch))
		emit_gate_return(frame, ret);
	recursion_guard_end(&quiet);
}

/**
 * gate_leave() - leave the innermost gate of the current context
 * @ret: return value of the probed function
 */
void gate_leave(unsigned long ret)
{
	const struct gate_frame *frame = gate_stack_top();

	/* With preemption off, the active configuration stays valid until the gate has been left. */
	preempt_disable_notrace();
	if (likely(is_plain(frame)))
		left_plain(frame, ret);
	else
		left_quietly(frame, ret);

	if (frame->gate == GATE_OPEN)
		gate_stack_count_overrun();
	/*
	 * Pop the frame as late as possible. As long as the frame exists, interrupts are kept out of the
	 * graph.
	 */
	gate_stack_pop(frame->unpaused && graph_pause_is_on());
	preempt_enable_notrace();
}

/**
 * gate_leave_graph() - leave the innermost gate, which has opened the graph
 * @ret: return value of the probed function
 *
 * function_graph normally closes the graph when the gate returns. This function closes the graph if
 * function_graph would not: if the tracer has ended in the meantime, or if the CPU is excluded from
 * tracing. If this gate runs in an interrupt and another gate is around it, the graph of the outer gate
 * stays open.
 */
void gate_leave_graph(unsigned long ret)
{
	gate_leave(ret);
	if (COMPAT_GRAPH_REMEMBERS &&
	    gate_stack_current(READ_ONCE(recording_alone()->epoch)) == FRAME_NONE)
		compat_graph_forget();
}
