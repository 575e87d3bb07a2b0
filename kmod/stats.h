/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_STATS_H
#define RECORD_SKB_STATS_H

#include <linux/atomic.h>
#include <record_skb.h>

/* One for each counter of struct record_skb_stats, which says what they mean; and the last flow's number. */
enum counter {
	STAT_PACKETS,
	STAT_FLOWS,
	STAT_HITS,
	STAT_GRAPHS,
	STAT_UNRELATED,
	STAT_CALLS,
	STAT_LOST_FRAMES,
	STAT_LOST_RECURSION,
	STAT_LOST_TRACKED,
	STAT_LOST_FLOWS,
	STAT_LOST_TASKS,
	STAT_LOST_FUNCTIONS,
	STAT_UNTRACKED,
	STAT_UNCOPIED,
	STAT_FLOW_NUMBERS,
	STAT_NR,
};

extern atomic64_t record_skb_counters[STAT_NR];

static inline void stat_inc(enum counter which)
{
	atomic64_inc(&record_skb_counters[which]);
}

static inline void stat_add(enum counter which, u64 nr)
{
	atomic64_add(nr, &record_skb_counters[which]);
}

/* Count one more and return the count: numbers packets, calls and flows from 1. */
static inline u32 stat_number(enum counter which)
{
	return atomic64_inc_return(&record_skb_counters[which]);
}

void stats_reset(void);
void stats_read(struct record_skb_stats *out);

#endif
