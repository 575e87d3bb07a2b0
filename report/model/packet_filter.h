/* SPDX-License-Identifier: GPL-2.0 */
/* packet_filter.h - select the packets of the recording that are shown */
#ifndef _RECORD_SKB_PACKET_FILTER_H
#define _RECORD_SKB_PACKET_FILTER_H

#include "err.h"
#include "model/packets.h"

#define CHOSEN_NETNS_MAX 16

/**
 * struct chosen - conditions for the selection of packets; a packet must meet all of them
 * @expression: filter in tcpdump's language. The packet must match at one or more of its probe points. NULL
 *	for any packet
 * @by_flow: select one flow only
 * @flow: number of the selected flow
 * @verdicts: bit mask of enum verdict. The packet or one of its copies must have one of these verdicts; 0 for
 *	any verdict
 * @netns: network namespaces, by name or inode number. The packet must have passed a device in one of them
 * @nr_netns: number of elements in @netns; 0 for any namespace
 * @from: the packet existed at this time or later, in microseconds of the trace clock
 * @to: the packet existed at this time or earlier, in microseconds of the trace clock
 */
struct chosen {
	char *expression;
	bool by_flow;
	uint32_t flow;
	unsigned int verdicts;
	const char *netns[CHOSEN_NETNS_MAX];
	unsigned int nr_netns;
	uint64_t from, to;
};

/* Return: true if at least one condition is set. */
bool chosen_any(const struct chosen *chosen);

/**
 * chosen_words - write a selection as options of report-skb
 * @buf: receives the options, quoted for a shell, each after a blank; empty if all packets are selected
 * @size: bytes of @buf
 * @chosen: the selection
 *
 * Return: @buf; NULL if the options do not fit.
 */
const char *chosen_words(char *buf, size_t size, const struct chosen *chosen);

struct packet_filter;

/**
 * packet_filter_new - begin a selection
 * @chosen: the conditions; must outlive the result
 * @err: set if the expression is not valid
 */
struct packet_filter *packet_filter_new(const struct chosen *chosen, struct err *err);
void packet_filter_free(struct packet_filter *filter);

/**
 * packet_filter_set_output - set the output for the selected packets
 * @filter: from packet_filter_new()
 * @output: the output
 * @data: passed to the output
 * @packets: source of the packets
 */
void packet_filter_set_output(struct packet_filter *filter, const struct output *output, void *data,
			      struct packets *packets);

/* This output selects packets. Pass it to packets_new(), with the packet filter as data. */
extern const struct output packet_filter_output;

/*
 * This observer tests the expression. Pass it to reader_add_observer() after packets_observer, with the
 * packet filter as data.
 */
extern const struct observer packet_filter_observer;

/*
 * Print on standard error how many of the packets were selected. @stopped is true if reading was stopped
 * before the end of the file.
 */
void packet_filter_print_count(const struct packet_filter *filter, bool stopped);

#endif
