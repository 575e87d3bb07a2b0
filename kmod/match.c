// SPDX-License-Identifier: GPL-2.0
/*
 * match.c - whether a packet is one of those to record
 *
 * Runs in the ftrace callback, for every packet at every probe point: the packet that does not match is
 * what has to be fast. Nothing here changes the packet.
 */
#include <linux/filter.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/preempt.h>
#include <net/dst.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "flow.h"
#include "follow.h"
#include "match.h"
#include "points.h"
#include "session.h"
#include "stats.h"
#include "track.h"

/* The device a packet is on; a packet on its way out has none before it is routed to one. */
const struct net_device *match_device(const struct sk_buff *skb)
{
	const struct dst_entry *dst;

	if (skb->dev)
		return skb->dev;
	dst = skb_dst(skb);
	return dst ? dst->dev : NULL;
}

/* Inode number of the network namespace a packet is in, 0 if that cannot be told. */
u32 match_netns(const struct sk_buff *skb)
{
	const struct net_device *dev = match_device(skb);

	if (dev)
		return dev_net(dev)->ns.inum;
	if (skb->sk)
		return sock_net(skb->sk)->ns.inum;
	return 0;
}

/* What the options narrow to, where a packet is seen for the first time. */
static bool match_options(const struct record_skb_options *o, const struct sk_buff *skb)
{
	if (o->mark_mask && (skb->mark & o->mark_mask) != o->mark)
		return false;
	if (o->ifindex) {
		const struct net_device *dev = match_device(skb);

		if (!dev || dev->ifindex != o->ifindex)
			return false;
	}
	return !o->netns || match_netns(skb) == o->netns;
}

static bool has_ethernet_header(const struct sk_buff *skb)
{
	return skb->dev && skb->dev->type == ARPHRD_ETHER && skb_mac_header_was_set(skb) &&
	       skb->mac_header < skb->network_header;
}

static bool match_filter(const struct session *s, const struct sk_buff *skb)
{
	if (s->raw && (skb->protocol == htons(ETH_P_IP) || skb->protocol == htons(ETH_P_IPV6)))
		return bpf_prog_run(s->raw, skb);
	if (s->ll && has_ethernet_header(skb))
		return bpf_prog_run(s->ll, skb);
	return false;
}

/* Flows of the followed tasks; they are learned from what those send. */
static bool match_followed(const struct session *s, const struct point *point,
			   const struct tuple *t)
{
	if ((s->options.flags & RECORD_SKB_OPT_FOLLOW_PORTLESS) && !t->portless)
		return false;
	if (flow_is_followed(t))
		return true;
	if (!(point->flags & RECORD_SKB_POINT_SENDER) || !in_task() || !follow_current())
		return false;
	flow_follow(t);
	return true;
}

/**
 * match_skb() - decide whether to record a packet, and number it if it is new
 * @s: the armed session
 * @point: where it was seen
 * @skb: the packet
 * @m: filled in if it matches
 *
 * Return: whether it matches.
 */
bool match_skb(const struct session *s, const struct point *point, const struct sk_buff *skb,
	       struct match *m)
{
	bool follow = s->options.flags & RECORD_SKB_OPT_FOLLOW;
	bool matches, ip;
	struct tuple t;

	if (track_find(skb, &m->pkt, &m->flow))
		return true;
	if (!match_options(&s->options, skb))
		return false;
	matches = match_filter(s, skb);
	if (!matches && !follow)
		return false;

	ip = tuple_read(skb, &t);
	if (!matches && !(ip && match_followed(s, point, &t)))
		return false;

	m->pkt = stat_number(STAT_PACKETS);
	m->flow = ip ? flow_number(&t) : 0;
	if (!(s->options.flags & RECORD_SKB_OPT_NO_TRACK))
		track_add(skb, m->pkt, m->flow);
	return true;
}
