// SPDX-License-Identifier: GPL-2.0
/* tcp_coverage.c - remember which bytes of TCP streams have been seen, to recognise retransmissions */
#include <stdlib.h>
#include <string.h>

#include "model/packet_headers.h"
#include "model/tcp_coverage.h"

#define FLAG_FIN 1
#define FLAG_SYN 2
#define FLAG_RST 4

/*
 * Streams are kept in buckets. In a full bucket, a new stream replaces the stream that had no segment for the
 * longest time.
 */
#ifndef STREAM_BUCKETS
#define STREAM_BUCKETS 8192
#endif
#define STREAM_WAYS 8

/*
 * Maximum number of separate ranges of bytes that are remembered for each stream. Bytes that are more than
 * FAR_BEHIND before the newest byte are forgotten. This distance is larger than any TCP window.
 */
#define MAX_RANGES 16
#define FAR_BEHIND (1u << 30)

/* A range of bytes: from @from up to, but not including, @to. TCP sequence numbers wrap around. */
struct range {
	uint32_t from, to;
};

/* The key of a stream. Keys are compared with memcmp(), so the struct must have no padding. */
struct stream_key {
	uint8_t saddr[16], daddr[16];
	uint16_t sport, dport;
	uint32_t netns;
	uint32_t device;
};

struct stream {
	struct stream_key key;
	uint64_t seen;	 /* number of the newest segment, counted over all streams; 0: free entry */
	uint32_t begins; /* sequence number of the last SYN, if @has_begun */
	bool has_begun;
	unsigned int nr_ranges;
	struct range ranges[MAX_RANGES]; /* in order */
};

struct tcp_coverage {
	uint64_t count;
	struct stream *buckets[STREAM_BUCKETS]; /* each has STREAM_WAYS streams; NULL if unused */
};

struct tcp_coverage *tcp_coverage_new(void)
{
	return calloc(1, sizeof(struct tcp_coverage));
}

void tcp_coverage_free(struct tcp_coverage *segments)
{
	for (size_t i = 0; segments && i < STREAM_BUCKETS; i++)
		free(segments->buckets[i]);
	free(segments);
}

static bool is_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static struct stream_key key_of(const struct segment *segment)
{
	struct stream_key key;

	memset(&key, 0, sizeof(key));
	memcpy(key.saddr, segment->flow->saddr, sizeof(key.saddr));
	memcpy(key.daddr, segment->flow->daddr, sizeof(key.daddr));
	key.sport = segment->flow->sport;
	key.dport = segment->flow->dport;
	key.netns = segment->netns;
	key.device = segment->device;
	return key;
}

/* Return: a hash (FNV-1a) of the key. */
static uint32_t hash_of(const struct stream_key *key)
{
	const uint8_t *bytes = (const uint8_t *)key;
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < sizeof(*key); i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash ^ hash >> 16;
}

static struct stream *find_or_add(struct tcp_coverage *segments, const struct stream_key *key)
{
	struct stream **bucket = &segments->buckets[hash_of(key) % STREAM_BUCKETS];
	struct stream *oldest;

	if (!*bucket)
		*bucket = calloc(STREAM_WAYS, sizeof(**bucket));
	oldest = *bucket;
	for (int i = 0; oldest && i < STREAM_WAYS; i++) {
		struct stream *stream = &(*bucket)[i];

		if (stream->seen && !memcmp(&stream->key, key, sizeof(*key)))
			return stream;
		if (stream->seen < oldest->seen)
			oldest = stream;
	}
	if (oldest) {
		memset(oldest, 0, sizeof(*oldest));
		oldest->key = *key;
	}
	return oldest;
}

static bool has_range(const struct stream *stream, uint32_t from, uint32_t to)
{
	for (unsigned int i = 0; i < stream->nr_ranges; i++) {
		if (!is_before(from, stream->ranges[i].from) &&
		    !is_before(stream->ranges[i].to, to))
			return true;
	}
	return false;
}

static void forget_oldest(struct stream *stream)
{
	stream->nr_ranges--;
	memmove(stream->ranges, stream->ranges + 1, stream->nr_ranges * sizeof(*stream->ranges));
}

/*
 * Forget bytes that are far before @to. Sequence numbers can only be compared if they differ by less than
 * half of the range of 32-bit numbers.
 */
static void forget_far_behind(struct stream *stream, uint32_t to)
{
	while (stream->nr_ranges && (int32_t)(to - stream->ranges[0].to) > (int32_t)FAR_BEHIND)
		forget_oldest(stream);
	if (stream->nr_ranges && (int32_t)(to - stream->ranges[0].from) > (int32_t)FAR_BEHIND)
		stream->ranges[0].from = to - FAR_BEHIND;
}

static void add_range(struct stream *stream, struct range range)
{
	unsigned int i = 0, end;

	forget_far_behind(stream, range.to);
	while (i < stream->nr_ranges && is_before(stream->ranges[i].to, range.from))
		i++;
	/* Merge all ranges that the new range touches. */
	for (end = i; end < stream->nr_ranges && !is_before(range.to, stream->ranges[end].from);
	     end++) {
		if (is_before(stream->ranges[end].from, range.from))
			range.from = stream->ranges[end].from;
		if (is_before(range.to, stream->ranges[end].to))
			range.to = stream->ranges[end].to;
	}
	if (end == i && stream->nr_ranges == MAX_RANGES) {
		/* All ranges are in use: drop the oldest range, or the new range if that is the oldest. */
		if (!i)
			return;
		forget_oldest(stream);
		i--;
		end--;
	}
	memmove(stream->ranges + i + 1, stream->ranges + end,
		(stream->nr_ranges - end) * sizeof(*stream->ranges));
	stream->nr_ranges += 1 - (end - i);
	stream->ranges[i] = range;
}

/*
 * Handle a SYN. A SYN with another sequence number than the last SYN begins a new connection between the same
 * ends.
 */
static void begin_connection(struct stream *stream, uint32_t seq)
{
	if (!stream->has_begun || stream->begins != seq)
		stream->nr_ranges = 0;
	stream->has_begun = true;
	stream->begins = seq;
}

bool tcp_coverage_add(struct tcp_coverage *segments, const struct segment *segment)
{
	const struct stream_key key = key_of(segment);
	const uint32_t len =
		segment->payload + !!(segment->flags & FLAG_SYN) + !!(segment->flags & FLAG_FIN);
	const struct range range = { segment->seq, segment->seq + len };
	struct stream *stream;
	bool before;

	if (!len || segment->flags & FLAG_RST)
		return false;
	stream = find_or_add(segments, &key);
	if (!stream)
		return false;
	stream->seen = ++segments->count;
	if (segment->flags & FLAG_SYN)
		begin_connection(stream, segment->seq);
	before = has_range(stream, range.from, range.to);
	if (!before)
		add_range(stream, range);
	return before;
}
