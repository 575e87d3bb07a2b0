/* SPDX-License-Identifier: GPL-2.0 */
/*
 * receive_order.h - find out when a TCP socket can pass a segment to its reader
 *
 * A reader gets bytes in order only. If earlier bytes are missing, a segment stays in the socket, and
 * no program can read it. The acknowledgements of the receiver prove which bytes are in order.
 */
#ifndef _RECORD_SKB_RECEIVE_ORDER_H
#define _RECORD_SKB_RECEIVE_ORDER_H

#include "model/packets.h"

struct receive_order;

/**
 * in_order_callback - called when a segment that had to wait for earlier bytes is in order
 * @data: see receive_order_create()
 * @packet: number of the packet
 * @copy: number of the copy
 * @ts: time at which the recording proves the order
 */
typedef void in_order_callback(void *data, uint32_t packet, uint32_t copy, uint64_t ts);

struct receive_order *receive_order_create(in_order_callback *in_order, void *data);
void receive_order_free(struct receive_order *order);

/* Handle a packet that a socket of this machine sends, if it acknowledges data. */
void receive_order_send(struct receive_order *order, uint64_t ts, const struct packet_seen *seen);

/*
 * Note that a socket got a segment. Return: true if the segment is in order. If this is not known, the
 * callback may be called later.
 */
bool receive_order_deliver(struct receive_order *order, uint64_t ts, const struct packet *packet,
			   const struct copy *copy);

/* Note that a call has read data from a socket. @port is the port of the socket. */
void receive_order_call(struct receive_order *order, uint64_t ts, uint32_t flow_number,
			uint16_t port);

/*
 * Note that a program has read all of the segment, so all earlier bytes had arrived. Return: true if another
 * call has read data from the socket since the time @in_order, which is not 0. It may have read a part of the
 * segment.
 */
bool receive_order_read(struct receive_order *order, uint64_t ts, const struct packet *packet,
			const struct copy *copy, uint64_t in_order);

/* Handle lost events: it is not known which bytes are in order. */
void receive_order_lose(struct receive_order *order);

#endif
