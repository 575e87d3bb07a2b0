/* SPDX-License-Identifier: GPL-2.0 */
/* stream_set.h - find the TCP streams of a recording by the addresses of their connections */
#ifndef _RECORD_SKB_STREAM_SET_H
#define _RECORD_SKB_STREAM_SET_H

#include "hash_table.h"
#include "model/stream_pieces.h"

/**
 * struct stream_set - all streams
 * @piece: function that gets the pieces of each stream
 * @data: argument of @piece
 * @first: first stream of the list of all streams
 * @last: end of the list
 * @nr: number of streams
 * @ends: struct stream_end, by a hash of the addresses
 * @failed: an allocation has failed
 */
struct stream_set {
	piece_fn *piece;
	void *data;
	struct stream *first, **last;
	unsigned int nr;
	struct table ends;
	bool failed;
};

void stream_set_init(struct stream_set *set, piece_fn *piece, void *data);
void stream_set_free(struct stream_set *set);

/**
 * stream_set_add - add a stream
 * @set: all streams
 * @flow: addresses from the sender to the receiver
 * @flow_number: number of the flow
 * @seq: a sequence number of the stream
 *
 * Return: the stream, NULL if there is not enough memory.
 */
struct stream *stream_set_add(struct stream_set *set, const struct flow *flow, uint32_t flow_number,
			      uint32_t seq);

/*
 * Return: the stream with these addresses in this network namespace; NULL if no such stream is known. The
 * stream may have ended already.
 */
struct stream *stream_set_find(const struct stream_set *set, const struct flow *flow,
			       uint32_t netns);

/*
 * Let stream_set_find() find the stream by these addresses. If the addresses belong to the stream of an
 * earlier connection, the new stream replaces it.
 */
void stream_set_connect(struct stream_set *set, const struct flow *flow, uint32_t netns,
			struct stream *stream);

/* Note that the two streams are the two directions of one connection or flow. */
void stream_join(struct stream *one, struct stream *other);

#endif
