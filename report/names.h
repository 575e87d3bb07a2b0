/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_NAMES_H
#define _REPORT_SKB_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

/* What a function's being called for a packet says of the packet's end. */
enum meaning {
	MEANS_NOTHING,
	MEANS_DELIVERED,	/* it is in a socket's queue */
	MEANS_CONSUMED,		/* a protocol has it, and may have no socket for it */
	MEANS_FORWARDED,	/* it goes out again */
	MEANS_SENT,		/* a driver has it */
};

/**
 * struct name - a function of the traced kernel
 * @func: its address
 * @text: its name, or the address in hex
 * @meaning: see above
 * @frees_all: without a reason it frees what it is done with as well as what it ignores, so that
 *             one cannot tell
 * @known: the trace has a name for it
 * @gate: it is not of the kernel but the gate itself
 */
struct name {
	uint64_t func;
	const char *text;
	enum meaning meaning;
	bool frees_all;
	bool known;
	bool gate;
};

struct names;

/**
 * names_new - the names of a trace
 * @tep: stays in use
 */
struct names *names_new(struct tep_handle *tep);
void names_free(struct names *names);

/* The trace has been opened again; names stay. */
void names_set_tep(struct names *names, struct tep_handle *tep);

/**
 * names_of - name of the function at or around an address
 * @names: of the trace
 * @address: may be in the middle of it
 *
 * Returns something that stays until names_free(); NULL without memory.
 */
const struct name *names_of(struct names *names, uint64_t address);

#endif
