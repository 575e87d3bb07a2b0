/* SPDX-License-Identifier: GPL-2.0 */
/*
 * packets.h - what is known of each packet, gathered from the stream
 *
 * A packet is handed to the output when the next 131,072 have come or the trace ends, so that
 * memory does not grow with the trace.
 */
#ifndef _REPORT_SKB_PACKETS_H
#define _REPORT_SKB_PACKETS_H

#include "devices.h"
#include "losses.h"
#include "reader.h"

#define MAX_HOPS	8

enum verdict {
	VERDICT_UNKNOWN,	/* last seen at a probe point, and then no more */
	VERDICT_DELIVERED,
	VERDICT_CONSUMED,
	VERDICT_FORWARDED,
	VERDICT_SENT,
	VERDICT_DROPPED,
	VERDICT_FREED,		/* dropped or consumed: where it ended, the kernel does not say */
};

/* A frame for a capture file: the packet as it was on one device. */
struct frame {
	struct frame *next;
	uint64_t ts;
	uint16_t device;
	uint8_t dir;
	uint16_t ethertype;
	uint32_t len;		/* on the wire, from the network header on */
	uint32_t caplen;
	uint8_t data[];
};

/**
 * struct packet - what is known of one packet
 * @number: its number
 * @flow_number: its flow's, 0 if not known
 * @flow: its addresses where it was seen first
 * @first: time of its first event
 * @last: when it was last worked for
 * @stack_ns: time that functions worked for it, without the gates
 * @wait_ns: time that nothing worked for it between two pieces of its journey
 * @calls: how many functions were entered for it
 * @slowest: the one that took longest by itself, NULL if none has ended
 * @slowest_ns: how long
 * @len: bytes from the network header on, where it was seen first
 * @payload: bytes behind the TCP or UDP header; -1 if not known
 * @tcp_flags: of TCP
 * @dir: where it was seen first: 0 unknown, 1 receive, 2 transmit
 * @nr_hops: devices it crossed; more than MAX_HOPS if not all are in @hops
 * @hops: their numbers
 * @verdict: what became of it
 * @where: the function that did; NULL if not known
 * @device: the device it left on, if it did
 * @reason: why it was dropped, as the kernel names it; empty if it was not
 * @incomplete: rows were lost while it was there
 * @frames: for a capture file, if wanted
 */
struct packet {
	uint32_t number;
	uint32_t flow_number;
	struct flow flow;
	uint64_t first, last;
	uint64_t stack_ns, wait_ns;
	uint64_t calls;
	const struct name *slowest;
	uint64_t slowest_ns;
	uint32_t len;
	int32_t payload;
	uint8_t tcp_flags;
	uint8_t dir;
	uint16_t nr_hops;
	uint16_t hops[MAX_HOPS];
	enum verdict verdict;
	const struct name *where;
	uint16_t device;
	char reason[REASON_LEN + 1];
	bool incomplete;
	struct frame *frames;
	/* While it is gathered. */
	unsigned int pieces;		/* graphs open that work for it now */
	uint64_t idle_since;		/* when the last of them closed, 0 if none has */
	bool forwarded;
};

/**
 * struct output - one way to show packets
 * @begin: before the first; may be NULL
 * @packet: each, in the order of numbers but for packets that stayed very long
 * @end: after the last; may be NULL
 */
struct output {
	void (*begin)(void *data);
	void (*packet)(void *data, const struct packet *packet);
	void (*end)(void *data);
};

struct packets;

/**
 * packets_new - gather packets
 * @output: is told of each
 * @data: for it
 * @frames: keep frames for a capture file
 */
struct packets *packets_new(const struct output *output, void *data, bool frames);
void packets_free(struct packets *packets);

/* What to give to reader_add_sink(), with the packets as data. */
extern const struct sink packets_sink;

/* Hand the rest to the output. */
void packets_end(struct packets *packets);

const struct devices *packets_devices(const struct packets *packets);
const struct losses *packets_losses(const struct packets *packets);
/* How many were incomplete. */
uint64_t packets_incomplete(const struct packets *packets);

#endif
