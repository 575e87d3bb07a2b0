/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_AGAIN_H
#define RECORD_SKB_AGAIN_H

#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>

#include "armed.h"
#include "emit.h"
#include "frame.h"
#include "graph.h"
#include "match.h"
#include "pause.h"
#include "points.h"
#include "stats.h"
#include "track.h"
#include "trigger.h"
#include "view.h"

/*
 * The commonest hit of all: a packet that is remembered stands at a further point, where it was, and in
 * an open graph. Then there is nothing to decide: an event, and a gate only if it is asked what the
 * function returns. What is not that is for packets.c, which would do the same here.
 */

static __always_inline bool again_may_be(const struct armed *a, const struct point *point,
					 const struct frame *frame)
{
	return frame->state == FRAME_OPEN && !frame->calling && frame->epoch == a->epoch &&
	       point->kind == RECORD_SKB_KIND_SKB && !point->copies && !point->enqueues &&
	       track_any() && !in_nmi();
}

/*
 * Return: whether it was that; then @gate is set. As in quiet.h, the graph does not show what is called from
 * here. Interrupts are off, so that of ftrace's lock against recursion @frame->looking is enough.
 */
static __always_inline bool again_seen(const struct armed *a, const struct point *point,
				       struct frame *frame, struct ftrace_regs *fregs,
				       enum gate *gate)
{
	struct view v __attribute__((__uninitialized__));
	struct graph_hidden hidden;
	const struct match *m;
	const struct sk_buff *skb;

	if (!again_may_be(a, point, frame))
		return false;
	skb = *(const struct sk_buff **)((const char *)fregs + point->offset);
	m = IS_ERR_OR_NULL(skb) ? NULL : track_at(a->of->track, skb);
	if (!m || m->dropped)
		return false;
	v = view_of(point, skb);
	if (!match_stays(&v, m) || (a->until.on && trigger_waits_for_match(a)))
		return false;
	hidden = graph_hide();
	frame->looking = true;
	stat_inc(&a->of->stats, STAT_HITS);
	emit_packet(a->of, &v, m, RECORD_SKB_HOW_NESTED);
	*gate = point->flags & RECORD_SKB_POINT_RETURN ? graph_asked(a, point, skb, m) : GATE_NONE;
	frame->looking = false;
	graph_show(&hidden);
	return true;
}

#endif
