// SPDX-License-Identifier: GPL-2.0
/* byte_segments.c - the packets that carry the bytes of a TCP stream, and the order in which they arrive */
#include <stdlib.h>
#include <string.h>

#include "model/byte_segments.h"

/*
 * Maximum number of skbs that are kept for a stream. No recorded call reads the bytes of a forwarded
 * connection, so they are never complete. Without a limit, all of its packets would be kept.
 */
#define MAX_SEEN 8192

/*
 * Bytes of one skb that arrived for the first time. @in_order is the time when all earlier bytes of the
 * stream had arrived, too. It is 0 as long as earlier bytes are missing, or if the time is not known.
 */
struct arrival {
	uint64_t from, to;
	uint64_t ts, in_order;
	uint32_t packet, copy, filler;
};

struct byte_segments {
	struct segment_seen **seen; /* in the order of their first probe points */
	size_t nr_seen, max_seen;
	struct arrival *arrivals; /* sorted by position, without overlaps */
	size_t nr_arrivals, max_arrivals;
	bool knows_next;
	uint64_t next; /* position of the first byte that has not arrived, if @knows_next */
	uint64_t done; /* the bytes before this position are forgotten */
};

struct byte_segments *byte_segments_create(void)
{
	return calloc(1, sizeof(struct byte_segments));
}

void byte_segments_free(struct byte_segments *segments)
{
	if (!segments)
		return;
	for (size_t i = 0; i < segments->nr_seen; i++)
		segments->seen[i]->forgotten = true;
	free(segments->seen);
	free(segments->arrivals);
	free(segments);
}

bool byte_segments_add(struct byte_segments *segments, struct segment_seen *segment)
{
	const size_t max = segments->max_seen ? segments->max_seen * 2 : 4;
	struct segment_seen **seen;

	if (segments->nr_seen == MAX_SEEN)
		byte_segments_forget(segments, segments->seen[MAX_SEEN / 2]->to);
	if (segments->nr_seen == segments->max_seen) {
		seen = realloc(segments->seen, max * sizeof(*seen));
		if (!seen)
			return false;
		segments->seen = seen;
		segments->max_seen = max;
	}
	segments->seen[segments->nr_seen++] = segment;
	return true;
}

void byte_segments_set_next(struct byte_segments *segments, uint64_t position)
{
	if (segments->knows_next && segments->next >= position)
		return;
	segments->knows_next = true;
	segments->next = position;
	/*
	 * Do not set @in_order of the arrivals, because the time when the bytes before @position arrived is
	 * not known.
	 */
	for (size_t i = 0; i < segments->nr_arrivals; i++) {
		const struct arrival *arrival = &segments->arrivals[i];

		if (arrival->from <= segments->next && arrival->to > segments->next)
			segments->next = arrival->to;
	}
}

/* Insert an arrival into the array at index @at. Return: false if there is not enough memory. */
static bool insert_arrival(struct byte_segments *segments, size_t at, const struct arrival *arrival)
{
	const size_t max = segments->max_arrivals ? segments->max_arrivals * 2 : 2;
	struct arrival *arrivals;

	if (segments->nr_arrivals == segments->max_arrivals) {
		arrivals = realloc(segments->arrivals, max * sizeof(*arrivals));
		if (!arrivals)
			return false;
		segments->arrivals = arrivals;
		segments->max_arrivals = max;
	}
	arrivals = segments->arrivals;
	memmove(&arrivals[at + 1], &arrivals[at], (segments->nr_arrivals - at) * sizeof(*arrivals));
	arrivals[at] = *arrival;
	segments->nr_arrivals++;
	return true;
}

/*
 * The bytes up to @next have arrived. If the arrivals after them leave no hole, advance @next to their end.
 */
static void advance(struct byte_segments *segments, uint32_t by, uint64_t ts)
{
	for (size_t i = 0; i < segments->nr_arrivals; i++) {
		struct arrival *arrival = &segments->arrivals[i];

		if (arrival->to <= segments->next)
			continue;
		if (arrival->from > segments->next)
			break;
		arrival->in_order = ts;
		arrival->filler = arrival->packet == by ? 0 : by;
		segments->next = arrival->to;
	}
}

/* Add only those bytes of an arrival that have not arrived before. */
static bool add_missing(struct byte_segments *segments, const struct arrival *whole)
{
	struct arrival part = *whole;
	size_t i = 0;

	while (part.from < whole->to) {
		while (i < segments->nr_arrivals && segments->arrivals[i].to <= part.from)
			i++;
		part.to = whole->to;
		if (i < segments->nr_arrivals && segments->arrivals[i].from <= part.from) {
			part.from = segments->arrivals[i].to;
			continue;
		}
		if (i < segments->nr_arrivals && segments->arrivals[i].from < part.to)
			part.to = segments->arrivals[i].from;
		if (!insert_arrival(segments, i, &part))
			return false;
		part.from = part.to;
	}
	return true;
}

bool byte_segments_arrive(struct byte_segments *segments, struct segment_seen *segment,
			  uint64_t from, uint64_t to, uint64_t ts)
{
	struct arrival arrival = {
		.from = from > segments->done ? from : segments->done,
		.to = to,
		.ts = ts,
		.packet = segment->packet,
		.copy = segment->copy,
	};

	segment->arrived = true;
	/*
	 * Ignore bytes that TCP already had: they are duplicates, even if the recording does not contain
	 * their first arrival.
	 */
	if (segments->knows_next && arrival.from < segments->next)
		arrival.from = segments->next;
	if (arrival.from >= to)
		return true;
	if (!add_missing(segments, &arrival))
		return false;
	if (segments->knows_next)
		advance(segments, segment->packet, ts);
	return true;
}

void byte_segments_drop(struct byte_segments *segments, const struct segment_seen *segment)
{
	size_t kept = 0;

	for (size_t i = 0; i < segments->nr_arrivals; i++) {
		struct arrival *arrival = &segments->arrivals[i];

		if (arrival->packet != segment->packet || arrival->copy != segment->copy) {
			segments->arrivals[kept++] = *arrival;
			continue;
		}
		if (segments->knows_next && segments->next > arrival->from)
			segments->next = arrival->from;
	}
	segments->nr_arrivals = kept;
	for (size_t i = 0; i < kept; i++) {
		if (segments->knows_next && segments->arrivals[i].from >= segments->next)
			segments->arrivals[i].in_order = 0;
	}
}

void byte_segments_lose(struct byte_segments *segments)
{
	segments->nr_arrivals = 0;
	segments->knows_next = false;
}

void byte_segments_forget(struct byte_segments *segments, uint64_t position)
{
	size_t kept = 0;

	if (position > segments->done)
		segments->done = position;
	for (size_t i = 0; i < segments->nr_arrivals; i++) {
		if (segments->arrivals[i].to > position)
			segments->arrivals[kept++] = segments->arrivals[i];
	}
	segments->nr_arrivals = kept;
	kept = 0;
	for (size_t i = 0; i < segments->nr_seen; i++) {
		if (segments->seen[i]->to > position)
			segments->seen[kept++] = segments->seen[i];
		else
			segments->seen[i]->forgotten = true;
	}
	segments->nr_seen = kept;
}

uint64_t byte_segments_end(const struct byte_segments *segments)
{
	uint64_t end = 0;

	for (size_t i = 0; i < segments->nr_seen; i++) {
		if (segments->seen[i]->to > end)
			end = segments->seen[i]->to;
	}
	for (size_t i = 0; i < segments->nr_arrivals; i++) {
		if (segments->arrivals[i].to > end)
			end = segments->arrivals[i].to;
	}
	return end;
}

bool byte_segments_has_data(const struct byte_segments *segments, uint64_t position)
{
	for (size_t i = 0; i < segments->nr_seen; i++) {
		const struct segment_seen *segment = segments->seen[i];

		if (segment->to > segment->from && segment->to > position)
			return true;
	}
	return false;
}

bool byte_segments_forgot(const struct byte_segments *segments, uint64_t position)
{
	return position < segments->done;
}

uint64_t byte_segments_arrived(const struct byte_segments *segments)
{
	return segments->knows_next ? segments->next : 0;
}

static bool covers(const struct segment_seen *segment, uint64_t position)
{
	return segment->from <= position && position < segment->to;
}

static const struct arrival *arrival_of(const struct byte_segments *segments, uint64_t position)
{
	for (size_t i = 0; i < segments->nr_arrivals; i++) {
		if (segments->arrivals[i].from <= position && position < segments->arrivals[i].to)
			return &segments->arrivals[i];
	}
	return NULL;
}

/*
 * Find the skb that brought a byte to the receiver. If the receiver merged several skbs, TCP gets only the
 * first of them, and the byte may have come in another one. In this case, use the last skb with this byte
 * that was received before @arrival.
 */
static const struct segment_seen *brought_by(const struct byte_segments *segments,
					     uint64_t position, const struct arrival *arrival)
{
	const struct segment_seen *best = NULL;

	for (size_t i = 0; i < segments->nr_seen; i++) {
		const struct segment_seen *segment = segments->seen[i];
		const uint64_t received = segment->times[BYTE_RECEIVED];

		if (!covers(segment, position) || !received || received > arrival->ts)
			continue;
		if (segment->packet == arrival->packet && segment->copy == arrival->copy)
			return segment;
		if (!best || received > best->times[BYTE_RECEIVED])
			best = segment;
	}
	return best;
}

/* Of all skbs with this byte, find the one that was sent last. */
static const struct segment_seen *sent_last(const struct byte_segments *segments, uint64_t position)
{
	const struct segment_seen *best = NULL;

	for (size_t i = 0; i < segments->nr_seen; i++) {
		const struct segment_seen *segment = segments->seen[i];

		if (covers(segment, position) && segment->times[BYTE_SENT] &&
		    (!best || segment->times[BYTE_SENT] >= best->times[BYTE_SENT]))
			best = segment;
	}
	return best;
}

/*
 * Find the first skb of the packet that @segment belongs to. Segments and clones of an skb have the number of
 * its packet, and continue the way of the packet.
 */
static const struct segment_seen *original_of(const struct byte_segments *segments,
					      const struct segment_seen *segment, uint64_t position)
{
	for (size_t i = 0; i < segments->nr_seen; i++) {
		const struct segment_seen *other = segments->seen[i];

		if (other->packet == segment->packet && !other->copy && covers(other, position))
			return other;
	}
	return segment;
}

/*
 * Fill in the times of a byte up to BYTE_RECEIVED, when the receiver's device passed it to the network stack.
 */
static void describe_way(const struct byte_segments *segments, struct byte_piece *piece,
			 const struct segment_seen *segment, uint64_t last)
{
	const struct segment_seen *original = original_of(segments, segment, last);
	uint64_t first = original->times[BYTE_SENT];

	for (size_t i = 0; i < segments->nr_seen; i++) {
		const uint64_t sent = segments->seen[i]->times[BYTE_SENT];

		if (covers(segments->seen[i], last) && sent && sent < first)
			first = sent;
	}
	piece->packet = segment->packet;
	piece->copy = segment->copy;
	piece->resent = first < original->times[BYTE_SENT];
	piece->times[BYTE_SENT] = first;
	piece->times[BYTE_RESENT] = original->times[BYTE_SENT];
	for (enum byte_time time = BYTE_QUEUED; time <= BYTE_RECEIVED; time++)
		piece->times[time] = segment->times[time] ? segment->times[time] :
							    original->times[time];
}

void byte_segments_describe(const struct byte_segments *segments, struct byte_piece *piece,
			    uint64_t last)
{
	const struct arrival *arrival = arrival_of(segments, last);
	const struct segment_seen *segment = arrival ? brought_by(segments, last, arrival) :
						       sent_last(segments, last);

	if (segment)
		describe_way(segments, piece, segment, last);
	if (!arrival)
		return;
	if (!segment) {
		piece->packet = arrival->packet;
		piece->copy = arrival->copy;
	}
	piece->filler = arrival->filler;
	piece->times[BYTE_ARRIVED] = arrival->ts;
	piece->times[BYTE_IN_ORDER] = arrival->in_order;
}

uint64_t byte_segments_acked(const struct byte_segments *segments, uint64_t position)
{
	for (size_t i = 0; i < segments->nr_seen; i++) {
		if (covers(segments->seen[i], position))
			return segments->seen[i]->acked;
	}
	return 0;
}

uint64_t byte_segments_again(const struct byte_segments *segments, uint64_t from, uint64_t to)
{
	uint64_t end = 0;

	for (size_t i = 0; i < segments->nr_seen; i++) {
		const struct segment_seen *segment = segments->seen[i];
		const uint64_t first = segment->from > from ? segment->from : from;
		const uint64_t last = segment->to < to ? segment->to : to;

		/* Segments and clones of an skb are copies. They continue the way of their packet. */
		if (segment->copy || !segment->times[BYTE_SENT])
			continue;
		/* TCP sends new bytes in order, so it has sent the bytes before @end already. */
		if (first < last && first < end)
			return segment->times[BYTE_SENT];
		if (segment->to > end)
			end = segment->to;
	}
	return 0;
}

static void set_time(struct segment_seen *segment, enum byte_time time, uint64_t ts)
{
	if (!segment->times[time])
		segment->times[time] = ts;
}

void segment_note_stage(struct segment_seen *segment, enum stage stage, uint64_t ts)
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
		/*
		 * A forwarded packet passes several devices. Only the last one belongs to the receiver, so
		 * replace an earlier time.
		 */
		if (!was_receiving)
			segment->times[BYTE_RECEIVED] = ts;
		break;
	default:
		break;
	}
}
