/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stream_pieces.h - divide a TCP stream into pieces. Each piece was written by one call and read by one call
 */
#ifndef _RECORD_SKB_STREAM_PIECES_H
#define _RECORD_SKB_STREAM_PIECES_H

#include "model/byte_segments.h"
#include "model/call_chain.h"
#include "model/call_list.h"

/*
 * The position of the first known sequence number. This position is large, because bytes before it need
 * positions, too.
 */
#define FIRST_POSITION (1ull << 33)

/**
 * struct stream - a TCP stream
 * @shown: description of the stream for users
 * @segments: packets of the stream; NULL after the stream has ended
 * @known_seq: a sequence number with a known position, which is used to convert sequence numbers within 2 GB
 *	of it
 * @known_position: position of @known_seq
 * @first_seq: sequence number of the SYN, if @shown.begins
 * @fin: position of the FIN, 0 if not seen
 * @lossy: events were lost, so packets of the stream may be missing
 * @is_received: the recording contains the receiver of the stream
 * @nr_empty: number of packets without data, SYN and FIN that were added to @segments
 * @writes: calls that wrote bytes
 * @reads: calls that read bytes
 * @peeks: calls that got bytes without taking them out of the socket
 * @open_writes: number of writing calls that have not returned
 * @unsure_writes: number of writing calls in @open_writes that may have returned, because events were lost
 * @knows_done: @done is valid
 * @done: the pieces before this position were passed on
 * @tls: the stream of the data in the TLS records of this stream; NULL if the kernel does not encrypt this
 *	stream
 * @tls_from: position of the first TLS record; valid if @tls is set
 * @tls_to: position after the last TLS record with a known call; valid if @tls is set
 * @tls_unknown: a call that reads ([0]) or writes ([1]) with kernel TLS had begun at an unknown position
 *	before @tls existed
 * @parent: for the data in TLS records: the TCP stream of these records; otherwise NULL
 * @tls_records: for the data in TLS records: the last known record number of the reader ([0]) and of the
 *	writer ([1])
 * @has_new_key: the key was changed, so the record numbers have begun again, and later positions are not
 *	known
 * @chains: for the data in TLS records: calls of the reader ([0]) and of the writer ([1]) with bytes at
 *	unknown positions
 * @piece: function that gets the pieces
 * @data: argument of @piece
 * @next: next stream
 */
struct stream {
	struct byte_stream shown;
	struct byte_segments *segments;
	uint32_t known_seq;
	uint64_t known_position;
	uint32_t first_seq;
	uint64_t fin;
	bool lossy;
	bool is_received;
	unsigned int nr_empty;
	struct call_list writes, reads, peeks;
	unsigned int open_writes, unsure_writes;
	bool knows_done;
	uint64_t done;
	struct stream *tls, *parent;
	uint64_t tls_from, tls_to;
	bool tls_unknown[2];
	uint32_t tls_records[2];
	bool has_new_key;
	struct call_chain chains[2];
	piece_fn *piece;
	void *data;
	struct stream *next;
};

/*
 * Set the times of a piece that depend on its calls. The times that depend on its packet must be set already.
 */
void byte_piece_finish(struct byte_piece *piece);

/* Return: a new stream; NULL if there is not enough memory. @seq is any sequence number of the stream. */
struct stream *stream_create(const struct byte_stream *shown, uint32_t seq);
void stream_free(struct stream *stream);

/* Return: the position of the byte with this sequence number. */
uint64_t stream_position(struct stream *stream, uint32_t seq);

/*
 * Return: false if the bytes cannot belong to the stream, because they are before its first byte or after the
 * last byte of its packets. This happens if a task still reads from the socket of an earlier connection with
 * the same addresses and ports.
 */
bool stream_may_have(const struct stream *stream, uint32_t seq, uint32_t len);

/*
 * Pass on the pieces up to a position. Stop at a write that has not returned, because its length is not known
 * yet.
 */
void stream_pass_until(struct stream *stream, uint64_t until);

/* Pass on the pieces that have been read. */
void stream_pass_read(struct stream *stream);

/*
 * For the data in TLS records: pass on the pieces of all records that end at or before @position in the TCP
 * stream. The recording may have no calls that read these pieces.
 */
void stream_pass_sent(struct stream *stream, uint64_t position);

/* Pass on all remaining pieces, because the connection or the recording has ended. */
void stream_end(struct stream *stream);

#endif
