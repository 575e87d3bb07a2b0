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
 * The position of the first known sequence number. It is large, because earlier bytes need positions, too.
 */
#define FIRST_POSITION (1ull << 33)

/**
 * struct stream - a TCP stream
 * @shown: description of the stream for users
 * @segments: packets of the stream; NULL after the stream has ended
 * @known_seq: a sequence number with a known position; sequence numbers within 2 GB of it can be converted
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
 * @unsure_writes: number of these calls that may have returned, because events were lost
 * @knows_done: @done is valid
 * @done: the pieces before this position were passed on
 * @tls: the data in the TLS records of this stream, NULL if the kernel does not encrypt it
 * @tls_from: position of the first TLS record, if @tls
 * @tls_to: position after the last TLS record with a known call, if @tls
 * @tls_unknown: a call of a reader ([0]) or writer ([1]) of a socket with kernel TLS had an unknown position
 *	when it began, and @tls did not exist yet
 * @parent: for the data in TLS records, the TCP stream of the records, otherwise NULL
 * @tls_records: for the data in TLS records, the last known numbers of the records that the reader ([0]) and
 *	the writer ([1]) had handled
 * @has_new_key: the numbers of the records have begun again, so later positions are not known
 * @chains: for the data in TLS records, calls of the reader ([0]) and the writer ([1]) without positions
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

/* Fill in the times of the calls of a piece. The times of its packet must be set already. */
void byte_piece_finish(struct byte_piece *piece);

/* Return: a new stream; @seq is a sequence number of it. NULL if there is not enough memory. */
struct stream *stream_create(const struct byte_stream *shown, uint32_t seq);
void stream_free(struct stream *stream);

/* Return: the position of the byte with this sequence number. */
uint64_t stream_position(struct stream *stream, uint32_t seq);

/*
 * Return: false if bytes cannot belong to the stream, because they are before its first byte or after the
 * last byte of its packets. Such bytes occur if a task still reads from the socket of an earlier connection
 * with the same addresses and ports.
 */
bool stream_may_have(const struct stream *stream, uint32_t seq, uint32_t len);

/*
 * Pass on the pieces up to a position. Stop at bytes of a write that has not returned, because its length
 * is not known yet.
 */
void stream_pass_until(struct stream *stream, uint64_t until);

/* Pass on the pieces that have been read. */
void stream_pass_read(struct stream *stream);

/*
 * For the data in TLS records: pass on the pieces of the records before this position in the TCP stream,
 * although no recorded call may have read them.
 */
void stream_pass_sent(struct stream *stream, uint64_t position);

/* Pass on all other pieces, because the connection or the recording has ended. */
void stream_end(struct stream *stream);

#endif
