// SPDX-License-Identifier: GPL-2.0
/* stats.c - what was recorded and what was lost */
#include <linux/cache.h>

#include "stats.h"

/* Written at each match: apart from what those read that do not match. */
atomic64_t record_skb_counters[STAT_NR] ____cacheline_aligned_in_smp;

void stats_reset(void)
{
	int i;

	for (i = 0; i < STAT_NR; i++)
		atomic64_set(&record_skb_counters[i], 0);
}

/**
 * stats_read() - fill in the counters, leaving @inside and @armed alone
 * @out: where to
 */
void stats_read(struct record_skb_stats *out)
{
	out->packets = atomic64_read(&record_skb_counters[STAT_PACKETS]);
	out->flows = atomic64_read(&record_skb_counters[STAT_FLOWS]);
	out->hits = atomic64_read(&record_skb_counters[STAT_HITS]);
	out->graphs = atomic64_read(&record_skb_counters[STAT_GRAPHS]);
	out->unrelated = atomic64_read(&record_skb_counters[STAT_UNRELATED]);
	out->calls = atomic64_read(&record_skb_counters[STAT_CALLS]);
	out->lost_frames = atomic64_read(&record_skb_counters[STAT_LOST_FRAMES]);
	out->lost_recursion = atomic64_read(&record_skb_counters[STAT_LOST_RECURSION]);
	out->lost_tracked = atomic64_read(&record_skb_counters[STAT_LOST_TRACKED]);
	out->lost_flows = atomic64_read(&record_skb_counters[STAT_LOST_FLOWS]);
	out->lost_tasks = atomic64_read(&record_skb_counters[STAT_LOST_TASKS]);
	out->lost_functions = atomic64_read(&record_skb_counters[STAT_LOST_FUNCTIONS]);
	out->untracked = atomic64_read(&record_skb_counters[STAT_UNTRACKED]);
	out->uncopied = atomic64_read(&record_skb_counters[STAT_UNCOPIED]);
}
