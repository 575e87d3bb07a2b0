/* SPDX-License-Identifier: GPL-2.0 */
/* The filter in tcpdump's language: shorthand such as -p and the user's own expression together. */
#ifndef _RECORD_SKB_EXPRESSION_H
#define _RECORD_SKB_EXPRESSION_H

#include <stddef.h>

#include "err.h"
#include "options.h"
#include "record_skb.h"

/**
 * struct terms - what the shorthand asks for, so that the module can tell without a program
 * @n: how many; 0 if that cannot be said
 */
struct terms {
	struct record_skb_term v[RECORD_SKB_MAX_TERMS];
	size_t n;
};

/**
 * expression_make - say the filter in tcpdump's language
 * @options: the shorthand and the expression
 * @expression: set to a new string, or to NULL if every packet is meant
 * @terms: set to what of it is needed for a match in any case; the expression says all of it
 * @err: why not: a port, host or protocol that is none
 *
 * Values of one kind are alternatives, kinds narrow each other, and an expression narrows them
 * further. Looks up names of hosts, services and protocols, nothing else. Returns 0 or -1.
 */
int expression_make(const struct options *options, char **expression, struct terms *terms,
		    struct err *err);

#endif
