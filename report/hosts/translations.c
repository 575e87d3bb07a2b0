// SPDX-License-Identifier: GPL-2.0
/* translations.c - find address translations (NAT) of hosts without a recording */
#include <stdlib.h>

#include "hosts/translations.h"

/*
 * Minimum number of equal packets that prove a translation. One TCP segment is enough, because its sequence
 * number, options and IP identification are compared. Other packets have only the identification and the
 * payload. Two clients can use the same identifications, because each client counts them up. Several clients
 * can also send the same payload. So only packets with different payloads count.
 */
#define MIN_TCP	  1
#define MIN_OTHER 3
/* Maximum number of sightings in a group of equal packets. Larger groups are not examined. */
#define MAX_GROUP 64

/*
 * struct stream - one direction of a flow
 * @stream: hash of its addresses and ports
 * @hosts: a bit for each host that has recorded the stream
 * @partner: the stream with other addresses that has equal packets, and may be this stream before or after a
 *	translation; NULL if there is none
 * @packets: number of equal packets. If they are not TCP, packets with the same payload count once
 * @payloads: hashes of the payloads of the first packets that were counted; unused for TCP
 * @is_tcp: the packets are TCP
 * @is_ambiguous: several streams have equal packets
 */
struct stream {
	uint64_t stream, hosts;
	struct stream *partner;
	unsigned int packets;
	uint32_t payloads[MIN_OTHER];
	bool is_tcp, is_ambiguous;
};

/* The recordings, for the comparison function of qsort(), which gets no context argument. */
static const struct join *sorted_join;

static struct stream *find_stream(const struct table *streams, const struct sighting *sighting)
{
	return table_find(streams, (struct table_key){ .number = sighting->key.stream });
}

static bool collect_streams(struct table *streams, const struct join *join)
{
	for (size_t i = 0; i < join->n; i++) {
		const struct sighting *sighting = join->all[i];
		struct stream *stream = find_stream(streams, sighting);

		if (!stream)
			stream = table_add(streams,
					   (struct table_key){ .number = sighting->key.stream },
					   calloc(1, sizeof(*stream)));
		if (!stream)
			return false;
		stream->stream = sighting->key.stream;
		stream->hosts |= 1ull << sighting->host;
		stream->is_tcp |= sighting->key.is_tcp;
	}
	return true;
}

static int by_content(const void *a, const void *b)
{
	const struct sighting *x = sorted_join->all[*(const size_t *)a];
	const struct sighting *y = sorted_join->all[*(const size_t *)b];
	const uint64_t key_x = wire_key_content(&x->key), key_y = wire_key_content(&y->key);

	return (key_x > key_y) - (key_x < key_y);
}

/* Return: true if the group has a departure of one stream and an arrival of another stream. */
static bool is_on_the_way(const struct join *join, const size_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			const struct sighting *a = join->all[order[i]], *b = join->all[order[j]];

			if (a->leaves && !b->leaves && a->key.stream != b->key.stream)
				return true;
		}
	}
	return false;
}

/*
 * Return: true if the group can be of one packet. Each host must have only one packet in the group, and
 * nothing must prove that these packets differ.
 */
static bool is_one_packet(const struct join *join, const size_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct sighting *a = join->all[order[i]], *b = join->all[order[j]];

			if (wire_key_differs(&a->key, &b->key) ||
			    (a->host == b->host && a->pkt != b->pkt))
				return false;
		}
	}
	return true;
}

static void count_packet(struct stream *stream, uint32_t payload)
{
	if (!stream->is_tcp) {
		for (unsigned int i = 0; i < stream->packets; i++) {
			if (stream->payloads[i] == payload)
				return;
		}
		if (stream->packets == MIN_OTHER)
			return;
		stream->payloads[stream->packets] = payload;
	}
	stream->packets++;
}

static void add_partner(struct stream *stream, struct stream *partner, uint32_t payload)
{
	stream->is_ambiguous |= stream->partner && stream->partner != partner;
	stream->partner = partner;
	count_packet(stream, payload);
}

/*
 * Examine a group of sightings that are equal except for addresses and ports. If they belong to two streams
 * on different hosts, the two streams may be one stream before and after a translation.
 */
static void examine_group(const struct table *streams, struct join *join, const size_t *order,
			  size_t n)
{
	struct stream *first = find_stream(streams, join->all[order[0]]), *second = NULL;
	bool several = false;

	for (size_t i = 1; i < n; i++) {
		struct stream *stream = find_stream(streams, join->all[order[i]]);

		if (stream == first || stream == second)
			continue;
		several |= second != NULL;
		second = stream;
	}
	/* A host that has recorded both streams has translated the addresses itself. */
	if (!second || (!several && first->hosts & second->hosts) || !is_on_the_way(join, order, n))
		return;
	for (size_t i = 0; i < n; i++) {
		join->all[order[i]]->is_alike = true;
		find_stream(streams, join->all[order[i]])->is_ambiguous |= several;
	}
	if (several || !is_one_packet(join, order, n) || join->all[order[0]]->key.is_weak)
		return;
	add_partner(first, second, join->all[order[0]]->key.payload);
	add_partner(second, first, join->all[order[0]]->key.payload);
}

static bool is_proven(const struct stream *stream)
{
	const struct stream *partner = stream->partner;

	return partner && partner->partner == stream && !stream->is_ambiguous &&
	       !partner->is_ambiguous && stream->packets >= (stream->is_tcp ? MIN_TCP : MIN_OTHER);
}

static void translate(const struct table *streams, struct join *join)
{
	for (size_t i = 0; i < join->n; i++) {
		struct sighting *sighting = join->all[i];
		const struct stream *stream = find_stream(streams, sighting);

		if (!stream || !is_proven(stream))
			continue;
		sighting->is_alike = false;
		/* Give both streams the same hash: the smaller one of the two. */
		if (stream->partner->stream < stream->stream) {
			wire_key_translate(&sighting->key, stream->partner->stream);
			sighting->is_translated = true;
		}
	}
}

bool translations_find(struct join *join, size_t *order)
{
	struct table streams = { 0 };
	const bool ok = collect_streams(&streams, join);
	size_t n;

	sorted_join = join;
	if (ok && join->n)
		qsort(order, join->n, sizeof(*order), by_content);
	for (size_t i = 0; ok && i < join->n; i += n) {
		const uint64_t content = wire_key_content(&join->all[order[i]]->key);

		for (n = 1;
		     i + n < join->n && wire_key_content(&join->all[order[i + n]]->key) == content;)
			n++;
		if (n > 1 && n <= MAX_GROUP)
			examine_group(&streams, join, order + i, n);
	}
	if (ok)
		translate(&streams, join);
	table_free(&streams);
	return ok;
}
