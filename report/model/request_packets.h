/* SPDX-License-Identifier: GPL-2.0 */
/* request_packets.h - tell which packets can be requests or answers */
#ifndef _RECORD_SKB_REQUEST_PACKETS_H
#define _RECORD_SKB_REQUEST_PACKETS_H

#include "model/packets.h"

bool is_tcp(const struct flow *flow);

/*
 * Return: the payload length of the copy that decides the outcome. If it is not known, return the payload
 * length of the first copy; -1 if that is not known, either.
 */
int32_t packet_payload(const struct packet *packet);
bool opens_connection(const struct copy *first);
bool is_echo(const struct copy *first);

/* Return: true if the destination is a group of hosts. Each of them answers with an address of its own. */
bool goes_to_many(const struct flow *flow);

/* Return: true if a packet of this kind from the client is a request. */
bool may_ask(const struct packet *packet);

/* Return: true if a packet of this kind from the server ends the wait for an answer. */
bool may_answer(const struct packet *packet);

/*
 * Return: true if the server had sent a segment with data before it had the bytes before @end. Then the
 * data answer something else.
 */
bool sent_data_before(const struct packet *packet, uint32_t end);

/*
 * Return: true if the packet is an answer with data. The time since the request is measured only for such
 * answers. It ends with the first data, because no protocol is parsed: the recording does not show where an
 * answer ends.
 */
bool answers_with_data(const struct packet *packet);
bool resets_connection(const struct copy *first);

#endif
