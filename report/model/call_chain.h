/* SPDX-License-Identifier: GPL-2.0 */
/*
 * call_chain.h - find which bytes each call moved, if the positions are known only before and after several
 * calls
 *
 * The module cannot always read the position of a socket with kernel TLS. If calls do not overlap, each call
 * moves the bytes after those of the previous call. So the position of a call follows from the results of the
 * calls before it. The results of all calls must add up to the distance between two known positions. If they
 * do not, the recording lacks a call, and the positions stay unknown.
 */
#ifndef _RECORD_SKB_CALL_CHAIN_H
#define _RECORD_SKB_CALL_CHAIN_H

#include "model/byte_streams.h"

/*
 * struct chained_call - a call with bytes at an unknown position
 * @call: the call; @call.from and @call.to are set by call_chain_reach()
 * @len: number of bytes
 * @moves: the call moved the bytes; false if it only peeked at them
 * @hidden: it is not known if the call moved data or a control record
 */
struct chained_call {
	struct byte_call call;
	uint32_t len;
	bool moves, hidden;
};

/**
 * struct call_chain - calls in one direction of a stream. A zeroed chain is empty
 * @is_known: @position is valid
 * @position: position before the first call in @v
 * @v: calls with bytes at unknown positions, in the order of time
 * @n: number of calls in @v
 * @max: allocated elements of @v
 * @open: number of calls that have begun and not returned
 * @calls: number of calls that have begun
 */
struct call_chain {
	bool is_known;
	uint64_t position;
	struct chained_call *v;
	size_t n, max;
	unsigned int open;
	unsigned long calls;
};

/*
 * Note that a call begins. If an earlier call has not returned yet, the order of the bytes of both calls is
 * not known.
 */
void call_chain_begin(struct call_chain *chain);

/* Note that a call has returned. */
void call_chain_end(struct call_chain *chain);

/* Add a call that has returned. Return: false if there is not enough memory. */
bool call_chain_add(struct call_chain *chain, const struct chained_call *call);

/*
 * Handle a known position after the calls in @chain. Return: true if the positions of these calls are now
 * known. In this case, the caller must use the calls, and then call call_chain_set().
 */
bool call_chain_reach(struct call_chain *chain, uint64_t position);

/* Remove all calls. The next call begins at @position. */
void call_chain_set(struct call_chain *chain, uint64_t position);

/* Remove all calls. The position of the next call is not known. */
void call_chain_break(struct call_chain *chain);

/* Handle lost events: remove all calls, because calls that seem to be open may have returned. */
void call_chain_lose(struct call_chain *chain);

void call_chain_free(struct call_chain *chain);

#endif
