// SPDX-License-Identifier: GPL-2.0
/*
 * gate_choice.c - choose the gate for a packet or a list of packets at a probe
 *
 * The choice depends on the packet and on the call graph around the probe.
 *
 * If some packets of a list match, the list is split into pieces, and the probed function is called for
 * each piece in order. Each matching packet is a piece, so that it gets its own graph. The packets between
 * two matching packets are one piece. The probed functions consume their whole list (probe_types.c), so the
 * caller finds an empty list afterwards, as it would without the module.
 */
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/skbuff.h>

#include "active_config.h"
#include "bpf_programs.h"
#include "trace_emit.h"
#include "gate_stack.h"
#include "gate_choice.h"
#include "counters.h"
#include "skb_table.h"
#include "skb_view.h"
#include "match.h"
#include "xdp_programs.h"

static enum gate enter_gate(const struct active_config *a, enum gate gate, struct gate_frame *frame)
{
	frame->recording = a->recording;
	frame->epoch = a->epoch;
	frame->gate = gate;
	if (gate_stack_push(frame))
		return gate;
	stat_inc(&a->recording->stats, STAT_LOST_FRAMES);
	return GATE_NONE;
}

/*
 * Hide an unrelated call from the open graph. The gate enters the function after its ftrace site, because
 * all ftrace users of the function have already seen the call.
 */
static enum gate shut_out_call(const struct active_config *a, const struct point *point,
			       enum frame_state around)
{
	struct gate_frame frame = {
		.state = around == FRAME_ENTERING ? FRAME_HIDING : FRAME_SHUT,
		.target = point->ip + MCOUNT_INSN_SIZE,
		.func = point->ip,
		.fd = -1,
	};

	return enter_gate(a, GATE_SHUT, &frame);
}

/*
 * Choose the gate for a call that is already in an open graph, if only its return value is wanted. The gate
 * enters the function after its ftrace site, so that the call does not appear in the graph twice.
 */
static enum gate choose_nested_gate(const struct active_config *a, struct gate_frame *frame)
{
	frame->state = FRAME_OPEN;
	frame->target += MCOUNT_INSN_SIZE;
	return enter_gate(a, GATE_RETURN, frame);
}

/*
 * Choose the gate for a matching packet or call.
 * @around: state of the call graph inside the innermost gate
 * @frame: frame for the gate stack. The caller has set the packet and the descriptor. The other fields are
 *	filled in here.
 * @how: set to what the call does to the graph, for the event
 */
static enum gate choose_gate(const struct active_config *a, const struct point *point,
			     enum frame_state around, struct gate_frame *frame,
			     enum record_skb_how *how)
{
	enum gate gate = GATE_OPEN;

	frame->state = FRAME_ENTERING;
	frame->target = point->ip;
	frame->func = point->ip;
	frame->report_return = point->flags & RECORD_SKB_POINT_RETURN;
	frame->copies = point->copies;
	frame->in_callback = frame->calling = frame->unpaused = frame->last = frame->again = false;
	frame->arg = 0;
	frame->level = 0;
	*how = RECORD_SKB_HOW_NESTED;
	switch (around) {
	case FRAME_OPEN:
		return frame->report_return || frame->copies ? choose_nested_gate(a, frame) :
							       GATE_NONE;
	case FRAME_SHUT:
		gate = GATE_RESUME;
		break;
	case FRAME_HIDING:
	case FRAME_LIFTING:
		*how = RECORD_SKB_HOW_HIDDEN;
		stat_inc(&a->recording->stats, STAT_LOST_FRAMES);
		return GATE_NONE;
	case FRAME_NONE:
	case FRAME_ENTERING:
		*how = RECORD_SKB_HOW_OPEN;
		frame->report_return = true;
		break;
	}
	gate = enter_gate(a, gate, frame);
	if (gate == GATE_NONE)
		*how = RECORD_SKB_HOW_HIDDEN;
	else if (gate == GATE_OPEN)
		stat_inc(&a->recording->stats, STAT_GRAPHS);
	return gate;
}

/*
 * Do the part of graph_matched_packet() that needs a gate. This is a separate function, because a gate
 * frame takes much stack.
 */
static noinline enum gate matched_packet(const struct active_config *a, const struct skb_view *v,
					 const struct match *m, enum frame_state around)
{
	struct gate_frame frame __attribute__((__uninitialized__));
	enum record_skb_how how;
	enum gate gate;

	frame.skb = v->skb;
	frame.socket.sk = NULL;
	frame.packet = *m;
	frame.call = 0;
	frame.fd = -1;
	gate = choose_gate(a, v->point, around, &frame, &how);
	emit_packet(a->recording, v, m, how);
	return gate;
}

/**
 * graph_asked() - choose the gate for a call in the packet's open graph, if only its return value is wanted
 * @a: the active configuration
 * @point: the probe
 * @skb: the matching packet
 * @m: numbers of the packet
 *
 * Return: the gate.
 */
enum gate graph_asked(const struct active_config *a, const struct point *point,
		      const struct sk_buff *skb, const struct match *m)
{
	struct gate_frame frame __attribute__((__uninitialized__));
	enum record_skb_how how;

	frame.skb = skb;
	frame.socket.sk = NULL;
	frame.packet = *m;
	frame.call = 0;
	frame.fd = -1;
	return choose_gate(a, point, FRAME_OPEN, &frame, &how);
}

/**
 * graph_matched_packet() - emit the event of a matching packet and choose its gate
 * @a: the active configuration
 * @v: the packet at this probe
 * @m: numbers of the packet
 *
 * Return: the gate.
 */
enum gate graph_matched_packet(const struct active_config *a, const struct skb_view *v,
			       const struct match *m)
{
	const enum frame_state around = gate_stack_current(a->epoch);
	const struct point *point = v->point;

	stat_inc(&a->recording->stats, STAT_HITS);
	if (around != FRAME_OPEN || point->flags & RECORD_SKB_POINT_RETURN || point->copies)
		return matched_packet(a, v, m, around);
	/* The most common case: the graph is open, and the return value is not wanted. */
	emit_packet(a->recording, v, m, RECORD_SKB_HOW_NESTED);
	return GATE_NONE;
}

/**
 * graph_matched_call() - emit the event of a matching call and choose its gate
 * @a: the active configuration
 * @point: the probe
 * @sk: the socket, NULL if it does not exist yet
 * @hit: the call
 * @t: tuple of the socket
 * @flow: number of the flow, or 0
 * @fd: file descriptor that the call is for, or -1
 *
 * Return: the gate.
 */
enum gate graph_matched_call(const struct active_config *a, const struct point *point,
			     const struct sock *sk, const struct hit *hit, const struct tuple *t,
			     u32 flow, int fd)
{
	struct gate_frame frame __attribute__((__uninitialized__));
	enum record_skb_how how;
	enum gate gate;

	frame.skb = NULL;
	frame.socket = (struct call_socket){
		.sk = point->keeps_sock ? sk : NULL,
		.dir = point->dir,
	};
	if (point->recv_flags)
		frame.socket.msg_flags = hit->arg[3];
	if (point->tls_message)
		call_socket_set_message(&frame.socket, (const void *)hit->arg[1]);
	frame.packet = (struct match){ .flow = flow };
	frame.call = stat_number(&a->recording->stats, NUMBER_CALLS);
	frame.fd = fd;
	gate = choose_gate(a, point, gate_stack_current(a->epoch), &frame, &how);
	emit_call(a->recording, point, frame.call, sk, &frame.socket, t, flow, how);
	return gate;
}

/**
 * graph_unrelated() - hide an unrelated packet or call from an open graph
 * @a: the active configuration
 * @point: the probe
 * @object: the skb or sock
 *
 * Return: the gate.
 */
enum gate graph_unrelated(const struct active_config *a, const struct point *point,
			  const void *object)
{
	const enum frame_state around = gate_stack_current(a->epoch);

	if (around != FRAME_OPEN && around != FRAME_ENTERING)
		return GATE_NONE;
	emit_other(a->recording, point->ip, object);
	stat_inc(&a->recording->stats, STAT_UNRELATED);
	return point->flags & RECORD_SKB_POINT_CARRIER ? GATE_NONE :
							 shut_out_call(a, point, around);
}

/*
 * Hide the work of an interrupt from the open graph. Matching packets that the interrupt handles are still
 * recorded.
 * Return: the gate.
 */
enum gate graph_interrupted(const struct active_config *a, const struct point *point)
{
	if (a->options.flags & RECORD_SKB_OPT_IRQS || gate_stack_current(a->epoch) != FRAME_OPEN)
		return GATE_NONE;
	return shut_out_call(a, point, FRAME_OPEN);
}

/*
 * Return: the frame state for a gate that does not change the graph. This is the state inside the gate around
 * the call. If the task has not yet entered that gate (FRAME_ENTERING), it is FRAME_NONE.
 */
static enum frame_state unchanged_state(const struct active_config *a)
{
	const enum frame_state around = gate_stack_current(a->epoch);

	return around == FRAME_ENTERING ? FRAME_NONE : around;
}

/* Return: a frame for a gate that does not change the graph around a call of the probed function. */
static struct gate_frame unchanged_frame(const struct active_config *a, const struct point *point)
{
	return (struct gate_frame){
		.state = unchanged_state(a),
		.target = point->ip + MCOUNT_INSN_SIZE,
		.func = point->ip,
		.copies = point->copies,
		.fd = -1,
	};
}

/**
 * graph_maker() - choose the gate for a function that copies a matching packet
 * @a: the active configuration
 * @point: the probe of the function
 * @skb: the packet
 * @m: numbers of the packet
 *
 * The gate does not change the graph. The module only needs the return value, which is the copy.
 *
 * Return: the gate.
 */
enum gate graph_maker(const struct active_config *a, const struct point *point,
		      const struct sk_buff *skb, const struct match *m)
{
	struct gate_frame frame = unchanged_frame(a, point);

	frame.skb = skb;
	frame.packet = *m;
	return enter_gate(a, GATE_RETURN, &frame);
}

/*
 * Choose the gate for a list in which some packets match. The gate calls the function once for each piece
 * of the list. Return: the gate.
 */
enum gate graph_split(const struct active_config *a, const struct point *point)
{
	struct gate_frame frame = {
		.state = unchanged_state(a),
		.target = point->ip,
		.func = point->ip,
		.fd = -1,
		.arg = point->arg,
	};

	return enter_gate(a, GATE_LIST, &frame);
}

/**
 * decide_packet() - handle a hit of a probe that gets a packet
 * @a: the active configuration
 * @point: the probe
 * @skb: the packet
 *
 * Return: the gate to which the call is redirected, or GATE_NONE.
 */
enum gate decide_packet(const struct active_config *a, const struct point *point,
			const struct sk_buff *skb)
{
	const struct skb_view v = skb_view_of(point, skb);
	struct match m __attribute__((__uninitialized__));

	if (!match_packet(a, &v, &m))
		return graph_unrelated(a, point, skb);
	if (m.first)
		xdp_programs_arrived(a->recording, &v, &m);
	return graph_matched_packet(a, &v, &m);
}

/**
 * decide_copy() - handle a call of a function that copies packets
 * @a: the active configuration
 * @point: the probe
 * @skb: the packet to be copied
 *
 * Return: the gate to which the call is redirected, or GATE_NONE.
 */
enum gate decide_copy(const struct active_config *a, const struct point *point,
		      const struct sk_buff *skb)
{
	struct match m;

	return skb_table_find(a->recording->track, skb, &m) ? graph_maker(a, point, skb, &m) :
							      GATE_NONE;
}

/**
 * decide_refusal() - handle a call of a function that refuses a packet if a BPF program tells it to
 * @a: the active configuration
 * @point: the probe
 * @hit: the call, with the socket and the packet as its first arguments
 *
 * Return: the gate to which the call is redirected, or GATE_NONE.
 */
enum gate decide_refusal(const struct active_config *a, const struct point *point,
			 const struct hit *hit)
{
	struct gate_frame frame = unchanged_frame(a, point);

	frame.skb = (const struct sk_buff *)hit->arg[1];
	frame.socket.sk = (const struct sock *)hit->arg[0];
	frame.arg = hit->arg[2];
	if (!skb_table_find(a->recording->track, frame.skb, &frame.packet))
		return GATE_NONE;
	frame.programs = bpf_programs_at(point->copies, frame.socket.sk, frame.arg);
	if (!frame.programs)
		return GATE_NONE;
	return enter_gate(a, GATE_RETURN, &frame);
}

/**
 * decide_frame() - handle a call that runs an XDP program
 * @a: the active configuration
 * @point: the probe
 * @hit: the call
 *
 * Return: the gate to which the call is redirected, or GATE_NONE.
 */
enum gate decide_frame(const struct active_config *a, const struct point *point,
		       const struct hit *hit)
{
	struct gate_frame frame = {
		.state = unchanged_state(a),
		.target = point->ip + MCOUNT_INSN_SIZE,
		.func = point->ip,
		.copies = point->copies,
		.fd = -1,
	};

	return xdp_programs_want(a, point, hit, &frame) ? enter_gate(a, GATE_RETURN, &frame) :
							  GATE_NONE;
}

/* Return: true if the packet matches. The packet does not get a number. */
static bool packet_matches(const struct active_config *a, const struct point *point,
			   const struct sk_buff *skb)
{
	const struct skb_view v = skb_view_of(point, skb);

	return match_packet_quick(a, &v);
}

/**
 * decide_list() - handle a hit of a probe that gets a list of packets
 * @a: the active configuration
 * @point: the probe
 * @head: the list
 *
 * Return: the gate to which the call is redirected, or GATE_NONE.
 */
enum gate decide_list(const struct active_config *a, const struct point *point,
		      struct list_head *head)
{
	const struct sk_buff *skb;

	if (list_empty(head))
		return GATE_NONE;
	/* A list with one packet needs no splitting. */
	if (list_is_singular(head))
		return decide_packet(a, point, list_first_entry(head, struct sk_buff, list));
	list_for_each_entry(skb, head, list)
		if (packet_matches(a, point, skb))
			return graph_split(a, point);
	return graph_unrelated(a, point, list_first_entry(head, struct sk_buff, list));
}

/* Move the unrelated packets before the next match to @piece. */
static void take_unrelated(const struct active_config *a, const struct point *point,
			   struct list_head *rest, struct list_head *piece)
{
	struct sk_buff *skb, *next;

	list_for_each_entry_safe(skb, next, rest, list) {
		if (packet_matches(a, point, skb))
			return;
		list_move_tail(&skb->list, piece);
	}
}

/**
 * packets_take_piece() - split the next piece off a list and choose a gate for the piece
 * @a: the active configuration
 * @point: the probe
 * @rest: the remaining packets of the list, not empty
 * @piece: receives the piece
 *
 * Return: the gate for this piece, or GATE_NONE.
 */
enum gate packets_take_piece(const struct active_config *a, const struct point *point,
			     struct list_head *rest, struct list_head *piece)
{
	struct sk_buff *skb = list_first_entry(rest, struct sk_buff, list);
	const struct skb_view v = skb_view_of(point, skb);
	struct match m;

	list_move_tail(&skb->list, piece);
	if (match_packet(a, &v, &m)) {
		if (m.first)
			xdp_programs_arrived(a->recording, &v, &m);
		return graph_matched_packet(a, &v, &m);
	}
	take_unrelated(a, point, rest, piece);
	return graph_unrelated(a, point, skb);
}
