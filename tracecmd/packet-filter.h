/* SPDX-License-Identifier: GPL-2.0 */
/* An expression in tcpdump's language as the programs that the module judges packets with. */
#ifndef _RECORD_SKB_PACKET_FILTER_H
#define _RECORD_SKB_PACKET_FILTER_H

#include <stdbool.h>
#include <stdio.h>
#include <linux/filter.h>

#include "err.h"

/**
 * struct program - a classic BPF program as the kernel takes it
 * @insns: owned
 * @len: how many; 0 for none
 */
struct program {
	struct sock_filter *insns;
	unsigned short len;
};

/**
 * struct packet_filter - what the module judges packets with
 * @raw: reads from the network header on; none if the expression cannot do without Ethernet's
 * @ll: reads from the Ethernet header on; none if the expression cannot be said for Ethernet
 * @at_data: as @raw, but reads from where the skb's data points
 */
struct packet_filter {
	struct program raw;
	struct program ll;
	struct program at_data;
};

/**
 * packet_filter_check - see that what the user wrote is an expression
 * @expression: as written
 * @is_none: set to true if it fails at its first word: it may have been meant for something else
 * @err: what is wrong with it, and where
 *
 * Returns 0 or -1.
 */
int packet_filter_check(const char *expression, bool *is_none, struct err *err);

/**
 * packet_filter_compile - compile an expression for packets with and without a link-layer header
 * @filter: filled in; packet_filter_free() it
 * @expression: in tcpdump's language
 * @err: libpcap's own message
 *
 * Every packet load of @raw and @ll is rebased (SKF_NET_OFF, SKF_LL_OFF), so that they read from
 * that header wherever the skb's data points. Returns 0 or -1.
 */
int packet_filter_compile(struct packet_filter *filter, const char *expression, struct err *err);
void packet_filter_free(struct packet_filter *filter);

/* True if a program is none, or matches nothing. */
bool program_matches_nothing(const struct program *program);

/* Print a program as tcpdump -d does. */
void packet_filter_print(FILE *out, const struct program *program);

#endif
