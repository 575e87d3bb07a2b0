/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sightings.h - collect where the packets of one recording arrived and left, before recordings are joined
 *
 * A sighting needs about 90 bytes, and a packet about 60 bytes in addition.
 */
#ifndef _RECORD_SKB_SIGHTINGS_H
#define _RECORD_SKB_SIGHTINGS_H

#include "hash_table.h"
#include "hosts/wire_key.h"
#include "input/lost_events.h"
#include "input/reader.h"

/**
 * struct sighting - a packet arrived from a device, or left to a device
 * @key: the invariant part of the packet
 * @ts: time of the host's own clock
 * @edge: for a departure: when the copy left the host for the last time; later than @ts if the host
 *	encapsulated the packet. For an arrival: when the copy arrived for the first time. Set by join_find()
 * @pkt: the host's number of the packet
 * @copy: number of the copy
 * @host: number of the host
 * @leaves: true for a departure, false for an arrival
 * @from: for an arrival: index of the sighting where the packet left another host; -1 if that is not known
 * @is_part: the packet is a part of the packet that left the other host
 * @is_unclear: several sightings of other hosts may be of the same packet, so this one is not joined
 * @is_alike: another host has an equal packet with other addresses or ports
 * @is_translated: the addresses and ports in @key were replaced by those that another host saw
 */
struct sighting {
	struct wire_key key;
	uint64_t ts, edge;
	uint32_t pkt, copy;
	uint8_t host;
	bool leaves, is_part, is_unclear, is_alike, is_translated;
	int64_t from;
};

/**
 * struct host_packet - a packet of one recording
 * @first: time of the first event
 * @flow: the host's number of the flow
 * @copies: one more than the highest number of a copy
 */
struct host_packet {
	uint64_t first;
	uint32_t flow;
	uint32_t copies;
};

/**
 * struct sightings - the packets that were seen in one recording
 * @v: the sightings, in the order of their times
 * @n: number of sightings
 * @packets: indexed by the host's number of the packet; @first is 0 for numbers that were not seen
 * @nr_packets: number of entries of @packets
 * @losses: lost rows
 * @begin: time of the first row with a packet, or of the first wall_clock event
 * @wall_ts: time of the first wall_clock event, 0 without one
 * @wall: time since 1970 at @wall_ts
 * @failed: memory was short
 */
struct sightings {
	struct sighting *v;
	size_t n, capacity;
	struct host_packet *packets;
	uint32_t nr_packets;
	struct lost_events losses;
	uint64_t begin;
	uint64_t wall_ts, wall;
	bool failed;
	/* The members below are used only while rows are read. */
	uint8_t host;
	struct table last; /* table of struct last_device, by copy */
};

/*
 * This observer collects the sightings. Pass it to reader_add_observer(), with a struct sightings as data.
 * All members of the struct must be 0, except @host.
 */
extern const struct observer sightings_observer;
/* Release the memory that is needed only while rows are read. */
void sightings_end(struct sightings *sightings);
void sightings_free(struct sightings *sightings);

#endif
