/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stations.h - when each packet came to which station of its way, and where it lay in between
 *
 * A station is a part of the kernel that a packet comes to: by the probe points that it stands at.
 */
#ifndef _REPORT_SKB_STATIONS_H
#define _REPORT_SKB_STATIONS_H

#include "packets.h"
#include "unsent.h"

enum station {
	STATION_NONE,
	STATION_CALL,
	STATION_OUTPUT,
	STATION_QDISC,
	STATION_DRIVER,
	STATION_RECEIVE,
	STATION_PROTOCOL,
	STATION_FORWARD,
	STATION_SOCKET,
	STATION_READER,
	STATIONS,
};

const char *station_name(enum station station);

/**
 * struct step - from one station to the next
 * @from: enum station
 * @to: likewise
 * @ns: from the first moment at the one to the first at the other
 */
struct step {
	uint8_t from, to;
	uint64_t ns;
};

/**
 * struct rest - nobody worked for the packet
 * @ns: how long; 0 if it never lay anywhere
 * @copy: which of its skbs went on
 * @state: enum fate_state, what was known of it when it lay down
 * @after: the function that had it before
 * @before: the probe point that it came to next
 * @device: that it was on
 * @waited: what the task that it came to next did not work meanwhile; nothing if that was a softirq
 */
struct rest {
	uint64_t ns;
	uint32_t copy;
	enum fate_state state;
	const struct name *after, *before;
	uint16_t device;
	struct waited waited;
};

/**
 * struct visit - what is known of one copy
 * @copy: its number
 * @delivered: when a socket got it, 0 if none did
 * @read: when the reader had it out of the socket's queue, 0 if not known
 * @awaited: the reader was in the call that took it out when it was delivered
 * @waited: what the reader did not work between the one and the other
 */
struct visit {
	uint32_t copy;
	uint64_t delivered, read;
	bool awaited;
	struct waited waited;
	/* While it is gathered. */
	enum station station;
	uint64_t since;
	unsigned int open; /* functions of probe points that have it */
	uint64_t left;	   /* when the last of them was left */
};

/**
 * struct way - the way of one packet
 * @steps: of all its copies
 * @nr_steps: how many
 * @visits: a copy each
 * @nr_visits: how many
 * @longest: the longest rest
 * @called: when the socket call began in which it was made, 0 if it was made in none that is known
 * @first_of_call: no other was made in that call before
 * @waited: what the call's task did not work since it began, or since it made the packet before
 * @held: of TCP's data, how it came that it was not sent before
 */
struct way {
	struct step *steps;
	unsigned int nr_steps;
	struct visit *visits;
	unsigned int nr_visits;
	struct rest longest;
	uint64_t called;
	bool first_of_call;
	struct waited waited;
	struct held held;
};

struct stations;

struct stations *stations_new(void);
void stations_free(struct stations *stations);
void stations_set_packets(struct stations *stations, const struct packets *packets);

/* For reader_add_sink(), in front of the packets' sink and behind it, with the stations as data. */
extern const struct sink stations_before_sink;
extern const struct sink stations_behind_sink;

/* Of a packet that is handed to the output now; NULL if nothing is known. */
const struct way *stations_way(const struct stations *stations, uint32_t number);
/* It is not asked for any more. */
void stations_forget(struct stations *stations, uint32_t number);

#endif
