// SPDX-License-Identifier: GPL-2.0
/*
 * byte_streams.c - follow the bytes of TCP streams, and UDP datagrams, from the call that writes them
 * to the call that reads them
 */
#include <stdlib.h>

#include "input/lost_events.h"
#include "model/byte_segments.h"
#include "model/datagrams.h"
#include "model/packet_headers.h"
#include "model/stream_calls.h"

/* Maximum number of packets without data that are kept for each stream, to find its receiver. */
#define MAX_EMPTY 16

struct byte_streams {
	struct stream_set set;
	struct stream_calls calls;
	struct datagrams datagrams;
	struct table segments; /* table of struct segment_of, by packet and copy */
	struct lost_events losses;
};

/* An skb and its stream. */
struct segment_of {
	struct segment_seen seen;
	struct stream *stream;
};

const char *byte_part_name(enum byte_time until)
{
	static const char *const names[BYTE_TIMES] = {
		[BYTE_WRITTEN] = "",
		[BYTE_SENT] = "sending socket",
		[BYTE_RESENT] = "retransmission",
		[BYTE_QUEUED] = "stack out",
		[BYTE_DRIVEN] = "device queue",
		[BYTE_RECEIVED] = "transit",
		[BYTE_ARRIVED] = "stack in",
		[BYTE_IN_ORDER] = "out of order",
		[BYTE_CALLED] = "receive queue",
		[BYTE_READ] = "reader",
	};

	return names[until];
}

static bool is_forgotten(const void *thing)
{
	return ((const struct segment_of *)thing)->seen.forgotten;
}

struct byte_streams *byte_streams_create(piece_fn *piece, void *data)
{
	struct byte_streams *streams = calloc(1, sizeof(*streams));

	if (!streams)
		return NULL;
	stream_set_init(&streams->set, piece, data);
	stream_calls_init(&streams->calls, &streams->set);
	datagrams_init(&streams->datagrams, piece, data, &streams->set.nr);
	streams->segments.idle = is_forgotten;
	return streams;
}

void byte_streams_set_packets(struct byte_streams *streams, const struct packets *packets)
{
	streams->datagrams.store = packets;
}

void byte_streams_free(struct byte_streams *streams)
{
	if (!streams)
		return;
	stream_set_free(&streams->set);
	stream_calls_free(&streams->calls);
	datagrams_free(&streams->datagrams);
	table_free(&streams->segments);
	lost_events_free(&streams->losses);
	free(streams);
}

const struct lost_events *byte_streams_losses(const struct byte_streams *streams)
{
	return &streams->losses;
}

bool byte_streams_failed(const struct byte_streams *streams)
{
	return streams->set.failed || streams->datagrams.failed;
}

void byte_streams_end(struct byte_streams *streams)
{
	struct stream *stream;

	for (stream = streams->set.first; stream; stream = stream->next)
		stream_end(stream);
	datagrams_end(&streams->datagrams);
}

/* Packets */

static struct table_key segment_key(uint32_t packet, uint32_t copy)
{
	return (struct table_key){ .number = (uint64_t)packet << 32 | copy };
}

static struct segment_of *find_segment(const struct byte_streams *streams, uint32_t packet,
				       uint32_t copy)
{
	struct segment_of *segment = table_find(&streams->segments, segment_key(packet, copy));

	return segment && !segment->seen.forgotten && segment->stream->segments ? segment : NULL;
}

/* End a stream, because another connection between the same addresses begins. */
static void end_connection(struct byte_streams *streams, struct stream *stream,
			   const struct packet_seen *seen)
{
	const struct flow back = flow_reversed(&seen->event->flow);
	struct stream *peer = stream_set_find(&streams->set, &back, seen->facts.netns);

	stream_end(stream);
	/*
	 * A SYN without ACK is the first packet of a connection. So the stream in the other direction belongs
	 * to the earlier connection: end it, too.
	 */
	if (peer && !(seen->facts.tcp_flags & TCP_ACK))
		stream_end(peer);
}

/* Begin a stream at a SYN, unless the SYN is a retransmission. */
static struct stream *begin_stream(struct byte_streams *streams, const struct packet_seen *seen)
{
	const struct skb_event *event = seen->event;
	struct stream *stream = stream_set_find(&streams->set, &event->flow, seen->facts.netns);

	if (stream && stream->shown.begins && stream->first_seq == seen->facts.seq)
		return stream;
	if (stream)
		end_connection(streams, stream, seen);
	stream = stream_set_add(&streams->set, &event->flow, event->flow_number,
				seen->facts.seq + 1);
	if (!stream)
		return NULL;
	stream->shown.begins = true;
	stream->shown.is_client = !(seen->facts.tcp_flags & TCP_ACK);
	stream->first_seq = seen->facts.seq;
	stream->knows_done = true;
	stream->done = FIRST_POSITION;
	byte_segments_set_next(stream->segments, FIRST_POSITION);
	stream_set_connect(&streams->set, &event->flow, seen->facts.netns, stream);
	return stream;
}

/* Return: the stream of a packet that was not seen before. */
static struct stream *stream_of(struct byte_streams *streams, const struct packet_seen *seen)
{
	const struct skb_event *event = seen->event;
	struct segment_of *original = find_segment(streams, event->pkt, 0);
	struct stream *stream;

	if (original)
		return original->stream;
	stream = stream_set_find(&streams->set, &event->flow, seen->facts.netns);
	if (stream && stream->segments)
		return stream;
	stream = stream_set_add(&streams->set, &event->flow, event->flow_number, seen->facts.seq);
	if (stream)
		stream_set_connect(&streams->set, &event->flow, seen->facts.netns, stream);
	return stream;
}

/* Return: the position in the other direction that the packet acknowledges; 0 if it is not known. */
static uint64_t acked_position(const struct byte_streams *streams, const struct packet_seen *seen)
{
	const struct flow back = flow_reversed(&seen->event->flow);
	struct stream *peer = stream_set_find(&streams->set, &back, seen->facts.netns);

	if (!peer || !peer->segments || !(seen->facts.tcp_flags & TCP_ACK))
		return 0;
	return stream_position(peer, seen->facts.ack);
}

static struct segment_of *add_segment(struct byte_streams *streams, const struct packet_seen *seen,
				      uint32_t payload)
{
	const struct skb_event *event = seen->event;
	const bool syn = seen->facts.tcp_flags & TCP_SYN;
	struct stream *stream = syn ? begin_stream(streams, seen) : stream_of(streams, seen);
	struct segment_of *segment;
	uint64_t from;

	if (!stream || !stream->segments)
		return NULL;
	from = stream_position(stream, seen->facts.seq + syn);
	if (seen->facts.tcp_flags & TCP_FIN)
		stream->fin = from + payload;
	segment = table_find(&streams->segments, segment_key(event->pkt, event->copy));
	if (!segment)
		segment = table_add(&streams->segments, segment_key(event->pkt, event->copy),
				    calloc(1, sizeof(*segment)));
	if (!segment) {
		streams->set.failed = true;
		return NULL;
	}
	*segment = (struct segment_of){
		.seen = {
			.from = from,
			.to = from + payload,
			.packet = event->pkt,
			.copy = event->copy,
			.acked = payload ? acked_position(streams, seen) : 0,
		},
		.stream = stream,
	};
	/* Store packets without data, too. Later events of such a packet can then find the stream. */
	if (!byte_segments_add(stream->segments, &segment->seen)) {
		streams->set.failed = true;
		segment->seen.forgotten = true;
		return NULL;
	}
	stream->nr_empty += !payload && !(seen->facts.tcp_flags & (TCP_SYN | TCP_FIN));
	return segment;
}

/*
 * Handle an acknowledgement that reaches the sender of a stream. If the recording does not contain the
 * receiver, the acknowledged bytes are complete: no more events about them will come.
 */
static void note_ack(struct byte_streams *streams, const struct packet_seen *seen)
{
	const struct flow flow = flow_reversed(&seen->event->flow);
	struct stream *stream = stream_set_find(&streams->set, &flow, seen->facts.netns);
	uint64_t acked, written;

	if (!stream || !stream->segments || stream->is_received ||
	    !(seen->facts.tcp_flags & TCP_ACK))
		return;
	acked = stream_position(stream, seen->facts.ack);
	written = call_list_end(&stream->writes);
	stream_pass_until(stream, acked < written ? acked : written);
	if (stream->tls && stream->tls->segments)
		stream_pass_sent(stream->tls, acked);
}

static bool is_at_receiver(const struct packet_seen *seen)
{
	return seen->event->dir == RECORD_SKB_DIR_RX && seen->point->facts &&
	       seen->point->facts->role == ROLE_HANDLES_TCP;
}

/*
 * Return: true if a sent packet must be stored even if it has no data. Such a packet can show which socket is
 * the receiver, until a packet of the stream has reached this socket. If the receiver is not recorded, a long
 * download has many such packets. So at most MAX_EMPTY packets are stored.
 */
static bool lacks_receiver(const struct byte_streams *streams, const struct packet_seen *seen)
{
	const struct stream *stream;

	if (seen->event->dir != RECORD_SKB_DIR_TX || seen->facts.seen_before ||
	    seen->facts.tcp_flags & TCP_RST)
		return false;
	stream = stream_set_find(&streams->set, &seen->event->flow, seen->facts.netns);
	return !stream ||
	       (stream->segments && !stream->is_received && stream->nr_empty < MAX_EMPTY);
}

static void streams_handle_packet(void *data, const struct moment *at,
				  const struct packet_seen *seen)
{
	const struct skb_event *event = seen->event;
	struct byte_streams *streams = data;
	struct segment_of *segment;
	int32_t headers;
	uint32_t payload;
	uint64_t from;

	datagrams_packet(&streams->datagrams, at, seen);
	if (event->flow.proto != PROTO_TCP || event->copy == RECORD_SKB_COPY_UNKNOWN)
		return;
	headers = headers_len(&event->flow, seen->facts.data, seen->facts.data_len);
	if (headers < 0 || packet_len(seen) < (uint32_t)headers)
		return;
	if (is_at_receiver(seen))
		note_ack(streams, seen);
	payload = packet_len(seen) - headers;
	segment = find_segment(streams, event->pkt, event->copy);
	if (!segment && (payload || seen->facts.tcp_flags & (TCP_SYN | TCP_FIN) ||
			 lacks_receiver(streams, seen)))
		segment = add_segment(streams, seen, payload);
	if (!segment)
		return;
	segment_note_stage(&segment->seen, stage_of(seen->point, event->dir), at->ts);
	if (!is_at_receiver(seen))
		return;
	if (!stream_set_find(&streams->set, &event->flow, seen->facts.netns))
		stream_set_connect(&streams->set, &event->flow, seen->facts.netns, segment->stream);
	segment->stream->is_received = true;
	if (segment->seen.arrived)
		return;
	from = stream_position(segment->stream,
			       seen->facts.seq + !!(seen->facts.tcp_flags & TCP_SYN));
	streams->set.failed |= !byte_segments_arrive(segment->stream->segments, &segment->seen,
						     from, from + payload, at->ts);
}

static void streams_handle_drop(void *data, const struct moment *at,
				const struct packet_dropped *dropped)
{
	struct byte_streams *streams = data;
	struct segment_of *segment =
		find_segment(streams, dropped->event->pkt, dropped->event->copy);

	(void)at;
	datagrams_dropped(&streams->datagrams, dropped);
	if (segment && segment->seen.arrived)
		byte_segments_drop(segment->stream->segments, &segment->seen);
}

static void streams_handle_end(void *data, const struct moment *at,
			       const struct packet_ended *ended)
{
	datagrams_ended(&((struct byte_streams *)data)->datagrams, at, ended);
}

/* Calls */

static void streams_handle_called(void *data, const struct moment *at,
				  const struct skb_event *event)
{
	struct byte_streams *streams = data;

	stream_calls_called(&streams->calls, at, event);
	datagrams_called(&streams->datagrams, at, event);
}

static void streams_handle_call_returned(void *data, const struct moment *at,
					 const struct skb_event *event)
{
	struct byte_streams *streams = data;

	stream_calls_call_returned(&streams->calls, at, event);
	datagrams_call_returned(&streams->datagrams, at, event);
}

static void streams_handle_stream_called(void *data, const struct moment *at,
					 const struct skb_event *event)
{
	stream_calls_stream_called(&((struct byte_streams *)data)->calls, at, event);
}

static void streams_handle_stream_returned(void *data, const struct moment *at,
					   const struct skb_event *event)
{
	stream_calls_stream_returned(&((struct byte_streams *)data)->calls, at, event);
}

/* Handle lost events: forget everything that the lost events may have changed. */
static void streams_handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	const struct loss loss = { .cpu = at->cpu, .from = from, .to = at->ts, .count = count };
	struct byte_streams *streams = data;
	struct stream *stream;

	streams->set.failed |= lost_events_add(&streams->losses, &loss) != 0;
	stream_calls_lose(&streams->calls);
	datagrams_lose(&streams->datagrams);
	for (stream = streams->set.first; stream; stream = stream->next) {
		stream->lossy = true;
		if (stream->segments)
			byte_segments_lose(stream->segments);
	}
}

const struct observer byte_streams_observer = {
	.packet = streams_handle_packet,
	.dropped = streams_handle_drop,
	.ended = streams_handle_end,
	.called = streams_handle_called,
	.stream_called = streams_handle_stream_called,
	.stream_returned = streams_handle_stream_returned,
	.call_returned = streams_handle_call_returned,
	.lost = streams_handle_loss,
};
