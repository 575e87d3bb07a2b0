// SPDX-License-Identifier: GPL-2.0
/*
 * packets.c - probe points that are given a packet, or a list of them
 *
 * A list of which some match is handed to its function in pieces, in order: each packet that
 * matches alone, so that its graph is its own, and what lies between in runs. Such functions take
 * all of the list they are given (prototype.c), so the list is empty for the caller when they are
 * through, as it would be.
 */
#include <linux/list.h>
#include <linux/skbuff.h>

#include "armed.h"
#include "frame.h"
#include "match.h"
#include "packets.h"
#include "quiet.h"
#include "track.h"
#include "view.h"

/**
 * packet_seen() - a probe point that is given a packet was called
 * @a: what is armed
 * @point: which
 * @skb: the packet
 */
enum gate packet_seen(const struct armed *a, const struct point *point, const struct sk_buff *skb)
{
	const struct view v = view_of(point, skb);
	struct match m __attribute__((__uninitialized__));

	if (match_packet(a, &v, &m))
		return graph_matched_packet(a, &v, &m);
	return graph_unrelated(a, point, skb);
}

/**
 * maker_seen() - a function that makes copies was called
 * @a: what is armed
 * @point: which
 * @skb: what it is to copy
 */
enum gate maker_seen(const struct armed *a, const struct point *point, const struct sk_buff *skb)
{
	struct match m;

	return track_find(a->of->track, skb, &m) ? graph_maker(a, point, skb, &m) : GATE_NONE;
}

/* Without giving a number. */
static bool matches(const struct armed *a, const struct point *point, const struct sk_buff *skb)
{
	const struct view v = view_of(point, skb);

	return match_packet_quick(a, &v);
}

/**
 * packets_seen() - a probe point that is given a list of packets was called
 * @a: what is armed
 * @point: which
 * @head: the list
 */
enum gate packets_seen(const struct armed *a, const struct point *point, struct list_head *head)
{
	const struct sk_buff *skb;

	if (list_empty(head))
		return GATE_NONE;
	/* A list of one is as good as the one. */
	if (list_is_singular(head))
		return packet_seen(a, point, list_first_entry(head, struct sk_buff, list));
	list_for_each_entry(skb, head, list)
		if (matches(a, point, skb))
			return graph_split(a, point);
	return graph_unrelated(a, point, list_first_entry(head, struct sk_buff, list));
}

/* The unrelated packets before the next match join the first in @piece. */
static void take_unrelated(const struct armed *a, const struct point *point, struct list_head *rest,
			   struct list_head *piece)
{
	struct sk_buff *skb, *next;

	list_for_each_entry_safe(skb, next, rest, list) {
		if (matches(a, point, skb))
			return;
		list_move_tail(&skb->list, piece);
	}
}

/**
 * packets_take_piece() - take the next piece off a list, and ask what it is to be led through
 * @a: what is armed
 * @point: at which the list is
 * @rest: what is left of the list, not empty
 * @piece: gets the piece
 */
enum gate packets_take_piece(const struct armed *a, const struct point *point,
			     struct list_head *rest, struct list_head *piece)
{
	struct sk_buff *skb = list_first_entry(rest, struct sk_buff, list);
	const struct view v = view_of(point, skb);
	struct match m;

	list_move_tail(&skb->list, piece);
	if (match_packet(a, &v, &m))
		return graph_matched_packet(a, &v, &m);
	take_unrelated(a, point, rest, piece);
	return graph_unrelated(a, point, skb);
}

/**
 * packets_next_piece() - take the next piece off a list
 * @frame: of the gate that hands the list over
 * @rest: what is left of the list, not empty
 * @piece: gets the piece
 *
 * Return: the gate to hand the piece over through.
 */
enum gate packets_next_piece(const struct frame *frame, struct list_head *rest,
			     struct list_head *piece)
{
	const struct armed *a = NULL;
	const struct point *point;
	enum gate gate = GATE_NONE;
	struct quiet quiet;
	/* Preemption is off, so that what is armed stays. */
	bool is_quiet = quiet_begin(&quiet, frame->func, 0, frame_around(frame));

	if (is_quiet)
		a = recording_armed(frame->recording);
	else
		recording_lost(frame->recording, frame->epoch);
	point = a && a->epoch == frame->epoch ? armed_point(a, frame->func) : NULL;
	if (point)
		gate = packets_take_piece(a, point, rest, piece);
	else
		list_splice_tail_init(rest, piece);
	if (is_quiet)
		quiet_end(&quiet);
	return gate;
}
