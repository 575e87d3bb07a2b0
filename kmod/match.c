// SPDX-License-Identifier: GPL-2.0
/*
 * match.c - decide which packets are recorded
 *
 * This code runs in the ftrace callback, for every packet at every probe. Nearly all of these packets do not
 * match, so rejecting a packet has to be fast. Nothing here changes a packet.
 */
#include <linux/filter.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/preempt.h>
#include <linux/skbuff.h>
#include <net/addrconf.h>
#include <net/ipv6.h>
#include <net/ndisc.h>
#include <net/net_namespace.h>
#include <net/route.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "active_config.h"
#include "skb_copies.h"
#include "match.h"
#include "flow_table.h"
#include "tasks.h"
#include "flow_tuple.h"
#include "counters.h"
#include "skb_table.h"
#include "ring_trigger.h"
#include "skb_view.h"
#include "where.h"

/*
 * Return: the Ethernet header, or NULL if the packet has no Ethernet header at this probe. A packet that is
 * being sent gets its Ethernet header late, in the output function of the neighbour or of the driver.
 */
static const u8 *ether_header(const struct skb_view *v)
{
	const struct sk_buff *skb = v->skb;

	if (v->point->flags & RECORD_SKB_POINT_NO_DEV || !skb->dev ||
	    skb->dev->type != ARPHRD_ETHER)
		return NULL;
	if (v->point->dir == RECORD_SKB_DIR_TX && skb_network_offset(skb) >= ETH_HLEN)
		return skb->data;
	if (skb_mac_header_was_set(skb) && skb_mac_offset(skb) < 0)
		return skb_mac_header(skb);
	return NULL;
}

/*
 * Number of bytes of an Ethernet frame to copy. This is enough for VLAN tags, and for IPv6 and TCP headers
 * with options.
 */
#define FRAME_LEN 160

/**
 * run_on_frame_copy() - run a BPF filter on a copy of the beginning of the Ethernet frame
 * @prog: the filter
 * @skb: the packet, which is not changed
 * @header: its Ethernet header
 *
 * The VLAN tag from skb->vlan_tci is inserted into the copy.
 *
 * Return: true if the frame matches.
 */
static bool run_on_frame_copy(const struct bpf_prog *prog, const struct sk_buff *skb,
			      const u8 *header)
{
	const unsigned int tag = skb_vlan_tag_present(skb) ? VLAN_HLEN : 0;
	const unsigned int len =
		min_t(unsigned int, skb_tail_pointer(skb) - header, FRAME_LEN - tag);
	struct {
		u8 head[FRAME_LEN];
		/*
		 * If the BPF program loads data beyond the linear part, the kernel searches this structure
		 * for fragments, and must find none.
		 */
		struct skb_shared_info info;
	} buf;
	__be16 *type = (__be16 *)(buf.head + 2 * ETH_ALEN);
	struct sk_buff copy;

	if (len < ETH_HLEN)
		return false;
	memcpy(buf.head, header, 2 * ETH_ALEN);
	if (tag) {
		type[0] = skb->vlan_proto;
		type[1] = htons(skb_vlan_tag_get(skb));
	}
	memcpy(buf.head + 2 * ETH_ALEN + tag, header + 2 * ETH_ALEN, len - 2 * ETH_ALEN);

	memset(&copy, 0, sizeof(copy));
	memset(&buf.info, 0, sizeof(buf.info));
	copy.head = copy.data = buf.head;
	copy.end = offsetof(typeof(buf), info);
	copy.len = skb->len + (skb->data - header) + tag;
	copy.data_len = copy.len - (len + tag);
	copy.protocol = type[0];
	copy.pkt_type = skb->pkt_type;
	skb_reset_mac_header(&copy);
	skb_set_network_header(&copy, ETH_HLEN);
	skb_set_tail_pointer(&copy, len + tag);
	return bpf_prog_run(prog, &copy);
}

/*
 * Run a BPF filter on the Ethernet frame of a packet. The packet is not changed. The program uses loads
 * relative to SKF_LL_OFF. Return: true if the Ethernet frame matches; false if it does not, or if the packet
 * has no Ethernet header.
 */
static bool run_l2_filter(const struct bpf_prog *prog, const struct skb_view *v)
{
	const struct sk_buff *skb = v->skb;
	const u8 *header = ether_header(v);

	if (!header)
		return false;
	if (skb_vlan_tag_present(skb) || !skb_mac_header_was_set(skb) ||
	    header != skb_mac_header(skb))
		return run_on_frame_copy(prog, skb, header);
	return bpf_prog_run(prog, skb);
}

/* Return: true if the options allow the mark, network device and namespace of a new packet. */
static bool match_options(const struct record_skb_options *o, const struct skb_view *v)
{
	return match_mark(o, v->skb->mark) &&
	       (!o->nr_steps || where_holds(o->steps, o->nr_steps, v->skb)) &&
	       (!o->nr_where || match_where(o, v->dev ? v->dev->ifindex : 0, skb_view_netns(v)));
}

/* Return: true if an IP packet satisfies all terms of the filter. */
static bool match_terms(const struct filter *f, const struct skb_view *v)
{
	const struct packet_bytes bytes = parse_bytes_of(v->skb, v->offset);
	struct headers headers;
	struct ipv6hdr buf;

	return parse_headers(&bytes, v->protocol, &buf, &headers) && filter_terms_hold(f, &headers);
}

static bool match_outer(const struct filter *f, const struct skb_view *v)
{
	const bool ip = v->protocol == htons(ETH_P_IP) || v->protocol == htons(ETH_P_IPV6);

	if (ip && f->sieve.nr && !match_terms(f, v))
		return false;
	if (ip && f->raw) {
		if (f->all)
			return true;
		if (!(v->point->flags & RECORD_SKB_POINT_AT_DATA))
			return filter_run(f, v->skb, v->offset);
		return f->at_data && bpf_prog_run(f->at_data, v->skb);
	}
	return f->ll && !f->inner && run_l2_filter(f->ll, v);
}

static bool match_filter(const struct filter *f, const struct skb_view *v)
{
	return match_outer(f, v) && (!f->inner || filter_inner_holds(f, v->skb, v->offset));
}

/* Return: true if this host is the destination of the packet. */
static bool match_is_local(const struct skb_view *v, struct net *net, const struct tuple *t)
{
	const bool out = v->point->dir == RECORD_SKB_DIR_TX;
	unsigned int type;

	if (t->family == AF_INET6)
		return ipv6_addr_is_multicast(&t->daddr) ? !out :
							   ipv6_chk_addr(net, &t->daddr, NULL, 0);
	type = inet_addr_type_dev_table(net, v->dev, t->daddr.s6_addr32[0]);
	return type == RTN_LOCAL || (!out && (type == RTN_BROADCAST || type == RTN_MULTICAST));
}

/*
 * Return: true if the packet arrives at a local port that is followed, such as the port of a listening
 * socket. Any peer may send to such a port. The packet's flow is then followed, too.
 */
static bool match_comes(const struct active_config *a, const struct skb_view *v,
			const struct tuple *t)
{
	struct flow_table *flows = a->recording->flows;
	struct net *net;

	if (!flow_table_any_local(flows))
		return false;
	net = skb_view_net(v);
	if (!net || !flow_table_local_is_followed(flows, t, net->net_cookie) ||
	    !match_is_local(v, net, t))
		return false;
	flow_table_follow(flows, t, net->net_cookie);
	return true;
}

/*
 * Return: true if a task that is not followed opens a connection with this tuple. A followed task used the
 * same addresses and ports before, but the flow no longer belongs to that task.
 */
static bool match_is_taken_over(const struct active_config *a, const struct point *point,
				const struct tuple *t)
{
	return t->proto == IPPROTO_TCP &&
	       (t->tcp_flags & (TCPHDR_SYN | TCPHDR_ACK)) == TCPHDR_SYN &&
	       point->flags & RECORD_SKB_POINT_SENDER && in_task() && current->mm &&
	       !task_table_current(a->recording->follow);
}

/* Return: true if the current task is followed and sends this packet itself. */
static bool match_sender(const struct active_config *a, const struct skb_view *v)
{
	return v->point->flags & RECORD_SKB_POINT_SENDER && in_task() &&
	       task_table_current(a->recording->follow);
}

/*
 * Return: true if the task sends a packet of a tunnel protocol through a raw socket. Otherwise, the kernel
 * has made the tunnel header, and the inner packet may belong to another task.
 */
static bool match_is_raw(const struct skb_view *v, const struct tuple *t)
{
	const struct sock *sk = v->skb->sk;

	return sk && sk_fullsock(sk) && sk->sk_type == SOCK_RAW && sk->sk_protocol == t->proto;
}

/*
 * Return: true if the host has no address yet and the task sends UDP through a packet socket, as DHCP
 * clients do. The answer will arrive at the same port, but the address of the server is not known yet.
 */
static bool match_has_no_address(const struct skb_view *v, const struct tuple *t)
{
	return v->skb->sk && v->skb->sk->sk_family == AF_PACKET && t->proto == IPPROTO_UDP &&
	       t->sport && ipv6_addr_any(&t->saddr);
}

/*
 * Return: true if the packet belongs to a flow of a followed task. If a followed task is sending the
 * packet, its flow becomes a followed flow. @t is the tuple of the packet; if @quoted is true, @t is the
 * tuple of the packet that an ICMP error quotes.
 */
static bool match_followed(const struct active_config *a, const struct skb_view *v,
			   const struct tuple *t, bool quoted)
{
	struct flow_table *flows = a->recording->flows;
	const u64 net = skb_view_cookie(v);

	/* Addresses and ports identify a flow only within one namespace. */
	if (!net || ((a->options.flags & RECORD_SKB_OPT_FOLLOW_PORTLESS) && !t->portless))
		return false;
	if (flow_table_is_followed(flows, t, net)) {
		if (quoted || !match_is_taken_over(a, v->point, t))
			return true;
		flow_table_unfollow(flows, t, net);
	}
	if (!quoted && match_comes(a, v, t))
		return true;
	if (!match_sender(a, v))
		return false;
	/*
	 * Do not follow the outer addresses of a tunnel, which other tasks may also use. If the inner
	 * packet matched, its skb is already tracked.
	 */
	if (tuple_is_tunnel(t))
		return !quoted && match_is_raw(v, t);
	flow_table_follow(flows, t, net);
	if (match_has_no_address(v, t))
		flow_table_follow_local(flows, t, net, false);
	return true;
}

/* Return: true if a followed task sends this Ethernet frame through a packet socket. */
static bool match_frame(const struct active_config *a, const struct skb_view *v)
{
	return v->skb->sk && v->skb->sk->sk_family == AF_PACKET && match_sender(a, v);
}

/*
 * Return: true if a followed task sends this ARP packet, or if the packet answers an ARP packet of a followed
 * task. The sender's and the target's IPv4 address are treated as the two ends of a flow, and @t is set to
 * the tuple of that flow.
 */
static bool match_arp(const struct active_config *a, const struct skb_view *v, struct tuple *t)
{
	const u64 net = skb_view_cookie(v);

	if (!net || !tuple_read_arp(v->skb, v->offset, t))
		return false;
	if (!match_frame(a, v))
		return flow_table_is_followed(a->recording->flows, t, net);
	flow_table_follow(a->recording->flows, t, net);
	return true;
}

/*
 * Return: true if the packet is a neighbour solicitation of a followed task, a repetition of such a
 * solicitation, or an advertisement that answers it. Solicitation and answers have a tuple in common. @t is
 * replaced by this tuple, so that all of them get the same flow number.
 */
static noinline bool match_neighbour(const struct active_config *a, const struct skb_view *v,
				     struct tuple *t)
{
	struct flow_table *flows = a->recording->flows;
	const u64 net = skb_view_cookie(v);
	struct tuple question;
	u8 type;

	type = net ? tuple_read_neighbour(v->skb, t, &question) : 0;
	if (!type)
		return false;
	if (type == NDISC_NEIGHBOUR_SOLICITATION && match_sender(a, v))
		flow_table_follow(flows, &question, net);
	else if (!flow_table_is_followed(flows, &question, net))
		return false;
	*t = question;
	return true;
}

/*
 * Return: true for an ICMP error if the packet that the error quotes would match. @t is then replaced by
 * the tuple of the quoted packet, so that the ICMP error gets the same flow number.
 */
static bool match_quoted(const struct active_config *a, const struct skb_view *v, struct tuple *t)
{
	struct tuple quoted;

	if (a->options.flags & RECORD_SKB_OPT_NO_ICMP_ERRORS ||
	    !tuple_read_quoted(v->skb, t, &quoted))
		return false;
	if (!filter_run_tuple(&a->filter, &quoted, false) &&
	    !((a->options.flags & RECORD_SKB_OPT_FOLLOW) && match_followed(a, v, &quoted, true)))
		return false;
	*t = quoted;
	return true;
}

/*
 * Decide whether a packet that is not tracked yet matches. If the packet matches and has a flow, this sets
 * @has_flow, and @t is the tuple of the flow.
 *
 * Return: true if the packet matches.
 */
static bool match_new(const struct active_config *a, const struct skb_view *v, bool *has_flow,
		      struct tuple *t)
{
	const bool follow = a->options.flags & RECORD_SKB_OPT_FOLLOW;
	bool matches;

	if (!match_options(&a->options, v))
		return false;
	matches = match_filter(&a->filter, v);
	/* The filter does not match. If no task is followed, the packet can only match as an ICMP error. */
	if (!matches && !follow && !tuple_is_icmp(v->skb, v->offset))
		return false;
	*has_flow = tuple_read(v->skb, v->offset, t);
	if (matches)
		return true;
	if (!*has_flow) {
		*has_flow = follow && match_arp(a, v, t);
		return *has_flow || (follow && match_frame(a, v));
	}
	return (follow && (match_neighbour(a, v, t) || match_followed(a, v, t, false))) ||
	       match_quoted(a, v, t);
}

/*
 * The noinline functions below have a tuple on their stack, which the compiler may clear at function entry.
 * They are not inlined, because most probe hits do not need a tuple and should not spend time on clearing
 * it.
 */

/*
 * Handle a packet with addresses that NAT changed: the tuples before and after NAT get the same flow
 * number.
 */
static noinline void match_translated(struct flow_table *flows, const struct sk_buff *skb, u32 flow)
{
	struct tuple sent, answer;
	u64 net;

	nat_tuples(skb, &sent, &answer, &net);
	flow_table_carry(flows, flow, &sent, net, &answer, net);
	flow_table_carry(flows, flow, &answer, net, &sent, net);
}

/*
 * Do the work of match_goes_to() for a neighbour solicitation or advertisement that has moved to the
 * namespace with the cookie @to. @t is the tuple of the packet.
 * Return: true if the tuple that a solicitation shares with its answers now has the packet's flow number in
 * the new namespace.
 */
static noinline bool match_question_goes_to(struct flow_table *flows, const struct skb_view *v,
					    const struct tuple *t, u64 to, const struct match *m)
{
	struct tuple question;

	return tuple_read_neighbour(v->skb, t, &question) &&
	       flow_table_carry(flows, m->flow, &question, m->net, &question, to);
}

/*
 * Handle a packet that has moved to the namespace @net: its tuple in @net gets the flow number that the
 * packet already has.
 * Return: true if the packet now has a flow number in @net.
 */
static noinline bool match_goes_to(struct flow_table *flows, const struct skb_view *v,
				   const struct net *net, struct match *m)
{
	const u64 cookie = net->net_cookie;
	struct tuple t __attribute__((__uninitialized__));

	if (!tuple_read(v->skb, v->offset, &t) &&
	    (!m->flow || !tuple_read_arp(v->skb, v->offset, &t)))
		return false;
	if (!m->net)
		m->flow = flow_table_of_packet(flows, &t, cookie);
	else if (!flow_table_carry(flows, m->flow, &t, m->net, &t, cookie) &&
		 !match_question_goes_to(flows, v, &t, cookie, m))
		return false;
	m->net = cookie;
	return true;
}

/* Keep the flow number of a tracked packet when NAT changes the packet or it moves to another namespace. */
static void match_carry(const struct active_config *a, const struct skb_view *v, struct match *m)
{
	struct flow_table *flows = a->recording->flows;
	const struct net *net = skb_view_net(v);
	bool moved;

	if (m->flow && nat_changes(v->skb))
		match_translated(flows, v->skb, m->flow);
	if (!net || (net->ns.inum == m->netns && net->net_cookie == m->net))
		return;
	moved = m->netns != net->ns.inum;
	m->netns = net->ns.inum;
	if ((net->net_cookie != m->net && match_goes_to(flows, v, net, m)) || moved)
		skb_table_moved(a->recording->track, v->skb, m);
}

/*
 * Return: true if the skb holds a packet. The user may name any function as a probe. Such a function may
 * get an skb that is only a buffer for parts of several packets. The network header of such an skb is
 * outside the linear data.
 */
static bool match_is_packet(const struct skb_view *v)
{
	return v->point->dir != RECORD_SKB_DIR_NONE ||
	       v->offset + (int)sizeof(struct iphdr) <= (int)skb_headlen(v->skb);
}

/*
 * Return: true if sampling chooses the flow of a packet. NAT may change the tuple of a chosen flow to one
 * that sampling does not choose. Such a packet is recognised by the flow table, which contains only chosen
 * flows. If tasks are followed, the table contains other flows, too, so it is not used.
 */
static bool match_is_sampled(const struct active_config *a, const struct skb_view *v,
			     const struct tuple *t)
{
	if (match_sample(&a->options, t))
		return true;
	return !(a->options.flags & RECORD_SKB_OPT_FOLLOW) &&
	       flow_table_known(a->recording->flows, t, skb_view_cookie(v));
}

/* Return: true if a packet that is not tracked yet matches. The packet then gets its number. */
static noinline bool match_number(const struct active_config *a, const struct skb_view *v,
				  struct match *m)
{
	struct recording *of = a->recording;
	struct tuple t __attribute__((__uninitialized__));
	bool has_flow;

	if (!match_is_packet(v) || !match_new(a, v, &has_flow, &t) ||
	    (has_flow && !match_is_sampled(a, v, &t)))
		return false;
	*m = (struct match){ .netns = skb_view_netns(v), .net = has_flow ? skb_view_cookie(v) : 0 };
	m->flow = m->net ? flow_table_of_packet(of->flows, &t, m->net) : 0;
	if (a->options.flags & RECORD_SKB_OPT_NO_TRACK) {
		m->pkt = stat_number(&of->stats, NUMBER_PACKETS);
		m->copy = RECORD_SKB_COPY_UNKNOWN;
		m->first = true;
	} else if (skb_table_new(of->track, v->skb, m)) {
		skb_copies_parts(of, v->skb, m);
	}
	if (m->flow)
		flow_table_sees_flags(of->flows, &t, m->flow);
	if (m->flow && trigger_waits_for_answer(a))
		trigger_heard(a, v, &t, m);
	return true;
}

/*
 * Return: true if the packet is tracked. A dropped packet keeps its number while it is freed. If a receive or
 * transmit probe gets an skb with the address of a dropped packet, this address was reused for another
 * packet.
 */
static bool match_found(const struct active_config *a, const struct skb_view *v, struct match *m)
{
	if (!skb_table_find(a->recording->track, v->skb, m))
		return false;
	if (likely(!m->dropped) || v->point->dir == RECORD_SKB_DIR_NONE)
		return true;
	skb_table_forget(a->recording->track, v->skb, m);
	return false;
}

/* Do the work of match_packet(), except for the trigger of --until match. */
static bool match_numbered(const struct active_config *a, const struct skb_view *v, struct match *m)
{
	if (!match_found(a, v, m))
		return match_number(a, v, m);
	match_carry(a, v, m);
	return true;
}

/**
 * match_packet() - decide whether to record a packet, and number it if it is new
 * @a: the active configuration
 * @v: the packet
 * @m: filled in if the packet matches
 *
 * Return: true if the packet matches.
 */
bool match_packet(const struct active_config *a, const struct skb_view *v, struct match *m)
{
	if (!match_numbered(a, v, m))
		return false;
	if (trigger_waits_for_match(a) && match_filter(&a->until.match, v))
		trigger_matched(m);
	return true;
}

/* Return: true if the packet matches. Unlike match_packet(), this does not number or track a new packet. */
bool match_packet_quick(const struct active_config *a, const struct skb_view *v)
{
	struct match m;
	struct tuple t;
	bool has_flow;

	return match_found(a, v, &m) ||
	       (match_new(a, v, &has_flow, &t) && (!has_flow || match_is_sampled(a, v, &t)));
}
