// SPDX-License-Identifier: GPL-2.0
/* receive_order.c - find out when a TCP socket can pass a segment to its reader */
#include <stdlib.h>

#include "hash_table.h"
#include "model/packet_headers.h"
#include "model/receive_order.h"

/*
 * Maximum number of segments of a stream that wait for earlier bytes. The order of further
 * segments is unknown.
 */
#define MAX_WAITING 1024

/* A segment for which the recording has not proved that all earlier bytes have arrived. */
struct waiting {
	uint32_t packet, copy, end;
};

/* struct stream - one direction of a connection, at the socket that receives it */
struct stream {
	bool knows_next;
	uint32_t next; /* sequence number of the first byte that is not in order, if @knows_next */
	struct waiting *waiting;
	unsigned int nr_waiting, capacity;
};

struct receive_order {
	struct table streams; /* table of struct stream, by flow and by the ends of the connection */
	struct table calls;   /* table of uint64_t, the time of the last read, by flow and port */
	in_order_callback *in_order;
	void *data;
};

struct receive_order *receive_order_create(in_order_callback *in_order, void *data)
{
	struct receive_order *order = calloc(1, sizeof(*order));

	if (order) {
		order->in_order = in_order;
		order->data = data;
	}
	return order;
}

void receive_order_free(struct receive_order *order)
{
	struct stream *stream;
	size_t i = 0;

	if (!order)
		return;
	while ((stream = table_next(&order->streams, &i)))
		free(stream->waiting);
	table_free(&order->streams);
	table_free(&order->calls);
	free(order);
}

static struct stream *stream_of(struct receive_order *order, uint32_t flow_number,
				const struct flow *flow)
{
	uint64_t hash = hash_bytes(HASH_BEGIN, flow->saddr, sizeof(flow->saddr));
	struct table_key key;
	struct stream *stream;

	hash = hash_bytes(hash, flow->daddr, sizeof(flow->daddr));
	hash = hash_bytes(hash, &flow->sport, sizeof(flow->sport));
	hash = hash_bytes(hash, &flow->dport, sizeof(flow->dport));
	key = (struct table_key){ .number = hash_bytes(hash, &flow_number, sizeof(flow_number)) };
	stream = table_find(&order->streams, key);
	return stream ? stream : table_add(&order->streams, key, calloc(1, sizeof(*stream)));
}

static bool is_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

/* Note that all bytes before @next are in order. */
static void advance(const struct receive_order *order, struct stream *stream, uint32_t next,
		    uint64_t ts)
{
	unsigned int kept = 0;

	if (stream->knows_next && !is_before(stream->next, next))
		return;
	stream->knows_next = true;
	stream->next = next;
	for (unsigned int i = 0; i < stream->nr_waiting; i++) {
		const struct waiting waiting = stream->waiting[i];

		if (is_before(next, waiting.end))
			stream->waiting[kept++] = waiting;
		else
			order->in_order(order->data, waiting.packet, waiting.copy, ts);
	}
	stream->nr_waiting = kept;
}

void receive_order_send(struct receive_order *order, uint64_t ts, const struct packet_seen *seen)
{
	const struct flow back = flow_reversed(&seen->event->flow);
	struct stream *stream;

	if (!back.family || back.proto != PROTO_TCP || !(seen->facts.tcp_flags & TCP_ACK) ||
	    seen->facts.tcp_flags & TCP_RST)
		return;
	stream = stream_of(order, seen->event->flow_number, &back);
	if (!stream)
		return;
	if (seen->facts.tcp_flags & TCP_SYN) {
		stream->knows_next = false;
		stream->nr_waiting = 0;
	}
	advance(order, stream, seen->facts.ack, ts);
}

static void add_waiting(struct stream *stream, const struct waiting *waiting)
{
	const unsigned int capacity = stream->capacity ? stream->capacity * 2 : 4;
	struct waiting *more;

	if (stream->nr_waiting == MAX_WAITING)
		return;
	if (stream->nr_waiting == stream->capacity) {
		more = realloc(stream->waiting, capacity * sizeof(*more));
		if (!more)
			return;
		stream->waiting = more;
		stream->capacity = capacity;
	}
	stream->waiting[stream->nr_waiting++] = *waiting;
}

/*
 * Return: the sequence number after the data of a segment; that of the first byte if the length is not known.
 */
static uint32_t end_of(const struct copy *copy)
{
	return copy->seq + !!(copy->tcp_flags & TCP_SYN) +
	       (copy->payload_now > 0 ? copy->payload_now : 0);
}

static bool is_tcp(const struct copy *copy)
{
	return copy->flow_now.family && copy->flow_now.proto == PROTO_TCP;
}

bool receive_order_deliver(struct receive_order *order, uint64_t ts, const struct packet *packet,
			   const struct copy *copy)
{
	const struct waiting waiting = { packet->number, copy->number, end_of(copy) };
	struct stream *stream;

	if (!is_tcp(copy))
		return true;
	stream = stream_of(order, packet->flow_number, &copy->flow_now);
	if (!stream)
		return false;
	if (stream->knows_next && !is_before(stream->next, copy->seq)) {
		advance(order, stream, waiting.end, ts);
		return true;
	}
	if (copy->payload_now > 0)
		add_waiting(stream, &waiting);
	return false;
}

static struct table_key call_key(uint32_t flow_number, uint16_t port)
{
	return (struct table_key){ .number = (uint64_t)flow_number << 16 | port };
}

void receive_order_call(struct receive_order *order, uint64_t ts, uint32_t flow_number,
			uint16_t port)
{
	const struct table_key key = call_key(flow_number, port);
	uint64_t *time = table_find(&order->calls, key);

	if (!time)
		time = table_add(&order->calls, key, calloc(1, sizeof(*time)));
	if (time)
		*time = ts;
}

bool receive_order_read(struct receive_order *order, uint64_t ts, const struct packet *packet,
			const struct copy *copy, uint64_t in_order)
{
	const uint64_t *time =
		table_find(&order->calls, call_key(packet->flow_number, copy->flow_now.dport));
	struct stream *stream;

	stream = is_tcp(copy) ? stream_of(order, packet->flow_number, &copy->flow_now) : NULL;
	if (stream)
		advance(order, stream, end_of(copy), ts);
	return is_tcp(copy) && in_order && time && *time >= in_order;
}

void receive_order_lose(struct receive_order *order)
{
	struct stream *stream;
	size_t i = 0;

	while ((stream = table_next(&order->streams, &i)))
		stream->knows_next = false;
}
