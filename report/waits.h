/* SPDX-License-Identifier: GPL-2.0 */
/*
 * waits.h - when tasks were asleep, and when they had no CPU (record-skb --sched)
 *
 * Known of the tasks that record_skb:sched tells of, while it does: what is not told is not said.
 */
#ifndef _REPORT_SKB_WAITS_H
#define _REPORT_SKB_WAITS_H

#include "event.h"

/* What is known now. */
struct waits;

/**
 * struct waited - what a task did not work of a while
 * @asleep: until somebody woke it, in ns
 * @no_cpu: when it would have worked, but had no CPU, in ns
 * @longest: the longest piece of that
 * @by: who had the CPU for most of the longest piece; 0 if nobody did, or it is not known
 * @by_name: his name
 */
struct waited {
	uint64_t asleep, no_cpu, longest;
	int by;
	char by_name[TASK_NAME_LEN + 1];
};

struct waits *waits_new(void);
void waits_free(struct waits *waits);

void waits_sched(struct waits *waits, int cpu, uint64_t ts, const struct sched_facts *facts);
/* Rows are missing until @ts: nothing is known of what was before. */
void waits_lost(struct waits *waits, uint64_t ts);

/* What a task did from one time to another. All is 0 where not all of it is known, and if @waits is NULL. */
struct waited waits_of(const struct waits *waits, int task, uint64_t from, uint64_t to);

#endif
