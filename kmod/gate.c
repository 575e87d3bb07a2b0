// SPDX-License-Identifier: GPL-2.0
/*
 * gate.c - the gates: functions that are called in place of a probed function
 *
 * function_graph records only calls below record_skb_gate(). The gate is entered in place of a probed
 * function. The registers contain the arguments of the probed function, and the return address on the stack
 * is that of its caller. The gate calls the probed function and returns its return value.
 *
 * This is the only file of the module that is compiled for ftrace, so that ftrace can trace the gates. All
 * functions that leave a gate are notrace: they must not appear in the graph.
 */
#include <linux/compiler.h>
#include <linux/preempt.h>

#include "gate_stack.h"
#include "gate.h"
#include "active_config.h"
#include "bpf_programs.h"
#include "socket_calls.h"
#include "compat/trace_recursion.h"
#include "skb_copies.h"
#include "trace_emit.h"
#include "graph_pause.h"
#include "probes.h"
#include "recursion_guard.h"
#include "ring_trigger.h"
#include "xdp_programs.h"

noinline unsigned long record_skb_gate(unsigned long a0, unsigned long a1, unsigned long a2,
				       unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call());

	gate_leave_graph(ret);
	return ret;
}

/*
 * Each recording that runs at the same time as others has its own gate, and its function_graph records only
 * calls below this gate. The asm statement keeps the compiler from merging the gates into one function.
 */
#define GATE(n)                                                                           \
	noinline unsigned long record_skb_gate_##n(unsigned long a0, unsigned long a1,    \
						   unsigned long a2, unsigned long a3,    \
						   unsigned long a4, unsigned long a5)    \
	{                                                                                 \
		unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call()); \
                                                                                          \
		asm volatile("" ::"i"(n));                                                \
		gate_leave_graph(ret);                                                    \
		return ret;                                                               \
	}

/* A gate that hides calls from the graph of one recording. The graphs of other recordings continue. */
#define HIDE(n)                                                                           \
	noinline unsigned long record_skb_hide_##n(unsigned long a0, unsigned long a1,    \
						   unsigned long a2, unsigned long a3,    \
						   unsigned long a4, unsigned long a5)    \
	{                                                                                 \
		unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call()); \
                                                                                          \
		asm volatile("" ::"i"(n));                                                \
		gate_leave(ret);                                                          \
		return ret;                                                               \
	}

GATE(1)
GATE(2)
GATE(3)
GATE(4)
HIDE(1)
HIDE(2)
HIDE(3)
HIDE(4)

/*
 * An empty filter of ftrace stands for all functions. Therefore probe_hooks.c adds this function to its
 * filters. No code calls it.
 */
noinline void record_skb_anchor(void)
{
	barrier();
}

/* function_graph.c attaches to this function. No code calls it. */
noinline void record_skb_nothing(void)
{
	barrier();
}

static void notrace emit_gate_return(const struct gate_frame *frame, unsigned long ret)
{
	/* Preemption is off, so the active configuration stays valid until this function returns. */
	const struct recording *r = frame->recording;
	const struct active_config *a = recording_armed(r);

	if (frame->report_return)
		emit_return(r, frame->func, frame->skb, &frame->packet, frame->call, ret,
			    &frame->socket);
	if (frame->copies == POINT_RUNS_XDP)
		xdp_programs_ran(r, frame, ret);
	else if (frame->copies >= POINT_REFUSES_CGROUP)
		bpf_programs_refused(r, frame, ret);
	else if (frame->copies)
		skb_copies_made(r, frame->skb, &frame->packet, frame->copies - 1, frame->func, ret);
	if (a && frame->fd >= 0)
		call_left(a, frame->fd);
	if (frame->last)
		trigger_graph_closed();
}

/* Return: true if the gate only has to report the return value, inside an open graph. */
static bool notrace is_plain(const struct gate_frame *frame)
{
	return recording_has(frame->recording, frame->epoch) && frame->state == FRAME_OPEN &&
	       frame->report_return && !frame->copies && frame->fd < 0;
}

/*
 * Fast path of emit_gate_return() for a gate for which is_plain() is true. A recursion guard is not needed,
 * because interrupts are off and none of the functions called here is a probe point.
 */
static void notrace left_plain(const struct gate_frame *frame, unsigned long ret)
{
	const struct graph_hidden hidden = graph_hide();

	emit_return(frame->recording, frame->func, frame->skb, &frame->packet, frame->call, ret,
		    &frame->socket);
	if (frame->last)
		trigger_graph_closed();
	graph_show(&hidden);
}

/*
 * Call emit_gate_return() while the graph is hidden, because kernel functions that emit_gate_return() calls
 * must not appear in an open graph.
 */
static noinline void notrace left_quietly(const struct gate_frame *frame, unsigned long ret)
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
void notrace gate_leave(unsigned long ret)
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
void notrace gate_leave_graph(unsigned long ret)
{
	gate_leave(ret);
	if (COMPAT_GRAPH_REMEMBERS &&
	    gate_stack_current(READ_ONCE(recording_alone()->epoch)) == FRAME_NONE)
		compat_graph_forget();
}
