// SPDX-License-Identifier: GPL-2.0
/*
 * filter.c - create the BPF programs that select packets, and run them on packets, bytes and tuples
 *
 * A program can also be run on the packet inside a tunnel packet: VXLAN, Geneve, GRE, IPIP and SIT.
 */
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tcp.h>
#include <net/ip.h>
#include <net/tcp.h>

#include "filter.h"

#define PORT_VXLAN     4789
#define PORT_VXLAN_OLD 8472
#define PORT_GENEVE    6081

#define UDP_LEN	   8
#define VXLAN_LEN  8
#define GENEVE_LEN 8
#define GRE_LEN	   4
#define VLAN_LEN   4

/* Bits of the first two bytes of a GRE header: the fields that follow the header, and its version. */
#define GRE_HAS_CHECKSUM 0x8000
#define GRE_HAS_ROUTE	 0x4000
#define GRE_HAS_KEY	 0x2000
#define GRE_HAS_SEQUENCE 0x1000
#define GRE_VERSION_BITS 0x0007

/* Return: true if @n bytes are available at @at. */
static bool has(const u8 *at, const u8 *end, unsigned int n)
{
	return at && at <= end && end - at >= n;
}

static u16 read_u16(const u8 *at)
{
	return at[0] << 8 | at[1];
}

/* Return: the IP packet of this type at @at; NULL if it is of another protocol. */
static const u8 *network_packet(const u8 *at, const u8 *end, u16 type)
{
	if (type == ETH_P_TEB) {
		if (!has(at, end, ETH_HLEN))
			return NULL;
		type = read_u16(at + 2 * ETH_ALEN);
		at += ETH_HLEN;
		if (type == ETH_P_8021Q && has(at, end, VLAN_LEN)) {
			type = read_u16(at + 2);
			at += VLAN_LEN;
		}
	}
	return type == ETH_P_IP || type == ETH_P_IPV6 ? at : NULL;
}

static const u8 *behind_gre(const u8 *at, const u8 *end)
{
	u16 flags;

	if (!has(at, end, GRE_LEN))
		return NULL;
	flags = read_u16(at);
	if (flags & (GRE_HAS_ROUTE | GRE_VERSION_BITS))
		return NULL;
	return network_packet(at + GRE_LEN +
				      4 * (!!(flags & GRE_HAS_CHECKSUM) + !!(flags & GRE_HAS_KEY) +
					   !!(flags & GRE_HAS_SEQUENCE)),
			      end, read_u16(at + 2));
}

static const u8 *behind_udp(const u8 *at, const u8 *end)
{
	const u8 *tunnel = at + UDP_LEN;

	if (!has(at, end, UDP_LEN + VXLAN_LEN))
		return NULL;
	switch (read_u16(at + 2)) {
	case PORT_VXLAN:
	case PORT_VXLAN_OLD:
		/* VXLAN's flag I: the header has a valid network identifier. */
		return tunnel[0] & 0x08 ? network_packet(tunnel + VXLAN_LEN, end, ETH_P_TEB) : NULL;
	case PORT_GENEVE:
		/*
		 * The first byte of a Geneve header has the version and the length of the options in words.
		 */
		return tunnel[0] >> 6 ? NULL :
					network_packet(tunnel + GENEVE_LEN + 4 * (tunnel[0] & 0x3f),
						       end, read_u16(tunnel + 2));
	}
	return NULL;
}

static const u8 *behind_ip(const u8 *at, const u8 *end, u8 proto)
{
	switch (proto) {
	case IPPROTO_IPIP:
		return network_packet(at, end, ETH_P_IP);
	case IPPROTO_IPV6:
		return network_packet(at, end, ETH_P_IPV6);
	case IPPROTO_GRE:
		return behind_gre(at, end);
	case IPPROTO_UDP:
		return behind_udp(at, end);
	}
	return NULL;
}

/**
 * inner_packet() - find the packet inside a tunnel packet
 * @at: the IP header of the tunnel packet
 * @end: end of the bytes that can be read
 *
 * Return: the IP header of the inner packet; NULL if it is not found, or if the packet is a fragment
 * or has IPv6 extension headers.
 */
static const u8 *inner_packet(const u8 *at, const u8 *end)
{
	const struct iphdr *ih = (const struct iphdr *)at;
	const struct ipv6hdr *ih6 = (const struct ipv6hdr *)at;

	if (has(at, end, sizeof(*ih)) && ih->version == 4 && ih->ihl >= 5 &&
	    !(ih->frag_off & htons(IP_MF | IP_OFFSET)))
		return behind_ip(at + 4 * ih->ihl, end, ih->protocol);
	if (has(at, end, sizeof(*ih6)) && ih6->version == 6)
		return behind_ip(at + sizeof(*ih6), end, ih6->nexthdr);
	return NULL;
}

/*
 * Return: true if the BPF program reads only bytes of the packet, and neither the packet's length nor
 * metadata.
 */
static bool reads_bytes_only(const struct sock_filter *insns, u16 len)
{
	u16 i;

	for (i = 0; i < len; i++) {
		const u8 class = BPF_CLASS(insns[i].code), mode = BPF_MODE(insns[i].code);

		if (class != BPF_LD && class != BPF_LDX)
			continue;
		if (mode == BPF_LEN || ((mode == BPF_ABS || mode == BPF_IND || mode == BPF_MSH) &&
					(s32)insns[i].k < 0))
			return false;
	}
	return true;
}

/*
 * Return: true if the BPF program dereferences no pointer of the skb. At some probes, skb->dev is NULL or
 * has another meaning, because the kernel never runs socket filters there.
 */
static bool is_safe(const struct sock_filter *insns, u16 len)
{
	u16 i;

	for (i = 0; i < len; i++) {
		if (BPF_CLASS(insns[i].code) != BPF_LD || BPF_MODE(insns[i].code) != BPF_ABS)
			continue;
		switch ((s32)insns[i].k) {
		case SKF_AD_OFF + SKF_AD_IFINDEX:
		case SKF_AD_OFF + SKF_AD_HATYPE:
		case SKF_AD_OFF + SKF_AD_NLATTR:
		case SKF_AD_OFF + SKF_AD_NLATTR_NEST:
		case SKF_AD_OFF + SKF_AD_PAY_OFFSET:
			return false;
		}
	}
	return true;
}

/*
 * Return: true if the BPF program accepts every packet. User space passes such a program if the terms alone
 * form the filter.
 */
static bool matches_all(const struct sock_filter *insns, u16 len)
{
	return len == 1 && insns->code == (BPF_RET | BPF_K) && insns->k;
}

/*
 * Create a BPF program. @bytes_only: if not NULL, set to the result of reads_bytes_only(). @all: if not NULL,
 * set to the result of matches_all()
 */
static int create_program(struct bpf_prog **prog, u64 insns, u16 len, bool *bytes_only, bool *all)
{
	struct sock_fprog_kern fprog = { .len = len };
	size_t size = len * sizeof(struct sock_filter);
	int err;

	if (!len)
		return 0;
	if (len > BPF_MAXINSNS)
		return -EINVAL;
	fprog.filter = memdup_user(u64_to_user_ptr(insns), size);
	if (IS_ERR(fprog.filter))
		return PTR_ERR(fprog.filter);
	if (all)
		*all = matches_all(fprog.filter, len);
	if (bytes_only)
		*bytes_only = reads_bytes_only(fprog.filter, len);
	err = is_safe(fprog.filter, len) ? bpf_prog_create(prog, &fprog) : -EINVAL;
	kfree(fprog.filter);
	/* A kernel without BPF interpreter returns -ENOTSUPP if the JIT compiler runs out of memory. */
	return err == -ENOTSUPP ? -ENOMEM : err;
}

static bool term_is_valid(const struct record_skb_term *term, bool last)
{
	const u32 both = RECORD_SKB_END_SRC | RECORD_SKB_END_DST;
	int i;

	if (term->kind > RECORD_SKB_TERM_NEVER || term->more > !last || term->ends & ~both ||
	    term->lo > term->hi)
		return false;
	if (term->plain > 1)
		return false;
	if (term->family && (term->kind != RECORD_SKB_TERM_PROTO ||
			     (term->family != AF_INET && term->family != AF_INET6)))
		return false;
	for (i = 0; i < ARRAY_SIZE(term->address); i++)
		if (term->address[i] & ~term->mask[i])
			return false;
	return term->ends || term->kind == RECORD_SKB_TERM_PROTO ||
	       term->kind == RECORD_SKB_TERM_NEVER;
}

/*
 * Return: the first group of alternative terms that consists of ports only; NULL if there is no such group.
 */
static const struct record_skb_term *port_terms(const struct sieve *sieve)
{
	const struct record_skb_term *first = sieve->term, *term;

	for (term = first; term < sieve->term + sieve->nr_all; term++) {
		if (term->kind != RECORD_SKB_TERM_PORT && term->kind != RECORD_SKB_TERM_NEVER)
			first = NULL;
		if (!term->more && first)
			return first;
		if (!term->more)
			first = term + 1;
	}
	return NULL;
}

static int create_ports(struct sieve *sieve)
{
	const struct record_skb_term *term = port_terms(sieve);
	struct port_set *ports;
	u32 port;

	if (!term)
		return 0;
	ports = kvzalloc(sizeof(*ports), GFP_KERNEL);
	if (!ports)
		return -ENOMEM;
	for (;; term++) {
		for (port = term->lo; term->ends && port <= term->hi; port++) {
			if (term->ends & RECORD_SKB_END_SRC)
				__set_bit((__force u16)htons(port), ports->src);
			if (term->ends & RECORD_SKB_END_DST)
				__set_bit((__force u16)htons(port), ports->dst);
		}
		if (!term->more)
			break;
	}
	sieve->ports = ports;
	return 0;
}

static int create_sieve(struct sieve *sieve, const struct record_skb_filter *want)
{
	struct record_skb_term *terms;
	u32 i;

	if (want->nr_terms > RECORD_SKB_MAX_TERMS)
		return -EINVAL;
	if (!want->nr_terms)
		return 0;
	terms = memdup_user(u64_to_user_ptr(want->terms), want->nr_terms * sizeof(*terms));
	if (IS_ERR(terms))
		return PTR_ERR(terms);
	sieve->term = terms;
	for (i = 0; i < want->nr_terms; i++)
		if (!term_is_valid(&terms[i], i == want->nr_terms - 1))
			return -EINVAL;
	/* The terms with @plain, which only apply to plain TCP and UDP packets, come last. */
	for (i = 0; i < want->nr_terms && !terms[i].plain; i++)
		sieve->nr++;
	for (; i < want->nr_terms; i++)
		if (!terms[i].plain)
			return -EINVAL;
	if (sieve->nr && terms[sieve->nr - 1].more)
		return -EINVAL;
	sieve->nr_all = want->nr_terms;
	return create_ports(sieve);
}

/**
 * filter_create() - create the BPF programs and the terms of a filter
 * @f: set to the filter, to be released with filter_destroy()
 * @want: the filter from user space
 *
 * Return: 0, or an error as documented for struct record_skb_filter; then @f is empty.
 */
int filter_create(struct filter *f, const struct record_skb_filter *want)
{
	int err;

	bool inner_bytes_only = true;

	*f = (struct filter){};
	if (want->reserved[0] || want->reserved[1] || want->reserved[2])
		return -EINVAL;
	err = create_sieve(&f->sieve, want)					       ?:
		      create_program(&f->raw, want->raw, want->raw_len, NULL, &f->all) ?:
		      create_program(&f->ll, want->ll, want->ll_len, NULL, NULL)       ?:
		      create_program(&f->at_data, want->at_data, want->at_data_len, &f->bytes_only, NULL) ?:
		      create_program(&f->inner, want->inner, want->inner_len, &inner_bytes_only,
				     NULL);
	if (!err && !inner_bytes_only)
		err = -EINVAL;
	if (err)
		filter_destroy(f);
	return err;
}

static void destroy_program(struct bpf_prog *prog)
{
	if (prog)
		bpf_prog_destroy(prog);
}

/* Release the BPF programs. No callback may run them any more. */
void filter_destroy(struct filter *f)
{
	destroy_program(f->raw);
	destroy_program(f->ll);
	destroy_program(f->at_data);
	destroy_program(f->inner);
	kvfree(f->sieve.ports);
	kfree(f->sieve.term);
	*f = (struct filter){};
}

/*
 * Run a BPF program that only reads bytes of the packet. The JIT inlines loads from skb->data, but a load
 * relative to SKF_NET_OFF is a function call. Therefore the program gets a temporary skb that begins at the
 * network header.
 *
 * Only the fields that such programs read are set. The limits of the buffer and of the headers belong to
 * these fields: a program reads them if an offset is negative. An index from the packet can make an offset
 * negative, as in udp[udp[4:2] - 30].
 */
static bool run_on_bytes(const struct bpf_prog *prog, u8 *from, const u8 *tail)
{
	/*
	 * The attribute keeps the compiler from clearing this variable, because clearing it would take longer
	 * than running the program. Many kernels are configured to clear local variables.
	 */
	struct sk_buff bytes __attribute__((__uninitialized__));

	if (from >= tail)
		return false;
	bytes.head = bytes.data = from;
	bytes.len = tail - from;
	bytes.data_len = 0;
	bytes.network_header = 0;
	bytes.mac_header = (typeof(bytes.mac_header))~0U;
	skb_set_tail_pointer(&bytes, bytes.len);
	return bpf_prog_run(prog, &bytes);
}

/**
 * filter_terms_hold() - test the terms of a filter on an IP packet
 * @f: the filter
 * @h: the packet's headers
 *
 * Return: true if the packet satisfies all terms, or if there are none. A packet matches only if the BPF
 * program accepts it as well.
 */
bool filter_terms_hold(const struct filter *f, const struct headers *h)
{
	return sieve_holds(&f->sieve, f->sieve.nr, h);
}

/* Maximum number of nested tunnels in which the filter looks for a packet. */
#define MAX_TUNNELS 4

/**
 * filter_inner_holds() - test the packets inside a tunnel packet
 * @f: the filter; @inner is set
 * @skb: the packet, which is not changed
 * @offset: offset of the packet's network header from skb->data
 *
 * Return: true if the BPF program accepts one of them. Only the linear part of the packet is read.
 */
bool filter_inner_holds(const struct filter *f, const struct sk_buff *skb, int offset)
{
	const u8 *end = skb_tail_pointer(skb), *at = skb->data + offset;
	int i;

	for (i = 0; i < MAX_TUNNELS; i++) {
		at = inner_packet(at, end);
		if (!at)
			return false;
		if (run_on_bytes(f->inner, (u8 *)at, end))
			return true;
	}
	return false;
}

/* Return: true if the filter matches no packets at all. Then only followed tasks select packets. */
bool filter_is_none(const struct filter *f)
{
	return !f->raw && !f->ll;
}

/**
 * filter_rejects() - find out cheaply, without running a BPF program, if a packet cannot match
 * @f: the filter
 * @h: headers of a packet that has ports
 *
 * Return: true if the packet certainly does not match.
 */
bool filter_rejects(const struct filter *f, const struct headers *h)
{
	return filter_is_none(f) || (f->sieve.nr_all && sieve_rejects(&f->sieve, h));
}

/**
 * filter_run_bytes() - run a filter on an IP packet without an skb
 * @f: the filter; @bytes_only is set
 * @from: the packet
 * @len: length of the packet in bytes
 */
bool filter_run_bytes(const struct filter *f, u8 *from, u32 len)
{
	return run_on_bytes(f->at_data, from, from + len);
}

/**
 * filter_run() - run a filter on an IP packet
 * @f: the filter
 * @skb: the packet, which is not changed
 * @offset: offset of the packet's network header from skb->data
 *
 * The BPF program can only read the linear part of the packet.
 */
bool filter_run(const struct filter *f, const struct sk_buff *skb, int offset)
{
	if (f->at_data && f->bytes_only)
		return run_on_bytes(f->at_data, skb->data + offset, skb_tail_pointer(skb));
	return f->raw && bpf_prog_run(f->raw, skb);
}

static u32 fill_transport(void *at, const struct tuple *t, u16 sport, u16 dport, u8 tcp_flags)
{
	struct tcphdr *th = at;

	/* The ports are at the same offset in all protocols that have ports. */
	if (t->has_ports) {
		th->source = htons(sport);
		th->dest = htons(dport);
	}
	if (t->proto == IPPROTO_TCP)
		th->doff = sizeof(*th) / 4;
	if (t->proto == IPPROTO_TCP)
		*((u8 *)th + 13) = tcp_flags;
	return sizeof(*th);
}

/*
 * Build a packet without payload, with the addresses @src and @dst and the ports @sport and @dport. Return:
 * its length.
 */
static __always_inline u32 fill_packet(u8 *buf, const struct tuple *t, const struct in6_addr *src,
				       const struct in6_addr *dst, u16 sport, u16 dport,
				       u8 tcp_flags)
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
		len = sizeof(*ih) + fill_transport(ih + 1, t, sport, dport, tcp_flags);
		ih->tot_len = htons(len);
	} else {
		struct ipv6hdr *ih = (struct ipv6hdr *)buf;

		ih->version = 6;
		ih->hop_limit = 64;
		ih->nexthdr = t->proto;
		ih->saddr = *src;
		ih->daddr = *dst;
		len = sizeof(*ih) + fill_transport(ih + 1, t, sport, dport, tcp_flags);
		ih->payload_len = htons(len - sizeof(*ih));
	}
	return len;
}

/* Run the filter on a temporary skb. This is a function of its own because the skb is large. */
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

static bool run_on_tuple(const struct filter *f, const struct tuple *t, bool receive, u8 tcp_flags)
{
	u8 buf[sizeof(struct ipv6hdr) + sizeof(struct tcphdr)] __aligned(sizeof(u64)) = {};
	struct headers headers;
	u32 len;

	if (!f->raw || f->inner)
		return false;
	tuple_headers(t, &headers);
	if (receive)
		sieve_turn(&headers);
	if (!filter_terms_hold(f, &headers))
		return false;
	if (f->all)
		return true;
	if (receive)
		len = fill_packet(buf, t, &t->daddr, &t->saddr, t->dport, t->sport, tcp_flags);
	else
		len = fill_packet(buf, t, &t->saddr, &t->daddr, t->sport, t->dport, tcp_flags);
	if (f->at_data && f->bytes_only)
		return filter_run_bytes(f, buf, len);
	return run_on_skb(f, buf, len, htons(t->family == AF_INET ? ETH_P_IP : ETH_P_IPV6));
}

/**
 * filter_run_tuple() - run a filter on a packet with the tuple of a socket
 * @f: the filter
 * @t: tuple of the socket, from its own end to the peer
 * @receive: true for a packet that the socket receives, false for a packet that it sends
 */
bool filter_run_tuple(const struct filter *f, const struct tuple *t, bool receive)
{
	return run_on_tuple(f, t, receive, 0);
}

/* Do the work of filter_run_tuple() for a TCP reset that the socket sends. */
bool filter_run_reset(const struct filter *f, const struct tuple *t)
{
	return t->proto == IPPROTO_TCP && run_on_tuple(f, t, false, TCPHDR_RST | TCPHDR_ACK);
}
