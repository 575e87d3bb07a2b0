/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FLOW_TUPLE_H
#define RECORD_SKB_FLOW_TUPLE_H

#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <linux/types.h>
#include <net/inet_sock.h>
#include <net/ip.h>

struct sock;
struct sockaddr;

/*
 * Parser of IPv4 and IPv6 headers. The prefilter, the filter and the code that fills in events all use this
 * parser, so that they find the same ports. If the headers are in the linear part of the skb, the parser
 * calls no function that ftrace traces.
 */

/*
 * struct packet_bytes - where the bytes of a packet are
 * @from: the network header
 * @tail: end of the linear part of the skb
 * @skb: the packet, to read bytes after @tail; if NULL, these bytes cannot be read
 * @offset: offset of @from from skb->data
 */
struct packet_bytes {
	const u8 *from;
	const u8 *tail;
	const struct sk_buff *skb;
	int offset;
};

/*
 * struct headers - a packet's addresses, protocol and ports
 * @saddr, @daddr: addresses in network byte order; the pointers point into the packet or into the caller's
 *	buffer
 * @extensions: IPv6 extension headers before @proto: a bit mask of 1 << protocol number
 * @transport: offset of the transport header from the network header; valid with @has_transport
 * @len: packet length according to the IP header, 0 if the header contains no length
 * @sport, @dport: ports of the packet; only valid if @has_ports is set
 * @family: AF_INET or AF_INET6
 * @proto: IP protocol after the extension headers
 * @fragment_proto: for an IPv6 fragment that is not the first one, the protocol in the fragment header
 *	(@proto is then NEXTHDR_FRAGMENT); 0 for other packets
 * @has_transport: the packet contains the beginning of its transport header
 * @has_ports: the protocol has ports, and both ports could be read
 */
struct headers {
	const __be32 *saddr;
	const __be32 *daddr;
	u64 extensions;
	u32 transport;
	u32 len;
	__be16 sport;
	__be16 dport;
	u8 family;
	u8 proto;
	u8 fragment_proto;
	bool has_transport;
	bool has_ports;
};

void parse_extensions(const struct packet_bytes *bytes, struct headers *h);

static __always_inline bool parse_has_ports(u8 proto)
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

/* Return: true if @proto is an IPv6 extension header. ipv6_ext_hdr() does the same, but ftrace traces it. */
static __always_inline bool parse_is_extension(u8 proto)
{
	switch (proto) {
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_FRAGMENT:
	case IPPROTO_AH:
	case IPPROTO_DSTOPTS:
		return true;
	}
	return false;
}

/*
 * Return: true for an IPv4 header without options that TCP or UDP ports follow directly. Nearly every
 * packet has such a header. The caller has to check that the header and the ports are in the linear part of
 * the skb.
 */
static __always_inline bool parse_is_plain(const struct iphdr *ih)
{
	return *(const u8 *)ih == 0x45 && !(ih->frag_off & htons(IP_OFFSET)) &&
	       (ih->protocol == IPPROTO_UDP || ih->protocol == IPPROTO_TCP);
}

/*
 * Read @len bytes at @offset. If the bytes are not in the linear part of the skb, they are copied to @buf.
 * Return: pointer to the bytes, NULL if the packet is too short.
 */
static __always_inline const void *parse_bytes(const struct packet_bytes *bytes, u32 offset,
					       u32 len, void *buf)
{
	if (likely(bytes->from + offset + len <= bytes->tail))
		return bytes->from + offset;
	return bytes->skb ? skb_header_pointer(bytes->skb, bytes->offset + (int)offset, len, buf) :
			    NULL;
}

static __always_inline bool parse_ipv4(const struct packet_bytes *bytes, void *buf,
				       struct headers *h)
{
	const struct iphdr *ih = parse_bytes(bytes, 0, sizeof(*ih), buf);

	if (!ih || ih->version != 4 || ih->ihl < sizeof(*ih) / 4)
		return false;
	*h = (struct headers){
		.saddr = &ih->saddr,
		.daddr = &ih->daddr,
		.transport = ih->ihl * 4,
		.len = ntohs(ih->tot_len),
		.family = AF_INET,
		.proto = ih->protocol,
		.has_transport = !(ih->frag_off & htons(IP_OFFSET)),
	};
	return true;
}

static __always_inline bool parse_ipv6(const struct packet_bytes *bytes, void *buf,
				       struct headers *h)
{
	const struct ipv6hdr *ih = parse_bytes(bytes, 0, sizeof(*ih), buf);

	if (!ih || ih->version != 6)
		return false;
	*h = (struct headers){
		.saddr = ih->saddr.s6_addr32,
		.daddr = ih->daddr.s6_addr32,
		.transport = sizeof(*ih),
		.len = ih->payload_len ? ntohs(ih->payload_len) + sizeof(*ih) : 0,
		.family = AF_INET6,
		.proto = ih->nexthdr,
		.has_transport = true,
	};
	if (parse_is_extension(ih->nexthdr))
		parse_extensions(bytes, h);
	return true;
}

static __always_inline void parse_ports(const struct packet_bytes *bytes, struct headers *h)
{
	const __be16 *ports;
	__be16 buf[2];

	if (!h->has_transport || !parse_has_ports(h->proto))
		return;
	ports = parse_bytes(bytes, h->transport, sizeof(buf), buf);
	if (!ports)
		return;
	h->has_ports = true;
	h->sport = ports[0];
	h->dport = ports[1];
}

/**
 * parse_headers() - read a packet's headers up to its ports
 * @bytes: the packet
 * @protocol: its network protocol, ETH_P_IP or ETH_P_IPV6 in network byte order
 * @buf: room for an IPv6 header, used if the header is not in the linear part of the skb; @h then points
 *	into @buf
 * @h: filled in
 *
 * Return: true if the headers could be read; false if the packet is not IPv4 or IPv6, or if a header is
 * truncated or malformed.
 */
static __always_inline bool parse_headers(const struct packet_bytes *bytes, __be16 protocol,
					  void *buf, struct headers *h)
{
	if (protocol == htons(ETH_P_IP)) {
		if (!parse_ipv4(bytes, buf, h))
			return false;
	} else if (protocol != htons(ETH_P_IPV6) || !parse_ipv6(bytes, buf, h)) {
		return false;
	}
	parse_ports(bytes, h);
	return true;
}

/*
 * Return: a description of the bytes of @skb, which begins at the network header. @offset is the offset of
 * that header from skb->data.
 */
static __always_inline struct packet_bytes parse_bytes_of(const struct sk_buff *skb, int offset)
{
	return (struct packet_bytes){
		.from = skb->data + offset,
		.tail = skb_tail_pointer(skb),
		.skb = skb,
		.offset = offset,
	};
}

/*
 * struct tuple - addresses, ports and protocol from the headers of a packet
 * @saddr, @daddr: addresses in network byte order; IPv4 in the first word
 * @sport, @dport: ports in host byte order; for an ICMP echo, both are its identifier; 0 if there are no
 *	ports
 * @family: AF_INET, AF_INET6, or 0 for a packet that is neither
 * @proto: IP protocol; for an IPv6 fragment that is not the first one, the protocol in the fragment header
 * @has_ports: @proto has ports, and the ports could be read
 * @portless: @proto is a protocol without ports
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
	/* Offset of the transport header from skb->data; only valid if @transport_read. */
	int transport;
	bool transport_read;
	/* Length according to the IP header, 0 if unknown. */
	u32 len;
	u8 icmp_type;
	u8 icmp_code;
	u16 icmp_id;
	u8 tcp_flags;
	/* Length of the TCP header in bytes, 0 if it could not be read. */
	u8 tcp_header;
	u32 seq;
	u32 ack;
	/* The next two fields have the same meaning as in struct headers. */
	u64 extensions;
	u8 fragment_proto;
};

bool tuple_read(const struct sk_buff *skb, int offset, struct tuple *t);
bool tuple_read_arp(const struct sk_buff *skb, int offset, struct tuple *t);
u8 tuple_read_neighbour(const struct sk_buff *skb, const struct tuple *packet, struct tuple *t);
bool tuple_read_quoted(const struct sk_buff *skb, const struct tuple *outer, struct tuple *t);
void tuple_headers(const struct tuple *t, struct headers *h);
bool tuple_is_tunnel(const struct tuple *t);

/*
 * Return: protocol of the packet, 0 if unknown. Before __ip_local_out(), skb->protocol is not set yet, so
 * the IP version in the header is used instead.
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

/* Test cheaply if a packet may be ICMP or ICMPv6. Return: false if it certainly is not. */
static inline bool tuple_is_icmp(const struct sk_buff *skb, int offset)
{
	const __be16 protocol = tuple_protocol(skb, offset);

	if (protocol == htons(ETH_P_IP)) {
		if (offset + (int)sizeof(struct iphdr) > (int)skb_headlen(skb))
			return true;
		return ((const struct iphdr *)(skb->data + offset))->protocol == IPPROTO_ICMP;
	}
	/*
	 * An extension header may come before the ICMPv6 header. So any next header may lead to ICMPv6,
	 * except for that of a protocol with ports.
	 */
	return protocol == htons(ETH_P_IPV6) &&
	       (offset + (int)sizeof(struct ipv6hdr) > (int)skb_headlen(skb) ||
		!parse_has_ports(((const struct ipv6hdr *)(skb->data + offset))->nexthdr));
}

#if IS_ENABLED(CONFIG_NF_CONNTRACK)
#include <net/netfilter/nf_conntrack.h>

/*
 * Return: true if NAT changes addresses or ports of the packet; false if not, or if this is not known at
 * this probe.
 */
static inline bool nat_changes(const struct sk_buff *skb)
{
	enum ip_conntrack_info info;
	const struct nf_conn *ct = nf_ct_get(skb, &info);

	return ct && !nf_ct_is_template(ct) && READ_ONCE(ct->status) & IPS_NAT_MASK;
}
#else
static inline bool nat_changes(const struct sk_buff *skb)
{
	return false;
}
#endif

void nat_tuples(const struct sk_buff *skb, struct tuple *sent, struct tuple *answer, u64 *net);

/*
 * Return: the local port of a full TCP or UDP socket. When both ends of a TCP connection have closed, the
 * kernel releases the port and clears sk_num. The task can still read data from the socket, so the port is
 * then taken from inet_sport. If the socket has no peer, inet_sport may be from an earlier connection, so
 * it is not used.
 */
static __always_inline u16 sock_local_port(const struct sock *sk)
{
	if (likely(sk->sk_num) || !sk->sk_dport || sk->sk_protocol != IPPROTO_TCP)
		return sk->sk_num;
	return ntohs(inet_sk(sk)->inet_sport);
}

bool sock_new_tuple(int family, int type, int proto, struct tuple *t);
bool sock_tuple(const struct sock *sk, struct tuple *t);
void sock_set_peer(struct tuple *t, const struct sockaddr *addr, int len);

/* Return: a number that identifies the sending end of a packet in its flow; never 0. */
static inline u32 tuple_sender(const struct tuple *t)
{
	return ((__force u32)(t->saddr.s6_addr32[0] ^ t->saddr.s6_addr32[3]) ^ t->sport << 1) | 1;
}

#endif
