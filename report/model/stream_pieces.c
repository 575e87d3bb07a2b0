// SPDX-License-Identifier: GPL-2.0
/*
 * stream_pieces.c - divide a TCP stream into pieces. Each piece was written by one call and read by one call
 */
#include <stdlib.h>

#include "model/stream_pieces.h"

struct stream *stream_create(const struct byte_stream *shown, uint32_t seq)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (stream)
		stream->segments = byte_segments_create();
	if (!stream || !stream->segments) {
		free(stream);
		return NULL;
	}
	stream->shown = *shown;
	stream->shown.base = FIRST_POSITION;
	stream->known_seq = seq;
	stream->known_position = FIRST_POSITION;
	return stream;
}

/* After all bytes of a stream were passed on, free the data that are not needed any more. */
static void close_stream(struct stream *stream)
{
	byte_segments_free(stream->segments);
	stream->segments = NULL;
	call_list_free(&stream->writes);
	call_list_free(&stream->reads);
	call_list_free(&stream->peeks);
	call_chain_free(&stream->chains[0]);
	call_chain_free(&stream->chains[1]);
}

void stream_free(struct stream *stream)
{
	close_stream(stream);
	free(stream);
}

static uint64_t position_of(const struct stream *stream, uint32_t seq)
{
	return stream->known_position + (int64_t)(int32_t)(seq - stream->known_seq);
}

uint64_t stream_position(struct stream *stream, uint32_t seq)
{
	const uint64_t position = position_of(stream, seq);

	if (position > stream->known_position) {
		stream->known_seq = seq;
		stream->known_position = position;
	}
	return position;
}

bool stream_may_have(const struct stream *stream, uint32_t seq, uint32_t len)
{
	const uint64_t from = position_of(stream, seq);
	const uint64_t end = byte_segments_end(stream->segments);

	if (!stream->shown.begins)
		return true;
	if (from < FIRST_POSITION)
		return false;
	return stream->lossy || from + len <= (end > stream->done ? end : stream->done);
}

void byte_piece_finish(struct byte_piece *piece)
{
	uint64_t latest = 0;

	if (piece->write)
		piece->times[BYTE_WRITTEN] = piece->write->begun;
	if (piece->read && piece->times[BYTE_IN_ORDER])
		piece->times[BYTE_CALLED] = piece->read->begun > piece->times[BYTE_IN_ORDER] ?
						    piece->read->begun :
						    piece->times[BYTE_IN_ORDER];
	if (piece->read)
		piece->times[BYTE_READ] = piece->read->ended;
	/* Do not let a time be earlier than the one before. The clocks of two CPUs may differ a little. */
	for (enum byte_time time = 0; time < BYTE_TIMES; time++) {
		if (piece->times[time] && piece->times[time] < latest)
			piece->times[time] = latest;
		if (piece->times[time])
			latest = piece->times[time];
	}
}

/*
 * Return: the position in the TCP stream after the TLS record that contains the last byte of the piece; 0 if
 * not known. The byte can only be read after the whole record has arrived.
 */
static uint64_t record_end(const struct byte_piece *piece)
{
	if (piece->write && piece->write->to == piece->to && piece->write->record_end)
		return piece->write->record_end;
	return piece->read && piece->read->to == piece->to ? piece->read->record_end : 0;
}

/*
 * Complete a piece of the data in TLS records. Return: false if the piece must not be shown, because it is a
 * control record and not data of the application.
 */
static bool describe_tls(struct stream *stream, struct byte_piece *piece)
{
	const uint64_t end = record_end(piece);

	/* The TCP stream may have been passed on and freed before. */
	piece->is_unsure = !end || !stream->parent->segments || stream->parent->lossy ||
			   byte_segments_forgot(stream->parent->segments, end - 1);
	if ((piece->write && piece->write->is_control) ||
	    (piece->read && piece->read->is_control)) {
		stream->shown.base += piece->to - piece->from;
		return false;
	}
	if (!piece->write && !piece->read)
		stream->shown.is_unsure = true;
	if (!end || !stream->parent->segments)
		return true;
	byte_segments_describe(stream->parent->segments, piece, end - 1);
	piece->again = byte_segments_again(stream->parent->segments, end - 1, end);
	byte_segments_forget(stream->parent->segments, end - 1);
	return true;
}

/*
 * Return: true if the piece of a TCP stream consists of TLS records. Such a piece is hidden, because the data
 * in the records are shown instead. If only a later part of the piece consists of records, the piece is cut
 * before them.
 */
static bool is_in_tls(const struct stream *stream, struct byte_piece *piece)
{
	if (!stream->tls || piece->write || piece->read || piece->from >= stream->tls_to)
		return false;
	if (piece->from < stream->tls_from) {
		if (piece->to > stream->tls_from)
			piece->to = stream->tls_from;
		return false;
	}
	if (piece->to > stream->tls_to)
		piece->to = stream->tls_to;
	return true;
}

/* Complete a piece of a TCP stream. */
static void describe(const struct stream *stream, struct byte_piece *piece)
{
	byte_segments_describe(stream->segments, piece, piece->to - 1);
	piece->again = byte_segments_again(stream->segments, piece->from, piece->to);
	piece->acked = byte_segments_acked(stream->segments, piece->from);
	piece->is_unsure = stream->lossy || byte_segments_forgot(stream->segments, piece->to - 1);
}

static void pass_piece(struct stream *stream, struct byte_piece *piece)
{
	if (is_in_tls(stream, piece))
		return;
	if (stream->parent && !describe_tls(stream, piece))
		return;
	if (!stream->parent)
		describe(stream, piece);
	piece->peeks = call_list_count(&stream->peeks, piece->to - 1);
	byte_piece_finish(piece);
	stream->piece(stream->data, &stream->shown, piece);
}

/*
 * Pass on the pieces up to a position. If @at_end is false, stop at bytes of a write that has not returned.
 */
static void pass_until(struct stream *stream, uint64_t until, bool at_end)
{
	struct byte_piece piece;

	if (!stream->knows_done)
		return;
	while (stream->done < until) {
		piece = (struct byte_piece){ .from = stream->done, .to = until };
		piece.write = call_list_find(&stream->writes, piece.from, &piece.to);
		piece.read = call_list_find(&stream->reads, piece.from, &piece.to);
		if (!piece.write && (stream->open_writes || stream->chains[1].n) && !at_end)
			break;
		piece.ended = at_end && !piece.read;
		pass_piece(stream, &piece);
		stream->done = piece.to;
	}
	byte_segments_forget(stream->segments, stream->done);
	call_list_forget(&stream->writes, stream->done);
	call_list_forget(&stream->reads, stream->done);
	call_list_forget(&stream->peeks, stream->done);
}

void stream_pass_until(struct stream *stream, uint64_t until)
{
	pass_until(stream, until, false);
}

void stream_pass_read(struct stream *stream)
{
	const uint64_t end = call_list_end(&stream->reads);

	if (end)
		pass_until(stream, end, false);
}

void stream_pass_sent(struct stream *stream, uint64_t position)
{
	uint64_t until = 0;

	for (size_t i = 0; i < stream->writes.n; i++) {
		const struct byte_call *write = &stream->writes.v[i];

		if (write->record_end && write->record_end <= position && write->to > until)
			until = write->to;
	}
	pass_until(stream, until, false);
}

/*
 * Report if packets carry more bytes than those of the pieces. For example, the kernel itself has written
 * them, and the receiver is not recorded.
 */
static void pass_unknown(struct stream *stream)
{
	const struct byte_piece piece = { .is_unknown = true };

	if (!stream->parent && !stream->tls &&
	    byte_segments_has_data(stream->segments, stream->done))
		stream->piece(stream->data, &stream->shown, &piece);
}

void stream_end(struct stream *stream)
{
	const uint64_t written = call_list_end(&stream->writes);
	const uint64_t read = call_list_end(&stream->reads);
	uint64_t arrived;

	if (!stream->segments)
		return;
	if (stream->tls)
		stream_end(stream->tls);
	arrived = stream->is_received ? byte_segments_arrived(stream->segments) : 0;
	if (read)
		pass_until(stream, read, true);
	if (written)
		pass_until(stream, written, true);
	/*
	 * The recording may not show the calls of a socket, for example with MPTCP. In this case, use the
	 * bytes that have arrived.
	 */
	if (arrived)
		pass_until(stream, arrived, true);
	pass_unknown(stream);
	close_stream(stream);
}
