/* SPDX-License-Identifier: GPL-2.0 */
/*
 * filter_text.h - make the text of a filter in tcpdump's language. Its parts are the options for ports, hosts
 * and protocols (shorthand, such as -p), and the user's expression.
 */
#ifndef _RECORD_SKB_EXPRESSION_H
#define _RECORD_SKB_EXPRESSION_H

#include <stddef.h>

#include "err.h"
#include "record_options.h"
#include "record_skb.h"

/**
 * struct terms - the part of the filter on which the module decides without a BPF program
 * @v: the terms: ports, addresses or protocols that the module compares
 * @n: number of terms; 0 if no part of the filter can be expressed as terms
 */
struct terms {
	struct record_skb_term v[RECORD_SKB_MAX_TERMS];
	size_t n;
};

/**
 * expression_make - make the whole filter from the user's options and expression
 * @options: the user's options
 * @expression: set to a new string with the whole filter in tcpdump's language; NULL if every packet
 *	matches
 * @program: set to a new string with the part of the filter that is not in @terms; NULL if @terms is
 *	the whole filter
 * @terms: set to the terms for the module
 * @err: set to the reason on failure: an invalid port, host or protocol
 *
 * A packet has to match one value of each option, and the expression. The function looks up names of hosts,
 * services and protocols. Returns 0 or -1.
 */
int expression_make(const struct options *options, char **expression, char **program,
		    struct terms *terms, struct err *err);

#endif
