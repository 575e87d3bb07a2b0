/* SPDX-License-Identifier: GPL-2.0 */
/* linger.h - --linger: continue the recording after the command has ended */
#ifndef _RECORD_SKB_LINGER_H
#define _RECORD_SKB_LINGER_H

#include <stdbool.h>

#include "record_skb.h"

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
