/* SPDX-License-Identifier: GPL-2.0 */
/*
 * datagrams.h - follow UDP datagrams from the call that sends them to the call that receives them
 *
 * The datagrams of one direction of a flow are treated as a byte stream, in the order in which the datagrams
 * were first seen. Each datagram is one piece (struct byte_piece) of this stream.
 */
#ifndef _RECORD_SKB_DATAGRAMS_H
#define _RECORD_SKB_DATAGRAMS_H

#include "hash_table.h"
#include "model/byte_streams.h"

/**
 * struct datagrams - all datagrams
 * @piece: function that gets each datagram
 * @data: argument of @piece
 * @nr_streams: number of streams so far, of UDP and TCP together
 * @flows: struct datagram_flow, by number of the flow
 * @store: the packets, to find out when all skbs of a datagram have been freed; NULL for none
 * @packets: struct datagram, by number of the packet
 * @tasks: struct datagram_call, the outermost call of a task
 * @lossy: events of the recording were lost
 * @failed: an allocation has failed
 */
struct datagrams {
	piece_fn *piece;
	void *data;
	unsigned int *nr_streams;
	const struct packets *store;
	struct table flows, packets, tasks;
	bool lossy, failed;
};

void datagrams_init(struct datagrams *datagrams, piece_fn *piece, void *data,
		    unsigned int *nr_streams);
void datagrams_free(struct datagrams *datagrams);

/* Each function below handles the callback of struct observer that has the same name. */
void datagrams_packet(struct datagrams *datagrams, const struct moment *at,
		      const struct packet_seen *seen);
void datagrams_dropped(struct datagrams *datagrams, const struct packet_dropped *dropped);
void datagrams_ended(struct datagrams *datagrams, const struct moment *at,
		     const struct packet_ended *ended);
void datagrams_called(struct datagrams *datagrams, const struct moment *at,
		      const struct skb_event *event);
void datagrams_call_returned(struct datagrams *datagrams, const struct moment *at,
			     const struct skb_event *event);
/* Handle lost events: end the calls of all tasks, because they may have returned. */
void datagrams_lose(struct datagrams *datagrams);

/* Pass on the datagrams that no recorded call has read, and that were not freed. */
void datagrams_end(struct datagrams *datagrams);

#endif
