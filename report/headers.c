// SPDX-License-Identifier: GPL-2.0
/* headers.c - what the first bytes of a packet say */
#include <string.h>

#include "headers.h"
#include "record_skb.h"

#define ECHO_REPLY     0
#define ECHO_REQUEST   8
#define ECHO_REQUEST_6 128
#define ECHO_REPLY_6   129

#define ARP_REQUEST 1
#define ARP_REPLY   2

#define SCTP_HEADER  12
#define CHUNK_HEADER 4
#define CHUNK_DATA   0
#define CHUNK_I_DATA 64

#define SLL_TO_US   0
#define SLL_FROM_US 4

static unsigned int get16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* What an IP header says; 0 if nothing, or there is none. */
static uint32_t said_len(const uint8_t *data, unsigned int len)
{
	if (data && len >= 20 && data[0] >> 4 == 4)
		return get16(data + 2);
	if (data && len >= 40 && data[0] >> 4 == 6 && get16(data + 4))
		return 40 + get16(data + 4);
	return 0;
}

uint32_t network_len(const uint8_t *data, unsigned int len, uint32_t else_len)
{
	uint32_t said = said_len(data, len);

	return said ? said : else_len;
}

/* Where the IP header ends, and the packet, as it says itself. Returns false if it is not all there. */
static bool ip_says(const struct flow *flow, const uint8_t *data, unsigned int len,
		    unsigned int *header, unsigned int *total)
{
	if (!data)
		return false;
	if (flow->family == FLOW_INET && len >= 20 && data[0] >> 4 == 4) {
		*header = (data[0] & 15) * 4;
		*total = get16(data + 2);
		return *header < len;
	}
	/* Extension headers hide the next one. */
	if (flow->family != FLOW_INET6 || len <= 40 || data[0] >> 4 != 6 || data[6] != flow->proto)
		return false;
	*header = 40;
	*total = 40 + get16(data + 4);
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

int32_t sctp_data_len(const struct flow *flow, const uint8_t *data, unsigned int len)
{
	unsigned int total, at, chunk;
	int32_t bytes = 0;

	if (flow->proto != PROTO_SCTP || !ip_says(flow, data, len, &at, &total))
		return -1;
	for (at += SCTP_HEADER; at < total; at += (chunk + 3) & ~3u) {
		if (at + CHUNK_HEADER > len)
			return -1;
		chunk = get16(data + at + 2);
		if (chunk < CHUNK_HEADER)
			return -1;
		if (data[at] == CHUNK_DATA || data[at] == CHUNK_I_DATA)
			bytes += chunk;
	}
	return bytes;
}

static bool is_echo_reply(const struct flow *flow)
{
	return flow->has_icmp &&
	       flow->icmp_type == (flow->family == FLOW_INET ? ECHO_REPLY : ECHO_REPLY_6);
}

static bool same_address(const uint8_t *one, const uint8_t *other)
{
	return !memcmp(one, other, sizeof(((struct flow *)NULL)->saddr));
}

bool is_request(const struct flow *flow)
{
	/* Who asks for its own address only says that it has it. */
	if (flow->arp)
		return flow->arp == ARP_REQUEST && !same_address(flow->saddr, flow->daddr);
	return flow->has_icmp &&
	       flow->icmp_type == (flow->family == FLOW_INET ? ECHO_REQUEST : ECHO_REQUEST_6);
}

bool is_answer(const struct flow *flow, const struct flow *asked)
{
	if (flow->family != asked->family || flow->proto != asked->proto ||
	    !same_address(flow->daddr, asked->saddr))
		return false;
	if (asked->arp)
		return flow->arp == ARP_REPLY;
	if (asked->has_icmp)
		return is_echo_reply(flow);
	return flow->sport == asked->dport && flow->dport == asked->sport;
}

bool goes_back(const struct flow *one, const struct flow *flow)
{
	/* One's own address is both ends of a ping. */
	return memcmp(one->saddr, flow->saddr, sizeof(flow->saddr)) || one->sport != flow->sport ||
	       (!memcmp(flow->saddr, flow->daddr, sizeof(flow->saddr)) &&
		is_echo_reply(one) != is_echo_reply(flow));
}

void cooked_header(uint8_t *header, unsigned int dir, uint16_t ethertype)
{
	memset(header, 0, COOKED_LEN);
	header[1] = dir == RECORD_SKB_DIR_TX ? SLL_FROM_US : SLL_TO_US;
	header[3] = 1; /* Ethernet, as most have it */
	header[14] = ethertype >> 8;
	header[15] = ethertype;
}
