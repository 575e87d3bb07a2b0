// SPDX-License-Identifier: GPL-2.0
/* packet_headers.c - parse the recorded first bytes of a packet */
#include <string.h>

#include "hash_table.h"
#include "model/packet_headers.h"
#include "record_skb.h"

#define ECHO_REPLY		0
#define ECHO_REQUEST		8
#define ECHO_REQUEST_6		128
#define NEIGHBOUR_SOLICITATION	135
#define NEIGHBOUR_ADVERTISEMENT 136
#define ECHO_REPLY_6		129

#define HOP_BY_HOP	    0
#define ROUTING		    43
#define FRAGMENT	    44
#define AUTHENTICATION	    51
#define DESTINATION_OPTIONS 60

#define ARP_REQUEST 1
#define ARP_REPLY   2

#define SCTP_HEADER  12
#define CHUNK_HEADER 4
#define CHUNK_DATA   0
#define CHUNK_I_DATA 64

#define SLL_TO_US   0
#define SLL_FROM_US 4

static unsigned int read_be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/*
 * Return: the total length in the IP header; 0 without an IP header, or if the header contains no length.
 */
static uint32_t said_len(const uint8_t *data, unsigned int len)
{
	if (data && len >= 20 && data[0] >> 4 == 4)
		return read_be16(data + 2);
	if (data && len >= 40 && data[0] >> 4 == 6 && read_be16(data + 4))
		return 40 + read_be16(data + 4);
	return 0;
}

uint32_t network_len(const uint8_t *data, unsigned int len, uint32_t else_len)
{
	uint32_t said = said_len(data, len);

	return said ? said : else_len;
}

/*
 * Skip the IPv6 extension headers. Each one is at least 8 bytes long.
 *
 * Return: true if the header of @proto follows; @header is then set to its offset.
 */
static bool skip_extensions(const uint8_t *data, unsigned int len, unsigned int proto,
			    unsigned int *header)
{
	unsigned int next = data[6], at = 40;

	while (next != proto) {
		if (at + 8 > len)
			return false;
		switch (next) {
		case HOP_BY_HOP:
		case ROUTING:
		case DESTINATION_OPTIONS:
			next = data[at];
			at += (data[at + 1] + 1) * 8;
			break;
		case AUTHENTICATION:
			next = data[at];
			at += (data[at + 1] + 2) * 4;
			break;
		case FRAGMENT:
			/* Only the first fragment contains the header of the transport protocol. */
			if (read_be16(data + at + 2) & ~7u)
				return false;
			next = data[at];
			at += 8;
			break;
		default:
			return false;
		}
	}
	*header = at;
	return at < len;
}

/*
 * Read the IP headers. Set @header to the offset of the first byte after the headers, and @total to the
 * length of the packet.
 *
 * Return: false if @data does not contain all of the headers.
 */
static bool ip_says(const struct flow *flow, const uint8_t *data, unsigned int len,
		    unsigned int *header, unsigned int *total)
{
	if (!data)
		return false;
	if (flow->family == FLOW_INET && len >= 20 && data[0] >> 4 == 4) {
		*header = (data[0] & 15) * 4;
		*total = read_be16(data + 2);
		return *header < len;
	}
	if (flow->family != FLOW_INET6 || len <= 40 || data[0] >> 4 != 6 ||
	    !skip_extensions(data, len, flow->proto, header))
		return false;
	*total = 40 + read_be16(data + 4);
	return true;
}

int32_t payload_len(const struct flow *flow, const uint8_t *data, unsigned int len)
{
	unsigned int total, header;

	if (!ip_says(flow, data, len, &header, &total))
		return -1;
	if (flow->proto == PROTO_UDP)
		header += 8;
	else if (flow->proto == PROTO_TCP && header + 13 <= len)
		header += (data[header + 12] >> 4) * 4;
	else
		return -1;
	return total >= header ? (int32_t)(total - header) : -1;
}

int32_t headers_len(const struct flow *flow, const uint8_t *data, unsigned int len)
{
	unsigned int total, header;

	if (!ip_says(flow, data, len, &header, &total))
		return -1;
	if (flow->proto == PROTO_UDP)
		return header + 8;
	if (flow->proto != PROTO_TCP || header + 13 > len)
		return -1;
	return header + (data[header + 12] >> 4) * 4;
}

int32_t sctp_data_len(const struct flow *flow, const uint8_t *data, unsigned int len)
{
	unsigned int total, at, chunk;
	int32_t bytes = 0;

	if (flow->proto != PROTO_SCTP || !ip_says(flow, data, len, &at, &total))
		return -1;
	for (at += SCTP_HEADER; at < total; at += (chunk + 3) & ~3u) {
		if (at + CHUNK_HEADER > len)
			return -1;
		chunk = read_be16(data + at + 2);
		if (chunk < CHUNK_HEADER)
			return -1;
		if (data[at] == CHUNK_DATA || data[at] == CHUNK_I_DATA)
			bytes += chunk;
	}
	return bytes;
}

bool is_echo_reply(const struct flow *flow)
{
	return flow->has_icmp &&
	       flow->icmp_type == (flow->family == FLOW_INET ? ECHO_REPLY : ECHO_REPLY_6);
}

uint64_t message_of(const struct flow *flow, const uint8_t *data, unsigned int len)
{
	unsigned int total, header;

	if (!ip_says(flow, data, len, &header, &total))
		return 0;
	if (is_request(flow) || is_echo_reply(flow))
		return header + 8 <= len ? 1 + read_be16(data + header + 6) : 0;
	if (flow->proto != PROTO_UDP || total < header + 8 || total > len)
		return 0;
	return hash_bytes(HASH_BEGIN, data + header + 8, total - header - 8);
}

bool is_mtu_error(const struct flow *flow)
{
	if (!flow->has_icmp)
		return false;
	return flow->family == FLOW_INET6 ? flow->icmp_type == 2 :
					    flow->icmp_type == 3 && flow->icmp_code == 4;
}

bool is_icmp_error(const struct flow *flow)
{
	if (!flow->has_icmp)
		return false;
	if (flow->family == FLOW_INET6)
		return flow->icmp_type && flow->icmp_type < 128;
	switch (flow->icmp_type) {
	case 3:	 /* destination unreachable */
	case 4:	 /* source quench */
	case 5:	 /* redirect */
	case 11: /* time exceeded */
	case 12: /* parameter problem */
		return true;
	}
	return false;
}

static bool same_address(const uint8_t *one, const uint8_t *other)
{
	return !memcmp(one, other, sizeof(((struct flow *)NULL)->saddr));
}

bool is_request(const struct flow *flow)
{
	/* An ARP request for the sender's own address expects no reply: it is a gratuitous ARP. */
	if (flow->arp)
		return flow->arp == ARP_REQUEST && !same_address(flow->saddr, flow->daddr);
	return flow->has_icmp &&
	       flow->icmp_type == (flow->family == FLOW_INET ? ECHO_REQUEST : ECHO_REQUEST_6);
}

static bool is_solicitation(const struct flow *flow)
{
	return flow->has_icmp && flow->family == FLOW_INET6 &&
	       flow->icmp_type == NEIGHBOUR_SOLICITATION;
}

bool is_answer(const struct flow *flow, const struct flow *asked)
{
	if (flow->family != asked->family || flow->proto != asked->proto ||
	    !same_address(flow->daddr, asked->saddr))
		return false;
	if (asked->arp)
		return flow->arp == ARP_REPLY;
	if (is_solicitation(asked))
		return flow->has_icmp && flow->icmp_type == NEIGHBOUR_ADVERTISEMENT;
	if (asked->has_icmp)
		return is_echo_reply(flow);
	return flow->sport == asked->dport && flow->dport == asked->sport;
}

/* Return: true if the ends have the same address. If @ports is set, they must also have the same port. */
static bool same_end(const uint8_t *one, uint16_t one_port, const uint8_t *other, uint16_t port,
		     bool ports)
{
	return same_address(one, other) && (!ports || one_port == port);
}

enum flow_way flow_way(const struct flow *one, const struct flow *flow)
{
	/* An ICMP error about a TCP or UDP packet has no ports. */
	const bool ports = one->proto == flow->proto;
	const bool same = same_end(one->saddr, one->sport, flow->saddr, flow->sport, ports) ||
			  same_end(one->daddr, one->dport, flow->daddr, flow->dport, ports);
	const bool back = same_end(one->daddr, one->dport, flow->saddr, flow->sport, ports) ||
			  same_end(one->saddr, one->sport, flow->daddr, flow->dport, ports);

	/* If a host pings itself, both addresses are equal, so compare the ICMP types. */
	if (same && back && ports)
		return same_address(flow->saddr, flow->daddr) &&
				       is_echo_reply(one) != is_echo_reply(flow) ?
			       WAY_BACK :
			       WAY_SAME;
	if (back)
		return WAY_BACK;
	return same ? WAY_SAME : WAY_UNKNOWN;
}

bool goes_back(const struct flow *one, const struct flow *flow)
{
	return flow_way(one, flow) == WAY_BACK;
}

void cooked_header(uint8_t *header, unsigned int dir, uint16_t ethertype)
{
	memset(header, 0, COOKED_LEN);
	header[1] = dir == RECORD_SKB_DIR_TX ? SLL_FROM_US : SLL_TO_US;
	header[3] = 1; /* ARPHRD_ETHER: the most common device type */
	header[14] = ethertype >> 8;
	header[15] = ethertype;
}

struct flow flow_reversed(const struct flow *flow)
{
	struct flow back = *flow;

	back.sport = flow->dport;
	back.dport = flow->sport;
	memcpy(back.saddr, flow->daddr, sizeof(back.saddr));
	memcpy(back.daddr, flow->saddr, sizeof(back.daddr));
	return back;
}

/* The first ephemeral port. This is the default start of the range in the sysctl ip_local_port_range. */
#define FIRST_EPHEMERAL 32768

bool flow_ports_tell(const struct flow *flow)
{
	return (flow->sport >= FIRST_EPHEMERAL) != (flow->dport >= FIRST_EPHEMERAL);
}

bool flow_source_asks(const struct flow *flow)
{
	return !flow_ports_tell(flow) || flow->sport >= FIRST_EPHEMERAL;
}
