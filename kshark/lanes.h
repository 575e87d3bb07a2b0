/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * lanes.h - the packets of each flow, in the order of time
 *
 * A flow's lane is a plot of its own, in which a packet stands from its first row to its last, wherever that
 * was.
 */
#ifndef _RECORD_SKB_KSHARK_LANES_H
#define _RECORD_SKB_KSHARK_LANES_H

#include "pieces.h"

/**
 * struct lane_packet - a packet in its flow's lane
 * @flow: its flow's number, which is not 0
 * @number: its own
 * @back: it goes to where the flow's first packet came from
 * @first: its first event's place in the list of events
 * @last: its last event's
 */
struct lane_packet {
	uint32_t flow;
	uint32_t number;
	bool back;
	size_t first, last;
};

/**
 * struct lanes - of a stream
 * @v: flow after flow, those of one by time
 * @n: how many
 */
struct lanes {
	struct lane_packet *v;
	size_t n;
};

/* Without memory there is none. */
void lanes_sort(struct lanes *lanes, const struct resolver *resolver);
void lanes_free(struct lanes *lanes);

/* The first packet of a flow, and how many there are; NULL if there is none. */
const struct lane_packet *lanes_find(const struct lanes *lanes, uint32_t flow, size_t *n);

/* The flow's number that an event says, 0 if it is not known. */
uint32_t event_flow(const struct resolver *resolver, const struct event_place *event);

#endif /* _RECORD_SKB_KSHARK_LANES_H */
