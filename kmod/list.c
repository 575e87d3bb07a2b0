// SPDX-License-Identifier: GPL-2.0
/*
 * list.c - a list of packets of which some match
 *
 * The list is handed to its function in pieces, in order: each packet that matches alone, so that
 * its graph is its own, and what lies between in runs. Such functions take all of the list they
 * are given, so the list is empty for the caller when they are through, as it would be.
 */
#include <linux/list.h>
#include <linux/skbuff.h>

#include "compat/ftrace.h"
#include "frame.h"
#include "list.h"
#include "match.h"
#include "points.h"
#include "quiet.h"
#include "session.h"

/* The strangers before the next match join the first in @piece. */
static void take_strangers(const struct session *s, const struct point *point,
			   struct list_head *rest, struct list_head *piece)
{
	struct sk_buff *skb, *next;

	list_for_each_entry_safe(skb, next, rest, list) {
		if (match_skb_quick(s, point, skb))
			return;
		list_move_tail(&skb->list, piece);
	}
}

static gate_fn *decide(const struct session *s, const struct point *point,
		       struct list_head *rest, struct list_head *piece)
{
	struct sk_buff *skb = list_first_entry(rest, struct sk_buff, list);
	struct match m;

	list_move_tail(&skb->list, piece);
	if (match_skb(s, point, skb, &m))
		return point_matched_skb(s, point, skb, &m);
	take_strangers(s, point, rest, piece);
	return point_other(s, point, skb);
}

/**
 * list_next_piece() - take the next piece off a list
 * @frame: of the gate that hands the list over
 * @rest: what is left of the list, not empty
 * @piece: gets the piece
 *
 * Return: the gate to hand the piece over through, its frame pushed; NULL for none.
 */
gate_fn *list_next_piece(const struct frame *frame, struct list_head *rest,
			 struct list_head *piece)
{
	const struct session *s;
	gate_fn *gate = NULL;
	struct quiet quiet;
	/* Preemption is off, so the session stays. */
	bool is_quiet = quiet_begin(&quiet, frame->func, 0);

	s = is_quiet ? points_armed() : NULL;
	if (s && s->epoch == frame->epoch)
		gate = decide(s, point_find(s, frame->func), rest, piece);
	else
		list_splice_tail_init(rest, piece);
	if (is_quiet)
		quiet_end(&quiet);
	return gate;
}
