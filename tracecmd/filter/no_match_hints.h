/* SPDX-License-Identifier: GPL-2.0 */
/* no_match_hints.h - if no packet matched, print packet counters and sockets that help to find the reason */
#ifndef _RECORD_SKB_NO_MATCH_HINTS_H
#define _RECORD_SKB_NO_MATCH_HINTS_H

#include <stdio.h>

#include "record_options.h"

struct no_match_hints;

/* Read the packet counters of all network namespaces. Never returns NULL. */
struct no_match_hints *no_match_hints_begin(void);

/* Replace the counters by their differences: the numbers of packets since no_match_hints_begin(). */
void no_match_hints_end(struct no_match_hints *hints);

/*
 * Print the numbers of packets, and the sockets that are similar to the filter in @wanted. If @hints is NULL,
 * print nothing. no_match_hints_free() also accepts NULL.
 */
void no_match_hints_print(FILE *out, const struct no_match_hints *hints,
			  const struct options *wanted);

void no_match_hints_free(struct no_match_hints *hints);

#endif
