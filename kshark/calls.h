/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * calls.h - the functions that are open in a task, so that an exit has what its entry has
 */
#ifndef _RECORD_SKB_KSHARK_CALLS_H
#define _RECORD_SKB_KSHARK_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct call - an entry
 * @func: the function
 * @depth: its depth
 * @label: what its row has, 0 for nothing
 * @packet: whose row it is, 0 if no packet's
 */
struct call {
	uint64_t func;
	uint32_t depth;
	uint32_t label;
	uint32_t packet;
};

/* Zeroed, none is open. */
struct calls {
	struct call *v;
	size_t n, room;
};

/* An entry; without memory, nothing is known any more. */
void calls_enter(struct calls *calls, const struct call *call);

/**
 * calls_leave - an exit
 * @calls: of its task
 * @func: the function
 * @depth: its depth
 *
 * Returns its entry, until the next call; NULL if that is not known, and then nothing is any more.
 */
const struct call *calls_leave(struct calls *calls, uint64_t func, uint32_t depth);

/* Another task: none is open. */
void calls_forget(struct calls *calls);

void calls_free(struct calls *calls);

#endif /* _RECORD_SKB_KSHARK_CALLS_H */
