/* SPDX-License-Identifier: GPL-2.0 */
/*
 * packets.h - what is known of each packet and of each of its copies, gathered from the stream
 *
 * A packet is handed to the output when the next 131,072 have come or the trace ends, so that
 * memory does not grow with the trace.
 */
#ifndef _REPORT_SKB_PACKETS_H
#define _REPORT_SKB_PACKETS_H

#include "devices.h"
#include "fate.h"
#include "frames.h"
#include "losses.h"
#include "reader.h"

enum verdict {
	VERDICT_UNKNOWN, /* last seen at a probe point, and then no more */
	VERDICT_QUEUED,	 /* it was in a queue when it was seen last */
	VERDICT_DELIVERED,
	VERDICT_CONSUMED,
	VERDICT_FORWARDED,
	VERDICT_SENT,
	VERDICT_COPIED, /* it went on as its copies */
	VERDICT_TAPPED, /* made for a packet socket, which got it */
	VERDICT_DROPPED,
	VERDICT_FREED, /* dropped or consumed: where it ended, the kernel does not say */
	VERDICTS,
};

/**
 * struct path - the devices that were crossed
 * @hops: their numbers
 * @n: how many
 */
struct path {
	uint16_t *hops;
	unsigned int n, room;
};

/**
 * struct outcome - what became of something
 * @verdict: what
 * @where: the function that did; NULL if not known
 * @device: the device it left on, or waits for, if it did
 * @reason: why it was dropped, as the kernel names it; empty if it was not
 */
struct outcome {
	enum verdict verdict;
	const struct name *where;
	uint16_t device;
	char reason[WHY_LEN];
};

/**
 * struct copy - one of a packet's skbs
 * @number: 0 for the one that matched
 * @from: the one it was made from
 * @kind: how: enum record_skb_copy_kind
 * @seen: it stood at a probe point; if not, what follows is empty but for @outcome
 * @first: when it was seen first
 * @last: when something happened to it last
 * @flow: its addresses where it was seen first
 * @flow_now: where it was seen last
 * @len: bytes from the network header on, where it was seen first
 * @payload: bytes behind the TCP or UDP header; -1 if not known
 * @tcp_flags: of TCP
 * @seq: of TCP
 * @ack: of TCP
 * @again: all bytes of this TCP segment were seen in another packet before: it was transmitted again
 * @dir: enum record_skb_dir, where it was seen first
 * @path: the devices it crossed, with those of what it was made from
 * @outcome: what became of it
 * @frames: places of its frames, if frames are wanted
 * @nr_frames: how many
 */
struct copy {
	uint32_t number;
	uint32_t from;
	uint8_t kind;
	bool seen;
	uint64_t first, last;
	struct flow flow, flow_now;
	uint32_t len;
	int32_t payload;
	uint8_t tcp_flags;
	uint32_t seq, ack;
	bool again;
	uint8_t dir;
	struct path path;
	struct outcome outcome;
	size_t *frames;
	unsigned int nr_frames;
	/* While it is gathered. */
	unsigned int room_frames;
	unsigned int frame_hops; /* devices crossed when the last frame was seen */
	int32_t payload_now;	 /* where it was seen last, as @flow_now */
	uint8_t tcp_flags_now;
	struct fate fate;
	bool tracked;
	bool has_route; /* the last device of @path is that of its route, which may change */
	bool streamed;	/* its bytes, if it has any, are among those that were seen */
	uint64_t skb;
};

/**
 * struct packet - what is known of one packet
 * @number: its number
 * @flow_number: its flow's, 0 if not known
 * @first: time of its first event
 * @last: when it was last worked for
 * @stack_ns: time that functions worked for it, without the gates
 * @wait_ns: time that nothing worked for it between two pieces of its journey
 * @calls: how many functions were entered for it
 * @slowest: the one that took longest by itself, NULL if none has ended
 * @slowest_ns: how long
 * @slowest_waited: what its task did not work of that
 * @copies: its skbs by number, the one that matched first; what was never seen and has no outcome of its own
 *          is left out in the end
 * @nr_copies: how many
 * @decided: the one whose outcome is the packet's
 * @answered: another packet was sent back while it was worked for
 * @incomplete: rows were lost while it was there
 * @lacks_points: the recording lacks points of its way
 * @chosen: packets_choose() was called for it
 */
struct packet {
	uint32_t number;
	uint32_t flow_number;
	uint64_t first, last;
	uint64_t stack_ns, wait_ns;
	uint64_t calls;
	const struct name *slowest;
	uint64_t slowest_ns;
	struct waited slowest_waited;
	struct copy **copies;
	unsigned int nr_copies;
	const struct copy *decided;
	bool answered;
	bool incomplete;
	bool lacks_points;
	bool chosen;
	/* While it is gathered. */
	uint64_t told; /* when the recording last said something of it, its end at the latest */
	unsigned int room;
	unsigned int pieces; /* graphs open that work for it now */
	uint64_t idle_since; /* when the last of them closed, 0 if none has */
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
 * @frames: where frames go; NULL if none are wanted
 */
struct packets *packets_new(const struct output *output, void *data, struct frames *frames);
void packets_free(struct packets *packets);

/* What to give to reader_add_sink(), with the packets as data. */
extern const struct sink packets_sink;

/* Mark the packet with this number, if it is there: it has just been seen. */
void packets_choose(struct packets *packets, uint32_t number);
/* The packet with this number, as far as it is known by now; NULL if there is none. */
const struct packet *packets_find(const struct packets *packets, uint32_t number);

/**
 * packets_come_live - packets are to be handed on before all are known
 * @packets: nothing was seen of any
 *
 * Returns false if there is no memory for it.
 */
bool packets_come_live(struct packets *packets);

/**
 * packets_hand_on - hand those to the output that have ended
 * @packets: of packets_come_live()
 * @now: what the trace's clock says; all rows up to shortly before were read
 *
 * And those that nothing has happened to for five seconds, as they are now: what happens to them later is
 * not told.
 */
void packets_hand_on(struct packets *packets, uint64_t now);

/* Whether the packet with this number was handed on, so that nothing more is to be kept of it. */
bool packets_is_gone(const struct packets *packets, uint32_t number);

/* Hand the rest to the output. */
void packets_end(struct packets *packets);

const struct devices *packets_devices(const struct packets *packets);
const struct losses *packets_losses(const struct packets *packets);
/* How many were incomplete. */
uint64_t packets_incomplete(const struct packets *packets);
/*
 * How many numbers up to the highest none was seen of: packets that matched, of which no event is in the
 * file. There may be more behind the highest.
 */
uint64_t packets_missing(const struct packets *packets);

#endif
