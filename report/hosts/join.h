/* SPDX-License-Identifier: GPL-2.0 */
/*
 * join.h - find the packets that several hosts have recorded
 *
 * Two sightings are of one packet if their keys are equal and no other packet can be meant. An arrival that
 * fits several packets is not joined, but counted.
 */
#ifndef _RECORD_SKB_JOIN_H
#define _RECORD_SKB_JOIN_H

#include "hosts/clocks.h"
#include "hosts/sightings.h"

/* The source of the offset between the clock of a host and the reference clock. */
enum clock_source {
	CLOCK_REFERENCE, /* reference: all times are shown in the clock of this host */
	CLOCK_PACKETS,	 /* estimated from packets in both directions */
	CLOCK_SYNC, /* trace-cmd's synchronization; packets in both directions give the error */
	CLOCK_SYNC_ONLY, /* trace-cmd's synchronization; packets in one direction or none: error unknown */
	CLOCK_GIVEN, /* --offset */
	CLOCK_WALL,  /* time of day, with packets in one direction or none: error unknown */
};

/**
 * struct join_host - one recording
 * @sightings: where its packets arrived and left
 * @end: time of its last row
 * @clock: converts its times to those of the reference
 * @source: how @clock is known
 * @error_is_known: the error of @clock is known. It is unknown with CLOCK_SYNC_ONLY, CLOCK_GIVEN and
 *	CLOCK_WALL, and if @clock was computed from the clock of a host with an unknown error
 * @has_offset: --offset was given
 * @offset: the value of --offset, in nanoseconds
 * @sync: 0 if trace-cmd has not converted the times; otherwise 1 + the index of the host that has the clock
 *	of the converted times
 * @sync_is_wrong: packets contradict the conversion by trace-cmd, so it is not used
 * @is_ring: the recording is a ring
 * @arguments: the arguments of record-skb, as words of a shell; NULL if they are not known
 */
struct join_host {
	struct sightings *sightings;
	uint64_t end;
	struct clock_line clock;
	enum clock_source source;
	bool error_is_known;
	bool has_offset;
	int64_t offset;
	uint8_t sync;
	bool sync_is_wrong;
	bool is_ring;
	char *arguments;
};

/**
 * struct join_counts - how many arrivals were joined with departures, and why others were not
 * @joined: arrivals that belong to a packet that left another host
 * @parts: those arrivals of @joined that a network card cut from a larger segment
 * @doubled: those arrivals of @joined that are duplicates
 * @translated: arrivals with addresses or ports that a host without a recording has changed
 * @alike: not joined: a host without a recording may have changed the addresses, but that is not proven
 * @unclear: not joined, because they fit several packets
 * @differ: TCP segments that were not joined, because the other host divided the bytes into segments
 *	differently
 * @clock: not joined, because they arrived before they were sent, according to the clocks
 * @gone: packets that left a host and did not arrive at the next one
 */
struct join_counts {
	uint64_t joined, parts, doubled, translated, alike, unclear, differ, clock, gone;
};

/**
 * struct join - all recordings
 * @hosts: the hosts
 * @nr_hosts: number of hosts
 * @all: sightings of all hosts; those of one host are consecutive
 * @n: number of sightings
 * @reference: all times are shown in the clock of this host
 * @counts: see struct join_counts
 */
struct join {
	struct join_host *hosts;
	unsigned int nr_hosts;
	struct sighting **all;
	size_t n;
	unsigned int reference;
	struct join_counts counts;
};

/**
 * join_find - find the packets that several hosts have recorded, and the clocks
 * @join: @hosts and @nr_hosts are set
 *
 * The function sets @from of each arrival that it joins, the clock of each host, and @counts.
 *
 * Return: false if memory is short.
 */
bool join_find(struct join *join);
void join_free(struct join *join);

/* Return: the time of a sighting, converted to the clock of the reference host. */
uint64_t join_time(const struct join *join, const struct sighting *sighting);

/**
 * join_estimate_clocks - estimate the clocks of all hosts from pairs of sightings
 * @join: the recordings
 * @order: indexes of @join->all, sorted by key
 *
 * Return: false if memory is short.
 */
bool join_estimate_clocks(struct join *join, const size_t *order);

/*
 * Count the sightings at the beginning of @order that have the same key. @order has @left sightings. Set
 * @is_clear to true if the counted sightings are of one packet. This is so if no host has several packets
 * with this key, and if only one host can have sent the packet first. Return: the number of sightings.
 */
size_t join_group(const struct join *join, const size_t *order, size_t left, bool *is_clear);

/* Compare the keys of two sightings, to sort the sightings. */
int join_compare_keys(const struct wire_key *a, const struct wire_key *b);

#endif
