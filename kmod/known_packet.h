/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_KNOWN_PACKET_H
#define RECORD_SKB_KNOWN_PACKET_H

#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>

#include "active_config.h"
#include "trace_emit.h"
#include "gate_stack.h"
#include "graph.h"
#include "hit.h"
#include "match.h"
#include "pause_gates.h"
#include "task_pause.h"
#include "probes.h"
#include "counters.h"
#include "skb_table.h"
#include "ring_trigger.h"
#include "skb_view.h"

/*
 * Fast path for the most common hit: a known packet reaches the next probe inside its open graph, in the same
 * namespace and on the same device. No decision is needed then. The module emits an event, and uses a gate
 * only if the return value is wanted. Other hits are handled by skb_probes.c, with the same result.
 */

/* Return: true if the fast path is possible at this probe; the skb has not been examined yet. */
static __always_inline bool known_packet_may_be(const struct active_config *a,
						const struct point *point,
						const struct gate_frame *frame)
{
	return frame->state == FRAME_OPEN && !frame->calling && frame->epoch == a->epoch &&
	       point->kind == RECORD_SKB_KIND_SKB && !point->copies && !point->enqueues &&
	       skb_table_any();
}

/*
 * Handle the hit on the fast path if possible. Then @gate is set if the call has to pass through a gate.
 * The functions called from here are hidden from the graph, as in recursion_guard.h. Interrupts are off, so
 * @frame->in_callback is sufficient as the guard against recursion.
 *
 * Return: true if the fast path applied.
 */
static __always_inline bool known_packet_seen(const struct hit *hit, struct gate_frame *frame,
					      gate_fn **gate)
{
	struct skb_view v __attribute__((__uninitialized__));
	struct graph_hidden hidden;
	const struct point *point;
	const struct active_config *a;
	const struct match *m;
	const struct sk_buff *skb;

	/* Several active recordings have to decide together (sharing.c). */
	if (recordings_share())
		return false;
	a = recording_armed(recording_alone());
	point = a ? active_config_point(a, hit->ip) : NULL;
	if (!point || !known_packet_may_be(a, point, frame))
		return false;
	skb = (const struct sk_buff *)hit->arg[point->arg];
	m = IS_ERR_OR_NULL(skb) ? NULL : skb_table_at(a->recording->track, skb);
	if (!m || m->dropped)
		return false;
	v = skb_view_of(point, skb);
	if (!match_stays(&v, m) || (a->until.on && trigger_waits_for_match(a)))
		return false;
	hidden = graph_hide();
	frame->in_callback = true;
	stat_inc(&a->recording->stats, STAT_HITS);
	emit_packet(a->recording, &v, m, RECORD_SKB_HOW_NESTED);
	if (point->flags & RECORD_SKB_POINT_RETURN)
		*gate = gate_function(graph_asked(a, point, skb, m));
	frame->in_callback = false;
	graph_show(&hidden);
	return true;
}

#endif
