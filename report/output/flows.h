/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_FLOWS_H
#define _RECORD_SKB_FLOWS_H

#include "model/packets.h"

/* Sort keys of the table. */
enum flow_order {
	FLOWS_BY_NUMBER,
	FLOWS_BY_PACKETS,
	FLOWS_BY_BYTES,
	FLOWS_BY_DROPPED,
	FLOWS_BY_LASTED
};

/**
 * struct flows_options - options of the table
 * @order: sort key of the flows
 * @top: maximum number of flows; 0 for any number
 * @json: print JSON objects
 */
struct flows_options {
	enum flow_order order;
	uint32_t top;
	bool json;
};

struct flows;

/* Begin a table of flows. @options must outlive the result. Return: the table; NULL without enough memory. */
struct flows *flows_new(const struct flows_options *options);
void flows_free(struct flows *flows);

/*
 * This output gets the packets, and prints a line for each flow and one line for all flows together. Its
 * argument @data is a struct flows.
 */
extern const struct output flows_output;

#endif
