/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PASSES_H
#define RECORD_SKB_PASSES_H

#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <net/sock.h>

#include "armed.h"
#include "compat/ftrace.h"
#include "points.h"
#include "sieve.h"
#include "track.h"

/*
 * What passes by a point, in a context that is in no gate: nobody knows the packet, and the sieve holds it
 * back. It is a few compares in the linear header, decided before anything else, for everybody pays for it.
 * What it cannot tell is for match.c to find out. All of it is inline and calls nothing that ftrace traces,
 * but for the look-up of a packet where some are remembered, which is the module's own.
 */

/* Where its network header is; never before skb->head. */
static __always_inline const u8 *passes_header(const struct point *point, const struct sk_buff *skb)
{
	return point->flags & RECORD_SKB_POINT_AT_DATA ? skb->data : skb_network_header(skb);
}

static __always_inline bool passes_packet(const struct armed *a, const struct point *point,
					  const struct sk_buff *skb)
{
	struct ends ends;

	return ends_of_packet(skb, passes_header(point, skb), &ends) &&
	       sieve_holds_back(&a->filter.sieve, &ends) && !track_knows(a->of->track, skb);
}

static __always_inline bool passes_packets(const struct armed *a, const struct point *point,
					   const struct list_head *head)
{
	const struct sk_buff *skb;

	list_for_each_entry(skb, head, list)
		if (!passes_packet(a, point, skb))
			return false;
	return true;
}

/* The peer that the call's next argument names; behind an address stands its length. */
static __always_inline bool passes_peer(const struct point *point, struct ftrace_regs *fregs,
					struct ends *ends)
{
	const void *next = (const void *)ftrace_regs_get_argument(fregs, point->arg + 1);
	const struct msghdr *msg = next;

	if (!next)
		return true;
	if (point->flags & RECORD_SKB_POINT_PEER)
		return ends_set_peer(ends, next, ftrace_regs_get_argument(fregs, point->arg + 2));
	return !msg->msg_name || ends_set_peer(ends, msg->msg_name, msg->msg_namelen);
}

static __always_inline bool passes_sock(const struct armed *a, const struct point *point,
					const struct sock *sk, struct ftrace_regs *fregs)
{
	struct ends ends;

	if (point->flags & RECORD_SKB_POINT_RELEASE || !ends_of_sock(sk, &ends))
		return false;
	if (point->flags & (RECORD_SKB_POINT_PEER | RECORD_SKB_POINT_MSG) &&
	    !passes_peer(point, fregs, &ends))
		return false;
	if (point->dir == RECORD_SKB_DIR_RX)
		ends_turn(&ends);
	return sieve_holds_back(&a->filter.sieve, &ends);
}

/* Return: false if that is not to be told by a look. */
static __always_inline bool passes(const struct armed *a, const struct point *point,
				   struct ftrace_regs *fregs)
{
	void *arg;

	if (point->kind == POINT_KIND_IRQ)
		return true;
	if (point->kind == POINT_KIND_MAKER)
		return !track_any();
	if (!a->filter.sieve.nr)
		return false;
	arg = (void *)ftrace_regs_get_argument(fregs, point->arg);
	if (IS_ERR_OR_NULL(arg))
		return true;
	switch (point->kind) {
	case RECORD_SKB_KIND_SKB:
		return passes_packet(a, point, arg);
	case RECORD_SKB_KIND_LIST:
		return passes_packets(a, point, arg);
	case RECORD_SKB_KIND_SOCK:
		return passes_sock(a, point, arg, fregs);
	}
	return false;
}

#endif
