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
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/route.h>
#include <net/sock.h>
#include <net/tcp.h>
#include <net/tcp_states.h>

#include "armed.h"
#include "copies.h"
#include "ether.h"
#include "flow.h"
#include "follow.h"
#include "match.h"
#include "nat.h"
#include "sock.h"
#include "stats.h"
#include "track.h"
#include "trigger.h"
#include "view.h"

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
static bool match_options(const struct record_skb_options *o, const struct view *v)
{
	return match_mark(o, v->skb->mark) &&
	       (!o->nr_where || match_where(o, v->dev ? v->dev->ifindex : 0, view_netns(v)));
}

static bool match_filter(const struct filter *f, const struct view *v)
{
	if (f->raw && (v->protocol == htons(ETH_P_IP) || v->protocol == htons(ETH_P_IPV6))) {
		if (!(v->point->flags & RECORD_SKB_POINT_AT_DATA))
			return filter_run(f, v->skb, v->offset);
		return f->at_data && bpf_prog_run(f->at_data, v->skb);
	}
	return f->ll && ether_run_filter(f->ll, v);
}

/* Whether the packet is for this host, and not only on its way through or out of it. */
static bool match_is_local(const struct view *v, struct net *net, const struct tuple *t)
{
	const bool out = v->point->dir == RECORD_SKB_DIR_TX;
	unsigned int type;

	if (t->family == AF_INET6)
		return ipv6_addr_is_multicast(&t->daddr) ? !out :
							   ipv6_chk_addr(net, &t->daddr, NULL, 0);
	type = inet_addr_type_dev_table(net, v->dev, t->daddr.s6_addr32[0]);
	return type == RTN_LOCAL || (!out && (type == RTN_BROADCAST || type == RTN_MULTICAST));
}

/* Whether it comes to a socket that is followed whoever the peer is. Then so is its flow. */
static bool match_comes(const struct armed *a, const struct view *v, const struct tuple *t)
{
	struct flows *flows = a->of->flows;
	struct net *net;

	if (!flow_any_local(flows))
		return false;
	net = view_net(v);
	if (!net || !flow_local_is_followed(flows, t, net->net_cookie) ||
	    !match_is_local(v, net, t))
		return false;
	flow_follow(flows, t, net->net_cookie);
	return true;
}

/* Whether another process begins a connection here: then the flow is no longer whose it was. */
static bool match_is_taken_over(const struct armed *a, const struct point *point,
				const struct tuple *t)
{
	return t->proto == IPPROTO_TCP &&
	       (t->tcp_flags & (TCPHDR_SYN | TCPHDR_ACK)) == TCPHDR_SYN &&
	       point->flags & RECORD_SKB_POINT_SENDER && in_task() && current->mm &&
	       !follow_current(a->of->follow);
}

/* Whether a followed task is sending this itself. */
static bool match_sender(const struct armed *a, const struct view *v)
{
	return v->point->flags & RECORD_SKB_POINT_SENDER && in_task() &&
	       follow_current(a->of->follow);
}

/* Whether a tunnel's protocol is what the task itself sends, and not what is around another packet. */
static bool match_is_raw(const struct view *v, const struct tuple *t)
{
	const struct sock *sk = v->skb->sk;

	return sk && sk_fullsock(sk) && sk->sk_type == SOCK_RAW && sk->sk_protocol == t->proto;
}

/*
 * Flows of the followed tasks; they are learned from what those send. @t is the packet's own, or that
 * of one that it quotes.
 */
static bool match_followed(const struct armed *a, const struct view *v, const struct tuple *t,
			   bool quoted)
{
	struct flows *flows = a->of->flows;
	const u64 net = view_cookie(v);

	/* Ends are somebody's in a namespace only. */
	if (!net || ((a->options.flags & RECORD_SKB_OPT_FOLLOW_PORTLESS) && !t->portless))
		return false;
	if (flow_is_followed(flows, t, net)) {
		if (quoted || !match_is_taken_over(a, v->point, t))
			return true;
		flow_unfollow(flows, t, net);
	}
	if (!quoted && match_comes(a, v, t))
		return true;
	if (!match_sender(a, v))
		return false;
	/* What is around a packet: one of the task's own is tracked, unless it was refused. */
	if (tuple_is_tunnel(t))
		return !quoted && match_is_raw(v, t);
	flow_follow(flows, t, net);
	return true;
}

/* A frame that a followed task sends below IP. */
static bool match_frame(const struct armed *a, const struct view *v)
{
	return v->skb->sk && v->skb->sk->sk_family == AF_PACKET && match_sender(a, v);
}

/* Errors about a packet that would match; then @t becomes that packet's, so that it is its flow. */
static bool match_quoted(const struct armed *a, const struct view *v, struct tuple *t)
{
	struct tuple quoted;

	if (a->options.flags & RECORD_SKB_OPT_NO_ICMP_ERRORS ||
	    !tuple_read_quoted(v->skb, t, &quoted))
		return false;
	if (!sock_run_filter(&a->filter, &quoted, false) &&
	    !((a->options.flags & RECORD_SKB_OPT_FOLLOW) && match_followed(a, v, &quoted, true)))
		return false;
	*t = quoted;
	return true;
}

/* Whether a packet that is not remembered matches. If so, @t is its flow's tuple, if @ip. */
static bool match_new(const struct armed *a, const struct view *v, bool *ip, struct tuple *t)
{
	const bool follow = a->options.flags & RECORD_SKB_OPT_FOLLOW;
	bool matches;

	if (!match_options(&a->options, v))
		return false;
	matches = match_filter(&a->filter, v);
	/* Without following, only an error can match for another reason. */
	if (!matches && !follow && !tuple_is_icmp(v->skb, v->offset))
		return false;
	*ip = tuple_read(v->skb, v->offset, t);
	if (matches)
		return true;
	if (!*ip)
		return follow && match_frame(a, v);
	return (follow && match_followed(a, v, t, false)) || match_quoted(a, v, t);
}

/*
 * What follows is apart from who calls it: a tuple on the stack is cleared, whether anybody comes to it or
 * not, and at most of a packet's points nobody does.
 */

/* The packet's addresses were changed: what it was and what its answers will be is one flow. */
static noinline void match_translated(struct flows *flows, const struct sk_buff *skb, u32 flow)
{
	struct tuple sent, answer;
	u64 net;

	nat_tuples(skb, &sent, &answer, &net);
	flow_carry(flows, flow, &sent, net, &answer, net);
	flow_carry(flows, flow, &answer, net, &sent, net);
}

/* It is in this namespace now: its flow comes along. Return: whether it did. */
static noinline bool match_goes_to(struct flows *flows, const struct view *v, const struct net *net,
				   struct match *m)
{
	const u64 cookie = net->net_cookie;
	struct tuple t __attribute__((__uninitialized__));

	if (!tuple_read(v->skb, v->offset, &t))
		return false;
	if (!m->net)
		m->flow = flow_of_packet(flows, &t, cookie);
	else if (!flow_carry(flows, m->flow, &t, m->net, &t, cookie))
		return false;
	m->net = cookie;
	return true;
}

/* A packet that is remembered takes its flow along, through NAT and into another namespace. */
static void match_carry(const struct armed *a, const struct view *v, struct match *m)
{
	struct flows *flows = a->of->flows;
	const struct net *net = view_net(v);
	bool moved;

	if (m->flow && nat_changes(v->skb))
		match_translated(flows, v->skb, m->flow);
	if (!net || (net->ns.inum == m->netns && net->net_cookie == m->net))
		return;
	moved = m->netns != net->ns.inum;
	m->netns = net->ns.inum;
	if ((net->net_cookie != m->net && match_goes_to(flows, v, net, m)) || moved)
		track_moved(a->of->track, v->skb, m);
}

/*
 * What a function that the user has named is given may be no packet, but room for parts of several: then its
 * header lies elsewhere.
 */
static bool match_is_packet(const struct view *v)
{
	return v->point->dir != RECORD_SKB_DIR_NONE ||
	       v->offset + (int)sizeof(struct iphdr) <= (int)skb_headlen(v->skb);
}

/* Whether a packet that is not remembered matches; then it has a number. */
static noinline bool match_number(const struct armed *a, const struct view *v, struct match *m)
{
	struct recording *of = a->of;
	struct tuple t __attribute__((__uninitialized__));
	bool ip;

	if (!match_is_packet(v) || !match_new(a, v, &ip, &t))
		return false;
	*m = (struct match){ .netns = view_netns(v), .net = ip ? view_cookie(v) : 0 };
	m->flow = m->net ? flow_of_packet(of->flows, &t, m->net) : 0;
	if (a->options.flags & RECORD_SKB_OPT_NO_TRACK) {
		m->pkt = stat_number(&of->stats, STAT_PACKETS);
		m->copy = RECORD_SKB_COPY_UNKNOWN;
		m->first = true;
	} else if (track_new(of->track, v->skb, m)) {
		copies_parts(of, v->skb, m);
	}
	if (m->flow && trigger_waits_for_answer(a))
		trigger_heard(a, v, &t, m);
	return true;
}

/* What was dropped stays what it is while it is freed. Where packets pass, another has its address. */
static bool match_found(const struct armed *a, const struct view *v, struct match *m)
{
	if (!track_find(a->of->track, v->skb, m))
		return false;
	if (likely(!m->dropped) || v->point->dir == RECORD_SKB_DIR_NONE)
		return true;
	track_forget(a->of->track, v->skb, m);
	return false;
}

/* match_packet() but for what the packet may end. */
static bool match_numbered(const struct armed *a, const struct view *v, struct match *m)
{
	if (!match_found(a, v, m))
		return match_number(a, v, m);
	match_carry(a, v, m);
	return true;
}

/**
 * match_packet() - decide whether to record a packet, and number it if it is new
 * @a: what is armed
 * @v: the packet
 * @m: filled in if it matches
 *
 * Return: whether it matches.
 */
bool match_packet(const struct armed *a, const struct view *v, struct match *m)
{
	if (!match_numbered(a, v, m))
		return false;
	if (trigger_waits_for_match(a) && match_filter(&a->until.match, v))
		trigger_matched(m);
	return true;
}

/* match_packet() without giving a number. */
bool match_packet_quick(const struct armed *a, const struct view *v)
{
	struct match m;
	struct tuple t;
	bool ip;

	return match_found(a, v, &m) || match_new(a, v, &ip, &t);
}

/* Whether a followed task is doing this by itself, not something that interrupted it. */
static bool match_current(const struct armed *a)
{
	return (a->options.flags & RECORD_SKB_OPT_FOLLOW) && in_task() &&
	       follow_current(a->of->follow);
}

/* Both ends are known, so it is one flow. */
static bool match_complete(const struct tuple *t)
{
	return t->sport && t->dport && !ipv6_addr_any(&t->saddr) && !ipv6_addr_any(&t->daddr);
}

/**
 * match_learn() - remember which flows the current task's socket is for
 * @a: what is armed
 * @sk: the socket
 * @t: its tuple
 *
 * Return: whether the current task is followed and the socket's flows with it.
 */
bool match_learn(const struct armed *a, const struct sock *sk, const struct tuple *t)
{
	return match_current(a) && match_learn_of(a, sk, t);
}

/* Whether whoever sends to its port sends to this socket. */
static bool match_is_open(const struct sock *sk)
{
	return sk->sk_type != SOCK_STREAM || sk->sk_state == TCP_LISTEN;
}

/* match_learn() for a socket that is known to be a followed task's. */
bool match_learn_of(const struct armed *a, const struct sock *sk, const struct tuple *t)
{
	if ((a->options.flags & RECORD_SKB_OPT_FOLLOW_PORTLESS) && !t->portless)
		return false;
	/* What a tunnel sends between the same ends is not the task's. */
	if (tuple_is_tunnel(t))
		return true;
	if (match_complete(t))
		flow_follow(a->of->flows, t, sock_net(sk)->net_cookie);
	else if (t->sport && match_is_open(sk))
		flow_follow_local(a->of->flows, t, sock_net(sk)->net_cookie, !ipv6_only_sock(sk));
	return true;
}

/**
 * match_unlearn() - the socket ends: what comes to its port from now on is another's
 * @a: what is armed
 * @sk: the socket
 * @t: its tuple
 */
void match_unlearn(const struct armed *a, const struct sock *sk, const struct tuple *t)
{
	/* Others share the port: they may be followed, and their clients come all the same. */
	if (sk->sk_reuseport || (sk->sk_type != SOCK_STREAM && (sk->sk_reuse || t->dport)))
		return;
	if (flow_any_local(a->of->flows) && t->sport && match_is_open(sk))
		flow_unfollow_local(a->of->flows, t, sock_net(sk)->net_cookie, !ipv6_only_sock(sk));
}

/**
 * match_call() - decide whether to record a call with a socket
 * @a: what is armed
 * @point: the function called
 * @sk: the socket
 * @t: its tuple, with the peer that the call names
 * @flow: set to the flow's number, 0 while either end is unknown
 *
 * Return: whether it matches.
 */
bool match_call(const struct armed *a, const struct point *point, const struct sock *sk,
		const struct tuple *t, u32 *flow)
{
	if (!match_mark(&a->options, sk->sk_mark) ||
	    !match_where(&a->options, sk->sk_bound_dev_if, sock_net(sk)->ns.inum))
		return false;
	if (!match_learn(a, sk, t) &&
	    !sock_run_filter(&a->filter, t, point->dir == RECORD_SKB_DIR_RX))
		return false;
	*flow = match_complete(t) ? flow_number(a->of->flows, t, sock_net(sk)->net_cookie) : 0;
	return true;
}

/**
 * match_new_sock() - decide whether to record a call that makes a socket
 * @a: what is armed
 * @t: of sock_new_tuple()
 *
 * It is not bound or connected yet: if it has ports, it cannot be told what a filter of ports will
 * say of it.
 */
bool match_new_sock(const struct armed *a, const struct tuple *t)
{
	const struct record_skb_options *o = &a->options;

	return match_current(a) && (t->portless || !(o->flags & RECORD_SKB_OPT_FOLLOW_PORTLESS)) &&
	       match_mark(o, 0) && match_where(o, 0, current->nsproxy->net_ns->ns.inum);
}
