// SPDX-License-Identifier: GPL-2.0
/* trace_emit.c - write the events of the module into the ring buffer, next to the call graph */
#include <linux/hash.h>
#include <linux/ip.h>
#include <linux/irqflags.h>
#include <linux/netdevice.h>
#include <linux/netfilter_bridge.h>
#include <linux/sched.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/timekeeping.h>
#include <net/rtnetlink.h>
#include <net/sock.h>
#include <net/tcp.h>

#if IS_ENABLED(CONFIG_NF_CONNTRACK)
#include <net/netfilter/nf_conntrack.h>
#endif

#include "drop_values.h"
#include "flow_tuple.h"
#include "task_pause.h"
#include "trace_emit.h"
#include "recording.h"
#include "netns_table.h"
#include "skb_table.h"
#include "skb_view.h"
#include "stream_positions.h"

/*
 * Return: inode number of the packet's namespace; 0 if unknown. A packet without a device, such as a packet
 * in a socket's queue, is still in the namespace where it was seen last. At probes that the user has added,
 * this is not certain, so the last namespace is not used there.
 */
static __always_inline u32 netns_of(const struct skb_view *v, const struct match *m)
{
	if (v->dev || v->point->dir == RECORD_SKB_DIR_NONE)
		return skb_view_netns(v);
	return skb_view_netns(v) ?: m->netns;
}

/* Fill an address field of an event: a struct sockaddr_in6, which holds a struct sockaddr_in for IPv4. */
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

/* Fast version of fill_address() for IPv4 with ports. */
static __always_inline void fill_address_v4(void *to, __be32 addr, __be16 port)
{
	struct sockaddr_in *sin = to;

	BUILD_BUG_ON(sizeof(struct sockaddr_in6) != 28);
	sin->sin_family = AF_INET;
	sin->sin_port = port;
	sin->sin_addr.s_addr = addr;
	memset(to + 8, 0, 20);
}

/*
 * Copy the whole array, which is faster than a string copy. The bytes after the terminating NUL have no
 * meaning.
 */
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
					const struct skb_view *v, const struct match *m,
					enum record_skb_how how, const struct tuple *t, void *data,
					u32 data_len);

#define CREATE_TRACE_POINTS
#include "skb_events.h"

/* Fill in the header fields of a plain packet (is_plain()) directly from its headers at @data. */
static __always_inline void fill_plain(struct trace_event_raw_packet *e, const u8 *data)
{
	const struct iphdr *ih = (const struct iphdr *)data;
	const struct tcphdr *th = (const struct tcphdr *)(ih + 1);
	const bool tcp = ih->protocol == IPPROTO_TCP;

	e->family = AF_INET;
	e->proto = ih->protocol;
	/* TCP and UDP have the ports at the same offset. */
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

/*
 * Fill in the state of the packet in connection tracking. The numbers of the states are those of enum
 * ip_conntrack_info plus 1.
 */
static __always_inline void fill_conntrack(struct trace_event_raw_packet *e,
					   const struct sk_buff *skb)
{
#if IS_ENABLED(CONFIG_NF_CONNTRACK)
	const struct nf_conn *ct = (const struct nf_conn *)(skb->_nfct & NFCT_PTRMASK);

	e->ct = skb->_nfct ? (skb->_nfct & NFCT_INFOMASK) + 1 : 0;
	e->ct_status = ct ? READ_ONCE(ct->status) : 0;
#else
	e->ct = 0;
	e->ct_status = 0;
#endif
}

static __always_inline bool is_bridged(const struct sk_buff *skb)
{
#if IS_ENABLED(CONFIG_BRIDGE_NETFILTER)
	return nf_bridge_info_exists(skb);
#else
	return false;
#endif
}

/* Fill in the kind of the device, such as "vxlan" or "vrf"; empty for hardware. */
static __always_inline void fill_kind(char *to, const struct net_device *dev)
{
	const struct rtnl_link_ops *ops = dev ? dev->rtnl_link_ops : NULL;

	strscpy_pad(to, ops && ops->kind ? ops->kind : "", IFNAMSIZ);
}

/* Fill in a packet event. @t is the tuple of the packet, NULL if the packet is plain (is_plain()). */
static __always_inline void fill_packet(struct trace_event_raw_packet *e, const struct recording *r,
					const struct skb_view *v, const struct match *m,
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
	/*
	 * At the probe of an XDP program, @skb is a temporary variable. The kernel has no skb for the frame
	 * yet.
	 */
	e->skb = unlikely(point->kind == RECORD_SKB_KIND_FRAME) ? 0 : (unsigned long)skb;
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
	e->net_len = skb_view_len(v, said);
	e->ethertype = ntohs(protocol);
	e->len = skb->len;
	e->ifindex = dev ? dev->ifindex : 0;
	fill_name(e->dev, dev);
	e->netns = netns_of(v, m);
	e->mark = skb->mark;
	e->copy = m->copy;
	e->first = m->first;
	e->overrun = graph_overrun();
	e->bridged = is_bridged(skb);
	fill_conntrack(e, skb);
	fill_kind(e->dev_kind, dev);
	memcpy(data, from, data_len);
}

/*
 * Return: number of packet bytes from @data on that the event will contain; 0 if @data is not in the linear
 * part of the skb.
 */
static __always_inline u32 said_len(const struct sk_buff *skb, const u8 *data)
{
	const u8 *tail = skb_tail_pointer(skb);

	return data >= skb->head && data < tail ? min_t(long, tail - data, RECORD_SKB_SNAPLEN) : 0;
}

/*
 * Return: true if the packet is plain: IPv4 without options, followed by UDP or TCP. At least the ports of
 * UDP, or the whole header of TCP without options, must be in the @len bytes at @data. For such a packet,
 * fill_plain() fills in the same fields as the slow path with tuple_read().
 */
static __always_inline bool is_plain(const struct skb_view *v, const u8 *data, u32 len)
{
	const struct iphdr *ih = (const struct iphdr *)data;

	BUILD_BUG_ON(sizeof(*ih) + sizeof(struct tcphdr) > RECORD_SKB_SNAPLEN);
	return len >= sizeof(*ih) + 2 * sizeof(__be16) && v->protocol == htons(ETH_P_IP) &&
	       parse_is_plain(ih) &&
	       (ih->protocol == IPPROTO_UDP || len >= sizeof(*ih) + sizeof(struct tcphdr));
}

/*
 * Emit the event of a packet that is not plain. This function is not inlined, because a tuple takes much
 * stack.
 */
static noinline void emit_by_tuple(const struct recording *r, const struct skb_view *v,
				   const struct match *m, enum record_skb_how how, u32 len)
{
	struct tuple t __attribute__((__uninitialized__));

	tuple_read(v->skb, v->offset, &t);
	trace_packet(r, v, m, how, &t, len);
}

/*
 * The skbs of recent events "packet" and "copy", by a hash of their buffers. XDP programs get the buffer and
 * not the skb. An skb in this table may have been freed, or may have another buffer by now.
 */
const struct sk_buff *record_skb_by_buffer[1 << RECORD_SKB_BUFFER_BITS];
/*
 * The skb of the most recent event "packet" or "copy" on this CPU. Its buffer may have been replaced since.
 */
static DEFINE_PER_CPU(const struct sk_buff *, last_skb);

static __always_inline void note_buffer(const struct sk_buff *skb)
{
	WRITE_ONCE(record_skb_by_buffer[hash_ptr(skb->head, RECORD_SKB_BUFFER_BITS)], skb);
	__this_cpu_write(last_skb, skb);
}

/* Return: the skb of the most recent event on this CPU, which may have been freed. Preemption is off. */
const struct sk_buff *emit_last_skb(void)
{
	return __this_cpu_read(last_skb);
}

/* Report the first packet of the recording in a namespace. This event precedes that of the packet. */
static noinline void emit_new_netns(const struct recording *r, const struct net *net)
{
	if (netns_table_add(r->netns, net->net_cookie, net->ns.inum, net))
		trace_netns(r->number, net->net_cookie, net->ns.inum, RECORD_SKB_NETNS_SEEN, "",
			    "");
}

static __always_inline void see_netns(const struct recording *r, const struct net *net)
{
	if (net && unlikely(!netns_table_has(r->netns, net->net_cookie)))
		emit_new_netns(r, net);
}

/**
 * emit_packet() - report a matching packet at a probe
 * @rec: the recording
 * @v: the packet at this probe
 * @m: numbers of the packet
 * @how: effect on the call graph
 *
 * The headers are read again at each probe, because they may have changed since the packet first matched,
 * for example by NAT. The event shows the headers as they are at this probe.
 */
void emit_packet(const struct recording *rec, const struct skb_view *v, const struct match *m,
		 enum record_skb_how how)
{
	const u8 *data = v->skb->data + v->offset;
	const u32 len = said_len(v->skb, data);

	/* Do not remember the skb of a frame: it is a variable on the stack (xdp_programs.c). */
	if (v->point->kind != RECORD_SKB_KIND_FRAME)
		note_buffer(v->skb);
	if (!trace_packet_enabled())
		return;
	see_netns(rec, skb_view_net(v));
	if (likely(is_plain(v, data, len)))
		trace_packet(rec, v, m, how, NULL, len);
	else
		emit_by_tuple(rec, v, m, how, len);
}

/**
 * emit_call() - report a matching call of a socket function at a probe
 * @rec: the recording
 * @point: the probe
 * @call: number of the call
 * @sk: the socket, NULL if it does not exist yet
 * @socket: the same socket, with the kind of the data that the call moves
 * @t: tuple of the socket
 * @flow: number of the flow, or 0
 * @how: effect on the call graph
 */
void emit_call(const struct recording *rec, const struct point *point, u32 call,
	       const struct sock *sk, const struct call_socket *socket, const struct tuple *t,
	       u32 flow, enum record_skb_how how)
{
	struct call_record r = {
		.recording = rec->number,
		.point = point,
		.sk = sk,
		.socket = socket,
		.tuple = t,
		.call = call,
		.flow = flow,
		.how = how,
	};

	if (sk) {
		r.netns = sock_net(sk)->ns.inum;
		see_netns(rec, sock_net(sk));
	}
	trace_call(&r);
}

/**
 * emit_other() - report a packet or call that does not match, at a probe inside an open graph
 * @r: the recording
 * @func: address of the probe
 * @object: the skb or sock
 */
void emit_other(const struct recording *r, unsigned long func, const void *object)
{
	trace_other(r->number, func, object);
}

/**
 * emit_drop() - report that a matching packet is dropped
 * @r: the recording
 * @skb: the packet
 * @m: numbers of the packet
 * @location: address of the code that drops the packet
 * @reason: number of the kernel's drop reason
 * @name: name of the drop reason, empty if it has none
 * @qdisc: name of the queueing discipline that drops the packet, empty if none does
 * @qdisc_reason: drop reason of the queueing discipline, empty if it gives no reason
 */
void emit_drop(const struct recording *r, const struct sk_buff *skb, const struct match *m,
	       unsigned long location, u32 reason, const char *name, const char *qdisc,
	       const char *qdisc_reason)
{
	trace_drop(r->number, skb, m, location, reason, name, qdisc, qdisc_reason);
}

/**
 * emit_limit() - report the value that decides about a matching packet
 * @r: the recording
 * @skb: the packet
 * @m: numbers of the packet
 * @v: the value
 *
 * The event of the packet's drop or end follows.
 */
void emit_limit(const struct recording *r, const struct sk_buff *skb, const struct match *m,
		const struct drop_value *v)
{
	trace_limit(r->number, skb, m, v);
}

/**
 * emit_copy() - report that a matching packet was copied
 * @r: the recording
 * @skb: the copy
 * @m: numbers of the copy
 * @from: the skb that was copied
 * @from_copy: copy number of @from
 * @kind: kind of the copy, enum record_skb_copy_kind
 * @func: address of the probed function that made the copy, 0 if no probed function made it
 */
void emit_copy(const struct recording *r, const struct sk_buff *skb, const struct match *m,
	       const struct sk_buff *from, u32 from_copy, enum record_skb_copy_kind kind,
	       unsigned long func)
{
	note_buffer(skb);
	trace_copy(r->number, skb, m, from, from_copy, kind, func);
}

/**
 * emit_end() - report that a matching packet is freed without being dropped
 * @r: the recording
 * @skb: the packet
 * @m: numbers of the packet
 */
void emit_end(const struct recording *r, const struct sk_buff *skb, const struct match *m)
{
	trace_end(r->number, skb, m);
}

/**
 * emit_return() - report the return value of a probed function when its gate is left
 * @r: the recording
 * @func: address of the probe
 * @skb: the packet, which may have been freed; NULL for a socket call
 * @m: numbers of the packet; for a socket call, only the flow number is set
 * @call: number of the socket call, 0 for a packet
 * @ret: return value of the function
 * @socket: socket of a call; the member sk is NULL if the caller may have released the socket
 */
void emit_return(const struct recording *r, unsigned long func, const struct sk_buff *skb,
		 const struct match *m, u32 call, unsigned long ret,
		 const struct call_socket *socket)
{
	trace_return(r->number, func, skb, m, call, ret, socket);
}

/**
 * emit_rule() - report the verdict of an nftables rule or policy
 * @r: the recording
 * @rule: the rule, its verdict and the packet
 * @m: numbers of the packet
 */
void emit_rule(const struct recording *r, const struct rule_record *rule, const struct match *m)
{
	trace_rule(r->number, rule, m);
}

/**
 * emit_program() - report that a BPF program has run on a packet
 * @r: the recording
 * @program: the program, its result and the packet
 * @m: numbers of the packet
 */
void emit_program(const struct recording *r, const struct program_record *program,
		  const struct match *m)
{
	trace_program(r->number, program, m);
}

/**
 * emit_decision() - report a decision about the path of a packet
 * @r: the recording
 * @decision: what the kernel has decided, and in which function
 * @m: numbers of the packet; 0 if the decision belongs to the packet or call of the open graph
 */
void emit_decision(const struct recording *r, const struct decision_record *decision,
		   const struct match *m)
{
	trace_decision(r->number, decision, m);
}

/**
 * emit_reset() - report why a TCP reset is sent
 * @r: the recording
 * @reset: addresses of the reset, and what is known about its cause
 */
void emit_reset(const struct recording *r, const struct reset_record *reset)
{
	trace_reset(r->number, reset);
}

/**
 * emit_wall_clock() - report the time of day, so that trace timestamps can be converted
 * @r: the recording
 *
 * Interrupts are off while the time of day is read and the event is written. So the trace timestamp of the
 * event and the time of day belong to the same moment.
 */
void emit_wall_clock(const struct recording *r)
{
	unsigned long flags;

	local_irq_save(flags);
	trace_wall_clock(r->number, ktime_get_real_ns(), READ_ONCE(r->sample));
	local_irq_restore(flags);
}

/**
 * emit_netns_name() - report the name of a namespace
 * @r: the recording
 * @entry: the namespace, which may have a name
 */
void emit_netns_name(const struct recording *r, const struct netns_entry *entry)
{
	const struct netns_label *label;

	rcu_read_lock();
	label = rcu_dereference(entry->label);
	if (label)
		trace_netns(r->number, entry->cookie, entry->inum, label->kind, label->name,
			    label->detail);
	rcu_read_unlock();
}

/**
 * emit_netns_names() - report the names of all namespaces again, at the end of the recording
 * @r: the recording
 *
 * Readers look for these events in the last rows, so that they know the names before the first packet.
 */
void emit_netns_names(const struct recording *r)
{
	u32 i;

	for (i = 0; i < NETNS_MAX; i++)
		emit_netns_name(r, &r->netns->entry[i]);
	trace_netns(r->number, 0, 0, RECORD_SKB_NETNS_LAST, "", "");
}

/**
 * emit_sched() - report that a task related to the recording sleeps, waits for a CPU or runs
 * @r: the recording
 * @what: the scheduling event
 * @task: the task that sleeps, waits or runs
 * @other: the task that runs on the CPU next, or that ran on it before; NULL if the scheduling event has no
 *	such task
 */
void emit_sched(const struct recording *r, enum record_skb_sched what,
		const struct task_struct *task, const struct task_struct *other)
{
	trace_sched(r->number, what, task, other);
}

/**
 * emit_stop() - report that a trigger has stopped the recording of a ring
 * @r: the recording
 * @by: kind of the trigger
 * @m: numbers of the packet that caused the stop; 0 if no packet did
 */
void emit_stop(const struct recording *r, enum record_skb_by by, const struct match *m)
{
	trace_stop(r->number, by, m);
}
