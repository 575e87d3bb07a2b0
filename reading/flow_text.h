/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_FLOW_TEXT_H
#define _RECORD_SKB_FLOW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of the longest flow text: two IPv6 addresses with ports. */
#define FLOW_TEXT_LEN 160

/**
 * struct flow - the two ends of a packet or call, from an event
 * @family: AF_INET (2) or AF_INET6 (10) as Linux numbers them, 0 without addresses
 * @proto: IP protocol number
 * @has_icmp: @icmp_type, @icmp_code and @icmp_id are valid. True for ICMP and ICMPv6, except in later
 * fragments
 * @icmp_type: type of an ICMP or ICMPv6 message
 * @icmp_code: code of the message
 * @icmp_id: identifier of an echo request or reply
 * @ethertype: EtherType if @family is 0; 0 if not known
 * @arp: operation of ARP for IPv4 (1 request, 2 reply); @saddr and @daddr are then the addresses in the ARP
 * message. 0 for all other packets
 * @sport: source port in host byte order, 0 for none
 * @dport: destination port in host byte order, 0 for none
 * @saddr: source address: the first 4 or all 16 bytes, in network byte order
 * @daddr: destination address in the same form
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
 * flow_text_packet - format the text for the lines of a packet: "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000"
 * @buf: FLOW_TEXT_LEN bytes
 * @pkt: number of the packet
 * @flow: flow of the packet
 */
void flow_text_packet(char *buf, unsigned int pkt, const struct flow *flow);

/**
 * flow_text_call - format the text for the lines of a socket call: "call tcp 10.0.0.1:40312 > 10.0.0.2:9000"
 * @buf: FLOW_TEXT_LEN bytes
 * @flow: flow of the socket; an end without an address yet (not bound, not connected) is shown as "*"
 */
void flow_text_call(char *buf, const struct flow *flow);

#endif /* _RECORD_SKB_FLOW_TEXT_H */
