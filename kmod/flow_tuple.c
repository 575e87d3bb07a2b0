// SPDX-License-Identifier: GPL-2.0
/*
 * flow_tuple.c - read addresses and ports from the headers of a packet, from the connection tracking of
 * NAT, and from a socket
 */
#include <linux/bits.h>
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/net.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <net/inet_sock.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/ndisc.h>
#include <net/net_namespace.h>
#include <net/tcp.h>

#include "flow_tuple.h"

/* Return: true if the protocol carries a whole packet with addresses of its own. */
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
	/* Type, code and echo identifier have the same layout in ICMP and ICMPv6. */
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

/* Copy addresses, protocol and ports from a packet's headers to its tuple. */
static void set_headers(struct tuple *t, const struct headers *h)
{
	const size_t size = h->family == AF_INET ? sizeof(__be32) : sizeof(struct in6_addr);

	memset(t, 0, sizeof(*t));
	memcpy(&t->saddr, h->saddr, size);
	memcpy(&t->daddr, h->daddr, size);
	t->family = h->family;
	/*
	 * For a later IPv6 fragment, use the protocol in its fragment header. A later IPv4 fragment has the
	 * protocol in its IP header.
	 */
	t->proto = h->fragment_proto ?: h->proto;
	t->portless = !parse_has_ports(t->proto);
	t->len = h->len;
	t->extensions = h->extensions;
	t->fragment_proto = h->fragment_proto;
	t->has_ports = h->has_ports;
	t->sport = ntohs(h->sport);
	t->dport = ntohs(h->dport);
}

/**
 * tuple_headers() - make the headers that a packet with this tuple would have
 * @t: a tuple with a family; must outlive @h
 * @h: filled in
 */
void tuple_headers(const struct tuple *t, struct headers *h)
{
	*h = (struct headers){
		.saddr = t->saddr.s6_addr32,
		.daddr = t->daddr.s6_addr32,
		.extensions = t->extensions,
		.sport = htons(t->sport),
		.dport = htons(t->dport),
		.family = t->family,
		.proto = t->proto,
		.fragment_proto = t->fragment_proto,
		.has_ports = t->has_ports,
	};
}

/*
 * Read the headers of a packet into @t. Return: false for a packet that is neither IPv4 nor IPv6; then @t is
 * empty.
 */
static bool read_headers(const struct sk_buff *skb, int offset, __be16 protocol, struct tuple *t)
{
	const struct packet_bytes bytes = parse_bytes_of(skb, offset);
	struct ipv6hdr buf;
	struct headers h;

	if (!parse_headers(&bytes, protocol, &buf, &h)) {
		memset(t, 0, sizeof(*t));
		return false;
	}
	set_headers(t, &h);
	if (!h.has_transport)
		return true;
	t->transport = offset + h.transport;
	t->transport_read = true;
	if (h.proto == IPPROTO_TCP)
		read_tcp(skb, t->transport, t);
	else if (h.proto == (h.family == AF_INET ? IPPROTO_ICMP : IPPROTO_ICMPV6))
		read_icmp(skb, t->transport, t);
	return true;
}

/*
 * Read a plain packet into @t: IPv4 without options, with the UDP or TCP header in the linear part. Nearly
 * every packet is plain. Return: false for any other packet; then @t is not changed.
 */
static __always_inline bool read_plain(const struct sk_buff *skb, int offset, struct tuple *t)
{
	const struct iphdr *ih = (const struct iphdr *)(skb->data + offset);
	const struct tcphdr *th = (const struct tcphdr *)(ih + 1);
	const int len = (int)skb_headlen(skb) - offset;

	if (skb->protocol != htons(ETH_P_IP) || len < (int)(sizeof(*ih) + 2 * sizeof(__be16)) ||
	    !parse_is_plain(ih) ||
	    (ih->protocol == IPPROTO_TCP && len < (int)(sizeof(*ih) + sizeof(*th))))
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
 * tuple_read() - read the tuple of a packet, starting at its network header
 * @skb: any packet; not changed
 * @offset: offset of the network header from skb->data, may be negative
 * @t: filled in; fields that could not be read are 0
 *
 * Return: true for IPv4 and IPv6, false for anything else.
 */
bool tuple_read(const struct sk_buff *skb, int offset, struct tuple *t)
{
	if (likely(read_plain(skb, offset, t)))
		return true;
	return read_headers(skb, offset, tuple_protocol(skb, offset), t);
}

/**
 * tuple_read_arp() - read the IPv4 addresses in an ARP packet
 * @skb: any packet; not changed
 * @offset: offset of the ARP header from skb->data, may be negative
 * @t: filled in with the sender's and the target's address; the family is AF_PACKET, unlike in IP tuples
 *
 * Return: false if the packet is not ARP for IPv4 over Ethernet.
 */
bool tuple_read_arp(const struct sk_buff *skb, int offset, struct tuple *t)
{
	struct {
		struct arphdr header;
		u8 sender_mac[ETH_ALEN];
		u8 sender[4];
		u8 target_mac[ETH_ALEN];
		u8 target[4];
	} __packed buf;
	const typeof(buf) *arp;

	if (skb->protocol != htons(ETH_P_ARP))
		return false;
	arp = skb_header_pointer(skb, offset, sizeof(buf), &buf);
	if (!arp || arp->header.ar_pro != htons(ETH_P_IP) || arp->header.ar_hln != ETH_ALEN ||
	    arp->header.ar_pln != sizeof(buf.sender))
		return false;
	memset(t, 0, sizeof(*t));
	t->family = AF_PACKET;
	t->portless = true;
	memcpy(&t->saddr, arp->sender, sizeof(arp->sender));
	memcpy(&t->daddr, arp->target, sizeof(arp->target));
	return true;
}

/**
 * tuple_read_neighbour() - make the tuple that a neighbour solicitation shares with its answers
 * @skb: a packet
 * @packet: tuple of the packet from tuple_read()
 * @t: set to the address that asks and the address that is wanted. The family is AF_PACKET, so that this
 *	tuple differs from the tuples of other ICMPv6 packets between these addresses.
 *
 * A solicitation is usually sent to a multicast address. Therefore the addresses in the IPv6 headers of
 * solicitation and advertisement do not identify a flow.
 *
 * Return: ICMPv6 type of the packet; 0 if the packet is neither solicitation nor advertisement.
 */
u8 tuple_read_neighbour(const struct sk_buff *skb, const struct tuple *packet, struct tuple *t)
{
	struct nd_msg buf;
	const struct nd_msg *msg;

	if (!packet->transport_read || packet->family != AF_INET6 ||
	    packet->proto != IPPROTO_ICMPV6 ||
	    (packet->icmp_type != NDISC_NEIGHBOUR_SOLICITATION &&
	     packet->icmp_type != NDISC_NEIGHBOUR_ADVERTISEMENT))
		return 0;
	msg = skb_header_pointer(skb, packet->transport, sizeof(buf), &buf);
	if (!msg)
		return 0;
	*t = (struct tuple){ .family = AF_PACKET, .proto = IPPROTO_ICMPV6, .portless = true };
	/*
	 * ICMPv6 has no ports. In this tuple, the host that sends solicitations gets a port other than 0. So
	 * if the other host sends solicitations, these belong to another flow.
	 */
	if (packet->icmp_type == NDISC_NEIGHBOUR_SOLICITATION) {
		t->saddr = packet->saddr;
		t->sport = NDISC_NEIGHBOUR_SOLICITATION;
		t->daddr = msg->target;
	} else {
		t->saddr = msg->target;
		t->daddr = packet->daddr;
		t->dport = NDISC_NEIGHBOUR_SOLICITATION;
		/*
		 * A host without an address sends solicitations from the address 0, and the answer goes to
		 * all nodes. Use the address 0 for the answer, too.
		 */
		if (ipv6_addr_is_multicast(&t->daddr))
			t->daddr = (struct in6_addr){};
	}
	return packet->icmp_type;
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
 * tuple_read_quoted() - read the tuple of the packet that an ICMP error quotes
 * @skb: the ICMP error
 * @outer: tuple of the ICMP error itself
 * @t: filled in
 *
 * Return: false if the packet is not an ICMP error, or quotes too little.
 */
bool tuple_read_quoted(const struct sk_buff *skb, const struct tuple *outer, struct tuple *t)
{
	int offset = outer->transport + sizeof(struct icmphdr);

	if (!is_icmp_error(outer))
		return false;
	return read_headers(skb, offset,
			    outer->family == AF_INET ? htons(ETH_P_IP) : htons(ETH_P_IPV6), t);
}

/*
 * Maximum number of IPv6 extension headers. Senders need fewer. The limit bounds the time that a hostile
 * packet costs at each probe point.
 */
#define MAX_EXTENSIONS 32

/*
 * The fields at the beginning of every extension header. Every extension header is at least as long as this
 * structure.
 */
struct extension {
	u8 next;
	u8 len;
	__be16 frag_off;
	__be32 reserved;
};

static u32 extension_len(u8 proto, const struct extension *ext)
{
	switch (proto) {
	case IPPROTO_FRAGMENT:
		return sizeof(*ext);
	case IPPROTO_AH:
		return (ext->len + 2) * 4;
	default:
		return (ext->len + 1) * 8;
	}
}

/**
 * parse_extensions() - find the transport header after IPv6 extension headers
 * @bytes: the packet
 * @h: headers of the packet; on entry, @h->proto and @h->transport describe the first extension header; on
 *	return, they describe the transport header
 *
 * If the chain of extension headers is truncated or too long, @h->proto is the type of the header that
 * could not be read.
 */
void parse_extensions(const struct packet_bytes *bytes, struct headers *h)
{
	const struct extension *ext;
	struct extension buf;
	int i;

	h->has_transport = false;
	for (i = 0; i < MAX_EXTENSIONS; i++) {
		ext = parse_bytes(bytes, h->transport, sizeof(buf), &buf);
		if (!ext)
			return;
		h->extensions |= BIT_ULL(h->proto);
		if (h->proto == IPPROTO_FRAGMENT && ext->frag_off & htons(~0x7)) {
			h->fragment_proto = ext->next;
			return;
		}
		h->transport += extension_len(h->proto, ext);
		h->proto = ext->next;
		if (!parse_is_extension(h->proto)) {
			h->has_transport = true;
			return;
		}
	}
}

#if IS_ENABLED(CONFIG_NF_CONNTRACK)
static void nat_tuple(const struct nf_conntrack_tuple *ends, struct tuple *t)
{
	*t = (struct tuple){
		.family = ends->src.l3num,
		.proto = ends->dst.protonum,
		.saddr = ends->src.u3.in6,
		.daddr = ends->dst.u3.in6,
	};
	if (parse_has_ports(t->proto)) {
		t->sport = ntohs(ends->src.u.all);
		t->dport = ntohs(ends->dst.u.all);
	} else if (t->proto == IPPROTO_ICMP || t->proto == IPPROTO_ICMPV6) {
		t->sport = t->dport = ntohs(ends->src.u.icmp.id);
	}
}

/**
 * nat_tuples() - get both tuples of a connection with NAT
 * @skb: a packet of the connection, for which nat_changes() is true
 * @sent: set to the tuple of packets from the client before NAT changes them
 * @answer: set to the tuple of answers before NAT changes them
 * @net: set to the cookie of the namespace in which NAT takes place
 */
void nat_tuples(const struct sk_buff *skb, struct tuple *sent, struct tuple *answer, u64 *net)
{
	enum ip_conntrack_info info;
	const struct nf_conn *ct = nf_ct_get(skb, &info);

	nat_tuple(&ct->tuplehash[IP_CT_DIR_ORIGINAL].tuple, sent);
	nat_tuple(&ct->tuplehash[IP_CT_DIR_REPLY].tuple, answer);
	*net = nf_ct_net(ct)->net_cookie;
}
#else
void nat_tuples(const struct sk_buff *skb, struct tuple *sent, struct tuple *answer, u64 *net) {}
#endif

static void set_v4(struct in6_addr *to, __be32 addr)
{
	to->s6_addr32[0] = addr;
}

/*
 * Protocol numbers that only occur in calls of socket(2). The packets of such a socket are TCP packets.
 * IPPROTO_SMC is new in 6.11.
 */
#define SOCK_SMC   256
#define SOCK_MPTCP IPPROTO_MPTCP

/* Set the protocol. A raw socket has no ports, even if its protocol has. */
static void set_protocol(struct tuple *t, int type, int proto)
{
	if (proto == SOCK_SMC || proto == SOCK_MPTCP)
		proto = IPPROTO_TCP;
	t->proto = proto;
	t->portless = type == SOCK_RAW || !parse_has_ports(proto);
}

/**
 * sock_new_tuple() - make the tuple for a call of socket(2)
 * @family, @type, @proto: the arguments of socket(2)
 * @t: family and protocol are filled in
 *
 * Return: false if the socket is neither IPv4 nor IPv6.
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
 * sock_tuple() - make the tuple of packets that a socket sends
 * @sk: a full socket
 * @t: filled in; unknown addresses and ports are 0
 *
 * An IPv6 socket with IPv4-mapped addresses counts as IPv4.
 *
 * Return: false if the socket is neither IPv4 nor IPv6.
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
		/* The socket is connected or bound to an IPv4-mapped address. */
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
		/*
		 * sk_num is not a port here. In a ping socket, it is the identifier of the echo; in a raw
		 * socket, it is the protocol.
		 */
		if (sk->sk_type == SOCK_DGRAM)
			t->icmp_id = t->sport = t->dport = sk->sk_num;
	} else {
		t->has_ports = true;
		t->sport = sock_local_port(sk);
		t->dport = ntohs(sk->sk_dport);
	}
	return true;
}

/**
 * sock_set_peer() - set the peer of a tuple to the address that was passed to a socket call
 * @t: tuple from sock_tuple()
 * @addr: address in kernel memory
 * @len: its length; an address that is too short for its family is ignored
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
