/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_LATENCY_H
#define _RECORD_SKB_LATENCY_H

#include "model/conversation_delays.h"
#include "model/open_waits.h"
#include "output/requests_table.h"

/* How the table divides packets into groups. Each group has lines of its own. */
enum latency_group { LATENCY_OF_ALL, LATENCY_OF_SERVERS, LATENCY_OF_FLOWS };

/* Sort keys of the lines of a group. */
enum latency_order {
	LATENCY_BY_STAGE,
	LATENCY_BY_COUNT,
	LATENCY_BY_TOTAL,
	LATENCY_BY_MEDIAN,
	LATENCY_BY_P99,
	LATENCY_BY_MAX,
};

/**
 * struct latency_options - options of the table
 * @group: how the packets are divided into groups
 * @order: sort key of the lines of a group
 * @top: maximum number of lines of a group; 0 for any number
 * @json: print JSON objects
 * @reads: the calls that read sockets; NULL to leave out waits that had not ended at the end of the recording
 * @reader: the reader of the recording, which knows when the recording ended; unused if @reads is NULL
 */
struct latency_options {
	enum latency_group group;
	enum latency_order order;
	uint32_t top;
	bool json;
	const struct socket_reads *reads;
	const struct reader *reader;
};

struct latency;

/**
 * latency_new - begin a table of the times between stages
 * @options: the options; must outlive the result
 * @stages: stages of the packets
 * @packets: address of a pointer to struct packets, which knows the device names. The pointer must be set
 *	before the first packet
 * @output: another output that receives the packets instead of the table. In this case, only
 *	latency_print_longest() prints something. NULL to print the table
 * @data: passed to the functions of @output
 *
 * Return: the table; NULL if there is not enough memory.
 */
struct latency *latency_new(const struct latency_options *options, struct stages *stages,
			    struct packets **packets, const struct output *output, void *data);
/* Print the times of requests after the table. */
void latency_set_requests(struct latency *latency, struct requests_table *requests);
void latency_free(struct latency *latency);

/* This output gets the packets. Its argument @data is a struct latency. */
extern const struct output latency_output;

/*
 * Print a line about the longest delay on standard error, if this delay is much longer than all other delays.
 * If a wait of at least LONG_WAIT had not ended, and if it is longer than the longest delay, print a line
 * about the wait, too.
 */
void latency_print_longest(const struct latency *latency);

#endif
