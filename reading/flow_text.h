/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_FLOW_TEXT_H
#define _RECORD_SKB_FLOW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the longest text: two IPv6 addresses with ports. */
#define FLOW_TEXT_LEN 160

/**
 * struct flow - who talks to whom, as an event says it
 * @family: AF_INET (2) or AF_INET6 (10) as Linux numbers them, 0 if there is no address
 * @proto: IP protocol number
 * @has_icmp: the three below are known: of icmp and icmpv6, but for later fragments
 * @icmp_type: of icmp and icmpv6
 * @icmp_code: of icmp and icmpv6
 * @icmp_id: identifier of an echo request or reply
 * @ethertype: what it is if @family is 0; 0 for not known
 * @arp: of ARP for IPv4, its operation (1 request, 2 reply); then the addresses are those it is about; else 0
 * @sport: port in host byte order, 0 for none
 * @dport: likewise
 * @saddr: the first 4 or all 16 bytes, in network byte order
 * @daddr: likewise
 */
struct flow {
	uint8_t family;
	uint8_t proto;
	bool has_icmp;
	uint8_t icmp_type;
	uint8_t icmp_code;
	uint16_t icmp_id;
	uint16_t ethertype;
	uint16_t arp;
	uint16_t sport;
	uint16_t dport;
	uint8_t saddr[16];
	uint8_t daddr[16];
};

#define FLOW_INET  2
#define FLOW_INET6 10

#define FLOW_ICMP   1
#define FLOW_ICMPV6 58

/**
 * flow_text_packet - what a packet's lines show: "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000"
 * @buf: FLOW_TEXT_LEN bytes
 * @pkt: the packet's number
 * @flow: its flow
 */
void flow_text_packet(char *buf, unsigned int pkt, const struct flow *flow);

/**
 * flow_text_call - what a socket call's lines show: "call tcp 10.0.0.1:40312 > 10.0.0.2:9000"
 * @buf: FLOW_TEXT_LEN bytes
 * @flow: the socket's flow; an end that is not bound or connected yet is shown as "*"
 */
void flow_text_call(char *buf, const struct flow *flow);

#endif /* _RECORD_SKB_FLOW_TEXT_H */
