/* SPDX-License-Identifier: GPL-2.0 */
/*
 * until.h - what ends a recording: parse --ring and --until, and wait for the last packets after the command
 * (--linger)
 */
#ifndef _RECORD_SKB_UNTIL_H
#define _RECORD_SKB_UNTIL_H

#include <stdbool.h>

#include "err.h"
#include "record_skb.h"

/**
 * struct ring_options - the size of the ring, and the events of --until (triggers) that stop it
 * @kb: total size of the buffers of all CPUs in KB; 0 to record without a ring
 * @until: the triggers that the module checks, except for the expression of --until match, which is in @match
 * @any_drop: true if a drop for any reason is a trigger
 * @match: filter expression of --until match; NULL if it is not given
 * @by_status: true if the exit status of the command decides if the ring is written to a file (--until
 *	exit)
 * @status: the exit status with which the ring is written; ANY_FAILURE means any status but 0
 * @keep: for --keep, the number of files to keep, each with one ring; 0 if the first trigger ends the
 *	recording
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
 * Parse the value of --ring, a value of --until for a ring, or the value of --keep. The functions return 0 or
 * -1.
 */
int ring_set_size(struct ring_options *ring, const char *value, struct err *err);
int ring_add_until(struct ring_options *ring, const char *value, struct err *err);
int ring_set_keep(struct ring_options *ring, const char *value, struct err *err);

/* Return true if the options have a trigger: an event of --until by which a packet stops the ring. */
bool ring_has_trigger(const struct ring_options *ring);

/* Check that the given --ring, --until and --keep can be combined. Returns 0 or -1. */
int ring_options_check(const struct ring_options *ring, struct err *err);

/**
 * struct limits - the limits of --until at which a recording ends; 0 means no limit
 * @count: maximum number of packets
 * @msec: maximum time in milliseconds
 * @kb: maximum size of the recorded data in KB
 */
struct limits {
	unsigned long count;
	unsigned long msec;
	unsigned long kb;
};

/* Parse a value of --until, which is a limit or an event for a ring. Returns 0 or -1. */
int until_add(struct limits *limits, struct ring_options *ring, const char *value, struct err *err);

bool limits_any(const struct limits *limits);

/* How often to check if the traffic has stopped, in milliseconds. */
#define LINGER_POLL_MSEC 20

/**
 * struct linger_state - state of the wait for the last packets, between the end of the command and the end of
 * the recording
 * @on: true after the end of the command
 * @deadline: time at which the recording ends at the latest, in milliseconds of CLOCK_MONOTONIC
 * @last: time at which an increase in the number of matches was last noticed, in the same unit
 * @hits: number of matches at that time
 */
struct linger_state {
	bool on;
	long long deadline;
	long long last;
	unsigned long long hits;
};

/*
 * Begin to wait for the last packets, after the command has exited. Return false if the recording can end at
 * once: nothing has matched, @msec is 0, or a packet has stopped the ring.
 */
bool linger_begin(struct linger_state *linger, unsigned long msec,
		  const struct record_skb_stats *stats);

/*
 * Return true if the wait for the last packets is over. If the time is over although there is still traffic,
 * set *@cut_off to true.
 */
bool linger_is_over(struct linger_state *linger, const struct record_skb_stats *stats,
		    bool *cut_off);

#endif
