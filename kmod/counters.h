/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COUNTERS_H
#define RECORD_SKB_COUNTERS_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <record_skb.h>

/* Counters of a recording. struct record_skb_stats documents their meaning. */
enum counter {
	STAT_FLOWS,
	STAT_HITS,
	STAT_GRAPHS,
	STAT_UNRELATED,
	STAT_LOST_FRAMES,
	STAT_LOST_RECURSION,
	STAT_LOST_TRACKED,
	STAT_LOST_FLOWS,
	STAT_LOST_TASKS,
	STAT_LOST_FUNCTIONS,
	STAT_LOST_CALLS,
	STAT_UNTRACKED,
	STAT_UNCOPIED,
	STAT_UNRULED,
	STAT_NR,
};

/* Kinds of consecutive numbers that a recording assigns. */
enum number {
	NUMBER_PACKETS,
	NUMBER_CALLS,
	NUMBER_FLOWS,
	NUMBER_NR,
};

/* The counters of one CPU. */
struct stats_count {
	s64 counter[STAT_NR];
};

/*
 * struct stats - counters of one recording
 * @number: the last number of each kind, common to all CPUs. The array changes often, and every packet reads
 *	the fields after it. Therefore the array has cache lines of its own.
 * @count: counters of each CPU; only the sum of all CPUs has a meaning
 */
struct stats {
	atomic64_t number[NUMBER_NR] ____cacheline_aligned_in_smp;
	struct stats_count __percpu *count ____cacheline_aligned_in_smp;
};

static inline void stat_inc(struct stats *s, enum counter which)
{
	this_cpu_inc(s->count->counter[which]);
}

static inline void stat_add(struct stats *s, enum counter which, u32 n)
{
	this_cpu_add(s->count->counter[which], n);
}

static inline void stat_dec(struct stats *s, enum counter which)
{
	this_cpu_dec(s->count->counter[which]);
}

/* Increment a counter. Return: the new value, which numbers packets, calls and flows from 1. */
static inline u32 stat_number(struct stats *s, enum number which)
{
	return atomic64_inc_return(&s->number[which]);
}

u64 stat_read(const struct stats *s, enum counter which);
void stats_reset(struct stats *s);
void stats_read(const struct stats *s, struct record_skb_stats *out);

/*
 * union busy - flags that tell if any task may be inside a gate, and if any packet may be tracked
 *
 * Every packet of the machine reads the flags at each probe, so writing a flag is expensive. Only the first
 * matching packet sets a flag. A worker clears the flag when the sum of the counters of all CPUs has become
 * 0. A flag that is still set without need only costs time. A flag is never clear while a task is inside a
 * gate or an skb is tracked.
 *
 * @inside: one of BUSY_*, for tasks inside a gate
 * @tracked: one of BUSY_*, for tracked skbs
 * @any: both flags in one word, so that one load can test them
 */
union busy {
	struct {
		u32 inside;
		u32 tracked;
	};
	u64 any;
};

enum {
	BUSY_NO,
	BUSY_ASKING, /* the flag is set, and the worker is adding up the counters */
	BUSY_YES,
};

/*
 * struct busy_count - on one CPU, the number of gates and packets added minus the number removed
 *
 * Only the sum of all CPUs has a meaning, because a packet may be added on one CPU and removed on another.
 */
struct busy_count {
	long gates;
	long packets;
};

extern union busy record_skb_busy;
DECLARE_PER_CPU(struct busy_count, record_skb_busy_count);

long busy_count_gates(void);
long busy_count_packets(void);
void busy_start(void);
void busy_stop(void);

static inline bool busy_with_any(void)
{
	return READ_ONCE(record_skb_busy.any);
}

/* Return: true if any task may be inside a gate. */
static __always_inline bool busy_with_gates(void)
{
	return READ_ONCE(record_skb_busy.inside);
}

/* Return: true if any skb may be tracked. */
static __always_inline bool busy_with_packets(void)
{
	return READ_ONCE(record_skb_busy.tracked);
}

/*
 * Set a flag of union busy after the counter that belongs to it was incremented. Preemption must be off from
 * before the increment until this function returns. look_again() in counters.c relies on this.
 */
static inline void busy_set(u32 *flag)
{
	if (READ_ONCE(*flag) != BUSY_YES)
		WRITE_ONCE(*flag, BUSY_YES);
}

static inline void busy_add_gate(void)
{
	this_cpu_inc(record_skb_busy_count.gates);
	busy_set(&record_skb_busy.inside);
}

static inline void busy_remove_gate(void)
{
	this_cpu_dec(record_skb_busy_count.gates);
}

static inline void busy_add_packet(void)
{
	this_cpu_inc(record_skb_busy_count.packets);
	busy_set(&record_skb_busy.tracked);
}

static inline void busy_remove_packet(void)
{
	this_cpu_dec(record_skb_busy_count.packets);
}

#endif
