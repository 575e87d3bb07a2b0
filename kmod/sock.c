// SPDX-License-Identifier: GPL-2.0
/* sock.c - who a socket talks to, where there is no packet to read it from */
#include <linux/filter.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/net.h>
#include <linux/tcp.h>
#include <net/inet_sock.h>
#include <net/ipv6.h>

#include "filter.h"
#include "sock.h"
#include "tuple.h"

static void set_v4(struct in6_addr *to, __be32 addr)
{
	to->s6_addr32[0] = addr;
}

/* Of socket(2) only: the numbers of no packets, which are TCP's. The first is new in 6.11. */
#define SOCK_SMC   256
#define SOCK_MPTCP IPPROTO_MPTCP

/* Of a raw socket the protocol may be one that has ports; the socket has none all the same. */
static void set_protocol(struct tuple *t, int type, int proto)
{
	if (proto == SOCK_SMC || proto == SOCK_MPTCP)
		proto = IPPROTO_TCP;
	t->proto = proto;
	t->portless = type == SOCK_RAW || !tuple_has_ports(proto);
}

/**
 * sock_new_tuple() - the same for a socket that is about to be made
 * @family, @type, @proto: the arguments of socket(2)
 * @t: filled in: family and protocol
 *
 * Return: false if it is going to be neither IPv4 nor IPv6.
 */
bool sock_new_tuple(int family, int type, int proto, struct tuple *t)
{
	type &= SOCK_TYPE_MASK;
	if (!proto && type == SOCK_STREAM)
		proto = IPPROTO_TCP;
	else if (!proto && type == SOCK_DGRAM)
		proto = IPPROTO_UDP;
	*t = (struct tuple){ .family = family };
	set_protocol(t, type, proto);
	return family == AF_INET || family == AF_INET6;
}

/**
 * sock_tuple() - the tuple of what a socket sends
 * @sk: a full socket
 * @t: filled in; addresses and ports not known yet are 0
 *
 * An IPv6 socket that speaks IPv4 is an IPv4 one.
 *
 * Return: false if it is neither IPv4 nor IPv6.
 */
bool sock_tuple(const struct sock *sk, struct tuple *t)
{
	*t = (struct tuple){};
	switch (sk->sk_family) {
	case AF_INET:
		t->family = AF_INET;
		set_v4(&t->saddr, sk->sk_rcv_saddr);
		set_v4(&t->daddr, sk->sk_daddr);
		break;
#if IS_ENABLED(CONFIG_IPV6)
	case AF_INET6:
		/* Connected so, or bound. */
		if (ipv6_addr_v4mapped(&sk->sk_v6_daddr) ||
		    ipv6_addr_v4mapped(&sk->sk_v6_rcv_saddr)) {
			t->family = AF_INET;
			set_v4(&t->saddr, sk->sk_rcv_saddr);
			set_v4(&t->daddr, sk->sk_daddr);
		} else {
			t->family = AF_INET6;
			t->saddr = sk->sk_v6_rcv_saddr;
			t->daddr = sk->sk_v6_daddr;
		}
		break;
#endif
	default:
		return false;
	}
	set_protocol(t, sk->sk_type, sk->sk_protocol);
	if (t->portless) {
		/* A ping socket's number is its echo's identifier; a raw one's is its protocol. */
		if (sk->sk_type == SOCK_DGRAM)
			t->icmp_id = t->sport = t->dport = sk->sk_num;
	} else {
		t->has_ports = true;
		t->sport = sk->sk_num;
		t->dport = ntohs(sk->sk_dport);
	}
	return true;
}

/**
 * sock_set_peer() - put the peer that a call names into the socket's tuple
 * @t: of sock_tuple()
 * @addr: in kernel memory
 * @len: how much of it was given; an address that is too short for its family is none
 */
void sock_set_peer(struct tuple *t, const struct sockaddr *addr, int len)
{
	const struct sockaddr_in *sin = (const struct sockaddr_in *)addr;
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)addr;
	__be16 port;

	if (len < (int)sizeof(addr->sa_family))
		return;
	switch (addr->sa_family) {
	case AF_INET:
		if (len < (int)sizeof(*sin))
			return;
		t->family = AF_INET;
		t->daddr = (struct in6_addr){};
		set_v4(&t->daddr, sin->sin_addr.s_addr);
		port = sin->sin_port;
		break;
	case AF_INET6:
		if (len < SIN6_LEN_RFC2133)
			return;
		if (ipv6_addr_v4mapped(&sin6->sin6_addr)) {
			t->family = AF_INET;
			t->daddr = (struct in6_addr){};
			set_v4(&t->daddr, sin6->sin6_addr.s6_addr32[3]);
		} else {
			t->family = AF_INET6;
			t->daddr = sin6->sin6_addr;
		}
		port = sin6->sin6_port;
		break;
	default:
		return;
	}
	if (t->has_ports)
		t->dport = ntohs(port);
}

static u32 fill_transport(void *at, const struct tuple *t, u16 sport, u16 dport)
{
	struct tcphdr *th = at;

	/* Ports are at the same place in every protocol that has them. */
	if (t->has_ports) {
		th->source = htons(sport);
		th->dest = htons(dport);
	}
	if (t->proto == IPPROTO_TCP)
		th->doff = sizeof(*th) / 4;
	return sizeof(*th);
}

/* A packet from one to the other, without a payload. Return: how long it is. */
static __always_inline u32 fill_packet(u8 *buf, const struct tuple *t, const struct in6_addr *src,
				       const struct in6_addr *dst, u16 sport, u16 dport)
{
	u32 len;

	if (t->family == AF_INET) {
		struct iphdr *ih = (struct iphdr *)buf;

		ih->version = 4;
		ih->ihl = sizeof(*ih) / 4;
		ih->ttl = 64;
		ih->protocol = t->proto;
		ih->saddr = src->s6_addr32[0];
		ih->daddr = dst->s6_addr32[0];
		len = sizeof(*ih) + fill_transport(ih + 1, t, sport, dport);
		ih->tot_len = htons(len);
	} else {
		struct ipv6hdr *ih = (struct ipv6hdr *)buf;

		ih->version = 6;
		ih->hop_limit = 64;
		ih->nexthdr = t->proto;
		ih->saddr = *src;
		ih->daddr = *dst;
		len = sizeof(*ih) + fill_transport(ih + 1, t, sport, dport);
		ih->payload_len = htons(len - sizeof(*ih));
	}
	return len;
}

/* With an skb, which is large. */
static noinline bool run_on_skb(const struct filter *f, u8 *buf, u32 len, __be16 protocol)
{
	struct sk_buff skb;

	memset(&skb, 0, sizeof(skb));
	skb.head = skb.data = buf;
	skb.len = len;
	skb.protocol = protocol;
	skb_reset_network_header(&skb);
	skb_set_tail_pointer(&skb, len);
	return filter_run(f, &skb, 0);
}

/**
 * sock_run_filter() - what a filter says of a packet with this tuple
 * @f: the filter
 * @t: a socket's tuple, from its own end to the peer's
 * @receive: ask of a packet that the socket receives, not of one it sends
 */
bool sock_run_filter(const struct filter *f, const struct tuple *t, bool receive)
{
	u8 buf[sizeof(struct ipv6hdr) + sizeof(struct tcphdr)] __aligned(sizeof(u64)) = {};
	u32 len;

	if (!f->raw)
		return false;
	if (receive)
		len = fill_packet(buf, t, &t->daddr, &t->saddr, t->dport, t->sport);
	else
		len = fill_packet(buf, t, &t->saddr, &t->daddr, t->sport, t->dport);
	if (f->at_data && f->bytes_only)
		return filter_run_bytes(f, buf, len);
	return run_on_skb(f, buf, len, htons(t->family == AF_INET ? ETH_P_IP : ETH_P_IPV6));
}
