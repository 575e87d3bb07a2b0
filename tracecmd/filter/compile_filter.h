/* SPDX-License-Identifier: GPL-2.0 */
/* compile_filter.h - compile a filter expression in tcpdump's language to BPF programs for the module */
#ifndef _RECORD_SKB_PACKET_PROGRAMS_H
#define _RECORD_SKB_PACKET_PROGRAMS_H

#include <stdbool.h>
#include <stdio.h>
#include <linux/filter.h>

#include "err.h"

/**
 * struct program - a classic BPF program in the kernel's format
 * @insns: the instructions; owned
 * @len: number of instructions; 0 for an empty program
 */
struct program {
	struct sock_filter *insns;
	unsigned short len;
};

/**
 * struct packet_filter - the BPF programs into which a filter expression is compiled
 * @raw: program for packets from the network header on; empty if the expression needs an Ethernet
 *	header
 * @ll: program for packets from the Ethernet header on; empty if the expression is not possible for
 *	Ethernet
 * @at_data: as @raw, but for packets in which skb->data points to the network header
 */
struct packet_filter {
	struct program raw;
	struct program ll;
	struct program at_data;
};

/**
 * packet_filter_check - check the syntax of a filter expression
 * @expression: the user's expression
 * @is_none: set to true if the first word is wrong: the user may not have meant an expression
 * @err: set to the reason on failure, which names the wrong word
 *
 * Returns 0 or -1.
 */
int packet_filter_check(const char *expression, bool *is_none, struct err *err);

/**
 * packet_filter_compile - compile a filter expression for packets with and without an Ethernet header
 * @filter: filled in; call packet_filter_free() also if this fails
 * @expression: the whole filter in tcpdump's language
 * @program: the part of @expression on which BPF programs have to decide for IP packets; NULL if the
 *	module decides on the whole expression
 * @err: set to libpcap's message on failure
 *
 * The programs @raw and @ll of @filter read relative to a header (SKF_NET_OFF, SKF_LL_OFF), because skb->data
 * points to different places at different probe points. Returns 0 or -1.
 */
int packet_filter_compile(struct packet_filter *filter, const char *expression, const char *program,
			  struct err *err);
void packet_filter_free(struct packet_filter *filter);

/* Return true if a BPF program is empty or matches no packet. */
bool program_matches_nothing(const struct program *program);

/* Print a BPF program in the format of tcpdump -d. */
void packet_filter_print(FILE *out, const struct program *program);

#endif
