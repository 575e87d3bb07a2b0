// SPDX-License-Identifier: GPL-2.0
/*
 * drop_values.c - read the queue length or limit that decided that a packet is dropped
 *
 * Everything here runs only when a packet is dropped. The value is read a moment after the kernel has
 * decided, and another CPU may have changed it since. So a value is reported only if it still shows the
 * cause: a queue that has room again is not reported.
 */
#include <linux/filter.h>
#include <linux/hashtable.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/tcp.h>
#include <net/arp.h>
#include <net/dst.h>
#include <net/ip6_route.h>
#include <net/ndisc.h>
#include <net/neighbour.h>
#include <net/net_namespace.h>
#include <net/route.h>
#include <net/sch_generic.h>
#include <net/sock.h>
#include <net/sock_reuseport.h>

#include "compat/socket_lookup.h"
#include "drop_values.h"
#include "probes.h"
#include "skb_table.h"

#if IS_ENABLED(CONFIG_NF_CONNTRACK)
#include <net/netfilter/nf_conntrack.h>

/* Symbols of nf_conntrack, which stays loaded during a recording; NULL if it was not loaded at the start. */
static u32 (*conntrack_count)(const struct net *net);
static unsigned int *conntrack_max;
#endif

#if IS_ENABLED(CONFIG_IPV6)
/* The table of IPv6 neighbours. IPv6 may be a module; NULL if it was not loaded at the start. */
static struct neigh_table *neighbours6;
static struct compat_lookup6 lookup6;
#endif

/*
 * Return: the device in the packet's route, which received the packet or will send it; NULL if it has no
 * route.
 */
static const struct net_device *route_device(const struct sk_buff *skb)
{
	/* Do not call skb_dst() here. It may warn: skb_view_device() explains this. */
	const struct dst_entry *dst =
		(const struct dst_entry *)(skb->_skb_refdst & SKB_DST_PTRMASK);

	return dst ? dst->dev : NULL;
}

static struct net *find_net(const struct dropped *d)
{
	const struct net_device *dev = route_device(d->skb);
	struct net *net;

	if (dev)
		return dev_net(dev);
	for_each_net_rcu(net)
		if (d->m && net->ns.inum == d->m->netns)
			return net;
	return NULL;
}

/*
 * Return: the IPv4 header of a packet with a transport header, if both are in the linear part of the skb;
 * otherwise NULL.
 */
static const struct iphdr *ipv4_header(const struct sk_buff *skb, u8 proto, u32 transport_len)
{
	const struct iphdr *ih = (const struct iphdr *)skb_network_header(skb);
	const u8 *tail = skb_tail_pointer(skb);

	if (skb->protocol != htons(ETH_P_IP) || !skb_transport_header_was_set(skb) ||
	    (const u8 *)(ih + 1) > tail || skb_transport_header(skb) + transport_len > tail ||
	    ih->version != 4 || ih->protocol != proto)
		return NULL;
	return ih;
}

/* Like ipv4_header(), for an IPv6 packet without extension headers. */
static const struct ipv6hdr *ipv6_header(const struct sk_buff *skb, u8 proto, u32 transport_len)
{
	const struct ipv6hdr *ih = (const struct ipv6hdr *)skb_network_header(skb);
	const u8 *tail = skb_tail_pointer(skb);

	if (skb->protocol != htons(ETH_P_IPV6) || !skb_transport_header_was_set(skb) ||
	    (const u8 *)(ih + 1) > tail || skb_transport_header(skb) + transport_len > tail ||
	    ih->version != 6 || ih->nexthdr != proto)
		return NULL;
	return ih;
}

/*
 * Return: true if a second lookup certainly finds the same socket as the kernel's lookup. This is not certain
 * if a BPF program may choose the socket. It is not certain with a VRF either: the lookup needs the device
 * below the VRF, which the skb does not contain any more.
 */
static bool is_lookup_certain(struct net *net, int device)
{
	const struct net_device *dev = dev_get_by_index_rcu(net, device);

	return !static_branch_unlikely(&bpf_sk_lookup_enabled) && dev && !netif_is_l3_master(dev) &&
	       !netif_is_l3_slave(dev);
}

/* Return: true if a BPF program chooses among the sockets of the port. */
static bool is_chosen_by_program(const struct sock *sk)
{
	const struct sock_reuseport *reuse = rcu_dereference(sk->sk_reuseport_cb);

	return reuse && rcu_access_pointer(reuse->prog);
}

/* Do the work of look_up() for an IPv6 packet. */
static const struct sock *look_up6(const struct dropped *d, u8 proto)
{
	const struct sock *sk = NULL;
#if IS_ENABLED(CONFIG_IPV6)
	const struct ipv6hdr *ih = ipv6_header(d->skb, proto, 2 * sizeof(__be16));
	struct net *net = ih ? find_net(d) : NULL;
	const int device = d->skb->skb_iif;
	const __be16 *ports;

	if (!net || ipv6_addr_is_multicast(&ih->daddr) || !is_lookup_certain(net, device))
		return NULL;
	ports = (const __be16 *)skb_transport_header(d->skb);
	sk = proto == IPPROTO_UDP ?
		     compat_find_udp6(&lookup6, net, ih, ports[0], ports[1], device) :
		     compat_find_listener6(&lookup6, net, ih, ports[0], ports[1], device);
#endif
	return sk && !is_chosen_by_program(sk) ? sk : NULL;
}

/*
 * Return: the socket that a lookup finds for the packet, without a reference; NULL if the kernel may have
 * found another socket.
 */
static const struct sock *look_up(const struct dropped *d, u8 proto)
{
	const struct iphdr *ih = ipv4_header(d->skb, proto, 2 * sizeof(__be16));
	struct net *net = ih ? find_net(d) : NULL;
	const struct sock *sk;
	const __be16 *ports;

	if (!ih)
		return look_up6(d, proto);
	if (!net || ipv4_is_multicast(ih->daddr) || ipv4_is_lbcast(ih->daddr) ||
	    !is_lookup_certain(net, d->skb->skb_iif))
		return NULL;
	ports = (const __be16 *)skb_transport_header(d->skb);
	sk = proto == IPPROTO_UDP ?
		     compat_find_udp(net, ih, ports[0], ports[1], d->skb->skb_iif) :
		     compat_find_listener(net, ih, ports[0], ports[1], d->skb->skb_iif);
	return sk && !is_chosen_by_program(sk) ? sk : NULL;
}

/*
 * Return: the connected TCP socket of the packet, without a reference: another connection may get its
 * memory at any time. NULL if the socket is not known, and always for IPv6: Linux 6.1 does not export the
 * hash function of IPv6's connections to modules like this one.
 */
static struct sock *find_connection(const struct dropped *d)
{
	const struct iphdr *ih = ipv4_header(d->skb, IPPROTO_TCP, 2 * sizeof(__be16));
	struct net *net = ih ? find_net(d) : NULL;
	const int device = d->skb->skb_iif;
	const __be16 *ports;

	if (!net || !is_lookup_certain(net, device))
		return NULL;
	ports = (const __be16 *)skb_transport_header(d->skb);
	return compat_find_connection(net, ih, ports[0], ports[1], device);
}

/*
 * Return: the socket that the tracepoint passed; its listener, if it is the socket of a half-open connection;
 * NULL if this is not a full socket.
 */
static const struct sock *passed_socket(const struct dropped *d)
{
	const struct sock *sk = d->sk;

	if (sk && sk->sk_state == TCP_NEW_SYN_RECV)
		sk = inet_reqsk(sk)->rsk_listener;
	return sk && sk_fullsock(sk) ? sk : NULL;
}

/*
 * Return: true if other sockets can have the local port of this socket and receive from it. The others are
 * connections of the same port, the sockets of other devices, or a group of sockets (SO_REUSEPORT).
 */
static bool is_port_shared(const struct sock *sk)
{
	if (sk->sk_reuseport || READ_ONCE(sk->sk_bound_dev_if))
		return true;
	if (sk->sk_type == SOCK_STREAM)
		return READ_ONCE(sk->sk_state) != TCP_LISTEN;
	return sk->sk_reuse || READ_ONCE(sk->sk_dport);
}

static bool read_accept_queue(const struct dropped *d, struct drop_value *v)
{
	const struct sock *sk = passed_socket(d);

	if (!sk || sk->sk_state != TCP_LISTEN)
		sk = look_up(d, IPPROTO_TCP);
	if (!sk || READ_ONCE(sk->sk_state) != TCP_LISTEN)
		return false;
	v->kind = RECORD_SKB_LIMIT_ACCEPT_QUEUE;
	v->used = READ_ONCE(sk->sk_ack_backlog);
	v->limit = READ_ONCE(sk->sk_max_ack_backlog);
	v->port_is_shared = is_port_shared(sk);
	/*
	 * The kernel accepts one connection more than the limit. A socket with a limit of 0 is being
	 * closed.
	 */
	return v->limit && v->used > v->limit;
}

static bool read_receive_buffer(const struct dropped *d, struct drop_value *v)
{
	const struct sock *sk = passed_socket(d) ?: look_up(d, IPPROTO_UDP);
	int used;

	if (!sk)
		return false;
	used = atomic_read(&sk->sk_rmem_alloc);
	v->kind = RECORD_SKB_LIMIT_RECEIVE_BUFFER;
	v->used = max(used, 0);
	v->limit = max(READ_ONCE(sk->sk_rcvbuf), 0);
	v->port_is_shared = is_port_shared(sk);
	v->needs = d->skb->truesize;
	/*
	 * Some kernels compare only the memory in use with the limit, and others include the packet. Use
	 * the sum, which is above the limit in both cases.
	 */
	return v->used + v->needs > v->limit;
}

static bool read_backlog_of(const struct sock *sk, const struct dropped *d, struct drop_value *v)
{
	v->kind = RECORD_SKB_LIMIT_BACKLOG;
	v->used = (u64)max(READ_ONCE(sk->sk_backlog.len), 0) +
		  max(atomic_read(&sk->sk_rmem_alloc), 0);
	v->limit = sk_is_tcp(sk) ? compat_backlog_limit(sk) : 0;
	v->port_is_shared = is_port_shared(sk);
	v->needs = d->skb->truesize;
	/* The kernel compares the limit with the memory in use, which does not include the packet. */
	return v->limit ? v->used > v->limit : v->used;
}

static bool read_backlog(const struct dropped *d, struct drop_value *v)
{
	const struct sock *sk = passed_socket(d);
	struct sock *found;
	bool is_full;

	if (sk)
		return read_backlog_of(sk, d, v);
	found = find_connection(d);
	if (!found)
		return false;
	is_full = sk_fullsock(found) && read_backlog_of(found, d, v);
	/* The values are those of the connection if the socket is still in its place. */
	return is_full && find_connection(d) == found;
}

/*
 * Return: the queueing discipline that dropped the packet, NULL if it is not known. If only its name is
 * known, the device must have only one queueing discipline with this name, and no more than MAX_QDISCS.
 */
static const struct Qdisc *find_qdisc(const struct dropped *d)
{
	const u16 queue = skb_get_queue_mapping(d->skb);
	struct net_device *dev = d->skb->dev;
	const struct Qdisc *found, *q;
	unsigned int nr = 0;
	int i;

	if (d->qdisc)
		return d->qdisc;
	if (!dev || queue >= dev->num_tx_queues || !*d->qdisc_name)
		return NULL;
	found = rcu_dereference(netdev_get_tx_queue(dev, queue)->qdisc);
	if (found && strcmp(found->ops->id, d->qdisc_name))
		found = NULL;
	hash_for_each_rcu(dev->qdisc_hash, i, q, hash) {
		if (++nr > MAX_QDISCS)
			return NULL;
		if (q == found || strcmp(q->ops->id, d->qdisc_name))
			continue;
		if (found)
			return NULL;
		found = q;
	}
	return found;
}

/* Return: the number of packets that the queueing discipline takes; 0 if it has no such limit. */
static u32 qdisc_limit(const struct Qdisc *q, const struct net_device *dev)
{
	static const char *const by_packets[] = {
		"pfifo", "pfifo_head_drop", "netem", "codel", "fq_codel", "fq",
		"pie",	 "fq_pie",	    "hhf",
	};

	if (!strcmp(q->ops->id, "pfifo_fast"))
		return dev->tx_queue_len;
	return match_string(by_packets, ARRAY_SIZE(by_packets), q->ops->id) < 0 ? 0 : q->limit;
}

static bool read_qdisc(const struct dropped *d, struct drop_value *v)
{
	const struct Qdisc *q = find_qdisc(d);

	if (!q || !d->skb->dev)
		return false;
	v->kind = RECORD_SKB_LIMIT_QDISC;
	v->used = qdisc_qlen_sum(q);
	v->limit = qdisc_limit(q, d->skb->dev);
	return v->limit && v->used >= v->limit;
}

/* Return: the IPv6 neighbour with this address; NULL if it does not exist, or without IPv6. */
static const struct neighbour *find_neighbour6(const struct in6_addr *address,
					       struct net_device *dev)
{
#if IS_ENABLED(CONFIG_IPV6)
	return neighbours6 ? __neigh_lookup_noref(neighbours6, address, dev) : NULL;
#else
	return NULL;
#endif
}

/* Return: the neighbour to which the route of an IPv4 packet leads; NULL if it is not known. */
static const struct neighbour *next_neighbour4(const struct sk_buff *skb, struct net_device *dev)
{
	const struct iphdr *ih = (const struct iphdr *)skb_network_header(skb);
	const struct rtable *rt = (const struct rtable *)(skb->_skb_refdst & SKB_DST_PTRMASK);

	if ((const u8 *)(ih + 1) > skb_tail_pointer(skb))
		return NULL;
	if (rt->rt_gw_family == AF_INET6)
		return find_neighbour6(&rt->rt_gw6, dev);
	return __ipv4_neigh_lookup_noref(dev, rt->rt_gw_family ? rt->rt_gw4 : ih->daddr);
}

/* Like next_neighbour4(), for an IPv6 packet. */
static const struct neighbour *next_neighbour6(const struct sk_buff *skb, struct net_device *dev)
{
	const struct ipv6hdr *ih = (const struct ipv6hdr *)skb_network_header(skb);
	const struct rt6_info *rt = (const struct rt6_info *)(skb->_skb_refdst & SKB_DST_PTRMASK);

	if ((const u8 *)(ih + 1) > skb_tail_pointer(skb))
		return NULL;
	return find_neighbour6(rt6_nexthop(rt, &ih->daddr), dev);
}

/*
 * Read the queue of packets that wait for the address of a neighbour. When this queue is full, the kernel
 * drops the oldest packet. The length of the queue does not include that packet any more, so its size is
 * added here.
 */
static bool read_neighbour(const struct dropped *d, struct drop_value *v)
{
	struct net_device *dev = (struct net_device *)route_device(d->skb);
	const struct neighbour *neigh = NULL;

	if (dev && d->skb->protocol == htons(ETH_P_IP))
		neigh = next_neighbour4(d->skb, dev);
	else if (dev && d->skb->protocol == htons(ETH_P_IPV6))
		neigh = next_neighbour6(d->skb, dev);
	if (!neigh)
		return false;
	v->kind = RECORD_SKB_LIMIT_NEIGHBOUR;
	v->used = neigh->arp_queue_len_bytes + d->skb->truesize;
	v->limit = NEIGH_VAR(neigh->parms, QUEUE_LEN_BYTES);
	return true;
}

static bool read_conntrack(const struct dropped *d, struct drop_value *v)
{
#if IS_ENABLED(CONFIG_NF_CONNTRACK)
	const struct net_device *dev = d->skb->dev ?: route_device(d->skb);

	if (!conntrack_count || !conntrack_max || !dev)
		return false;
	v->kind = RECORD_SKB_LIMIT_CONNTRACK;
	v->used = conntrack_count(dev_net(dev));
	v->limit = READ_ONCE(*conntrack_max);
	return v->limit && v->used >= v->limit;
#else
	return false;
#endif
}

/*
 * Read the backlog of this CPU. With RPS, the packet may have been dropped because of the backlog of
 * another CPU.
 */
static bool read_cpu_backlog(const struct dropped *d, struct drop_value *v)
{
	v->kind = RECORD_SKB_LIMIT_CPU_BACKLOG;
	v->used = skb_queue_len_lockless(&this_cpu_ptr(&softnet_data)->input_pkt_queue);
	v->limit = max(compat_max_backlog(), 0);
	return v->used > v->limit;
}

static bool read_mtu(const struct dropped *d, struct drop_value *v)
{
	const struct dst_entry *dst =
		(const struct dst_entry *)(d->skb->_skb_refdst & SKB_DST_PTRMASK);

	/* The kernel compares the segments of a GSO packet with the MTU, and not the packet itself. */
	if (!dst || !dst->dev || skb_is_gso(d->skb))
		return false;
	v->kind = RECORD_SKB_LIMIT_MTU;
	v->used = d->skb->len - skb_network_offset(d->skb);
	v->limit = dst_metric_raw(dst, RTAX_MTU) ?: READ_ONCE(dst->dev->mtu);
	return v->used > v->limit;
}

static bool read_ttl(const struct dropped *d, struct drop_value *v)
{
	const u8 *header = skb_network_header(d->skb);

	if (header + sizeof(struct iphdr) > skb_tail_pointer(d->skb))
		return false;
	v->kind = RECORD_SKB_LIMIT_TTL;
	v->limit = 1;
	v->used = d->skb->protocol == htons(ETH_P_IPV6) ?
			  ((const struct ipv6hdr *)header)->hop_limit :
			  ((const struct iphdr *)header)->ttl;
	return v->used <= v->limit;
}

/* For each drop reason, the function that reads the value. "" stands for a reason without a name. */
static const struct {
	const char *reason;
	bool (*read)(const struct dropped *d, struct drop_value *v);
} values[] = {
	{ "NOT_SPECIFIED", read_accept_queue },
	{ "TCP_LISTEN_OVERFLOW", read_accept_queue },
	{ "SOCKET_RCVBUFF", read_receive_buffer },
	{ "PROTO_MEM", read_receive_buffer },
	{ "SOCKET_BACKLOG", read_backlog },
	{ "QDISC_DROP", read_qdisc },
	{ "QDISC_OVERLIMIT", read_qdisc },
	{ "NEIGH_QUEUEFULL", read_neighbour },
	{ "NETFILTER_DROP", read_conntrack },
	{ "CPU_BACKLOG", read_cpu_backlog },
	{ "PKT_TOO_BIG", read_mtu },
	{ "IP_INHDR", read_ttl },
	{ "TTL_EXCEEDED", read_ttl },
};

/**
 * drop_value_read() - read the value that decided about a packet
 * @d: the packet
 * @v: filled in if a value is known
 *
 * The caller holds rcu_read_lock() and disables preemption.
 *
 * Return: false if no value is known.
 */
bool drop_value_read(const struct dropped *d, struct drop_value *v)
{
	unsigned int i;

	*v = (struct drop_value){};
	for (i = 0; i < ARRAY_SIZE(values); i++)
		if (!strcmp(values[i].reason, d->reason))
			return values[i].read(d, v);
	return false;
}

/**
 * drop_value_read_syn() - read the accept queue when a SYN is freed
 * @skb: any packet that is freed as consumed
 * @v: filled in
 *
 * While the accept queue is full, a listener ignores a SYN. It frees the SYN as consumed, just as if it had
 * answered the SYN.
 *
 * Return: true if the packet is a SYN and the accept queue of its listener is full.
 */
bool drop_value_read_syn(const struct sk_buff *skb, struct drop_value *v)
{
	const struct dropped d = { .skb = skb };
	bool is_full = false;

	if ((!ipv4_header(skb, IPPROTO_TCP, sizeof(struct tcphdr)) &&
	     !ipv6_header(skb, IPPROTO_TCP, sizeof(struct tcphdr))) ||
	    !tcp_hdr(skb)->syn || tcp_hdr(skb)->ack)
		return false;
	*v = (struct drop_value){};
	rcu_read_lock();
	if (route_device(skb))
		is_full = read_accept_queue(&d, v);
	rcu_read_unlock();
	return is_full;
}

/* Get the symbols of nf_conntrack and IPv6. */
void drop_values_start(void)
{
#if IS_ENABLED(CONFIG_IPV6)
	neighbours6 = symbol_get(nd_tbl);
	compat_get_lookup6(&lookup6);
#endif
#if IS_ENABLED(CONFIG_NF_CONNTRACK)
	conntrack_count = symbol_get(nf_conntrack_count);
	conntrack_max = symbol_get(nf_conntrack_max);
#endif
}

/* Release the symbols. No callback may be running any more. */
void drop_values_stop(void)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (neighbours6)
		symbol_put(nd_tbl);
	neighbours6 = NULL;
	compat_put_lookup6(&lookup6);
#endif
#if IS_ENABLED(CONFIG_NF_CONNTRACK)
	if (conntrack_count)
		symbol_put(nf_conntrack_count);
	if (conntrack_max)
		symbol_put(nf_conntrack_max);
	conntrack_count = NULL;
	conntrack_max = NULL;
#endif
}
