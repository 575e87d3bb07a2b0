/* SPDX-License-Identifier: GPL-2.0 */
/* wire_key.h - the parts of a packet that do not change between two hosts, as numbers to compare */
#ifndef _RECORD_SKB_WIRE_KEY_H
#define _RECORD_SKB_WIRE_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

/**
 * struct wire_key - the invariant part of a packet
 * @whole: hash of the length, the addresses, the headers and, except for TCP, the recorded payload. Fields
 *	that routers change are left out: TTL, DSCP, ECN and the checksum of IPv4. So are the checksums of TCP
 *	and UDP. See wire_key_content()
 * @stream: hash of addresses, protocol and ports, which identifies one direction of a flow
 * @parts: TCP: hash that is the same for all segments that a network card makes from a larger one
 * @seq: TCP: sequence number of the first byte
 * @end: TCP: sequence number after the last byte
 * @payload: TCP: hash of the recorded payload. A sender often has the payload outside of the skb's linear
 *	data, so that it is not recorded. Other protocols: hash of all recorded bytes after the IP header,
 *	without the ports and the checksum of UDP
 * @payload_len: number of bytes in @payload
 * @sum: checksum of TCP or UDP, without addresses and ports
 * @id: identification field of IPv4, 0 for IPv6
 * @has_sum: @sum covers the payload. If the network card computes checksums, @sum does not cover the payload
 *	when the packet is sent
 * @is_tcp: the packet is TCP, and @parts, @seq and @end are valid
 * @is_weak: other packets may have the same key, because this packet has no IP identification and no TCP
 *	sequence number
 */
struct wire_key {
	uint64_t whole, stream, parts;
	uint32_t seq, end;
	uint32_t payload;
	uint16_t payload_len;
	uint16_t sum, id;
	bool has_sum, is_tcp, has_ports, is_weak;
};

/**
 * wire_key_read - compute the key of a packet
 * @key: filled in
 * @ethertype: EtherType of the packet
 * @data: first bytes of the packet from the network header
 * @len: number of bytes in @data
 * @net_len: length of the packet from the network header on, without padding
 *
 * Return: false if @data does not contain the headers.
 */
bool wire_key_read(struct wire_key *key, uint16_t ethertype, const uint8_t *data, unsigned int len,
		   uint32_t net_len);

/* Return: true if checksums or recorded bytes prove that packets with the same @whole differ. */
bool wire_key_differs(const struct wire_key *a, const struct wire_key *b);

/*
 * Return: the part of the hash @whole that does not depend on addresses and ports, which a host with NAT
 * changes.
 */
uint64_t wire_key_content(const struct wire_key *key);
/* Replace the addresses and ports by those of another stream. */
void wire_key_translate(struct wire_key *key, uint64_t stream);

#endif
