/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_VIEW_H
#define RECORD_SKB_VIEW_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/dst.h>
#include <net/sock.h>

#include "points.h"
#include "tuple.h"

/*
 * struct view - a packet as it is seen from a probe point
 * @offset: of its network header from skb->data
 * @protocol: its network protocol
 * @dev: the device it is on, NULL if none
 */
struct view {
	const struct point *point;
	const struct sk_buff *skb;
	int offset;
	__be16 protocol;
	const struct net_device *dev;
};

/*
 * On its way out a packet has no device before its route gives it one; the route of a packet that
 * came in says lo and nothing of where it came from.
 */
static inline const struct net_device *view_device(const struct point *point,
						   const struct sk_buff *skb)
{
	const struct dst_entry *dst;

	if (point->flags & RECORD_SKB_POINT_NO_DEV)
		return NULL;
	if (skb->dev || point->dir != RECORD_SKB_DIR_TX)
		return skb->dev;
	/*
	 * As skb_dst(), which warns where a route without a reference is looked at outside of RCU's read
	 * lock; preemption is off, so it does not go.
	 */
	dst = (const struct dst_entry *)(skb->_skb_refdst & SKB_DST_PTRMASK);
	return dst ? dst->dev : NULL;
}

/* Look at @skb, which stands at @point. */
static inline struct view view_of(const struct point *point, const struct sk_buff *skb)
{
	struct view v = {
		.point = point,
		.skb = skb,
		.offset = point->flags & RECORD_SKB_POINT_AT_DATA ? 0 : skb_network_offset(skb),
		.dev = view_device(point, skb),
	};

	v.protocol = tuple_protocol(skb, v.offset);
	return v;
}

/* The network namespace it is in, NULL if that cannot be told. */
static inline struct net *view_net(const struct view *v)
{
	if (v->dev)
		return dev_net(v->dev);
	if (v->skb->sk && sk_fullsock(v->skb->sk))
		return sock_net(v->skb->sk);
	return NULL;
}

/* What no other namespace has had or will have, or 0. */
static inline u64 view_cookie(const struct view *v)
{
	const struct net *net = view_net(v);

	return net ? net->net_cookie : 0;
}

/* Its inode number, or 0. */
static inline u32 view_netns(const struct view *v)
{
	const struct net *net = view_net(v);

	return net ? net->ns.inum : 0;
}

/* Its bytes from the network header on; @said is what that says itself, 0 if it does not. */
static inline u32 view_len(const struct view *v, u32 said)
{
	const u32 len = max_t(int, v->skb->len - v->offset, 0);

	/* What is received may have been padded; what is sent may not know its length yet. */
	return v->point->dir == RECORD_SKB_DIR_RX && said && said < len ? said : len;
}

/* Of TCP, its bytes behind the header; @t is its tuple. */
static inline u32 view_payload(const struct view *v, const struct tuple *t)
{
	const u32 len = view_len(v, t->len);
	const u32 headers = t->transport - v->offset + t->tcp_header;

	return t->tcp_header && len > headers ? len - headers : 0;
}

#endif
