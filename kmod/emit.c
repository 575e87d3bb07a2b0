// SPDX-License-Identifier: GPL-2.0
/* emit.c - put what was seen into the ring buffer, beside the call graph */
#include <linux/ip.h>
#include <linux/irqflags.h>
#include <linux/netdevice.h>
#include <linux/sched.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/timekeeping.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "emit.h"
#include "recording.h"
#include "track.h"
#include "view.h"

/*
 * Without a device it is where it was last: a socket's queue is in the namespace of who puts it there. Of a
 * function that the user has added nothing is known.
 */
static __always_inline u32 netns_of(const struct view *v, const struct match *m)
{
	if (v->dev || v->point->dir == RECORD_SKB_DIR_NONE)
		return view_netns(v);
	return view_netns(v) ?: m->netns;
}

/* A struct sockaddr_in6, or what of it is a struct sockaddr_in, of the event itself. */
static noinline void fill_address(void *to, const struct tuple *t, const struct in6_addr *addr,
				  u16 port)
{
	struct sockaddr_in6 *sa = to;
	struct sockaddr_in *sin = to;

	memset(sa, 0, sizeof(*sa));
	if (!t->has_ports)
		port = 0;
	switch (t->family) {
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

/* The same of IPv4 with ports. */
static __always_inline void fill_address_v4(void *to, __be32 addr, __be16 port)
{
	struct sockaddr_in *sin = to;

	BUILD_BUG_ON(sizeof(struct sockaddr_in6) != 28);
	sin->sin_family = AF_INET;
	sin->sin_port = port;
	sin->sin_addr.s_addr = addr;
	memset(to + 8, 0, 20);
}

/* What stands behind the name's end is of no meaning. */
static __always_inline void fill_name(char *to, const struct net_device *dev)
{
	BUILD_BUG_ON(sizeof(dev->name) != IFNAMSIZ);
	if (dev)
		memcpy(to, dev->name, IFNAMSIZ);
	else
		memset(to, 0, IFNAMSIZ);
}

struct trace_event_raw_packet;
static __always_inline void fill_packet(struct trace_event_raw_packet *e, const struct recording *r,
					const struct view *v, const struct match *m,
					enum record_skb_how how, const struct tuple *t, void *data,
					u32 data_len);

#define CREATE_TRACE_POINTS
#include "events.h"

/* What stands in the headers of nearly every packet, from there. */
static __always_inline void fill_plain(struct trace_event_raw_packet *e, const u8 *data)
{
	const struct iphdr *ih = (const struct iphdr *)data;
	const struct tcphdr *th = (const struct tcphdr *)(ih + 1);
	const bool tcp = ih->protocol == IPPROTO_TCP;

	e->family = AF_INET;
	e->proto = ih->protocol;
	/* Ports are at the same place in both. */
	fill_address_v4(e->saddr, ih->saddr, th->source);
	fill_address_v4(e->daddr, ih->daddr, th->dest);
	e->icmp_type = 0;
	e->icmp_code = 0;
	e->icmp_id = 0;
	e->tcp_flags = tcp ? tcp_flag_byte(th) : 0;
	e->seq = tcp ? ntohl(th->seq) : 0;
	e->ack = tcp ? ntohl(th->ack_seq) : 0;
}

static noinline void fill_tuple(struct trace_event_raw_packet *e, const struct tuple *t)
{
	e->family = t->family;
	e->proto = t->proto;
	fill_address(e->saddr, t, &t->saddr, t->sport);
	fill_address(e->daddr, t, &t->daddr, t->dport);
	e->icmp_type = t->icmp_type;
	e->icmp_code = t->icmp_code;
	e->icmp_id = t->icmp_id;
	e->tcp_flags = t->tcp_flags;
	e->seq = t->seq;
	e->ack = t->ack;
}

/* @t: its tuple, NULL if it is plain */
static __always_inline void fill_packet(struct trace_event_raw_packet *e, const struct recording *r,
					const struct view *v, const struct match *m,
					enum record_skb_how how, const struct tuple *t, void *data,
					u32 data_len)
{
	const struct point *point = v->point;
	const struct sk_buff *skb = v->skb;
	const struct net_device *dev = v->dev;
	const u8 *from = skb->data + v->offset;
	const __be16 protocol = v->protocol;
	u32 said;

	e->recording = r->number;
	e->lacks_points = r->lacks_points;
	e->func = point->ip;
	e->skb = (unsigned long)skb;
	e->pkt = m->pkt;
	e->flow = m->flow;
	e->how = how;
	e->dir = point->dir;
	if (likely(!t)) {
		fill_plain(e, from);
		said = ntohs(((const struct iphdr *)from)->tot_len);
	} else {
		fill_tuple(e, t);
		said = t->len;
	}
	e->net_len = view_len(v, said);
	e->ethertype = ntohs(protocol);
	e->len = skb->len;
	e->ifindex = dev ? dev->ifindex : 0;
	fill_name(e->dev, dev);
	e->netns = netns_of(v, m);
	e->mark = skb->mark;
	e->copy = m->copy;
	e->first = m->first;
	memcpy(data, from, data_len);
}

/* How many of the packet's bytes are said: from @data on, which need not be in its linear part. */
static __always_inline u32 said_len(const struct sk_buff *skb, const u8 *data)
{
	const u8 *tail = skb_tail_pointer(skb);

	return data >= skb->head && data < tail ? min_t(long, tail - data, RECORD_SKB_SNAPLEN) : 0;
}

/* As tuple_read() would find it. */
static __always_inline bool is_plain(const struct view *v, const u8 *data, u32 len)
{
	const struct iphdr *ih = (const struct iphdr *)data;

	BUILD_BUG_ON(sizeof(*ih) + sizeof(struct tcphdr) > RECORD_SKB_SNAPLEN);
	return len >= sizeof(*ih) + 2 * sizeof(__be16) && v->protocol == htons(ETH_P_IP) &&
	       *data == 0x45 && !(ih->frag_off & htons(IP_OFFSET)) &&
	       (ih->protocol == IPPROTO_UDP ||
		(ih->protocol == IPPROTO_TCP && len >= sizeof(*ih) + sizeof(struct tcphdr)));
}

/* With a tuple, which is large. */
static noinline void emit_by_tuple(const struct recording *r, const struct view *v,
				   const struct match *m, enum record_skb_how how, u32 len)
{
	struct tuple t __attribute__((__uninitialized__));

	tuple_read(v->skb, v->offset, &t);
	trace_packet(r, v, m, how, &t, len);
}

/**
 * emit_packet() - a matching packet stands at a probe point
 * @rec: of which recording
 * @v: the packet, from there
 * @m: its numbers
 * @how: what becomes of the graph
 *
 * Its headers are read anew: what is said is what the packet has here, whatever it had where it matched
 * first.
 */
void emit_packet(const struct recording *rec, const struct view *v, const struct match *m,
		 enum record_skb_how how)
{
	const u8 *data = v->skb->data + v->offset;
	const u32 len = said_len(v->skb, data);

	if (!trace_packet_enabled())
		return;
	if (likely(is_plain(v, data, len)))
		trace_packet(rec, v, m, how, NULL, len);
	else
		emit_by_tuple(rec, v, m, how, len);
}

/**
 * emit_call() - a matching call stands at a probe point
 * @rec: of which recording
 * @point: which
 * @call: its number
 * @sk: the socket, NULL if there is none yet
 * @t: its tuple
 * @flow: the flow's number or 0
 * @how: what becomes of the graph
 */
void emit_call(const struct recording *rec, const struct point *point, u32 call,
	       const struct sock *sk, const struct tuple *t, u32 flow, enum record_skb_how how)
{
	struct call_record r = {
		.recording = rec->number,
		.point = point,
		.sk = sk,
		.tuple = t,
		.call = call,
		.flow = flow,
		.how = how,
	};

	if (sk)
		r.netns = sock_net(sk)->ns.inum;
	trace_call(&r);
}

/**
 * emit_other() - what does not match stands at a probe point inside an open graph
 * @r: of which recording
 * @func: the probe point
 * @object: the skb or sock
 */
void emit_other(const struct recording *r, unsigned long func, const void *object)
{
	trace_other(r->number, func, object);
}

/**
 * emit_drop() - a packet that matched is thrown away
 * @r: of which recording
 * @skb: the packet
 * @m: its numbers
 * @location: the code that does it
 * @reason: the kernel's number for why
 * @name: and name, empty if it has none
 * @qdisc: the queueing discipline that does, empty if none does
 * @qdisc_reason: and its own reason, empty if there is none
 */
void emit_drop(const struct recording *r, const struct sk_buff *skb, const struct match *m,
	       unsigned long location, u32 reason, const char *name, const char *qdisc,
	       const char *qdisc_reason)
{
	trace_drop(r->number, skb, m, location, reason, name, qdisc, qdisc_reason);
}

/**
 * emit_copy() - a copy of a packet that matched was made
 * @r: of which recording
 * @skb: the copy
 * @m: its numbers
 * @from: what it was made from
 * @from_copy: and its number
 * @kind: how
 * @func: by which function, 0 if by none
 */
void emit_copy(const struct recording *r, const struct sk_buff *skb, const struct match *m,
	       const struct sk_buff *from, u32 from_copy, enum record_skb_copy_kind kind,
	       unsigned long func)
{
	trace_copy(r->number, skb, m, from, from_copy, kind, func);
}

/**
 * emit_end() - a packet that matched is freed, and not thrown away
 * @r: of which recording
 * @skb: the packet
 * @m: its numbers
 */
void emit_end(const struct recording *r, const struct sk_buff *skb, const struct match *m)
{
	trace_end(r->number, skb, m);
}

/**
 * emit_return() - a packet or call leaves its gate
 * @r: of which recording
 * @func: the probe point
 * @skb: the packet, which may be gone; NULL for a call
 * @m: its numbers, or the call's flow
 * @call: the call's number, 0 for a packet
 * @ret: what the function returned
 */
void emit_return(const struct recording *r, unsigned long func, const struct sk_buff *skb,
		 const struct match *m, u32 call, unsigned long ret)
{
	trace_return(r->number, func, skb, m, call, ret);
}

/**
 * emit_rule() - a rule or policy of nftables gave a verdict
 * @r: of which recording
 * @rule: which, and on what
 * @m: the packet's numbers
 */
void emit_rule(const struct recording *r, const struct rule_record *rule, const struct match *m)
{
	trace_rule(r->number, rule, m);
}

/**
 * emit_wall_clock() - what time of day it is by the trace's clock
 * @r: of which recording
 *
 * Nothing may come between the one time and the other, which the event has from the ring buffer.
 */
void emit_wall_clock(const struct recording *r)
{
	unsigned long flags;

	local_irq_save(flags);
	trace_wall_clock(r->number, ktime_get_real_ns());
	local_irq_restore(flags);
}

/**
 * emit_sched() - a task that has to do with what is recorded sleeps, waits for a CPU or has one
 * @r: of which recording
 * @what: which
 * @task: the task
 * @other: who has the CPU next, or had it until now; NULL if it is about none
 */
void emit_sched(const struct recording *r, enum record_skb_sched what,
		const struct task_struct *task, const struct task_struct *other)
{
	trace_sched(r->number, what, task, other);
}

/**
 * emit_stop() - a ring is recorded no further
 * @r: of which recording
 * @by: what ended it
 * @m: numbers of the packet that did; 0 if none did
 */
void emit_stop(const struct recording *r, enum record_skb_by by, const struct match *m)
{
	trace_stop(r->number, by, m);
}
