// SPDX-License-Identifier: GPL-2.0
/*
 * match.c - whether a packet is one of those to record
 *
 * Runs in the ftrace callback, for every packet at every probe point: the packet that does not
 * match is what has to be fast. Nothing here changes the packet.
 */
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/preempt.h>
#include <net/addrconf.h>
#include <net/dst.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/route.h>
#include <net/sock.h>
#include <net/tcp.h>
#include <net/tcp_states.h>

#include "copies.h"
#include "ether.h"
#include "flow.h"
#include "follow.h"
#include "match.h"
#include "points.h"
#include "session.h"
#include "sock.h"
#include "stats.h"
#include "track.h"

/*
 * The device a packet is on, NULL if none. On its way out a packet has none before its route
 * gives it one; the route of a packet that came in says lo and nothing of where it came from.
 */
const struct net_device *match_device(const struct point *point, const struct sk_buff *skb)
{
	const struct dst_entry *dst;

	if (point->flags & RECORD_SKB_POINT_NO_DEV)
		return NULL;
	if (skb->dev || point->dir != RECORD_SKB_DIR_TX)
		return skb->dev;
	dst = skb_dst(skb);
	return dst ? dst->dev : NULL;
}

/* The network namespace a packet is in, NULL if that cannot be told. */
static struct net *match_net(const struct point *point, const struct sk_buff *skb)
{
	const struct net_device *dev = match_device(point, skb);

	if (dev)
		return dev_net(dev);
	if (skb->sk && sk_fullsock(skb->sk))
		return sock_net(skb->sk);
	return NULL;
}

/* Its inode number, or 0. */
u32 match_netns(const struct point *point, const struct sk_buff *skb)
{
	const struct net *net = match_net(point, skb);

	return net ? net->ns.inum : 0;
}

/* Where the network header is from skb->data on, at this point. */
int match_network_offset(const struct point *point, const struct sk_buff *skb)
{
	return point->flags & RECORD_SKB_POINT_AT_DATA ? 0 : skb_network_offset(skb);
}

static bool match_mark(const struct record_skb_options *o, u32 mark)
{
	u32 i;

	for (i = 0; i < o->nr_marks; i++)
		if ((mark & o->marks[i].mask) == o->marks[i].value)
			return true;
	return !o->nr_marks;
}

/* Whether it may be there; @ifindex and @netns are 0 if they cannot be told. */
static bool match_where(const struct record_skb_options *o, int ifindex, u32 netns)
{
	const struct record_skb_where *where = o->where;
	u32 i;

	for (i = 0; i < o->nr_where; i++, where++)
		if ((!where->ifindex || where->ifindex == ifindex) &&
		    (!where->netns || where->netns == netns))
			return true;
	return !o->nr_where;
}

/* What the options narrow to, where a packet is seen for the first time. */
static bool match_skb_options(const struct record_skb_options *o, const struct point *point,
			      const struct sk_buff *skb)
{
	const struct net_device *dev;

	if (!match_mark(o, skb->mark))
		return false;
	if (!o->nr_where)
		return true;
	dev = match_device(point, skb);
	return match_where(o, dev ? dev->ifindex : 0, match_netns(point, skb));
}

static bool match_filter(const struct session *s, const struct point *point,
			 const struct sk_buff *skb)
{
	const __be16 protocol = tuple_protocol(skb, match_network_offset(point, skb));

	if (s->raw && (protocol == htons(ETH_P_IP) || protocol == htons(ETH_P_IPV6))) {
		if (!(point->flags & RECORD_SKB_POINT_AT_DATA))
			return bpf_prog_run(s->raw, skb);
		return s->at_data && bpf_prog_run(s->at_data, skb);
	}
	return s->ll && ether_run_filter(s->ll, point, skb);
}

/* Whether the packet is for this host, and not only on its way through or out of it. */
static bool match_is_local(const struct point *point, const struct sk_buff *skb, struct net *net,
			   const struct tuple *t)
{
	const bool out = point->dir == RECORD_SKB_DIR_TX;
	unsigned int type;

	if (t->family == AF_INET6)
		return ipv6_addr_is_multicast(&t->daddr) ? !out :
		       ipv6_chk_addr(net, &t->daddr, NULL, 0);
	type = inet_addr_type_dev_table(net, match_device(point, skb), t->daddr.s6_addr32[0]);
	return type == RTN_LOCAL || (!out && (type == RTN_BROADCAST || type == RTN_MULTICAST));
}

/* Whether it comes to a socket that is followed whoever the peer is. Then so is its flow. */
static bool match_comes(const struct point *point, const struct sk_buff *skb,
			const struct tuple *t)
{
	struct net *net;

	if (!flow_any_local())
		return false;
	net = match_net(point, skb);
	if (!net || !flow_local_is_followed(t, net->ns.inum) || !match_is_local(point, skb, net, t))
		return false;
	flow_follow(t);
	return true;
}

/* Whether another process begins a connection here: then the flow is no longer whose it was. */
static bool match_is_taken_over(const struct point *point, const struct tuple *t)
{
	return t->proto == IPPROTO_TCP && (t->tcp_flags & (TCPHDR_SYN | TCPHDR_ACK)) == TCPHDR_SYN &&
	       point->flags & RECORD_SKB_POINT_SENDER && in_task() && current->mm &&
	       !follow_current();
}

/*
 * Flows of the followed tasks; they are learned from what those send. @skb is NULL if @t is not of
 * the packet that stands here.
 */
static bool match_followed(const struct session *s, const struct point *point,
			   const struct sk_buff *skb, const struct tuple *t)
{
	if ((s->options.flags & RECORD_SKB_OPT_FOLLOW_PORTLESS) && !t->portless)
		return false;
	if (flow_is_followed(t)) {
		if (!skb || !match_is_taken_over(point, t))
			return true;
		flow_unfollow(t);
	}
	if (skb && match_comes(point, skb, t))
		return true;
	if (!(point->flags & RECORD_SKB_POINT_SENDER) || !in_task() || !follow_current())
		return false;
	/* What is around a packet: one of the task's own is tracked, unless it was refused. */
	if (tuple_is_tunnel(t))
		return false;
	flow_follow(t);
	return true;
}

/* Errors about a packet that would match; then @t becomes that packet's, so that it is its flow. */
static bool match_quoted(const struct session *s, const struct point *point,
			 const struct sk_buff *skb, struct tuple *t)
{
	struct tuple quoted;

	if (s->options.flags & RECORD_SKB_OPT_NO_ICMP_ERRORS ||
	    !tuple_read_quoted(skb, t, &quoted))
		return false;
	if (!(s->raw && sock_run_filter(s->raw, &quoted, false)) &&
	    !((s->options.flags & RECORD_SKB_OPT_FOLLOW) && match_followed(s, point, NULL, &quoted)))
		return false;
	*t = quoted;
	return true;
}

/* Whether a packet that is not remembered matches. If so, @t is its flow's tuple, if @ip. */
static bool match_new(const struct session *s, const struct point *point,
		      const struct sk_buff *skb, bool *ip, struct tuple *t)
{
	const int offset = match_network_offset(point, skb);
	bool matches;

	if (!match_skb_options(&s->options, point, skb))
		return false;
	matches = match_filter(s, point, skb);
	/* Without following, only an error can match for another reason. */
	if (!matches && !(s->options.flags & RECORD_SKB_OPT_FOLLOW) && !tuple_is_icmp(skb, offset))
		return false;
	*ip = tuple_read(skb, offset, t);
	if (matches)
		return true;
	if (!*ip)
		return false;
	return ((s->options.flags & RECORD_SKB_OPT_FOLLOW) && match_followed(s, point, skb, t)) ||
	       match_quoted(s, point, skb, t);
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
	struct tuple t;
	bool ip;
	u32 flow;

	if (track_find(skb, m))
		return true;
	if (!match_new(s, point, skb, &ip, &t))
		return false;
	flow = ip ? flow_number(&t) : 0;
	if (s->options.flags & RECORD_SKB_OPT_NO_TRACK)
		*m = (struct match) {
			.pkt = stat_number(STAT_PACKETS),
			.copy = RECORD_SKB_COPY_UNKNOWN,
			.flow = flow,
		};
	else if (track_new(skb, flow, m))
		copies_parts(skb, m);
	return true;
}

/* match_skb() without giving a number. */
bool match_skb_quick(const struct session *s, const struct point *point,
		     const struct sk_buff *skb)
{
	struct match m;
	struct tuple t;
	bool ip;

	return track_find(skb, &m) || match_new(s, point, skb, &ip, &t);
}

/* Whether a followed task is doing this by itself, not something that interrupted it. */
static bool match_current(const struct session *s)
{
	return (s->options.flags & RECORD_SKB_OPT_FOLLOW) && in_task() && follow_current();
}

/* Both ends are known, so it is one flow. */
static bool match_complete(const struct tuple *t)
{
	return t->sport && t->dport && !ipv6_addr_any(&t->saddr) && !ipv6_addr_any(&t->daddr);
}

/**
 * match_learn() - remember which flows the current task's socket is for
 * @s: the armed session
 * @sk: the socket
 * @t: its tuple
 *
 * Return: whether the current task is followed and the socket's flows with it.
 */
bool match_learn(const struct session *s, const struct sock *sk, const struct tuple *t)
{
	return match_current(s) && match_learn_of(s, sk, t);
}

/* Whether whoever sends to its port sends to this socket. */
static bool match_is_open(const struct sock *sk)
{
	return sk->sk_type != SOCK_STREAM || sk->sk_state == TCP_LISTEN;
}

/* match_learn() for a socket that is known to be a followed task's. */
bool match_learn_of(const struct session *s, const struct sock *sk, const struct tuple *t)
{
	if ((s->options.flags & RECORD_SKB_OPT_FOLLOW_PORTLESS) && !t->portless)
		return false;
	if (match_complete(t))
		flow_follow(t);
	else if (t->sport && match_is_open(sk))
		flow_follow_local(t, sock_net(sk)->ns.inum, !ipv6_only_sock(sk));
	return true;
}

/**
 * match_unlearn() - the socket ends: what comes to its port from now on is another's
 * @sk: the socket
 * @t: its tuple
 */
void match_unlearn(const struct sock *sk, const struct tuple *t)
{
	/* Others share the port: they may be followed, and their clients come all the same. */
	if (sk->sk_reuseport)
		return;
	if (flow_any_local() && t->sport && match_is_open(sk))
		flow_unfollow_local(t, sock_net(sk)->ns.inum);
}

/**
 * match_call() - decide whether to record a call with a socket
 * @s: the armed session
 * @point: the function called
 * @sk: the socket
 * @t: its tuple, with the peer that the call names
 * @flow: set to the flow's number, 0 while either end is unknown
 *
 * Return: whether it matches.
 */
bool match_call(const struct session *s, const struct point *point, const struct sock *sk,
		const struct tuple *t, u32 *flow)
{
	if (!match_mark(&s->options, sk->sk_mark) ||
	    !match_where(&s->options, sk->sk_bound_dev_if, sock_net(sk)->ns.inum))
		return false;
	if (!match_learn(s, sk, t) &&
	    !(s->raw && sock_run_filter(s->raw, t, point->dir == RECORD_SKB_DIR_RX)))
		return false;
	*flow = match_complete(t) ? flow_number(t) : 0;
	return true;
}

/**
 * match_new_sock() - decide whether to record a call that makes a socket
 * @s: the armed session
 * @t: of sock_new_tuple()
 *
 * It is not bound or connected yet: if it has ports, it cannot be told what a filter of ports will
 * say of it.
 */
bool match_new_sock(const struct session *s, const struct tuple *t)
{
	const struct record_skb_options *o = &s->options;

	return match_current(s) &&
	       (t->portless || !(o->flags & RECORD_SKB_OPT_FOLLOW_PORTLESS)) &&
	       match_mark(o, 0) && match_where(o, 0, current->nsproxy->net_ns->ns.inum);
}
