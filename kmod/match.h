/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_MATCH_H
#define RECORD_SKB_MATCH_H

#include <linux/jhash.h>
#include <linux/types.h>

#include "flow_tuple.h"
#include "skb_table.h"
#include "skb_view.h"

struct active_config;
struct point;
struct sock;
struct tuple;

bool match_packet(const struct active_config *a, const struct skb_view *v, struct match *m);
bool match_packet_quick(const struct active_config *a, const struct skb_view *v);

/* Return: true if the options allow this mark. */
static inline bool match_mark(const struct record_skb_options *o, u32 mark)
{
	u32 i;

	for (i = 0; i < o->nr_marks; i++)
		if ((mark & o->marks[i].mask) == o->marks[i].value)
			return true;
	return !o->nr_marks;
}

/*
 * Return: true if sampling chooses the flow. The hash is the same for both directions, on all hosts and in
 * all recordings.
 */
static inline bool match_sample(const struct record_skb_options *o, const struct tuple *t)
{
	u32 src, dst;

	if (o->sample <= 1)
		return true;
	src = jhash2(t->saddr.s6_addr32, 4, t->has_ports ? t->sport : 0);
	dst = jhash2(t->daddr.s6_addr32, 4, t->has_ports ? t->dport : 0);
	return !(jhash_2words(src + dst, t->proto, 0) % o->sample);
}

/*
 * Return: true if the options allow this network device and namespace. @ifindex and @netns are 0 if
 * unknown.
 */
static inline bool match_where(const struct record_skb_options *o, int ifindex, u32 netns)
{
	const struct record_skb_where *where = o->where;
	u32 i;

	for (i = 0; i < o->nr_where; i++, where++)
		if ((!where->ifindex || where->ifindex == ifindex) &&
		    (!where->netns || where->netns == netns))
			return true;
	return !o->nr_where;
}

/* Return: true if a tracked packet is still in the same namespace, and NAT has not changed its addresses. */
static inline bool match_stays(const struct skb_view *v, const struct match *m)
{
	const struct net *net = skb_view_net(v);

	return (!net || (net->ns.inum == m->netns && net->net_cookie == m->net)) &&
	       !(m->flow && nat_changes(v->skb));
}

#endif
