/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_PACKET_HEADERS_H
#define _RECORD_SKB_PACKET_HEADERS_H

#include <stdbool.h>
#include <stdint.h>

#include "flow_text.h"

#define PROTO_TCP  6
#define PROTO_UDP  17
#define PROTO_SCTP 132

#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define TCP_RST 0x04
#define TCP_ACK 0x10

#define ETHERTYPE_IP   0x0800
#define ETHERTYPE_IPV6 0x86dd

/**
 * network_len - get the length of a packet, from the start of the network header
 * @data: first bytes of the packet from the network header, NULL for none
 * @len: number of bytes in @data
 * @else_len: length of the packet according to the kernel
 *
 * Return: the length in the IP header; @else_len if there is no IP header, or if the header has no length.
 * The header has no length if the segment is too large for the length field.
 */
uint32_t network_len(const uint8_t *data, unsigned int len, uint32_t else_len);

/**
 * payload_len - get the number of bytes after the TCP or UDP header
 * @flow: flow of the packet
 * @data: first bytes of the packet from the network header, NULL for none
 * @len: number of bytes in @data
 *
 * Return: the number of bytes; -1 if not known.
 */
int32_t payload_len(const struct flow *flow, const uint8_t *data, unsigned int len);

/**
 * headers_len - get the length of the IP header and of the TCP or UDP header
 * @flow: flow of the packet
 * @data: first bytes of the packet from the network header, NULL for none
 * @len: number of bytes in @data
 *
 * Return: the number of bytes; -1 if not known, or if the packet is neither TCP nor UDP.
 */
int32_t headers_len(const struct flow *flow, const uint8_t *data, unsigned int len);

/* Get the length of SCTP data. Return: the size of all DATA chunks with their headers; -1 if not known. */
int32_t sctp_data_len(const struct flow *flow, const uint8_t *data, unsigned int len);

/**
 * message_of - identify an ICMP echo message or a UDP datagram within its flow
 * @flow: flow of the packet
 * @data: first bytes of the packet from the network header, NULL for none
 * @len: number of bytes in @data
 *
 * Return: for an echo message, a number that only its reply has, too. For a datagram, a number that datagrams
 * with the same bytes have, too. 0 if @data does not show it, and for other packets.
 */
uint64_t message_of(const struct flow *flow, const uint8_t *data, unsigned int len);

/* Return: true for an ICMP message about a packet that could not be delivered. */
bool is_icmp_error(const struct flow *flow);
/* Return: true for an ICMP error that tells the sender the MTU of the way. */
bool is_mtu_error(const struct flow *flow);

bool is_echo_reply(const struct flow *flow);
/* Return: true for an ICMP echo request, or for an ARP request for the address of another host. */
bool is_request(const struct flow *flow);

/**
 * is_answer - check if a packet can be the reply to another packet
 * @flow: flow of the possible reply
 * @asked: flow of the other packet: a TCP SYN, a neighbour solicitation, or a packet for which is_request()
 *	returns true
 *
 * Return: true if @flow has the addresses and ports of a reply to @asked.
 */
bool is_answer(const struct flow *flow, const struct flow *asked);

enum flow_way {
	WAY_SAME,
	WAY_BACK,
	WAY_UNKNOWN,
};

/**
 * flow_way - compare the directions of two packets of a flow
 * @one: addresses and ports of one packet
 * @flow: addresses and ports of the other packet
 *
 * NAT may have changed one end of one of the packets. So the direction is known if one end is the same.
 *
 * Return: WAY_UNKNOWN if both ends differ.
 */
enum flow_way flow_way(const struct flow *one, const struct flow *flow);

/* Return: true if the packets go in opposite directions; false if not, or if that is not known. */
bool goes_back(const struct flow *one, const struct flow *flow);

/*
 * Return: true if a TCP segment with the acknowledgement number @ack was sent by an end that did not have
 * the byte before @end. Larger differences than any window come from a middlebox that changes the numbers,
 * such as a SYN proxy, and show nothing.
 */
static inline bool was_sent_without(uint32_t ack, uint32_t end)
{
	return end != ack && end - ack < 1u << 24;
}

/*
 * Return: true if only one of the ports is one that Linux gives to clients by default. Then this end is
 * taken as the client.
 */
bool flow_ports_tell(const struct flow *flow);
/* Return: false if the ports show that the destination is the client; otherwise true. */
bool flow_source_asks(const struct flow *flow);

/*
 * The "Linux cooked" capture header (link type SLL). A capture file has it in front of each network header.
 */
#define LINKTYPE_SLL 113
#define COOKED_LEN   16

/**
 * cooked_header - write a "Linux cooked" capture header
 * @header: buffer of COOKED_LEN bytes
 * @dir: enum record_skb_dir
 * @ethertype: EtherType of the packet
 *
 * Link-layer headers are not recorded, so most fields are 0.
 */
void cooked_header(uint8_t *header, unsigned int dir, uint16_t ethertype);

/* Return: @flow with source and destination exchanged. */
struct flow flow_reversed(const struct flow *flow);

#endif
