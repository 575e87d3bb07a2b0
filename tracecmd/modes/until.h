/* SPDX-License-Identifier: GPL-2.0 */
/*
 * until.h - events that end a recording: parse --ring and --until, and the time after the command (--linger)
 */
#ifndef _RECORD_SKB_UNTIL_H
#define _RECORD_SKB_UNTIL_H

#include <stdbool.h>

#include "err.h"
#include "record_skb.h"

/**
 * struct ring_options - the size of the ring, and its triggers
 * @kb: total size of all CPUs' buffers in KB; 0 to record without a ring
 * @until: the triggers that the module checks, except @match
 * @any_drop: true if a drop for any reason is a trigger
 * @match: filter expression of --until match, or NULL
 * @by_status: true if the ring is written to a file when the command exits with @status
 * @status: exit status of the command; ANY_FAILURE means any other than 0
 * @keep: number of files to keep, each with one ring; 0 if the first trigger ends the recording
 */
struct ring_options {
	unsigned long kb;
	struct record_skb_ring until;
	bool any_drop;
	const char *match;
	bool by_status;
	int status;
	unsigned long keep;
};

#define ANY_FAILURE -1

/*
 * Parse the value of --ring, a trigger of --until, and the value of --keep. The functions return 0 or -1.
 */
int ring_set_size(struct ring_options *ring, const char *value, struct err *err);
int ring_add_until(struct ring_options *ring, const char *value, struct err *err);
int ring_set_keep(struct ring_options *ring, const char *value, struct err *err);

/* Return true if one of the options is a trigger by which a packet stops the ring. */
bool ring_has_trigger(const struct ring_options *ring);

/* Check that --ring, --until and --keep can be combined as given. Returns 0 or -1. */
int ring_options_check(const struct ring_options *ring, struct err *err);

/**
 * struct limits - limits of --until at which a recording ends; 0 means no limit
 * @count: maximum number of packets
 * @msec: maximum time in milliseconds
 * @kb: maximum size of the recorded data in KB
 */
struct limits {
	unsigned long count;
	unsigned long msec;
	unsigned long kb;
};

/* Parse a value of --until: a limit, or a trigger of a ring. Returns 0 or -1. */
int until_add(struct limits *limits, struct ring_options *ring, const char *value, struct err *err);

bool limits_any(const struct limits *limits);

/* Interval of checking if the traffic has stopped. */
#define LINGER_POLL_MSEC 20

/**
 * struct linger_state - state of the recording between the end of the command and its own end
 * @on: true after the end of the command
 * @deadline: time at which the recording ends at the latest, in milliseconds of CLOCK_MONOTONIC
 * @last: time at which the number of matches was last seen to increase, in the same unit
 * @hits: number of matches at that time
 */
struct linger_state {
	bool on;
	long long deadline;
	long long last;
	unsigned long long hits;
};

/*
 * Call this when the command has exited. Return false if the recording can end at once: because nothing has
 * matched, @msec is 0, or a packet has stopped the ring.
 */
bool linger_begin(struct linger_state *linger, unsigned long msec,
		  const struct record_skb_stats *stats);

/*
 * Return true if the recording can end. Set *@cut_off to true if it has to end although there still is
 * traffic.
 */
bool linger_is_over(struct linger_state *linger, const struct record_skb_stats *stats,
		    bool *cut_off);

#endif
