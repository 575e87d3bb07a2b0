/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SKB_VIEW_H
#define RECORD_SKB_SKB_VIEW_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/dst.h>
#include <net/sock.h>

#include "probes.h"
#include "flow_tuple.h"

/*
 * struct skb_view - a packet as a probe point sees it
 * @point: the probe point
 * @skb: the packet
 * @offset: offset of the network header from skb->data
 * @protocol: network protocol of the packet
 * @dev: device of the packet, NULL if none
 */
struct skb_view {
	const struct point *point;
	const struct sk_buff *skb;
	int offset;
	__be16 protocol;
	const struct net_device *dev;
};

/*
 * Return: the device of a packet, NULL if the device is not known. A packet that is being sent may have its
 * device only in its route. The route of a received packet is not used, because it names lo and not the
 * device that received the packet.
 */
static inline const struct net_device *skb_view_device(const struct point *point,
						       const struct sk_buff *skb)
{
	const struct dst_entry *dst;

	if (point->flags & RECORD_SKB_POINT_NO_DEV)
		return NULL;
	if (skb->dev || point->dir != RECORD_SKB_DIR_TX)
		return skb->dev;
	/*
	 * Do not call skb_dst(): it warns if the route has no reference and the caller is outside an RCU
	 * read-side section. Preemption is off here, so the route cannot be freed.
	 */
	dst = (const struct dst_entry *)(skb->_skb_refdst & SKB_DST_PTRMASK);
	return dst ? dst->dev : NULL;
}

/* Return: the view of @skb at @point. */
static inline struct skb_view skb_view_of(const struct point *point, const struct sk_buff *skb)
{
	struct skb_view v = {
		.point = point,
		.skb = skb,
		.offset = point->flags & RECORD_SKB_POINT_AT_DATA ? 0 : skb_network_offset(skb),
		.dev = skb_view_device(point, skb),
	};

	v.protocol = tuple_protocol(skb, v.offset);
	return v;
}

/* Return: the network namespace of the packet, NULL if it is not known. */
static inline struct net *skb_view_net(const struct skb_view *v)
{
	if (v->dev)
		return dev_net(v->dev);
	if (v->skb->sk && sk_fullsock(v->skb->sk))
		return sock_net(v->skb->sk);
	return NULL;
}

/* Return: the cookie of the network namespace, which is never reused; 0 if it is not known. */
static inline u64 skb_view_cookie(const struct skb_view *v)
{
	const struct net *net = skb_view_net(v);

	return net ? net->net_cookie : 0;
}

/* Return: the inode number of the network namespace, 0 if it is not known. */
static inline u32 skb_view_netns(const struct skb_view *v)
{
	const struct net *net = skb_view_net(v);

	return net ? net->ns.inum : 0;
}

/*
 * Compute the length of a packet.
 * @said: packet length according to the IP header, 0 if the header contains no length
 * Return: the packet's length in bytes, counted from the network header.
 */
static inline u32 skb_view_len(const struct skb_view *v, u32 said)
{
	const u32 len = max_t(int, v->skb->len - v->offset, 0);

	/*
	 * Use the header's length only for received packets, which may have padding at the end. The header
	 * of a packet that is being sent may not contain its length yet.
	 */
	return v->point->dir == RECORD_SKB_DIR_RX && said && said < len ? said : len;
}

/* Return: the number of bytes after the TCP header, 0 for other protocols. @t: tuple of the packet */
static inline u32 skb_view_payload(const struct skb_view *v, const struct tuple *t)
{
	const u32 len = skb_view_len(v, t->len);
	const u32 headers = t->transport - v->offset + t->tcp_header;

	return t->tcp_header && len > headers ? len - headers : 0;
}

#endif
