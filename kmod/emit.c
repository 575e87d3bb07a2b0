// SPDX-License-Identifier: GPL-2.0
/* emit.c - put what was seen into the ring buffer, beside the call graph */
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include "emit.h"
#include "match.h"
#include "points.h"
#include "tuple.h"

#define CREATE_TRACE_POINTS
#include "events.h"

static void fill_address(struct sockaddr_in6 *sa, u8 family, const struct in6_addr *addr, u16 port)
{
	struct sockaddr_in *sin = (struct sockaddr_in *)sa;

	switch (family) {
	case AF_INET:
		sin->sin_family = AF_INET;
		sin->sin_port = htons(port);
		sin->sin_addr.s_addr = addr->s6_addr32[0];
		break;
	case AF_INET6:
		sa->sin6_family = AF_INET6;
		sa->sin6_port = htons(port);
		sa->sin6_addr = *addr;
		break;
	}
}

/**
 * emit_packet() - a matching packet stands at a probe point
 * @point: which
 * @skb: the packet
 * @m: its numbers
 * @how: what becomes of the graph
 *
 * The tuple is read anew: it is the one the packet has here, whatever it had where it matched first.
 */
void emit_packet(const struct point *point, const struct sk_buff *skb, const struct match *m,
		 enum record_skb_how how)
{
	const struct net_device *dev;
	struct packet_record r = {
		.func = point->ip,
		.skb = skb,
		.pkt = m->pkt,
		.flow = m->flow,
		.how = how,
		.dir = point->dir,
		.dev = "",
	};

	if (!trace_packet_enabled())
		return;

	if (tuple_read(skb, &r.tuple)) {
		const struct tuple *t = &r.tuple;

		fill_address(&r.saddr, t->family, &t->saddr, t->has_ports ? t->sport : 0);
		fill_address(&r.daddr, t->family, &t->daddr, t->has_ports ? t->dport : 0);
	}
	dev = match_device(skb);
	if (dev) {
		r.dev = dev->name;
		r.ifindex = dev->ifindex;
	}
	r.netns = match_netns(skb);
	r.data = skb_network_header(skb);
	if (r.data >= skb->head && r.data < skb_tail_pointer(skb))
		r.data_len = min_t(long, skb_tail_pointer(skb) - r.data, RECORD_SKB_SNAPLEN);
	trace_packet(&r);
}

/**
 * emit_other() - a packet that does not match stands at a probe point inside an open graph
 * @point: which
 * @skb: the packet
 */
void emit_other(const struct point *point, const struct sk_buff *skb)
{
	trace_other(point->ip, skb);
}

/**
 * emit_return() - a packet leaves the gate it opened
 * @func: the probe point
 * @pkt: the packet's number
 * @ret: what the function returned
 */
void emit_return(unsigned long func, u32 pkt, unsigned long ret)
{
	trace_return(func, pkt, ret);
}
