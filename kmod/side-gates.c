// SPDX-License-Identifier: GPL-2.0
/*
 * side-gates.c - gates that do not show: what is in an open graph and is not the packet's
 *
 * An unrelated packet inside an open graph goes through gate_shut(), which pauses function_graph
 * for this task, so that its own line is a leaf and nothing below it is recorded. A match inside
 * it (an ARP reply sends the packet that waited for it) goes through gate_resume(), which ends the
 * pause for as long. gate_return() is for what is in the graph already.
 */
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/sched.h>

#include "frame.h"
#include "leave.h"
#include "packets.h"
#include "pause.h"
#include "share.h"
#include "side-gates.h"

/* What TRACE_GRAPH_DEPTH_START_BIT and _END_BIT of the kernel can hold. */
#define KEPT_DEPTH 3

static noinline unsigned long gate_shut(unsigned long a0, unsigned long a1, unsigned long a2,
					unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long ret;

	graph_pause();
	ret = gate_call(a0, a1, a2, a3, a4, a5, frame_call());
	graph_resume();
	frame_pop(false);
	return ret;
}

static noinline unsigned long gate_resume(unsigned long a0, unsigned long a1, unsigned long a2,
					  unsigned long a3, unsigned long a4, unsigned long a5)
{
	bool resumed = graph_resume();
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, frame_call());

	if (resumed)
		graph_pause();
	leave(ret);
	return ret;
}

static noinline unsigned long gate_return(unsigned long a0, unsigned long a1, unsigned long a2,
					  unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, frame_call());

	leave(ret);
	return ret;
}

/* What all of them pause is lifted, for what one of them records. */
static noinline unsigned long gate_lift(unsigned long a0, unsigned long a1, unsigned long a2,
					unsigned long a3, unsigned long a4, unsigned long a5)
{
	const bool again = graph_resume() && frame_top()->again;
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, frame_call());

	if (again)
		graph_pause();
	frame_pop(false);
	return ret;
}

static gate_fn *next_piece(const struct frame *frame, struct list_head *rest,
			   struct list_head *piece)
{
	if (recordings_share())
		return share_next_piece(frame, rest, piece);
	return gate_function(packets_next_piece(frame, rest, piece));
}

/* A list of packets, some of which match: in pieces. */
static noinline unsigned long gate_list(unsigned long a0, unsigned long a1, unsigned long a2,
					unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long args[] = { a0, a1, a2, a3, a4, a5 };
	const struct frame *frame = frame_top();
	struct list_head *head = (struct list_head *)args[frame->arg];
	unsigned long ret = 0;
	LIST_HEAD(rest);
	LIST_HEAD(left);

	list_splice_init(head, &rest);
	while (!list_empty(&rest)) {
		LIST_HEAD(piece);
		gate_fn *gate = next_piece(frame, &rest, &piece);

		args[frame->arg] = (unsigned long)&piece;
		ret = gate ? gate(args[0], args[1], args[2], args[3], args[4], args[5]) :
			     gate_call(args[0], args[1], args[2], args[3], args[4], args[5],
				       frame_call());
		/* What the function does not take stays its caller's. */
		list_splice_tail(&piece, &left);
	}
	list_splice(&left, head);
	frame_pop(false);
	return ret;
}

/* The function that is the gate of the recording that is alone; NULL for none. */
gate_fn *gate_function(enum gate gate)
{
	static gate_fn *const functions[] = {
		[GATE_OPEN] = record_skb_gate, [GATE_SHUT] = gate_shut, [GATE_RESUME] = gate_resume,
		[GATE_RETURN] = gate_return,   [GATE_LIST] = gate_list, [GATE_LIFT] = gate_lift,
	};

	return functions[gate];
}

static gate_fn *const open_gates[] = {
	record_skb_gate, record_skb_gate_1, record_skb_gate_2, record_skb_gate_3, record_skb_gate_4,
};
static gate_fn *const hide_gates[] = {
	NULL, record_skb_hide_1, record_skb_hide_2, record_skb_hide_3, record_skb_hide_4,
};

static noinline unsigned long nothing(void)
{
	return 0;
}

/*
 * The graph of a recording is closed. The kernel keeps two bits of the depth at which an instance's graph
 * has begun, and ends it by the return at that depth: mostly that is 0, or an interrupt's. In the graph of
 * another recording ours begins deeper, and would not end: what the task does next would be in it. So
 * something returns at the depth that the kernel is waiting for; it is hidden.
 */
static void end_deep_graph(struct recording *r, u32 epoch)
{
	const struct frame frame = {
		.gate = GATE_HIDE,
		.recording = r,
		.state = FRAME_HIDING,
		.target = (unsigned long)nothing,
		.epoch = epoch,
		.fd = -1,
	};
	const int depth = current->curr_ret_depth;
	unsigned long flags;

	if (depth + 1 <= KEPT_DEPTH)
		return;
	local_irq_save(flags);
	if (frame_push(&frame)) {
		current->curr_ret_depth = ((depth + 1) & KEPT_DEPTH) - 1;
		hide_gates[r->number](0, 0, 0, 0, 0, 0);
		current->curr_ret_depth = depth;
	} else {
		stat_inc(&r->stats, STAT_LOST_FRAMES);
	}
	local_irq_restore(flags);
}

/* In front of a gate that opens a graph, maybe within another recording's. */
static noinline unsigned long gate_among_others(unsigned long a0, unsigned long a1,
						unsigned long a2, unsigned long a3,
						unsigned long a4, unsigned long a5)
{
	struct recording *r = frame_top()->recording;
	const u32 epoch = frame_top()->epoch;
	const unsigned long gate = (unsigned long)open_gates[r->number];
	const unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate);

	end_deep_graph(r, epoch);
	return ret;
}

/* And that of one that shares. */
gate_fn *gate_entry(const struct frame *frame)
{
	switch (frame->gate) {
	case GATE_OPEN:
		return gate_among_others;
	case GATE_HIDE:
		return hide_gates[frame->recording->number];
	default:
		return gate_function(frame->gate);
	}
}
