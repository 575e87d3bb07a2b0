// SPDX-License-Identifier: GPL-2.0
/* stats.c - what was recorded and what was lost */
#include "stats.h"

void stats_reset(struct stats *s)
{
	int i;

	for (i = 0; i < STAT_NR; i++)
		atomic64_set(&s->counter[i], 0);
}

/**
 * stats_read() - fill in the counters, leaving @inside and @armed alone
 * @s: whose
 * @out: where to
 */
void stats_read(const struct stats *s, struct record_skb_stats *out)
{
	out->packets = atomic64_read(&s->counter[STAT_PACKETS]);
	out->flows = atomic64_read(&s->counter[STAT_FLOWS]);
	out->hits = atomic64_read(&s->counter[STAT_HITS]);
	out->graphs = atomic64_read(&s->counter[STAT_GRAPHS]);
	out->unrelated = atomic64_read(&s->counter[STAT_UNRELATED]);
	out->calls = atomic64_read(&s->counter[STAT_CALLS]);
	out->lost_frames = atomic64_read(&s->counter[STAT_LOST_FRAMES]);
	out->lost_recursion = atomic64_read(&s->counter[STAT_LOST_RECURSION]);
	out->lost_tracked = atomic64_read(&s->counter[STAT_LOST_TRACKED]);
	out->lost_flows = atomic64_read(&s->counter[STAT_LOST_FLOWS]);
	out->lost_tasks = atomic64_read(&s->counter[STAT_LOST_TASKS]);
	out->lost_functions = atomic64_read(&s->counter[STAT_LOST_FUNCTIONS]);
	out->untracked = atomic64_read(&s->counter[STAT_UNTRACKED]);
	out->uncopied = atomic64_read(&s->counter[STAT_UNCOPIED]);
	out->unruled = atomic64_read(&s->counter[STAT_UNRULED]);
}
