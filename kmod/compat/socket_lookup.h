/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_SOCKET_LOOKUP_H
#define RECORD_SKB_COMPAT_SOCKET_LOOKUP_H

#include <linux/netdevice.h>
#include <linux/version.h>
#include <net/inet6_hashtables.h>
#include <net/inet_hashtables.h>
#include <net/tcp.h>
#include <net/udp.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
#include <net/hotdata.h>
#endif

/*
 * Return: the socket that listens for an IPv4 packet, without a reference; NULL if there is none. The
 * caller holds rcu_read_lock(). The skb is not passed on, because a BPF program could modify it. Newer
 * kernels have no argument for the hash table. Remove the first branch when Linux 6.12 is no longer
 * supported.
 */
static inline struct sock *compat_find_listener(struct net *net, const struct iphdr *ih,
						__be16 sport, __be16 dport, int device)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
	return __inet_lookup_listener(net, net->ipv4.tcp_death_row.hashinfo, NULL, 0, ih->saddr,
				      sport, ih->daddr, ntohs(dport), device, 0);
#else
	return __inet_lookup_listener(net, NULL, 0, ih->saddr, sport, ih->daddr, ntohs(dport),
				      device, 0);
#endif
}

/*
 * Return: the UDP socket for an IPv4 packet, without a reference; NULL if no socket is found. If the
 * tracepoint kfree_skb of this kernel passes the socket as rx_sk, no lookup is needed, and the result is
 * NULL. The caller holds rcu_read_lock(). Remove this when the support for Linux 6.1 ends.
 */
static inline struct sock *compat_find_udp(struct net *net, const struct iphdr *ih, __be16 sport,
					   __be16 dport, int device)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
	return __udp4_lib_lookup(net, ih->saddr, sport, ih->daddr, dport, device, 0, &udp_table,
				 NULL);
#else
	return NULL;
#endif
}

#if IS_ENABLED(CONFIG_IPV6)
/*
 * Functions of IPv6 that look up sockets. IPv6 may be a module. The pointers are NULL if IPv6 was not loaded
 * at the start, or if no lookup is needed on this kernel.
 */
struct compat_lookup6 {
	typeof(inet6_lookup_listener) *listener;
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
	typeof(__udp6_lib_lookup) *udp;
#endif
};

static inline void compat_get_lookup6(struct compat_lookup6 *l)
{
	l->listener = symbol_get(inet6_lookup_listener);
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
	l->udp = symbol_get(__udp6_lib_lookup);
#endif
}

static inline void compat_put_lookup6(struct compat_lookup6 *l)
{
	if (l->listener)
		symbol_put(inet6_lookup_listener);
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
	if (l->udp)
		symbol_put(__udp6_lib_lookup);
#endif
	*l = (struct compat_lookup6){};
}

/* Do the work of compat_find_listener() for an IPv6 packet. */
static inline struct sock *compat_find_listener6(const struct compat_lookup6 *l, struct net *net,
						 const struct ipv6hdr *ih, __be16 sport,
						 __be16 dport, int device)
{
	if (!l->listener)
		return NULL;
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
	return l->listener(net, net->ipv4.tcp_death_row.hashinfo, NULL, 0, &ih->saddr, sport,
			   &ih->daddr, ntohs(dport), device, 0);
#else
	return l->listener(net, NULL, 0, &ih->saddr, sport, &ih->daddr, ntohs(dport), device, 0);
#endif
}

/* Do the work of compat_find_udp() for an IPv6 packet. */
static inline struct sock *compat_find_udp6(const struct compat_lookup6 *l, struct net *net,
					    const struct ipv6hdr *ih, __be16 sport, __be16 dport,
					    int device)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
	return l->udp ? l->udp(net, &ih->saddr, sport, &ih->daddr, dport, device, 0, &udp_table,
			       NULL) :
			NULL;
#else
	return NULL;
#endif
}
#endif

/*
 * Return: the connected TCP socket for an IPv4 packet, without a reference; NULL if no socket is found. If
 * the tracepoint kfree_skb of this kernel passes the socket as rx_sk, no lookup is needed, and the result
 * is NULL. The kernel's own lookup takes a reference, which cannot be released safely here: interrupts may
 * be off, and the kernel frees a socket only with interrupts on. The memory of a socket remains a socket as
 * long as the caller holds rcu_read_lock(). Remove this when the support for Linux 6.1 ends.
 */
static inline struct sock *compat_find_connection(struct net *net, const struct iphdr *ih,
						  __be16 sport, __be16 dport, int device)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
	const struct inet_hashinfo *hashinfo = net->ipv4.tcp_death_row.hashinfo;
	const __portpair ports = INET_COMBINED_PORTS(sport, ntohs(dport));
	const u32 hash = inet_ehashfn(net, ih->daddr, ntohs(dport), ih->saddr, sport);
	const struct hlist_nulls_node *node;
	struct sock *sk;
	INET_ADDR_COOKIE(cookie, ih->saddr, ih->daddr);

	sk_nulls_for_each_rcu(sk, node, &hashinfo->ehash[hash & hashinfo->ehash_mask].chain)
		if (sk->sk_hash == hash && inet_match(net, sk, cookie, ports, device, 0))
			return sk;
#endif
	return NULL;
}

/*
 * Return: the common limit for the backlog and the receive buffer of a TCP socket, as tcp_add_backlog()
 * computes it. The result is 0 on versions for which it is not known, because their stable updates differ
 * ("tcp: avoid premature drops in tcp_add_backlog()"). Remove the condition when Linux 6.6 is no longer
 * supported.
 */
static inline u64 compat_backlog_limit(const struct sock *sk)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0) ||       \
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 40) &&  \
	 LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)) ||   \
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 100) && \
	 LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0))
	return ((u64)(u32)READ_ONCE(sk->sk_rcvbuf) << 1) + ((u32)READ_ONCE(sk->sk_sndbuf) >> 1) +
	       64 * 1024;
#else
	return 0;
#endif
}

/* Return: the value of sysctl netdev_max_backlog. Remove this when the support for Linux 6.1 ends. */
static inline int compat_max_backlog(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
	return READ_ONCE(netdev_max_backlog);
#else
	return READ_ONCE(net_hotdata.max_backlog);
#endif
}

#endif
