// SPDX-License-Identifier: GPL-2.0
/*
 * list.c - a list of packets of which some match
 *
 * The list is handed to its function in pieces, in order: each packet that matches alone, so that its graph
 * is its own, and what lies between in runs. Such functions take all of the list they are given, so the
 * list is empty for the caller when they are through, as it would be.
 */
#include <linux/list.h>
#include <linux/skbuff.h>

#include "compat/ftrace.h"
#include "emit.h"
#include "frame.h"
#include "gate.h"
#include "list.h"
#include "match.h"
#include "points.h"
#include "session.h"
#include "stats.h"

struct args {
	unsigned long a[6];
};

static unsigned long call(const struct args *args,
			  unsigned long (*gate)(unsigned long, unsigned long, unsigned long,
						unsigned long, unsigned long, unsigned long))
{
	return gate(args->a[0], args->a[1], args->a[2], args->a[3], args->a[4], args->a[5]);
}

/* How a piece of the list is to be handed over. */
enum piece { PIECE_PLAIN, PIECE_OPEN, PIECE_SHUT };

/* Take the next piece off @rest; decides, and says so to the readers, while the session is there. */
static enum piece next_piece(struct list_head *rest, struct list_head *piece, unsigned long func,
			     u32 epoch)
{
	struct frame frame = { .target = func, .func = func, .epoch = epoch, .fd = -1 };
	struct sk_buff *skb = list_first_entry(rest, struct sk_buff, list);
	enum record_skb_how how = RECORD_SKB_HOW_NESTED;
	enum piece result = PIECE_PLAIN;
	const struct point *point;
	const struct session *s;
	struct match m;
	int bit;

	bit = ftrace_test_recursion_trylock(func, 0);
	preempt_disable_notrace();
	s = points_armed();
	point = s && s->epoch == epoch && bit >= 0 ? point_find(s, func) : NULL;
	if (!point) {
		list_splice_tail_init(rest, piece);
		goto out;
	}

	list_move_tail(&skb->list, piece);
	if (match_skb(s, point, skb, &m)) {
		stat_inc(STAT_HITS);
		frame.state = FRAME_ENTERING;
		frame.pkt = m.pkt;
		if (frame_current() == FRAME_SHUT) {
			stat_inc(STAT_LOST_HIDDEN);
			how = RECORD_SKB_HOW_HIDDEN;
		} else if (frame_current() != FRAME_OPEN) {
			if (frame_push(&frame)) {
				stat_inc(STAT_GRAPHS);
				how = RECORD_SKB_HOW_OPEN;
				result = PIECE_OPEN;
			} else {
				stat_inc(STAT_LOST_FRAMES);
				how = RECORD_SKB_HOW_HIDDEN;
			}
		}
		emit_packet(point, skb, &m, how);
		goto out;
	}

	while (!list_empty(rest)) {
		struct sk_buff *next = list_first_entry(rest, struct sk_buff, list);

		if (match_skb_quick(s, point, next))
			break;
		list_move_tail(&next->list, piece);
	}
	if (frame_current() == FRAME_OPEN) {
		emit_other(func, skb);
		stat_inc(STAT_STRANGERS);
		frame.state = FRAME_SHUT;
		if (!(point->flags & RECORD_SKB_POINT_CARRIER)) {
			if (frame_push(&frame))
				result = PIECE_SHUT;
			else
				stat_inc(STAT_LOST_FRAMES);
		}
	}
out:
	preempt_enable_notrace();
	if (bit >= 0)
		ftrace_test_recursion_unlock(bit);
	return result;
}

/*
 * Stands in for the function, as the gates do, but is not compiled for ftrace: the pieces' own lines are
 * what shows.
 */
static noinline unsigned long list_gate(unsigned long a0, unsigned long a1, unsigned long a2,
					unsigned long a3, unsigned long a4, unsigned long a5)
{
	const struct frame frame = *frame_top();
	struct args args = { { a0, a1, a2, a3, a4, a5 } };
	struct list_head *head = (struct list_head *)args.a[frame.arg];
	unsigned long ret = 0;
	LIST_HEAD(rest);

	list_splice_init(head, &rest);
	while (!list_empty(&rest)) {
		LIST_HEAD(piece);

		args.a[frame.arg] = (unsigned long)&piece;
		switch (next_piece(&rest, &piece, frame.func, frame.epoch)) {
		case PIECE_OPEN:
			ret = call(&args, record_skb_gate);
			break;
		case PIECE_SHUT:
			ret = call(&args, record_skb_shut_gate);
			break;
		case PIECE_PLAIN:
			ret = gate_call(args.a[0], args.a[1], args.a[2], args.a[3], args.a[4],
					args.a[5], frame.target);
			break;
		}
	}
	frame_pop();
	return ret;
}

/**
 * list_split() - have the list handed over in pieces
 * @s: the armed session
 * @point: a point of the kind LIST, with a packet that matches in its list
 * @fregs: of the call
 */
void list_split(const struct session *s, const struct point *point, struct ftrace_regs *fregs)
{
	enum frame_state state = frame_current();
	const struct frame frame = {
		/* It is no gate itself: inside it things are as they were. */
		.state = state == FRAME_ENTERING ? FRAME_NONE : state,
		.target = point->ip,
		.func = point->ip,
		.epoch = s->epoch,
		.fd = -1,
		.arg = point->arg,
	};

	if (frame_push(&frame))
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)list_gate);
	else
		stat_inc(STAT_LOST_FRAMES);
}

/* More than list_gate() is compiled to; nothing else of ours calls a probe point. */
#define LIST_GATE_SIZE	1024

/* Whether a call comes from list_gate(). */
bool list_is_caller(unsigned long ip)
{
	return ip - (unsigned long)list_gate < LIST_GATE_SIZE;
}
