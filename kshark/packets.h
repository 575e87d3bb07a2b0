/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * packets.h - each packet of a stream: its rows, and where it was worked for
 *
 * Rows are known by what KernelShark calls them, struct kshark_entry; nothing in here looks into
 * it. What is written in C++ reads this too.
 */
#ifndef _RECORD_SKB_KSHARK_PACKETS_H
#define _RECORD_SKB_KSHARK_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kshark_entry;

/**
 * struct packet - one packet
 * @number: its number
 * @flow: its flow's number, 0 if not known
 * @dir: where it was seen first: 0 unknown, 1 receive, 2 transmit
 * @text: "#7 tcp 10.0.0.1:40312 > 10.0.0.2:9000", as it was seen first
 * @first: its first row
 * @last: its last
 * @first_ts: their times
 * @last_ts: likewise
 */
struct packet {
	uint32_t number;
	uint32_t flow;
	uint8_t dir;
	char *text;
	const struct kshark_entry *first, *last;
	uint64_t first_ts, last_ts;
};

/**
 * struct stay - a packet within one graph of one task on one CPU
 * @packet: which
 * @cpu: where
 * @pid: likewise
 * @first: its first row there
 * @last: its last
 * @first_ts: their times
 * @last_ts: likewise
 * @level: within how many other packets' stays it is
 */
struct stay {
	const struct packet *packet;
	int cpu;
	int pid;
	const struct kshark_entry *first, *last;
	uint64_t first_ts, last_ts;
	unsigned int level;
	/* While they are gathered. */
	uint32_t number;
};

/**
 * struct packets - all of a stream
 * @v: in the order of their numbers
 * @n: how many
 * @stays: the innermost first, those of one level by time
 * @nr_stays: how many
 */
struct packets {
	struct packet *v;
	size_t n;
	struct stay *stays;
	size_t nr_stays;
	/* While they are gathered. */
	size_t *open; /* numbers of the stays that go on */
	size_t nr_open;
	size_t room, room_stays, room_open;
	bool incomplete; /* for want of memory */
};

/* A row, as the functions below need it. */
struct packet_row {
	uint64_t ts;
	int cpu;
	int pid;
	const struct kshark_entry *entry;
};

/**
 * packets_event - an event of a packet
 * @packets: of the stream
 * @row: the event's; rows have to come in the order of time
 * @number: the packet's number
 *
 * Returns the packet, NULL without memory. A packet without a text is new.
 */
struct packet *packets_event(struct packets *packets, const struct packet_row *row,
			     uint32_t number);

/**
 * packets_function - a function is entered or left for a packet
 * @packets: of the stream
 * @row: its row
 * @number: the packet's number
 */
void packets_function(struct packets *packets, const struct packet_row *row, uint32_t number);

/* The graph of this task is over, or not known any more. */
void packets_graph_ends(struct packets *packets, int cpu, int pid);

/* Rows of this CPU are missing: what goes on now is not known. */
void packets_loss(struct packets *packets, int cpu);

/* There are no more rows. */
void packets_finish(struct packets *packets);

void packets_free(struct packets *packets);

/* NULL if there is none with this number. */
const struct packet *packets_find(const struct packets *packets, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif /* _RECORD_SKB_KSHARK_PACKETS_H */
