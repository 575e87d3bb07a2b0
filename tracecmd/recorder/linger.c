// SPDX-License-Identifier: GPL-2.0
/* linger.c - --linger: continue the recording after the command has ended */
#include <time.h>

#include "recorder/linger.h"

/*
 * The traffic counts as stopped if, for this time, no packet has matched, no packet is under way and no
 * connection is half closed.
 */
#define QUIET_MSEC 50

static long long now_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

bool linger_begin(struct linger_state *linger, unsigned long msec,
		  const struct record_skb_stats *stats)
{
	const long long now = now_msec();

	if (!msec || stats->stopped || (!stats->hits && !stats->tracked))
		return false;
	*linger = (struct linger_state){
		.on = true,
		.deadline = now + msec,
		.last = now,
		.hits = stats->hits,
	};
	return true;
}

bool linger_is_over(struct linger_state *linger, const struct record_skb_stats *stats,
		    bool *cut_off)
{
	const long long now = now_msec();
	bool quiet;

	*cut_off = false;
	if (stats->hits != linger->hits) {
		linger->hits = stats->hits;
		linger->last = now;
	}
	quiet = !stats->tracked && !stats->closing && now - linger->last >= QUIET_MSEC;
	if (quiet || stats->stopped)
		return true;
	*cut_off = now >= linger->deadline;
	return *cut_off;
}
