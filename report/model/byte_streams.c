// SPDX-License-Identifier: GPL-2.0
/*
 * byte_streams.c - follow the bytes of TCP streams from the call that writes them to the call that
 * reads them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/byte_segments.h"
#include "model/packet_headers.h"

/* Positions start here, so that bytes before the first known one have positions, too. */
#define FIRST_POSITION (1ull << 33)

/* A list of calls, sorted by position. */
struct call_list {
	struct byte_call *v;
	size_t n, max;
};

struct stream {
	struct byte_stream shown;
	struct byte_segments *segments;
	/* A sequence number and its position. Sequence numbers within 2 GB of it can be converted. */
	uint32_t known_seq;
	uint64_t known_position;
	uint32_t first_seq; /* sequence number of the SYN, if the stream begins */
	uint64_t fin;	    /* position of the FIN, 0 if not seen */
	bool is_received;   /* the recording contains the receiver of the stream */
	struct call_list writes, reads, peeks;
	unsigned int open_writes; /* calls that have not returned */
	bool knows_done;
	uint64_t done; /* the pieces before this position were passed on, if @knows_done */
	struct stream *next;
};

/* An end of a connection, as its network namespace sees the addresses. */
struct end {
	struct flow flow; /* from the sender to the receiver */
	uint32_t netns;
	struct stream *stream;
};

/* A call that has not returned. */
struct open_call {
	bool is_open, writes;
	uint64_t begun, outer;
	struct skb_event event;
	struct stream *stream; /* the stream that is written, NULL if not known */
};

/* The outermost call of a task. */
struct task_call {
	bool is_open;
	uint64_t begun, func;
};

struct byte_streams {
	piece_fn *piece;
	void *data;
	struct stream *first, **last;
	unsigned int nr;
	struct table ends;     /* struct end; the key is a hash of the addresses */
	struct table segments; /* struct segment_of; the key is the packet and the copy */
	struct table calls;    /* struct open_call; the key is the number of the call */
	struct table tasks;    /* struct task_call */
	bool failed;
};

/* The skbs of a stream by packet number. */
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

static bool has_returned(const void *thing)
{
	return !((const struct open_call *)thing)->is_open;
}

static bool is_in_no_call(const void *thing)
{
	return !((const struct task_call *)thing)->is_open;
}

struct byte_streams *byte_streams_create(piece_fn *piece, void *data)
{
	struct byte_streams *streams = calloc(1, sizeof(*streams));

	if (!streams)
		return NULL;
	streams->piece = piece;
	streams->data = data;
	streams->last = &streams->first;
	streams->segments.idle = is_forgotten;
	streams->calls.idle = has_returned;
	streams->tasks.idle = is_in_no_call;
	return streams;
}

/* Free what a stream needs only until all of its bytes were passed on. */
static void close_stream(struct stream *stream)
{
	byte_segments_free(stream->segments);
	stream->segments = NULL;
	free(stream->writes.v);
	free(stream->reads.v);
	free(stream->peeks.v);
	stream->writes = stream->reads = stream->peeks = (struct call_list){ 0 };
}

void byte_streams_free(struct byte_streams *streams)
{
	struct stream *stream, *next;

	if (!streams)
		return;
	for (stream = streams->first; stream; stream = next) {
		next = stream->next;
		close_stream(stream);
		free(stream);
	}
	table_free(&streams->ends);
	table_free(&streams->segments);
	table_free(&streams->calls);
	table_free(&streams->tasks);
	free(streams);
}

bool byte_streams_failed(const struct byte_streams *streams)
{
	return streams->failed;
}

/* Positions */

static uint64_t position_of(struct stream *stream, uint32_t seq)
{
	const int32_t ahead = (int32_t)(seq - stream->known_seq);
	const uint64_t position = stream->known_position + (int64_t)ahead;

	if (ahead > 0) {
		stream->known_seq = seq;
		stream->known_position = position;
	}
	return position;
}

/* Lists of calls */

static bool list_insert(struct call_list *list, const struct byte_call *call)
{
	const size_t max = list->max ? list->max * 2 : 4;
	size_t at = list->n;
	struct byte_call *v;

	if (list->n == list->max) {
		v = realloc(list->v, max * sizeof(*v));
		if (!v)
			return false;
		list->v = v;
		list->max = max;
	}
	while (at && list->v[at - 1].from > call->from)
		at--;
	memmove(&list->v[at + 1], &list->v[at], (list->n - at) * sizeof(*list->v));
	list->v[at] = *call;
	list->n++;
	return true;
}

static void list_forget(struct call_list *list, uint64_t position)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].to > position)
			list->v[kept++] = list->v[i];
	}
	list->n = kept;
}

/*
 * Find the call with the byte at @position. Set @end to the position where the answer changes: the end of
 * the call, or the beginning of the next one.
 */
static const struct byte_call *list_find(const struct call_list *list, uint64_t position,
					 uint64_t *end)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct byte_call *call = &list->v[i];

		if (call->to <= position)
			continue;
		if (call->from > position) {
			if (call->from < *end)
				*end = call->from;
			return NULL;
		}
		if (call->to < *end)
			*end = call->to;
		return call;
	}
	return NULL;
}

/* Pieces */

static unsigned int count_peeks(const struct stream *stream, uint64_t position)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < stream->peeks.n; i++)
		nr += stream->peeks.v[i].from <= position && position < stream->peeks.v[i].to;
	return nr;
}

static void pass_piece(struct byte_streams *streams, struct stream *stream,
		       struct byte_piece *piece)
{
	uint64_t latest = 0;

	byte_segments_describe(stream->segments, piece);
	piece->peeks = count_peeks(stream, piece->to - 1);
	if (piece->write)
		piece->times[BYTE_WRITTEN] = piece->write->begun;
	if (piece->read && piece->times[BYTE_IN_ORDER])
		piece->times[BYTE_CALLED] = piece->read->begun > piece->times[BYTE_IN_ORDER] ?
						    piece->read->begun :
						    piece->times[BYTE_IN_ORDER];
	if (piece->read)
		piece->times[BYTE_READ] = piece->read->ended;
	/* The clocks of two CPUs may differ a little. */
	for (enum byte_time time = 0; time < BYTE_TIMES; time++) {
		if (piece->times[time] && piece->times[time] < latest)
			piece->times[time] = latest;
		if (piece->times[time])
			latest = piece->times[time];
	}
	streams->piece(streams->data, &stream->shown, piece);
}

/*
 * Pass on the pieces up to a position. Stop at bytes of a write that has not returned, because its length
 * is not known yet.
 */
static void pass_until(struct byte_streams *streams, struct stream *stream, uint64_t until,
		       bool at_end)
{
	struct byte_piece piece;

	if (!stream->knows_done)
		return;
	while (stream->done < until) {
		piece = (struct byte_piece){ .from = stream->done, .to = until };
		piece.write = list_find(&stream->writes, piece.from, &piece.to);
		piece.read = list_find(&stream->reads, piece.from, &piece.to);
		if (!piece.write && stream->open_writes && !at_end)
			break;
		piece.ended = at_end && !piece.read;
		pass_piece(streams, stream, &piece);
		stream->done = piece.to;
	}
	byte_segments_forget(stream->segments, stream->done);
	list_forget(&stream->writes, stream->done);
	list_forget(&stream->reads, stream->done);
	list_forget(&stream->peeks, stream->done);
}

static uint64_t list_end(const struct call_list *list)
{
	uint64_t end = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].to > end)
			end = list->v[i].to;
	}
	return end;
}

static void pass_read(struct byte_streams *streams, struct stream *stream)
{
	const uint64_t end = list_end(&stream->reads);

	if (end)
		pass_until(streams, stream, end, false);
}

/* The connection or the recording has ended. */
static void end_stream(struct byte_streams *streams, struct stream *stream)
{
	const uint64_t written = list_end(&stream->writes), read = list_end(&stream->reads);

	if (!stream->segments)
		return;
	if (read)
		pass_until(streams, stream, read, true);
	if (written)
		pass_until(streams, stream, written, true);
	close_stream(stream);
}

void byte_streams_end(struct byte_streams *streams)
{
	struct stream *stream;

	for (stream = streams->first; stream; stream = stream->next)
		end_stream(streams, stream);
}

/* Streams */

static bool same_ends(const struct flow *one, const struct flow *two)
{
	return one->family == two->family && one->sport == two->sport && one->dport == two->dport &&
	       !memcmp(one->saddr, two->saddr, sizeof(one->saddr)) &&
	       !memcmp(one->daddr, two->daddr, sizeof(one->daddr));
}

static struct flow reversed(const struct flow *flow)
{
	struct flow back = *flow;

	back.sport = flow->dport;
	back.dport = flow->sport;
	memcpy(back.saddr, flow->daddr, sizeof(back.saddr));
	memcpy(back.daddr, flow->saddr, sizeof(back.daddr));
	return back;
}

static struct table_key end_key(const struct flow *flow, uint32_t netns)
{
	uint64_t hash = 14695981039346656037u ^ netns;

	hash = (hash ^ ((uint64_t)flow->sport << 16 | flow->dport)) * 1099511628211u;
	for (unsigned int i = 0; i < sizeof(flow->saddr); i++) {
		hash = (hash ^ flow->saddr[i]) * 1099511628211u;
		hash = (hash ^ flow->daddr[i]) * 1099511628211u;
	}
	return (struct table_key){ .number = hash };
}

static struct end *find_end(const struct byte_streams *streams, const struct flow *flow,
			    uint32_t netns)
{
	struct end *end = netns ? table_find(&streams->ends, end_key(flow, netns)) : NULL;

	return end && end->netns == netns && same_ends(&end->flow, flow) ? end : NULL;
}

/* Connect an end with a stream. An end of an earlier connection is replaced. */
static void set_end(struct byte_streams *streams, const struct flow *flow, uint32_t netns,
		    struct stream *stream)
{
	const struct table_key key = end_key(flow, netns);
	const struct flow back = reversed(flow);
	struct end *end = table_find(&streams->ends, key), *peer = find_end(streams, &back, netns);

	if (!netns)
		return;
	if (peer) {
		stream->shown.peer = peer->stream->shown.number;
		peer->stream->shown.peer = stream->shown.number;
	}
	if (!end)
		end = table_add(&streams->ends, key, calloc(1, sizeof(*end)));
	if (end)
		*end = (struct end){ .flow = *flow, .netns = netns, .stream = stream };
	else
		streams->failed = true;
}

static struct stream *new_stream(struct byte_streams *streams, const struct flow *flow,
				 uint32_t flow_number, uint32_t seq)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (stream)
		stream->segments = byte_segments_create();
	if (!stream || !stream->segments) {
		free(stream);
		streams->failed = true;
		return NULL;
	}
	stream->shown = (struct byte_stream){
		.number = ++streams->nr,
		.flow_number = flow_number,
		.flow = *flow,
		.base = FIRST_POSITION,
	};
	stream->known_seq = seq;
	stream->known_position = FIRST_POSITION;
	*streams->last = stream;
	streams->last = &stream->next;
	return stream;
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

/* A SYN begins a stream, unless it is a retransmission. */
static struct stream *begin_stream(struct byte_streams *streams, const struct packet_seen *seen)
{
	const struct skb_event *event = seen->event;
	struct end *end = find_end(streams, &event->flow, seen->facts.netns);
	struct stream *stream = end ? end->stream : NULL;

	if (stream && stream->shown.begins && stream->first_seq == seen->facts.seq)
		return stream;
	if (stream)
		end_stream(streams, stream);
	stream = new_stream(streams, &event->flow, event->flow_number, seen->facts.seq + 1);
	if (!stream)
		return NULL;
	stream->shown.begins = true;
	stream->shown.is_client = !(seen->facts.tcp_flags & TCP_ACK);
	stream->first_seq = seen->facts.seq;
	stream->knows_done = true;
	stream->done = FIRST_POSITION;
	byte_segments_set_next(stream->segments, FIRST_POSITION);
	set_end(streams, &event->flow, seen->facts.netns, stream);
	return stream;
}

/* Return: the stream of a packet that is seen for the first time. */
static struct stream *stream_of(struct byte_streams *streams, const struct packet_seen *seen)
{
	const struct skb_event *event = seen->event;
	struct segment_of *original = find_segment(streams, event->pkt, 0);
	struct end *end;
	struct stream *stream;

	if (original)
		return original->stream;
	end = find_end(streams, &event->flow, seen->facts.netns);
	if (end && end->stream->segments)
		return end->stream;
	stream = new_stream(streams, &event->flow, event->flow_number, seen->facts.seq);
	if (stream)
		set_end(streams, &event->flow, seen->facts.netns, stream);
	return stream;
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
	from = position_of(stream, seen->facts.seq + syn);
	if (seen->facts.tcp_flags & TCP_FIN)
		stream->fin = from + payload;
	segment = table_find(&streams->segments, segment_key(event->pkt, event->copy));
	if (!segment)
		segment = table_add(&streams->segments, segment_key(event->pkt, event->copy),
				    calloc(1, sizeof(*segment)));
	if (!segment) {
		streams->failed = true;
		return NULL;
	}
	*segment = (struct segment_of){
		.seen = {
			.from = from,
			.to = from + payload,
			.packet = event->pkt,
			.copy = event->copy,
		},
		.stream = stream,
	};
	/* A segment without data only connects the packet with its stream. */
	if (!byte_segments_add(stream->segments, &segment->seen)) {
		streams->failed = true;
		segment->seen.forgotten = true;
		return NULL;
	}
	return segment;
}

static void set_time(struct segment_seen *segment, enum byte_time time, uint64_t ts)
{
	if (!segment->times[time])
		segment->times[time] = ts;
}

static void note_stage(struct segment_seen *segment, enum stage stage, uint64_t ts)
{
	const bool was_receiving = segment->receiving;

	segment->receiving = stage == STAGE_RECEIVE || stage == STAGE_PROTOCOL;
	switch (stage) {
	case STAGE_OUTPUT:
		set_time(segment, BYTE_SENT, ts);
		break;
	case STAGE_QDISC:
		set_time(segment, BYTE_SENT, ts);
		set_time(segment, BYTE_QUEUED, ts);
		break;
	case STAGE_DRIVER:
		set_time(segment, BYTE_DRIVEN, ts);
		break;
	case STAGE_RECEIVE:
	case STAGE_PROTOCOL:
		/* On a forwarded packet, only the last device belongs to the receiver. */
		if (!was_receiving)
			segment->times[BYTE_RECEIVED] = ts;
		break;
	default:
		break;
	}
}

/*
 * The sender of a stream gets an acknowledgement. If the recording does not contain the receiver, the
 * acknowledged bytes are complete.
 */
static void note_ack(struct byte_streams *streams, const struct packet_seen *seen)
{
	const struct flow flow = reversed(&seen->event->flow);
	struct end *end = find_end(streams, &flow, seen->facts.netns);
	struct stream *stream = end ? end->stream : NULL;
	uint64_t acked, written;

	if (!stream || !stream->segments || stream->is_received ||
	    !(seen->facts.tcp_flags & TCP_ACK))
		return;
	acked = position_of(stream, seen->facts.ack);
	written = list_end(&stream->writes);
	pass_until(streams, stream, acked < written ? acked : written, false);
}

static bool is_at_receiver(const struct packet_seen *seen)
{
	return seen->event->dir == RECORD_SKB_DIR_RX && seen->point->facts &&
	       seen->point->facts->role == ROLE_HANDLES_TCP;
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

	if (event->flow.proto != PROTO_TCP || event->copy == RECORD_SKB_COPY_UNKNOWN)
		return;
	headers = headers_len(&event->flow, seen->facts.data, seen->facts.data_len);
	if (headers < 0 || packet_len(seen) < (uint32_t)headers)
		return;
	if (is_at_receiver(seen))
		note_ack(streams, seen);
	payload = packet_len(seen) - headers;
	segment = find_segment(streams, event->pkt, event->copy);
	if (!segment && (payload || seen->facts.tcp_flags & (TCP_SYN | TCP_FIN)))
		segment = add_segment(streams, seen, payload);
	if (!segment)
		return;
	note_stage(&segment->seen, stage_of(seen->point, event->dir), at->ts);
	if (!is_at_receiver(seen))
		return;
	if (!find_end(streams, &event->flow, seen->facts.netns))
		set_end(streams, &event->flow, seen->facts.netns, segment->stream);
	segment->stream->is_received = true;
	if (segment->seen.arrived)
		return;
	from = position_of(segment->stream, seen->facts.seq + !!(seen->facts.tcp_flags & TCP_SYN));
	streams->failed |= !byte_segments_arrive(segment->stream->segments, &segment->seen, from,
						 from + payload, at->ts);
}

static void streams_handle_drop(void *data, const struct moment *at,
				const struct packet_dropped *dropped)
{
	struct segment_of *segment = find_segment(data, dropped->event->pkt, dropped->event->copy);

	(void)at;
	if (segment && segment->seen.arrived)
		byte_segments_drop(segment->stream->segments, &segment->seen);
}

/* Calls */

static void streams_handle_task_call(void *data, const struct moment *at,
				     const struct skb_event *event)
{
	const struct table_key key = table_task_key(at->pid, at->cpu, NULL);
	struct byte_streams *streams = data;
	struct task_call *call;

	if (at->softirq)
		return;
	call = table_find(&streams->tasks, key);
	if (!call)
		call = table_add(&streams->tasks, key, calloc(1, sizeof(*call)));
	if (call)
		*call = (struct task_call){ .is_open = true, .begun = at->ts, .func = event->func };
	else
		streams->failed = true;
}

static struct stream *stream_of_call(struct byte_streams *streams, const struct skb_event *event,
				     bool writes, bool add)
{
	const struct flow flow = writes ? event->flow : reversed(&event->flow);
	struct end *end = find_end(streams, &flow, event->netns);
	const uint32_t seq = writes ? event->write_seq : event->copied_seq;
	struct stream *stream;

	if (end && end->stream->segments)
		return end->stream;
	if (!add || !flow.sport || !flow.dport)
		return NULL;
	stream = new_stream(streams, &flow, event->flow_number, seq);
	if (stream)
		set_end(streams, &flow, event->netns, stream);
	return stream;
}

static void streams_handle_call(void *data, const struct moment *at, const struct skb_event *event)
{
	const struct table_key key = { .number = event->call };
	const struct task_call *outer = at->softirq ?
						NULL :
						table_find(&((struct byte_streams *)data)->tasks,
							   table_task_key(at->pid, at->cpu, NULL));
	struct byte_streams *streams = data;
	struct open_call *call;

	if (!event->call || event->dir == RECORD_SKB_DIR_NONE)
		return;
	call = table_find(&streams->calls, key);
	if (!call)
		call = table_add(&streams->calls, key, calloc(1, sizeof(*call)));
	if (!call) {
		streams->failed = true;
		return;
	}
	*call = (struct open_call){
		.is_open = true,
		.writes = event->dir == RECORD_SKB_DIR_TX,
		.begun = outer && outer->is_open ? outer->begun : at->ts,
		.outer = outer && outer->is_open ? outer->func : event->func,
		.event = *event,
	};
	if (!call->writes)
		return;
	call->stream = stream_of_call(streams, event, true, true);
	if (call->stream)
		call->stream->open_writes++;
}

/*
 * Find the bytes that a call moved: those between its positions before and after, if their number is the
 * call's result. Otherwise another task has moved bytes at the same time, or the socket encrypts the data.
 *
 * Return: false if the bytes are not known.
 */
static bool moved_bytes(struct stream *stream, const struct open_call *call,
			const struct skb_event *event, struct byte_call *moved)
{
	const uint32_t before = call->writes ? call->event.write_seq : call->event.copied_seq;
	const uint32_t after = call->writes ? event->write_seq : event->copied_seq;
	const uint32_t result = event->ret, bytes = after - before;

	moved->from = position_of(stream, before);
	moved->to = moved->from + result;
	if (bytes == result)
		return true;
	/* The call also took the FIN, which has a sequence number. */
	return !call->writes && bytes == result + 1 && stream->fin == moved->to;
}

static void note_bytes(struct byte_streams *streams, struct stream *stream,
		       const struct open_call *call, const struct skb_event *event,
		       struct byte_call *moved)
{
	const bool known = moved_bytes(stream, call, event, moved);
	const bool peeks = !call->writes && event->copied_seq == call->event.copied_seq;

	if (!known && !peeks)
		return;
	if (!stream->knows_done && !peeks) {
		stream->knows_done = true;
		stream->done = moved->from;
		stream->shown.base = moved->from;
	}
	if (call->writes) {
		streams->failed |= !list_insert(&stream->writes, moved);
		return;
	}
	streams->failed |= !list_insert(peeks ? &stream->peeks : &stream->reads, moved);
	stream->is_received = true;
	if (!peeks)
		byte_segments_set_next(stream->segments, moved->to);
}

static void streams_handle_return(void *data, const struct moment *at,
				  const struct skb_event *event)
{
	const struct table_key key = { .number = event->call };
	struct byte_streams *streams = data;
	struct open_call *call = table_find(&streams->calls, key);
	struct stream *stream;
	struct byte_call moved;

	if (!call || !call->is_open || call->event.func != event->func)
		return;
	call->is_open = false;
	stream = call->stream;
	if (!stream && !call->writes)
		stream = stream_of_call(streams, &call->event, false, event->ret > 0);
	if (!stream)
		return;
	if (call->writes && stream->open_writes)
		stream->open_writes--;
	if (!stream->segments)
		return;
	if ((int32_t)event->ret > 0 && event->has_stream) {
		moved = (struct byte_call){
			.begun = call->begun,
			.ended = at->ts,
			.pid = at->pid,
			.func = event->func,
			.outer = call->outer,
		};
		snprintf(moved.comm, sizeof(moved.comm), "%s", at->comm ? at->comm : "");
		note_bytes(streams, stream, call, event, &moved);
	}
	pass_read(streams, stream);
}

static void streams_handle_task_return(void *data, const struct moment *at,
				       const struct skb_event *event)
{
	struct byte_streams *streams = data;
	struct task_call *call =
		at->softirq ? NULL :
			      table_find(&streams->tasks, table_task_key(at->pid, at->cpu, NULL));

	if (call && call->func == event->func)
		call->is_open = false;
}

/* Events are lost. Forget all that a lost event may have changed. */
static void streams_handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	struct byte_streams *streams = data;
	struct open_call *call;
	struct task_call *outer;
	struct stream *stream;
	size_t i = 0;

	(void)at;
	(void)from;
	(void)count;
	while ((call = table_next(&streams->calls, &i)))
		call->is_open = false;
	i = 0;
	while ((outer = table_next(&streams->tasks, &i)))
		outer->is_open = false;
	for (stream = streams->first; stream; stream = stream->next) {
		stream->open_writes = 0;
		if (stream->segments)
			byte_segments_lose(stream->segments);
	}
}

const struct observer byte_streams_observer = {
	.packet = streams_handle_packet,
	.dropped = streams_handle_drop,
	.called = streams_handle_task_call,
	.stream_called = streams_handle_call,
	.stream_returned = streams_handle_return,
	.call_returned = streams_handle_task_return,
	.lost = streams_handle_loss,
};
