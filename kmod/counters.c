// SPDX-License-Identifier: GPL-2.0
/* counters.c - count events of a recording, and the gates and skbs that are in use on all CPUs */
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "counters.h"

void stats_reset(struct stats *s)
{
	int i, cpu;

	for (i = 0; i < NUMBER_NR; i++)
		atomic64_set(&s->number[i], 0);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(s->count, cpu), 0, sizeof(*s->count));
}

/* Return: the sum of a counter over all CPUs. */
u64 stat_read(const struct stats *s, enum counter which)
{
	s64 n = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		n += READ_ONCE(per_cpu_ptr(s->count, cpu)->counter[which]);
	return n;
}

/**
 * stats_read() - copy the counters of a recording, without @inside and @armed
 * @s: counters of a recording
 * @out: receives the counters
 */
void stats_read(const struct stats *s, struct record_skb_stats *out)
{
	out->packets = atomic64_read(&s->number[NUMBER_PACKETS]);
	out->calls = atomic64_read(&s->number[NUMBER_CALLS]);
	out->flows = stat_read(s, STAT_FLOWS);
	out->hits = stat_read(s, STAT_HITS);
	out->graphs = stat_read(s, STAT_GRAPHS);
	out->unrelated = stat_read(s, STAT_UNRELATED);
	out->lost_frames = stat_read(s, STAT_LOST_FRAMES);
	out->lost_recursion = stat_read(s, STAT_LOST_RECURSION);
	out->lost_tracked = stat_read(s, STAT_LOST_TRACKED);
	out->lost_flows = stat_read(s, STAT_LOST_FLOWS);
	out->lost_tasks = stat_read(s, STAT_LOST_TASKS);
	out->lost_functions = stat_read(s, STAT_LOST_FUNCTIONS);
	out->lost_calls = stat_read(s, STAT_LOST_CALLS);
	out->untracked = stat_read(s, STAT_UNTRACKED);
	out->uncopied = stat_read(s, STAT_UNCOPIED);
	out->unruled = stat_read(s, STAT_UNRULED);
}

/* Interval between two checks of the counters. */
#define INTERVAL (HZ / 4)

union busy record_skb_busy __read_mostly;
DEFINE_PER_CPU(struct busy_count, record_skb_busy_count);

/* Add up one counter of struct busy_count over all CPUs. @offset: position of the counter in the struct */
static long sum_busy(size_t offset)
{
	long nr = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		nr += READ_ONCE(
			*(long *)((char *)per_cpu_ptr(&record_skb_busy_count, cpu) + offset));
	return nr;
}

/* Return: number of gates that tasks have entered and not left yet. */
long busy_count_gates(void)
{
	return sum_busy(offsetof(struct busy_count, gates));
}

/* Return: the number of tracked skbs in all recordings. */
long busy_count_packets(void)
{
	return sum_busy(offsetof(struct busy_count, packets));
}

static void settle_busy(u32 *flag, long nr)
{
	cmpxchg(flag, BUSY_ASKING, nr ? BUSY_YES : BUSY_NO);
}

static void look_again(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(again, look_again);

/*
 * Clear the flags of union busy that are not needed any more. A set flag is changed to BUSY_ASKING first.
 *
 * A callback that adds a gate or a packet increments a counter. Then it reads the flag, and writes BUSY_YES
 * if the flag has another value. There are three cases:
 *
 * - The callback still reads the old BUSY_YES. Then it ends before synchronize_rcu() returns, and its
 *   increment is counted here.
 * - The callback writes BUSY_YES before the cmpxchg() in settle_busy(). Then the cmpxchg() changes nothing.
 * - The callback writes BUSY_YES after the cmpxchg(). Then the flag is set again before another CPU can find
 *   the gate or the packet.
 */
static void look_again(struct work_struct *work)
{
	if (busy_with_any()) {
		cmpxchg(&record_skb_busy.inside, BUSY_YES, BUSY_ASKING);
		cmpxchg(&record_skb_busy.tracked, BUSY_YES, BUSY_ASKING);
		synchronize_rcu();
		settle_busy(&record_skb_busy.inside, busy_count_gates());
		settle_busy(&record_skb_busy.tracked, busy_count_packets());
	}
	schedule_delayed_work(&again, INTERVAL);
}

/* Start the worker that clears the flags. The caller holds session_lock. */
void busy_start(void)
{
	schedule_delayed_work(&again, 0);
}

/* Stop the worker that clears the flags. No recording is armed. The caller holds session_lock. */
void busy_stop(void)
{
	cancel_delayed_work_sync(&again);
}
