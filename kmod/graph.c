// SPDX-License-Identifier: GPL-2.0
/* graph.c - what a match, or what does not match, means for the call graph around it */
#include <linux/ftrace.h>

#include "armed.h"
#include "emit.h"
#include "frame.h"
#include "graph.h"
#include "stats.h"
#include "track.h"
#include "view.h"

static enum gate enter(const struct armed *a, enum gate gate, struct frame *frame)
{
	frame->recording = a->of;
	frame->epoch = a->epoch;
	frame->gate = gate;
	if (frame_push(frame))
		return gate;
	stat_inc(&a->of->stats, STAT_LOST_FRAMES);
	return GATE_NONE;
}

/*
 * Keep a call out of the open graph around it. The gate enters the function behind its ftrace
 * site: all that stand there have seen the call.
 */
static enum gate shut(const struct armed *a, const struct point *point, enum frame_state around)
{
	struct frame frame = {
		.state = around == FRAME_ENTERING ? FRAME_HIDING : FRAME_SHUT,
		.target = point->ip + MCOUNT_INSN_SIZE,
		.func = point->ip,
		.fd = -1,
	};

	return enter(a, GATE_SHUT, &frame);
}

/* The graph is open already: it is what the function returns that is wanted. Entered as in shut(). */
static enum gate nested(const struct armed *a, struct frame *frame)
{
	frame->state = FRAME_OPEN;
	frame->target += MCOUNT_INSN_SIZE;
	return enter(a, GATE_RETURN, frame);
}

/*
 * What matches stands at a point.
 * @around: in what
 * @frame: of what, and on which descriptor; the rest is filled in
 * @how: set to how the graph goes on
 */
static enum gate matched(const struct armed *a, const struct point *point, enum frame_state around,
			 struct frame *frame, enum record_skb_how *how)
{
	enum gate gate = GATE_OPEN;

	frame->state = FRAME_ENTERING;
	frame->target = point->ip;
	frame->func = point->ip;
	frame->says_return = point->flags & RECORD_SKB_POINT_RETURN;
	frame->copies = point->copies;
	frame->looking = frame->calling = frame->unpaused = frame->last = frame->again = false;
	frame->arg = 0;
	frame->level = 0;
	*how = RECORD_SKB_HOW_NESTED;
	switch (around) {
	case FRAME_OPEN:
		return frame->says_return || frame->copies ? nested(a, frame) : GATE_NONE;
	case FRAME_SHUT:
		gate = GATE_RESUME;
		break;
	case FRAME_HIDING:
	case FRAME_LIFTING:
		*how = RECORD_SKB_HOW_HIDDEN;
		stat_inc(&a->of->stats, STAT_LOST_FRAMES);
		return GATE_NONE;
	case FRAME_NONE:
	case FRAME_ENTERING:
		*how = RECORD_SKB_HOW_OPEN;
		frame->says_return = true;
		break;
	}
	gate = enter(a, gate, frame);
	if (gate == GATE_NONE)
		*how = RECORD_SKB_HOW_HIDDEN;
	else if (gate == GATE_OPEN)
		stat_inc(&a->of->stats, STAT_GRAPHS);
	return gate;
}

/* With a frame, which is large. */
static noinline enum gate matched_packet(const struct armed *a, const struct view *v,
					 const struct match *m, enum frame_state around)
{
	struct frame frame __attribute__((__uninitialized__));
	enum record_skb_how how;
	enum gate gate;

	frame.skb = v->skb;
	frame.of = *m;
	frame.call = 0;
	frame.fd = -1;
	gate = matched(a, v->point, around, &frame, &how);
	emit_packet(a->of, v, m, how);
	return gate;
}

/**
 * graph_asked() - a packet that matches stands at a point of the open graph whose return value is asked for
 * @a: what is armed
 * @point: where
 * @skb: the packet
 * @m: its numbers
 */
enum gate graph_asked(const struct armed *a, const struct point *point, const struct sk_buff *skb,
		      const struct match *m)
{
	struct frame frame __attribute__((__uninitialized__));
	enum record_skb_how how;

	frame.skb = skb;
	frame.of = *m;
	frame.call = 0;
	frame.fd = -1;
	return matched(a, point, FRAME_OPEN, &frame, &how);
}

/**
 * graph_matched_packet() - a packet that matches stands at a point
 * @a: what is armed
 * @v: the packet, from there
 * @m: its numbers
 */
enum gate graph_matched_packet(const struct armed *a, const struct view *v, const struct match *m)
{
	const enum frame_state around = frame_current(a->epoch);
	const struct point *point = v->point;

	stat_inc(&a->of->stats, STAT_HITS);
	if (around != FRAME_OPEN || point->flags & RECORD_SKB_POINT_RETURN || point->copies)
		return matched_packet(a, v, m, around);
	/* The commonest: the graph goes on, and nobody asks for what the function returns. */
	emit_packet(a->of, v, m, RECORD_SKB_HOW_NESTED);
	return GATE_NONE;
}

/**
 * graph_matched_call() - a call that matches stands at a point
 * @a: what is armed
 * @point: where
 * @sk: the socket, NULL if there is none yet
 * @t: its tuple
 * @flow: the flow's number or 0
 * @fd: the descriptor the call is on, or -1
 */
enum gate graph_matched_call(const struct armed *a, const struct point *point,
			     const struct sock *sk, const struct tuple *t, u32 flow, int fd)
{
	struct frame frame __attribute__((__uninitialized__));
	enum record_skb_how how;
	enum gate gate;

	frame.skb = NULL;
	frame.of = (struct match){ .flow = flow };
	frame.call = stat_number(&a->of->stats, STAT_CALLS);
	frame.fd = fd;
	gate = matched(a, point, frame_current(a->epoch), &frame, &how);
	emit_call(a->of, point, frame.call, sk, t, flow, how);
	return gate;
}

/**
 * graph_unrelated() - what does not match stands at a point: it stays out of an open graph
 * @a: what is armed
 * @point: where
 * @object: the skb or sock
 */
enum gate graph_unrelated(const struct armed *a, const struct point *point, const void *object)
{
	const enum frame_state around = frame_current(a->epoch);

	if (around != FRAME_OPEN && around != FRAME_ENTERING)
		return GATE_NONE;
	emit_other(a->of, point->ip, object);
	stat_inc(&a->of->stats, STAT_UNRELATED);
	return point->flags & RECORD_SKB_POINT_CARRIER ? GATE_NONE : shut(a, point, around);
}

/* What an interrupt brings into an open graph is not the graph's, but for the matches in it. */
enum gate graph_interrupted(const struct armed *a, const struct point *point)
{
	if (a->options.flags & RECORD_SKB_OPT_IRQS || frame_current(a->epoch) != FRAME_OPEN)
		return GATE_NONE;
	return shut(a, point, FRAME_OPEN);
}

/* Of a frame that does nothing to the graph: inside it things are as they were. */
static enum frame_state unchanged(const struct armed *a)
{
	const enum frame_state around = frame_current(a->epoch);

	return around == FRAME_ENTERING ? FRAME_NONE : around;
}

/**
 * graph_maker() - a function is to make copies of a packet that matched
 * @a: what is armed
 * @point: the function's
 * @skb: the packet
 * @m: its numbers
 *
 * Nothing of the graph changes; what the function returns is wanted.
 */
enum gate graph_maker(const struct armed *a, const struct point *point, const struct sk_buff *skb,
		      const struct match *m)
{
	struct frame frame = {
		.state = unchanged(a),
		.target = point->ip + MCOUNT_INSN_SIZE,
		.func = point->ip,
		.copies = point->copies,
		.skb = skb,
		.of = *m,
		.fd = -1,
	};

	return enter(a, GATE_RETURN, &frame);
}

/* Some packets of a list match: it is handed over in pieces. */
enum gate graph_split(const struct armed *a, const struct point *point)
{
	struct frame frame = {
		.state = unchanged(a),
		.target = point->ip,
		.func = point->ip,
		.fd = -1,
		.arg = point->arg,
	};

	return enter(a, GATE_LIST, &frame);
}
