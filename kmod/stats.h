/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_STATS_H
#define RECORD_SKB_STATS_H

#include <linux/atomic.h>
#include <linux/cache.h>
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
	STAT_UNRULED,
	STAT_FLOW_NUMBERS,
	STAT_NR,
};

/* Of one recording. Written at each match: apart from what those read that do not match. */
struct stats {
	atomic64_t counter[STAT_NR];
} ____cacheline_aligned_in_smp;

static inline void stat_inc(struct stats *s, enum counter which)
{
	atomic64_inc(&s->counter[which]);
}

static inline void stat_dec(struct stats *s, enum counter which)
{
	atomic64_dec(&s->counter[which]);
}

/* Count one more and return the count: numbers packets, calls and flows from 1. */
static inline u32 stat_number(struct stats *s, enum counter which)
{
	return atomic64_inc_return(&s->counter[which]);
}

void stats_reset(struct stats *s);
void stats_read(const struct stats *s, struct record_skb_stats *out);

#endif
