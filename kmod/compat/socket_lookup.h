/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_SOCKET_LOOKUP_H
#define RECORD_SKB_COMPAT_SOCKET_LOOKUP_H

#include <linux/netdevice.h>
#include <linux/version.h>
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
 * Return: the UDP socket for an IPv4 packet, without a reference; NULL if there is none, and on kernels
 * with an rx_sk in the tracepoint kfree_skb. The caller holds rcu_read_lock(). Remove this when Linux 6.1
 * is no longer supported.
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

/* Return: the value of sysctl netdev_max_backlog. Remove this with the support for Linux 6.1. */
static inline int compat_max_backlog(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
	return READ_ONCE(netdev_max_backlog);
#else
	return READ_ONCE(net_hotdata.max_backlog);
#endif
}

#endif
