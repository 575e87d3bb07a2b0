/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SIEVE_H
#define RECORD_SKB_SIEVE_H

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/types.h>
#include <net/ipv6.h>
#include <net/sock.h>
#include <record_skb.h>

#include "flow_tuple.h"
#include "ports.h"

/*
 * struct sieve - the filter's terms, copied from struct record_skb_filter
 * @ports: the first group of alternative terms in which each term is a port; NULL if there is no such group
 * @nr: number of the terms that apply to every IP packet; these terms come first
 * @nr_all: number of all terms, including those that apply only to plain packets (@plain of struct
 *	record_skb_term)
 *
 * Probe points test the terms for every packet of the machine. Therefore all functions of this file are
 * inline.
 */
struct sieve {
	const struct port_set *ports;
	u32 nr;
	u32 nr_all;
	struct record_skb_term *term;
};

/* Return: true for the protocols that have ports according to libpcap. */
static __always_inline bool sieve_knows_ports(u32 proto)
{
	return proto == IPPROTO_UDP || proto == IPPROTO_TCP || proto == IPPROTO_SCTP;
}

/*
 * Read the headers of a packet with ports in the linear part of its skb.
 * Return: true if the ports were read; false if they are not in the linear part. Also false for packets
 * without ports, such as ICMP, tunnels and later fragments.
 */
static __always_inline bool sieve_read_packet(const struct sk_buff *skb, const u8 *header,
					      struct headers *h)
{
	const struct packet_bytes bytes = { .from = header, .tail = skb_tail_pointer(skb) };
	__be16 protocol = skb->protocol;

	/* Before __ip_local_out(), skb->protocol is not set, but the packet already has its IP header. */
	if (!protocol && header < bytes.tail)
		protocol = *header >> 4 == 4 ? htons(ETH_P_IP) : htons(ETH_P_IPV6);
	return parse_headers(&bytes, protocol, NULL, h) && h->has_ports &&
	       sieve_knows_ports(h->proto);
}

/*
 * Make the headers of a packet that the socket sends to its peer. sock_tuple() does the same for a tuple.
 * Return: false if this function does not support the kind of the socket.
 */
static __always_inline bool sieve_read_sock(const struct sock *sk, struct headers *h)
{
	if (!sk_fullsock(sk) || sk->sk_type == SOCK_RAW || !sieve_knows_ports(sk->sk_protocol))
		return false;
	if (sk->sk_family == AF_INET)
		*h = (struct headers){ .saddr = &sk->sk_rcv_saddr, .daddr = &sk->sk_daddr };
#if IS_ENABLED(CONFIG_IPV6)
	else if (sk->sk_family == AF_INET6 && !ipv6_addr_v4mapped(&sk->sk_v6_daddr) &&
		 !ipv6_addr_v4mapped(&sk->sk_v6_rcv_saddr))
		*h = (struct headers){ .saddr = sk->sk_v6_rcv_saddr.s6_addr32,
				       .daddr = sk->sk_v6_daddr.s6_addr32 };
#endif
	else
		return false;
	h->family = sk->sk_family;
	h->transport = h->family == AF_INET ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	h->proto = sk->sk_protocol;
	h->has_ports = true;
	h->sport = htons(sock_local_port(sk));
	h->dport = sk->sk_dport;
	return true;
}

/*
 * Use the peer address that was passed to a socket call as the destination of the headers. sock_set_peer()
 * does the same for a tuple.
 * Return: false if the prefilter cannot determine the peer.
 */
static __always_inline bool sieve_set_peer(struct headers *h, const struct sockaddr *addr, int len)
{
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)addr;
	const struct sockaddr_in *sin = (const struct sockaddr_in *)addr;

	if (len < (int)sizeof(*sin) || addr->sa_family != h->family)
		return false;
	if (h->family == AF_INET) {
		h->daddr = &sin->sin_addr.s_addr;
		h->dport = sin->sin_port;
		return true;
	}
	if (len < SIN6_LEN_RFC2133 || ipv6_addr_v4mapped(&sin6->sin6_addr))
		return false;
	h->daddr = sin6->sin6_addr.s6_addr32;
	h->dport = sin6->sin6_port;
	return true;
}

/* Swap the two ends, so that the headers are those of a packet in the other direction. */
static __always_inline void sieve_turn(struct headers *h)
{
	swap(h->saddr, h->daddr);
	swap(h->sport, h->dport);
}

static __always_inline bool sieve_has_address(const struct record_skb_term *term,
					      const __be32 *addr, u32 words)
{
	u32 i;

	for (i = 0; i < words; i++)
		if ((addr[i] & term->mask[i]) != term->address[i])
			return false;
	return true;
}

static __always_inline bool sieve_addresses_hold(const struct record_skb_term *term,
						 const struct headers *h)
{
	const bool v4 = term->kind == RECORD_SKB_TERM_IPV4;
	const u32 words = v4 ? 1 : 4;

	if (h->family != (v4 ? AF_INET : AF_INET6))
		return false;
	return (term->ends & RECORD_SKB_END_SRC && sieve_has_address(term, h->saddr, words)) ||
	       (term->ends & RECORD_SKB_END_DST && sieve_has_address(term, h->daddr, words));
}

static __always_inline bool sieve_ports_hold(const struct record_skb_term *term,
					     const struct headers *h)
{
	const u16 lo = term->lo, span = term->hi - lo;

	if (!h->has_ports || !sieve_knows_ports(h->proto))
		return false;
	return (term->ends & RECORD_SKB_END_SRC && (u16)(ntohs(h->sport) - lo) <= span) ||
	       (term->ends & RECORD_SKB_END_DST && (u16)(ntohs(h->dport) - lo) <= span);
}

/*
 * Return: true if the packet has the protocol of the term. As in libpcap, extension headers count as
 * protocols, and a later fragment has the protocol that its fragment header names.
 */
static __always_inline bool sieve_protocol_holds(const struct record_skb_term *term,
						 const struct headers *h)
{
	const u32 proto = term->lo;

	if (term->family && term->family != h->family)
		return false;
	return h->proto == proto || (h->fragment_proto && h->fragment_proto == proto) ||
	       (proto < 64 && h->extensions & BIT_ULL(proto));
}

static __always_inline bool sieve_term_holds(const struct record_skb_term *term,
					     const struct headers *h)
{
	switch (term->kind) {
	case RECORD_SKB_TERM_PORT:
		return sieve_ports_hold(term, h);
	case RECORD_SKB_TERM_PROTO:
		return sieve_protocol_holds(term, h);
	case RECORD_SKB_TERM_NEVER:
		return false;
	default:
		return sieve_addresses_hold(term, h);
	}
}

/*
 * Return: true if a packet with these headers matches every group of alternatives among the first @nr terms.
 */
static __always_inline bool sieve_holds(const struct sieve *s, u32 nr, const struct headers *h)
{
	const struct record_skb_term *term = s->term, *end = term + nr;
	bool any = false;

	for (; term < end; term++) {
		any = any || sieve_term_holds(term, h);
		if (term->more)
			continue;
		if (!any)
			return false;
		any = false;
	}
	return true;
}

/*
 * Return: true for TCP and UDP directly after an IP header without options. Terms with @plain apply only to
 * such packets.
 */
static __always_inline bool sieve_is_plain(const struct headers *h)
{
	const u32 header = h->family == AF_INET ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);

	return h->has_ports && h->transport == header &&
	       (h->proto == IPPROTO_UDP || h->proto == IPPROTO_TCP);
}

/* Return: true if a packet with these headers surely does not match. */
static __always_inline bool sieve_rejects(const struct sieve *s, const struct headers *h)
{
	if (!sieve_is_plain(h))
		return !sieve_holds(s, s->nr, h);
	return (s->ports && !port_set_has(s->ports, h->sport, h->dport)) ||
	       !sieve_holds(s, s->nr_all, h);
}

#endif
