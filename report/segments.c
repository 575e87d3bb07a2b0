// SPDX-License-Identifier: GPL-2.0
/* segments.c - which bytes of TCP's streams have been seen */
#include <stdlib.h>
#include <string.h>

#include "headers.h"
#include "segments.h"

#define FLAG_FIN 1
#define FLAG_SYN 2
#define FLAG_RST 4

/* Streams, in buckets in which the one that was not seen for the longest time goes. */
#ifndef STREAM_BUCKETS
#define STREAM_BUCKETS 8192
#endif
#define STREAM_WAYS 8

/* Runs of bytes without a gap between them; what is further behind than a window can be is forgotten. */
#define MAX_RUNS   16
#define FAR_BEHIND (1u << 30)

/* From @from up to and without @to, in TCP's numbers, which go round. */
struct run {
	uint32_t from, to;
};

/* What tells streams apart; all of it is compared, so nothing may be between its members. */
struct stream_key {
	uint8_t saddr[16], daddr[16];
	uint16_t sport, dport;
	uint32_t netns;
	uint32_t device;
};

struct stream {
	struct stream_key key;
	uint64_t seen;	 /* when, as a count of segments; 0: there is none */
	uint32_t begins; /* the number of the SYN that came last, if one did */
	bool has_begun;
	unsigned int nr_runs;
	struct run runs[MAX_RUNS]; /* in order */
};

struct segments {
	uint64_t count;
	struct stream *buckets[STREAM_BUCKETS]; /* STREAM_WAYS each, NULL until there is one */
};

struct segments *segments_new(void)
{
	return calloc(1, sizeof(struct segments));
}

void segments_free(struct segments *segments)
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

/* FNV-1a */
static uint32_t hash_of(const struct stream_key *key)
{
	const uint8_t *bytes = (const uint8_t *)key;
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < sizeof(*key); i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash ^ hash >> 16;
}

static struct stream *find_or_add(struct segments *segments, const struct stream_key *key)
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

static bool has(const struct stream *stream, uint32_t from, uint32_t to)
{
	for (unsigned int i = 0; i < stream->nr_runs; i++) {
		if (!is_before(from, stream->runs[i].from) && !is_before(stream->runs[i].to, to))
			return true;
	}
	return false;
}

static void forget_oldest(struct stream *stream)
{
	stream->nr_runs--;
	memmove(stream->runs, stream->runs + 1, stream->nr_runs * sizeof(*stream->runs));
}

/* Numbers are compared with each other only while they are less than half of all apart. */
static void forget_far_behind(struct stream *stream, uint32_t to)
{
	while (stream->nr_runs && (int32_t)(to - stream->runs[0].to) > (int32_t)FAR_BEHIND)
		forget_oldest(stream);
	if (stream->nr_runs && (int32_t)(to - stream->runs[0].from) > (int32_t)FAR_BEHIND)
		stream->runs[0].from = to - FAR_BEHIND;
}

static void add(struct stream *stream, struct run run)
{
	unsigned int i = 0, end;

	forget_far_behind(stream, run.to);
	while (i < stream->nr_runs && is_before(stream->runs[i].to, run.from))
		i++;
	/* What it touches becomes one run with it. */
	for (end = i; end < stream->nr_runs && !is_before(run.to, stream->runs[end].from); end++) {
		if (is_before(stream->runs[end].from, run.from))
			run.from = stream->runs[end].from;
		if (is_before(run.to, stream->runs[end].to))
			run.to = stream->runs[end].to;
	}
	if (end == i && stream->nr_runs == MAX_RUNS) {
		/* The new one may itself be the oldest. */
		if (!i)
			return;
		forget_oldest(stream);
		i--;
		end--;
	}
	memmove(stream->runs + i + 1, stream->runs + end,
		(stream->nr_runs - end) * sizeof(*stream->runs));
	stream->nr_runs += 1 - (end - i);
	stream->runs[i] = run;
}

/* With another number it is another connection between the same ends, though its numbers were seen, too. */
static void begin(struct stream *stream, uint32_t seq)
{
	if (!stream->has_begun || stream->begins != seq)
		stream->nr_runs = 0;
	stream->has_begun = true;
	stream->begins = seq;
}

bool segments_see(struct segments *segments, const struct segment *segment)
{
	const struct stream_key key = key_of(segment);
	const uint32_t len =
		segment->payload + !!(segment->flags & FLAG_SYN) + !!(segment->flags & FLAG_FIN);
	const struct run run = { segment->seq, segment->seq + len };
	struct stream *stream;
	bool before;

	if (!len || segment->flags & FLAG_RST)
		return false;
	stream = find_or_add(segments, &key);
	if (!stream)
		return false;
	stream->seen = ++segments->count;
	if (segment->flags & FLAG_SYN)
		begin(stream, segment->seq);
	before = has(stream, run.from, run.to);
	if (!before)
		add(stream, run);
	return before;
}
