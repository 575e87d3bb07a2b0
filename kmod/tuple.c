// SPDX-License-Identifier: GPL-2.0
/* tuple.c - read a packet's addresses and ports, wherever skb->data points */
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/tcp.h>

#include "tuple.h"

/* Whether an IP protocol has ports. */
bool tuple_has_ports(u8 proto)
{
	switch (proto) {
	case IPPROTO_TCP:
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE:
	case IPPROTO_SCTP:
	case IPPROTO_DCCP:
		return true;
	}
	return false;
}

/* Whether there is a whole packet inside, with addresses of its own. */
bool tuple_is_tunnel(const struct tuple *t)
{
	switch (t->proto) {
	case IPPROTO_IPIP:
	case IPPROTO_IPV6:
	case IPPROTO_GRE:
	case IPPROTO_ESP:
	case IPPROTO_L2TP:
		return true;
	}
	return false;
}

static void read_tcp(const struct sk_buff *skb, int offset, struct tuple *t)
{
	struct tcphdr buf;
	const struct tcphdr *th = skb_header_pointer(skb, offset, sizeof(buf), &buf);

	if (!th)
		return;
	t->tcp_flags = tcp_flag_byte(th);
	t->tcp_header = th->doff * 4;
	t->seq = ntohl(th->seq);
	t->ack = ntohl(th->ack_seq);
}

static void read_icmp(const struct sk_buff *skb, int offset, struct tuple *t)
{
	/* Both families lay out type, code and the echo's identifier alike. */
	struct icmphdr buf;
	const struct icmphdr *ih = skb_header_pointer(skb, offset, sizeof(buf), &buf);
	bool echo;

	if (!ih)
		return;
	t->icmp_type = ih->type;
	t->icmp_code = ih->code;
	if (t->family == AF_INET)
		echo = ih->type == ICMP_ECHO || ih->type == ICMP_ECHOREPLY;
	else
		echo = ih->type == ICMPV6_ECHO_REQUEST || ih->type == ICMPV6_ECHO_REPLY;
	if (echo)
		t->icmp_id = t->sport = t->dport = ntohs(ih->un.echo.id);
}

static void read_transport(const struct sk_buff *skb, int offset, struct tuple *t)
{
	__be16 buf[2];
	const __be16 *ports;

	t->transport = offset;
	t->transport_read = true;
	if (tuple_has_ports(t->proto)) {
		ports = skb_header_pointer(skb, offset, sizeof(buf), buf);
		if (!ports)
			return;
		t->has_ports = true;
		t->sport = ntohs(ports[0]);
		t->dport = ntohs(ports[1]);
		if (t->proto == IPPROTO_TCP)
			read_tcp(skb, offset, t);
	} else if (t->proto == (t->family == AF_INET ? IPPROTO_ICMP : IPPROTO_ICMPV6)) {
		read_icmp(skb, offset, t);
	}
}

static bool read_ipv4(const struct sk_buff *skb, int offset, struct tuple *t)
{
	struct iphdr buf;
	const struct iphdr *ih = skb_header_pointer(skb, offset, sizeof(buf), &buf);

	if (!ih || ih->version != 4 || ih->ihl < 5)
		return false;
	t->family = AF_INET;
	t->proto = ih->protocol;
	t->len = ntohs(ih->tot_len);
	t->portless = !tuple_has_ports(t->proto);
	t->saddr.s6_addr32[0] = ih->saddr;
	t->daddr.s6_addr32[0] = ih->daddr;
	if (!(ih->frag_off & htons(IP_OFFSET)))
		read_transport(skb, offset + ih->ihl * 4, t);
	return true;
}

static bool read_ipv6(const struct sk_buff *skb, int offset, struct tuple *t)
{
	struct ipv6hdr buf;
	const struct ipv6hdr *ih = skb_header_pointer(skb, offset, sizeof(buf), &buf);
	__be16 frag = 0;
	int transport;

	if (!ih || ih->version != 6)
		return false;
	t->family = AF_INET6;
	t->proto = ih->nexthdr;
	t->len = ih->payload_len ? ntohs(ih->payload_len) + sizeof(*ih) : 0;
	t->saddr = ih->saddr;
	t->daddr = ih->daddr;
	transport = ipv6_skip_exthdr(skb, offset + sizeof(*ih), &t->proto, &frag);
	t->portless = !tuple_has_ports(t->proto);
	if (transport >= 0 && !(frag & htons(~0x7)))
		read_transport(skb, transport, t);
	return true;
}

/*
 * IPv4 without options and UDP's or TCP's header in the linear part: nearly every packet.
 * Return: false if it is not that; then nothing is read.
 */
static __always_inline bool read_plain(const struct sk_buff *skb, int offset, struct tuple *t)
{
	const struct iphdr *ih = (const struct iphdr *)(skb->data + offset);
	const struct tcphdr *th = (const struct tcphdr *)(ih + 1);
	const int len = (int)skb_headlen(skb) - offset;

	if (skb->protocol != htons(ETH_P_IP) || len < (int)(sizeof(*ih) + 2 * sizeof(__be16)) ||
	    *(const u8 *)ih != 0x45 || ih->frag_off & htons(IP_OFFSET))
		return false;
	if (ih->protocol != IPPROTO_UDP &&
	    (ih->protocol != IPPROTO_TCP || len < (int)(sizeof(*ih) + sizeof(*th))))
		return false;
	*t = (struct tuple){
		.saddr.s6_addr32[0] = ih->saddr,
		.daddr.s6_addr32[0] = ih->daddr,
		.sport = ntohs(th->source),
		.dport = ntohs(th->dest),
		.family = AF_INET,
		.proto = ih->protocol,
		.has_ports = true,
		.transport = offset + sizeof(*ih),
		.transport_read = true,
		.len = ntohs(ih->tot_len),
	};
	if (ih->protocol == IPPROTO_TCP) {
		t->tcp_flags = tcp_flag_byte(th);
		t->tcp_header = th->doff * 4;
		t->seq = ntohl(th->seq);
		t->ack = ntohl(th->ack_seq);
	}
	return true;
}

/**
 * tuple_read() - read the packet's tuple from its network header on
 * @skb: any packet; not changed
 * @offset: of the network header from skb->data, may be negative
 * @t: filled in; what could not be read is 0
 *
 * Return: true for IPv4 and IPv6, false for anything else.
 */
bool tuple_read(const struct sk_buff *skb, int offset, struct tuple *t)
{
	if (likely(read_plain(skb, offset, t)))
		return true;
	memset(t, 0, sizeof(*t));
	switch (tuple_protocol(skb, offset)) {
	case htons(ETH_P_IP):
		return read_ipv4(skb, offset, t);
	case htons(ETH_P_IPV6):
		return read_ipv6(skb, offset, t);
	}
	return false;
}

static bool is_icmp_error(const struct tuple *t)
{
	if (!t->transport_read)
		return false;
	if (t->family == AF_INET && t->proto == IPPROTO_ICMP)
		return icmp_is_err(t->icmp_type);
	return t->family == AF_INET6 && t->proto == IPPROTO_ICMPV6 && t->icmp_type &&
	       !(t->icmp_type & ICMPV6_INFOMSG_MASK);
}

/**
 * tuple_read_quoted() - read the tuple of the packet that an ICMP error is about
 * @skb: the error
 * @outer: its own tuple
 * @t: filled in
 *
 * Return: false if it is no ICMP error, or quotes too little.
 */
bool tuple_read_quoted(const struct sk_buff *skb, const struct tuple *outer, struct tuple *t)
{
	int offset = outer->transport + sizeof(struct icmphdr);

	if (!is_icmp_error(outer))
		return false;
	memset(t, 0, sizeof(*t));
	return outer->family == AF_INET ? read_ipv4(skb, offset, t) : read_ipv6(skb, offset, t);
}
