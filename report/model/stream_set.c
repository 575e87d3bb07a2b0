// SPDX-License-Identifier: GPL-2.0
/* stream_set.c - find the TCP streams of a recording by the addresses of their connections */
#include <stdlib.h>
#include <string.h>

#include "model/packet_headers.h"
#include "model/stream_set.h"

/*
 * The addresses of a stream as they appear in one network namespace. With NAT, they differ between
 * namespaces.
 */
struct stream_end {
	struct flow flow; /* from the sender to the receiver */
	uint32_t netns;
	struct stream *stream;
};

void stream_set_init(struct stream_set *set, piece_fn *piece, void *data)
{
	*set = (struct stream_set){ .piece = piece, .data = data };
	set->last = &set->first;
}

void stream_set_free(struct stream_set *set)
{
	struct stream *stream, *next;

	for (stream = set->first; stream; stream = next) {
		next = stream->next;
		stream_free(stream);
	}
	table_free(&set->ends);
}

struct stream *stream_set_add(struct stream_set *set, const struct flow *flow, uint32_t flow_number,
			      uint32_t seq)
{
	const struct byte_stream shown = {
		.number = set->nr + 1,
		.flow_number = flow_number,
		.flow = *flow,
	};
	struct stream *stream = stream_create(&shown, seq);

	if (!stream) {
		set->failed = true;
		return NULL;
	}
	set->nr++;
	stream->piece = set->piece;
	stream->data = set->data;
	*set->last = stream;
	set->last = &stream->next;
	return stream;
}

static bool same_ends(const struct flow *one, const struct flow *two)
{
	return one->family == two->family && one->sport == two->sport && one->dport == two->dport &&
	       !memcmp(one->saddr, two->saddr, sizeof(one->saddr)) &&
	       !memcmp(one->daddr, two->daddr, sizeof(one->daddr));
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

static struct stream_end *find_end(const struct stream_set *set, const struct flow *flow,
				   uint32_t netns)
{
	struct stream_end *end = netns ? table_find(&set->ends, end_key(flow, netns)) : NULL;

	return end && end->netns == netns && same_ends(&end->flow, flow) ? end : NULL;
}

struct stream *stream_set_find(const struct stream_set *set, const struct flow *flow,
			       uint32_t netns)
{
	const struct stream_end *end = find_end(set, flow, netns);

	return end ? end->stream : NULL;
}

void stream_join(struct stream *one, struct stream *other)
{
	one->shown.peer = other->shown.number;
	one->shown.peer_flow = other->shown.flow;
	other->shown.peer = one->shown.number;
	other->shown.peer_flow = one->shown.flow;
}

void stream_set_connect(struct stream_set *set, const struct flow *flow, uint32_t netns,
			struct stream *stream)
{
	const struct table_key key = end_key(flow, netns);
	const struct flow back = flow_reversed(flow);
	struct stream *peer = stream_set_find(set, &back, netns);
	struct stream_end *end = table_find(&set->ends, key);

	if (!netns)
		return;
	if (peer && peer->segments)
		stream_join(stream, peer);
	if (!end)
		end = table_add(&set->ends, key, calloc(1, sizeof(*end)));
	if (end)
		*end = (struct stream_end){ .flow = *flow, .netns = netns, .stream = stream };
	else
		set->failed = true;
}
