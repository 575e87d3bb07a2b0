/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_NAMES_H
#define _REPORT_SKB_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <event-parse.h>

#include "functions.h"

/**
 * struct name - a function of the traced kernel
 * @func: its address
 * @text: its name, or the address in hex
 * @facts: what is known of it, NULL for nothing
 * @known: the trace has a name for it
 * @gate: it is not of the kernel but the gate itself
 */
struct name {
	uint64_t func;
	const char *text;
	const struct function_facts *facts;
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
