/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * calls.h - the functions that are open in each task, so that an exit has what its entry has
 */
#ifndef _RECORD_SKB_KSHARK_CALLS_H
#define _RECORD_SKB_KSHARK_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#define NO_LABEL UINT32_MAX

/**
 * struct call - an entry
 * @func: the function
 * @depth: its depth
 * @label: what its row has, NO_LABEL for nothing
 * @packet: whose row it is, 0 if no packet's
 */
struct call {
	uint64_t func;
	uint32_t depth;
	uint32_t label;
	uint32_t packet;
};

struct calls;

/* Returns NULL without memory. */
struct calls *calls_new(void);
void calls_free(struct calls *calls);

/**
 * calls_enter - an entry
 * @calls: of the stream
 * @pid: in this task
 * @cpu: tells the idle tasks apart, which all have pid 0
 * @call: copied
 *
 * Returns false without memory; then nothing is known of the task.
 */
bool calls_enter(struct calls *calls, int pid, int cpu, const struct call *call);

/**
 * calls_leave - an exit
 * @calls: of the stream
 * @pid: as for calls_enter()
 * @cpu: likewise
 * @func: the function
 * @depth: its depth
 * @call: its entry
 *
 * Returns false if the entry is not known, and then nothing else of the task either.
 */
bool calls_leave(struct calls *calls, int pid, int cpu, uint64_t func, uint32_t depth,
		 struct call *call);

/* Nothing is known of the task any more. */
void calls_forget(struct calls *calls, int pid, int cpu);

/* Rows of this CPU are missing: nothing is known of any but the other CPUs' idle tasks. */
void calls_loss(struct calls *calls, int cpu);

#endif /* _RECORD_SKB_KSHARK_CALLS_H */
