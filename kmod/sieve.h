/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SIEVE_H
#define RECORD_SKB_SIEVE_H

#include <linux/bitmap.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/types.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/sock.h>
#include <record_skb.h>

/* struct sieve_ports - which ports are asked for, a bit for each as it stands in a header */
struct sieve_ports {
	DECLARE_BITMAP(src, 1 << 16);
	DECLARE_BITMAP(dst, 1 << 16);
};

/*
 * struct sieve - the terms of struct record_skb_filter
 * @ports: of the first alternatives that are all ports, NULL if there are none
 *
 * What it holds back surely does not match, whatever the programs are. It is asked of everybody's packets, at
 * each point: all of it is inline, and it calls nothing.
 */
struct sieve {
	const struct sieve_ports *ports;
	u32 nr;
	struct record_skb_term *term;
};

/* struct ends - who talks to whom in TCP, UDP or SCTP */
struct ends {
	const __be32 *saddr;
	const __be32 *daddr;
	__be16 sport;
	__be16 dport;
	u8 family;
	u8 proto;
};

/* The protocols that libpcap knows to have ports. */
static __always_inline bool ends_have_ports(u32 proto)
{
	return proto == IPPROTO_UDP || proto == IPPROTO_TCP || proto == IPPROTO_SCTP;
}

/*
 * Return: false if a look at the header does not tell: another protocol, a fragment, an extension header, or
 * what is not in the linear part.
 */
static __always_inline bool ends_of_packet(const struct sk_buff *skb, const u8 *header,
					   struct ends *e)
{
	const u8 *tail = skb_tail_pointer(skb), *transport;
	const __be16 protocol = skb->protocol;

	if (header + sizeof(struct iphdr) > tail)
		return false;
	if (*header >> 4 == 4 && (protocol == htons(ETH_P_IP) || !protocol)) {
		const struct iphdr *ih = (const struct iphdr *)header;

		if (ih->frag_off & htons(IP_OFFSET))
			return false;
		*e = (struct ends){ .saddr = &ih->saddr, .daddr = &ih->daddr };
		e->family = AF_INET;
		e->proto = ih->protocol;
		transport = header + ih->ihl * 4;
	} else if (*header >> 4 == 6 && (protocol == htons(ETH_P_IPV6) || !protocol)) {
		const struct ipv6hdr *ih = (const struct ipv6hdr *)header;

		*e = (struct ends){ .saddr = ih->saddr.s6_addr32, .daddr = ih->daddr.s6_addr32 };
		e->family = AF_INET6;
		e->proto = ih->nexthdr;
		transport = header + sizeof(*ih);
	} else {
		return false;
	}
	if (!ends_have_ports(e->proto) || transport + 2 * sizeof(__be16) > tail)
		return false;
	e->sport = ((const __be16 *)transport)[0];
	e->dport = ((const __be16 *)transport)[1];
	return true;
}

/* From the socket's own end to its peer's, as sock_tuple() has them. Return: false if of another kind. */
static __always_inline bool ends_of_sock(const struct sock *sk, struct ends *e)
{
	if (!sk_fullsock(sk) || sk->sk_type == SOCK_RAW || !ends_have_ports(sk->sk_protocol))
		return false;
	if (sk->sk_family == AF_INET)
		*e = (struct ends){ .saddr = &sk->sk_rcv_saddr, .daddr = &sk->sk_daddr };
#if IS_ENABLED(CONFIG_IPV6)
	else if (sk->sk_family == AF_INET6 && !ipv6_addr_v4mapped(&sk->sk_v6_daddr) &&
		 !ipv6_addr_v4mapped(&sk->sk_v6_rcv_saddr))
		*e = (struct ends){ .saddr = sk->sk_v6_rcv_saddr.s6_addr32,
				    .daddr = sk->sk_v6_daddr.s6_addr32 };
#endif
	else
		return false;
	e->family = sk->sk_family;
	e->proto = sk->sk_protocol;
	e->sport = htons(sk->sk_num);
	e->dport = sk->sk_dport;
	return true;
}

/*
 * The peer that a call names instead, as sock_set_peer() has it.
 * Return: false if that is not to be told by a look.
 */
static __always_inline bool ends_set_peer(struct ends *e, const struct sockaddr *addr, int len)
{
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)addr;
	const struct sockaddr_in *sin = (const struct sockaddr_in *)addr;

	if (len < (int)sizeof(*sin) || addr->sa_family != e->family)
		return false;
	if (e->family == AF_INET) {
		e->daddr = &sin->sin_addr.s_addr;
		e->dport = sin->sin_port;
		return true;
	}
	if (len < SIN6_LEN_RFC2133 || ipv6_addr_v4mapped(&sin6->sin6_addr))
		return false;
	e->daddr = sin6->sin6_addr.s6_addr32;
	e->dport = sin6->sin6_port;
	return true;
}

/* The way back. */
static __always_inline void ends_turn(struct ends *e)
{
	swap(e->saddr, e->daddr);
	swap(e->sport, e->dport);
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
						 const struct ends *e)
{
	const bool v4 = term->kind == RECORD_SKB_TERM_IPV4;
	const u32 words = v4 ? 1 : 4;

	if (e->family != (v4 ? AF_INET : AF_INET6))
		return false;
	return (term->ends & RECORD_SKB_END_SRC && sieve_has_address(term, e->saddr, words)) ||
	       (term->ends & RECORD_SKB_END_DST && sieve_has_address(term, e->daddr, words));
}

static __always_inline bool sieve_term_holds(const struct record_skb_term *term,
					     const struct ends *e)
{
	const u16 lo = term->lo, span = term->hi - lo;

	switch (term->kind) {
	case RECORD_SKB_TERM_PORT:
		return (term->ends & RECORD_SKB_END_SRC && (u16)(ntohs(e->sport) - lo) <= span) ||
		       (term->ends & RECORD_SKB_END_DST && (u16)(ntohs(e->dport) - lo) <= span);
	case RECORD_SKB_TERM_PROTO:
		return e->proto == lo;
	default:
		return sieve_addresses_hold(term, e);
	}
}

static __always_inline bool sieve_has_ports(const struct sieve_ports *ports, __be16 sport,
					    __be16 dport)
{
	return test_bit((__force u16)sport, ports->src) || test_bit((__force u16)dport, ports->dst);
}

/* Whether what has these ends surely does not match. */
static __always_inline bool sieve_holds_back(const struct sieve *s, const struct ends *e)
{
	const struct record_skb_term *term = s->term, *end = term + s->nr;
	bool any = false;

	if (s->ports && !sieve_has_ports(s->ports, e->sport, e->dport))
		return true;
	for (; term < end; term++) {
		any = any || sieve_term_holds(term, e);
		if (term->more)
			continue;
		if (!any)
			return true;
		any = false;
	}
	return false;
}

#endif
