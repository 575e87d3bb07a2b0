/* SPDX-License-Identifier: GPL-2.0 */
/* pings.h - find the echo request to which an echo reply belongs */
#ifndef _RECORD_SKB_PINGS_H
#define _RECORD_SKB_PINGS_H

#include "hash_table.h"
#include "model/packets.h"

/**
 * struct ping - an echo request
 * @flow: number of its flow
 * @packet: number of its packet
 * @asked: time when the packet was first seen
 * @is_repeated: several requests with this number waited for a reply
 * @is_over: the reply was seen
 */
struct ping {
	uint32_t flow, packet;
	uint64_t asked;
	bool is_repeated, is_over;
};

/* A table of pings, by their flow and number; it needs table_free(). */
struct table pings_table(void);

/*
 * Add an echo request. Its number must be known. Return: the ping; NULL if there is not enough memory.
 */
struct ping *pings_ask(struct table *pings, const struct packet *packet);

/*
 * Return: the request that waits for this echo reply, and now does not wait any more; NULL if there is none.
 * It is valid until the next ping is added.
 */
const struct ping *pings_reply(struct table *pings, const struct packet *packet);

#endif
