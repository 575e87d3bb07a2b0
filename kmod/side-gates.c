// SPDX-License-Identifier: GPL-2.0
/*
 * side-gates.c - gates that do not show: what is in an open graph and is not the packet's
 *
 * A stranger inside an open graph goes through gate_shut(), which pauses function_graph for this
 * task, so that the stranger's own line is a leaf and nothing below it is recorded. A match
 * inside a stranger (an ARP reply sends the packet that waited for it) goes through
 * gate_resume(), which ends the pause for as long.
 *
 * The pause is the task's own (tracing_graph_pause), and the kernel resets it to 0 when a tracer
 * starts; it must never become negative, for then nothing of the task would ever be recorded
 * again.
 */
#include <linux/ftrace.h>
#include <linux/sched.h>

#include "frame.h"
#include "gate.h"
#include "list.h"

static bool graph_resume(void)
{
	return atomic_dec_if_positive(&current->tracing_graph_pause) >= 0;
}

noinline unsigned long gate_shut(unsigned long a0, unsigned long a1, unsigned long a2,
				 unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long ret;

	pause_graph_tracing();
	ret = gate_call(a0, a1, a2, a3, a4, a5, frame_enter());
	graph_resume();
	frame_pop();
	return ret;
}

noinline unsigned long gate_resume(unsigned long a0, unsigned long a1, unsigned long a2,
				   unsigned long a3, unsigned long a4, unsigned long a5)
{
	bool resumed = graph_resume();
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, frame_enter());

	if (resumed)
		pause_graph_tracing();
	frame_pop();
	return ret;
}

/* A list of packets, some of which match: in pieces. */
noinline unsigned long gate_list(unsigned long a0, unsigned long a1, unsigned long a2,
				 unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long args[] = { a0, a1, a2, a3, a4, a5 };
	const struct frame *frame = frame_top();
	struct list_head *head = (struct list_head *)args[frame->arg];
	unsigned long ret = 0;
	LIST_HEAD(rest);

	list_splice_init(head, &rest);
	while (!list_empty(&rest)) {
		LIST_HEAD(piece);
		gate_fn *gate = list_next_piece(frame, &rest, &piece);

		args[frame->arg] = (unsigned long)&piece;
		ret = gate ? gate(args[0], args[1], args[2], args[3], args[4], args[5]) :
			     gate_call(args[0], args[1], args[2], args[3], args[4], args[5],
				       frame->target);
	}
	frame_pop();
	return ret;
}

/* No gate is compiled to more than this. */
#define GATE_SIZE	1024

static unsigned long gates_start;
static unsigned long gates_size;

/* Find out where the gates lie. */
void gate_init(void)
{
	gate_fn * const gates[] = { record_skb_gate, gate_shut, gate_resume, gate_list };
	unsigned long end = 0;
	int i;

	gates_start = ULONG_MAX;
	for (i = 0; i < ARRAY_SIZE(gates); i++) {
		gates_start = min(gates_start, (unsigned long)gates[i]);
		end = max(end, (unsigned long)gates[i]);
	}
	gates_size = end - gates_start + GATE_SIZE;
}

/**
 * gate_is_caller() - whether a call comes from a gate
 * @ip: the call's return address
 *
 * What else of the module lies among the gates calls no probe point.
 */
bool gate_is_caller(unsigned long ip)
{
	return ip - gates_start < gates_size;
}
