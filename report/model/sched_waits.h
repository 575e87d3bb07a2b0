/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sched_waits.h - find when tasks were asleep, and when they were runnable without a CPU (record-skb --sched)
 *
 * Only the waits that record_skb:sched events report are known.
 */
#ifndef _RECORD_SKB_SCHED_WAITS_H
#define _RECORD_SKB_SCHED_WAITS_H

#include "event.h"

/* The waits of all tasks up to the row that is being read. */
struct sched_waits;

/**
 * struct waited - how long a task did not run within a period
 * @asleep: time asleep, in ns
 * @no_cpu: time in which the task was runnable and had no CPU, in ns
 * @longest: longest continuous part of @no_cpu
 * @by: PID of the task that had the CPU for most of @longest; 0 if the CPU was idle or the task is unknown
 * @by_name: name of that task
 */
struct waited {
	uint64_t asleep, no_cpu, longest;
	int by;
	char by_name[TASK_NAME_LEN + 1];
};

struct sched_waits *sched_waits_new(void);
void sched_waits_free(struct sched_waits *waits);

void sched_waits_add(struct sched_waits *waits, int cpu, uint64_t ts,
		     const struct sched_facts *facts);
/* Handle lost rows: forget everything up to @ts. */
void sched_waits_forget(struct sched_waits *waits, uint64_t ts);

/*
 * Return: the waits of a task within a period. All members are 0 if @waits is NULL, or if some waits may be
 * missing.
 */
struct waited sched_waits_of(const struct sched_waits *waits, int task, uint64_t from, uint64_t to);

#endif
