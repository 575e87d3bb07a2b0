/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_TUPLE_H
#define RECORD_SKB_TUPLE_H

#include <linux/if_ether.h>
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/types.h>

/*
 * struct tuple - who talks to whom, read from a packet's headers
 * @saddr, @daddr: addresses in network byte order; IPv4 in the first word
 * @sport, @dport: ports in host byte order; an ICMP echo's identifier stands in both; 0 if none
 * @family: AF_INET, AF_INET6, or 0 for a packet that is neither
 * @proto: IP protocol
 * @has_ports: @proto has ports, and they could be read
 * @portless: @proto is one that has no ports
 */
struct tuple {
	struct in6_addr saddr __aligned(sizeof(u64));
	struct in6_addr daddr;
	u16 sport;
	u16 dport;
	u8 family;
	u8 proto;
	bool has_ports;
	bool portless;
	/* Offset of the transport header from skb->data, if @transport_read. */
	int transport;
	bool transport_read;
	/* Only for the events; @len is what the IP header says, 0 if it does not. */
	u32 len;
	u8 icmp_type;
	u8 icmp_code;
	u16 icmp_id;
	u8 tcp_flags;
	/* Bytes of TCP's header, 0 if it could not be read. */
	u8 tcp_header;
	u32 seq;
	u32 ack;
};

bool tuple_read(const struct sk_buff *skb, int offset, struct tuple *t);
bool tuple_read_quoted(const struct sk_buff *skb, const struct tuple *outer, struct tuple *t);
bool tuple_has_ports(u8 proto);
bool tuple_is_tunnel(const struct tuple *t);

/*
 * A packet's protocol. On the way to __ip_local_out() it has none yet, but the header is there.
 */
static inline __be16 tuple_protocol(const struct sk_buff *skb, int offset)
{
	if (skb->protocol || offset + 1 > (int)skb_headlen(skb))
		return skb->protocol;
	switch (skb->data[offset] >> 4) {
	case 4:
		return htons(ETH_P_IP);
	case 6:
		return htons(ETH_P_IPV6);
	}
	return 0;
}

/* A first look, cheap: false is sure. */
static inline bool tuple_is_icmp(const struct sk_buff *skb, int offset)
{
	const __be16 protocol = tuple_protocol(skb, offset);

	if (protocol == htons(ETH_P_IP)) {
		if (offset + (int)sizeof(struct iphdr) > (int)skb_headlen(skb))
			return true;
		return ((const struct iphdr *)(skb->data + offset))->protocol == IPPROTO_ICMP;
	}
	/* An extension header may stand before it. */
	return protocol == htons(ETH_P_IPV6) &&
	       (offset + (int)sizeof(struct ipv6hdr) > (int)skb_headlen(skb) ||
		!tuple_has_ports(((const struct ipv6hdr *)(skb->data + offset))->nexthdr));
}

#endif
