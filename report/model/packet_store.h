/* SPDX-License-Identifier: GPL-2.0 */
/* packet_store.h - the packets that are not complete yet; packet_events.c adds events to them */
#ifndef _RECORD_SKB_PACKET_STORE_H
#define _RECORD_SKB_PACKET_STORE_H

#include "hash_table.h"
#include "model/packets.h"
#include "model/tcp_coverage.h"

struct packets {
	const struct output *output;
	void *output_data;
	struct captured_frames *frames; /* NULL if no frames are needed */
	struct packet **ring;		/* indexed by packet number modulo MAX_PACKETS */
	struct devices *devices;
	struct lost_events losses;
	struct tcp_coverage *segments;
	struct translations *translations;
	struct table
		lookups; /* table of struct decisions, by task: decisions before a packet exists */
	uint64_t incomplete;
	uint32_t highest; /* highest packet number seen */
	uint64_t shown;
	/*
	 * The next two members are used only if packets are passed to the output before the end of the file.
	 * @gone has the numbers of the packets that were passed on, indexed by number modulo MAX_PACKETS.
	 * @first is the lowest number that was not passed on yet.
	 */
	uint32_t *gone;
	uint32_t first;
	/* pass packets on in the order of their numbers, and only if no later row can change them */
	bool in_order;
	struct table reasons; /* table of the texts of drop reasons, by their hash */
	struct table
		old; /* table of struct old_packet, by number: packets that were removed from @ring */
};

/*
 * Return: the packet with this number that is not complete yet; NULL if there is none. packets_find_or_add()
 * adds a missing packet.
 */
struct packet *packets_find_open(struct packets *packets, uint32_t number);
struct packet *packets_find_or_add(struct packets *packets, uint32_t number);

/*
 * Return: a copy of a drop reason. It exists as long as @packets, and packets with the same reason share it.
 * The text is empty if there is not enough memory.
 */
const char *packets_keep_reason(struct packets *packets, const char *reason);

#endif
