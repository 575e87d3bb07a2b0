/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_HEADERS_H
#define _REPORT_SKB_HEADERS_H

#include <stdbool.h>
#include <stdint.h>

#include "flow_text.h"

#define PROTO_TCP  6
#define PROTO_UDP  17
#define PROTO_SCTP 132

#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define TCP_ACK 0x10

#define ETHERTYPE_IP   0x0800
#define ETHERTYPE_IPV6 0x86dd

/**
 * network_len - a packet's length from its network header on
 * @data: its first bytes from there on, NULL if there are none
 * @len: how many
 * @else_len: what it is else: as the kernel counts it
 *
 * An IP header says it itself, but for segments that hardware will cut.
 */
uint32_t network_len(const uint8_t *data, unsigned int len, uint32_t else_len);

/**
 * payload_len - bytes behind the TCP or UDP header
 * @flow: the packet's
 * @data: as above
 * @len: as above
 *
 * Returns -1 if it cannot be told.
 */
int32_t payload_len(const struct flow *flow, const uint8_t *data, unsigned int len);

/* The same of SCTP's chunks with data, with their headers. */
int32_t sctp_data_len(const struct flow *flow, const uint8_t *data, unsigned int len);

/* Whether it is a ping, or asks by ARP for another's link-layer address. */
bool is_request(const struct flow *flow);

/**
 * is_answer - whether a packet may answer another: what opens a connection of TCP, or is_request()
 * @flow: the packet's
 * @asked: the other's
 */
bool is_answer(const struct flow *flow, const struct flow *asked);

/**
 * goes_back - whether a packet goes the other way than another of its flow
 * @one: the other
 * @flow: the packet's
 */
bool goes_back(const struct flow *one, const struct flow *flow);

/* What a "Linux cooked" capture (link type SLL) has in front of the network header. */
#define LINKTYPE_SLL 113
#define COOKED_LEN   16

/**
 * cooked_header - write that
 * @header: COOKED_LEN bytes
 * @dir: enum record_skb_dir
 * @ethertype: of the packet
 *
 * What stood in front of the network header is not recorded, so most of it is 0.
 */
void cooked_header(uint8_t *header, unsigned int dir, uint16_t ethertype);

#endif
