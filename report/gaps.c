// SPDX-License-Identifier: GPL-2.0
/* gaps.c - whose the time was between the packets of a conversation, and which gap was longest */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gaps.h"
#include "headers.h"
#include "table.h"

/* Of what was sent, and of what was delivered, as many as this are remembered in each direction. */
#define REMEMBERED 64

/* Data that was sent. */
struct sent {
	uint32_t number, seq, end;
	uint64_t first,
		out; /* out: when a driver, or the other end's socket, had it, 0 if not known */
	const struct name *dropped;
	bool acked;
};

/* Data that a socket got. */
struct got {
	uint32_t number;
	uint64_t delivered, read;
};

/*
 * One direction of a flow: 0 is that of its first packet. Of many flows there are few packets, so that
 * there is room for no more than there was need for; at REMEMBERED the oldest is written over.
 */
struct direction {
	struct sent *sent;
	struct got *got;
	uint64_t nr_sent, nr_got;
	uint64_t came; /* when data came in from a device, last */
};

/* Who talks to whom. */
struct talk {
	struct flow opener;
	bool asker_known;
	unsigned int asker; /* direction of the requests */
	struct direction dirs[2];
};

#define NR_LENGTHS 64

struct gaps {
	struct stations *stations;
	gap_sink *each;
	void *data;
	struct table talks; /* by number of the flow */
	struct gap longest;
	uint64_t lengths[NR_LENGTHS]; /* how many of 2^n ns */
	uint64_t nr;
};

struct gaps *gaps_new(struct stations *stations, gap_sink *each, void *data)
{
	struct gaps *gaps = calloc(1, sizeof(*gaps));

	if (!gaps)
		return NULL;
	gaps->stations = stations;
	gaps->each = each;
	gaps->data = data;
	return gaps;
}

static void direction_free(struct direction *dir)
{
	free(dir->sent);
	free(dir->got);
}

void gaps_free(struct gaps *gaps)
{
	struct talk *talk;
	size_t i = 0;

	if (!gaps)
		return;
	while ((talk = table_next(&gaps->talks, &i))) {
		direction_free(&talk->dirs[0]);
		direction_free(&talk->dirs[1]);
	}
	table_free(&gaps->talks);
	free(gaps);
}

const struct gap *gaps_longest(const struct gaps *gaps)
{
	return gaps->longest.ns ? &gaps->longest : NULL;
}

static unsigned int log2_of(uint64_t ns)
{
	unsigned int n = 0;

	while (ns >>= 1)
		n++;
	return n;
}

bool gaps_stands_out(const struct gaps *gaps)
{
	uint64_t below = 0;
	unsigned int n = 0;

	if (gaps->longest.ns < 1000000)
		return false;
	/* The middle of all but the longest itself. */
	while (n < NR_LENGTHS - 1 && (below += gaps->lengths[n]) * 2 < gaps->nr - 1)
		n++;
	return gaps->nr <= 1 || gaps->longest.ns >= 10ull << n;
}

static void found(struct gaps *gaps, const struct gap *gap, uint32_t flow, unsigned int dir)
{
	if (!gap->ns)
		return;
	if (gaps->each)
		gaps->each(gaps->data, gap, flow, dir);
	/* To ask takes the time that it takes, and what is not acknowledged has gaps of its own. */
	if (gap->kind == GAP_REQUEST || gap->kind == GAP_ACK || gap_is_part(gap))
		return;
	gaps->lengths[log2_of(gap->ns)]++;
	gaps->nr++;
	if (gap->ns > gaps->longest.ns)
		gaps->longest = *gap;
}

/* Conversations. */

static struct talk *talk_of(struct gaps *gaps, const struct packet *packet)
{
	const struct table_key key = { .number = packet->flow_number };
	const struct copy *first = packet->copies[0];
	struct talk *talk = table_find(&gaps->talks, key);

	if (talk)
		return talk;
	talk = table_add(&gaps->talks, key, calloc(1, sizeof(*talk)));
	if (!talk)
		return NULL;
	talk->opener = first->flow;
	/* Who connects asks, if that is in the recording. Of UDP it is not known. */
	if (first->flow.proto == PROTO_TCP && first->tcp_flags & TCP_SYN) {
		talk->asker_known = true;
		talk->asker = !!(first->tcp_flags & TCP_ACK);
	}
	return talk;
}

/* Returns @ring with room for one more than @nr, or NULL without memory; then @ring is as it was. */
static void *make_room(void *ring, uint64_t nr, size_t size)
{
	const bool full = nr < REMEMBERED && !(nr & (nr - 1));

	return full ? realloc(ring, (nr ? 2 * nr : 1) * size) : ring;
}

/* The copy that has the data, and that is known best. */
static int32_t payload_of(const struct packet *packet)
{
	return packet->decided->payload >= 0 ? packet->decided->payload :
					       packet->copies[0]->payload;
}

static struct sent *sent_before(struct direction *dir, uint32_t seq)
{
	for (uint64_t i = dir->nr_sent; i && i + REMEMBERED > dir->nr_sent; i--) {
		struct sent *sent = &dir->sent[(i - 1) % REMEMBERED];

		if (sent->seq == seq)
			return sent;
	}
	return NULL;
}

/* What the sender had got last when it sent this. */
static const struct got *got_before(const struct direction *dir, uint64_t ts)
{
	const struct got *last = NULL;

	for (uint64_t i = dir->nr_got; i && i + REMEMBERED > dir->nr_got; i--) {
		const struct got *got = &dir->got[(i - 1) % REMEMBERED];

		if (got->delivered <= ts && (!last || got->delivered > last->delivered))
			last = got;
	}
	return last;
}

static enum gap_kind kind_of_answer(const struct talk *talk, const struct got *got,
				    unsigned int dir, bool called)
{
	/* What is sent in no call may have waited in the socket since it was answered. */
	if (!talk->asker_known || !called)
		return GAP_EITHER;
	if (dir == talk->asker)
		return GAP_REQUEST;
	return got->read ? GAP_ANSWER : GAP_ANSWER_UNREAD;
}

/* It answers what came last, if nothing was said since. */
static void answers(struct gaps *gaps, struct talk *talk, const struct packet *packet,
		    const struct way *way, unsigned int dir)
{
	const struct direction *own = &talk->dirs[dir];
	const struct got *got = got_before(&talk->dirs[!dir], packet->first);
	/* What waited in the socket was said when it was written. */
	const uint64_t called = !way ? 0 : way->held.written ? way->held.written : way->called;
	const uint64_t to = called ? called : packet->first;
	struct got known;
	uint64_t from;

	if (!got ||
	    (own->nr_sent && own->sent[(own->nr_sent - 1) % REMEMBERED].first >= got->delivered))
		return;
	known = *got;
	if (known.read > to)
		known.read = 0;
	from = known.read ? known.read : known.delivered;
	if (from >= to)
		return;
	found(gaps,
	      &(struct gap){
		      .ns = to - from,
		      .kind = kind_of_answer(talk, &known, dir, called),
		      .number = known.number,
		      .next = packet->number,
	      },
	      packet->flow_number, dir);
}

/* Returns what it was when it was sent first, if it was. */
static struct sent *is_resent(struct gaps *gaps, struct talk *talk, const struct packet *packet,
			      unsigned int dir)
{
	const struct copy *first = packet->copies[0];
	struct sent *before;

	if (first->flow.proto != PROTO_TCP)
		return NULL;
	before = sent_before(&talk->dirs[dir], first->seq);
	if (!before)
		return NULL;
	found(gaps,
	      &(struct gap){
		      .ns = before->acked ? 0 : packet->first - before->first,
		      .kind = GAP_RESENT,
		      .number = before->number,
		      .next = packet->number,
		      .after = before->dropped,
	      },
	      packet->flow_number, dir);
	return before;
}

static bool is_syn(const struct copy *copy)
{
	return copy->flow.proto == PROTO_TCP && copy->tcp_flags & TCP_SYN;
}

static bool is_through(enum verdict verdict)
{
	return verdict == VERDICT_SENT || verdict == VERDICT_DELIVERED ||
	       verdict == VERDICT_CONSUMED;
}

static void sends(struct gaps *gaps, struct talk *talk, const struct packet *packet,
		  const struct way *way, unsigned int dir, int32_t payload)
{
	const struct copy *first = packet->copies[0];
	struct direction *own = &talk->dirs[dir];
	struct sent *before = is_resent(gaps, talk, packet, dir);
	const struct outcome *outcome = &packet->decided->outcome;
	struct sent sent, *ring;

	if (!before && payload > 0)
		answers(gaps, talk, packet, way, dir);
	sent = (struct sent){
		.number = packet->number,
		.seq = first->seq,
		.end = first->seq + (payload > 0 ? payload : 0) + is_syn(first),
		.first = packet->first,
		.out = is_through(outcome->verdict) ? packet->last : 0,
		.dropped = outcome->verdict == VERDICT_DROPPED ? outcome->where : NULL,
	};
	/* Sent again and again, it is the first that was to be acknowledged. */
	if (before && !before->acked) {
		sent.number = before->number;
		sent.first = before->first;
		sent.dropped = before->dropped;
		before->acked = true;
	}
	ring = make_room(own->sent, own->nr_sent, sizeof(sent));
	if (!ring)
		return;
	own->sent = ring;
	own->sent[own->nr_sent++ % REMEMBERED] = sent;
}

/* What it acknowledges, where it is received. */
static void acknowledges(struct gaps *gaps, struct talk *talk, const struct packet *packet,
			 unsigned int dir)
{
	const struct copy *first = packet->copies[0];
	struct direction *other = &talk->dirs[!dir];

	if (first->flow.proto != PROTO_TCP || !(first->tcp_flags & TCP_ACK) ||
	    (packet->decided->outcome.verdict != VERDICT_CONSUMED &&
	     packet->decided->outcome.verdict != VERDICT_DELIVERED))
		return;
	for (unsigned int i = 0; i < REMEMBERED && i < other->nr_sent; i++) {
		struct sent *sent = &other->sent[i];

		if (sent->acked || (int32_t)(first->ack - sent->end) < 0 ||
		    packet->decided->last <= sent->first)
			continue;
		sent->acked = true;
		found(gaps,
		      &(struct gap){
			      .ns = packet->decided->last - sent->first,
			      .kind = GAP_ACK,
			      .number = sent->number,
			      .next = packet->number,
		      },
		      packet->flow_number, !dir);
	}
}

/* The answer comes in. Where it was until then, this machine does not know. */
static void comes(struct gaps *gaps, struct talk *talk, const struct packet *packet,
		  unsigned int dir)
{
	const struct direction *other = &talk->dirs[!dir];
	const struct sent *asked = NULL;

	for (uint64_t i = other->nr_sent; i && i + REMEMBERED > other->nr_sent && !asked; i--) {
		const struct sent *sent = &other->sent[(i - 1) % REMEMBERED];

		if (sent->first < packet->first)
			asked = sent;
	}
	/* If the request has come in, too, the other end is in the recording: what is its is known better. */
	if (asked && asked->first > talk->dirs[dir].came && other->came < asked->first &&
	    talk->asker_known && dir != talk->asker)
		found(gaps,
		      &(struct gap){
			      /* It may come while the driver is still at it. */
			      .ns = asked->out && asked->out < packet->first ?
					    packet->first - asked->out :
					    0,
			      .kind = GAP_AWAY,
			      .number = asked->number,
			      .next = packet->number,
		      },
		      packet->flow_number, dir);
	talk->dirs[dir].came = packet->first;
}

static void is_delivered(struct direction *own, const struct packet *packet, const struct way *way)
{
	struct got *ring;

	for (unsigned int i = 0; i < way->nr_visits; i++) {
		const struct visit *visit = &way->visits[i];

		if (!visit->delivered)
			continue;
		ring = make_room(own->got, own->nr_got, sizeof(*ring));
		if (!ring)
			return;
		own->got = ring;
		own->got[own->nr_got++ % REMEMBERED] = (struct got){
			.number = packet->number,
			.delivered = visit->delivered,
			.read = visit->read,
		};
	}
}

/* Where a packet's own gaps are counted. */
struct finding {
	struct gaps *gaps;
	uint32_t flow;
	unsigned int dir;
};

static void found_own(void *data, const struct gap *gap)
{
	const struct finding *finding = data;

	found(finding->gaps, gap, finding->flow, finding->dir);
}

/* Work is not counted among the gaps: there is some in each packet. */
static void look_at_work(struct gaps *gaps, const struct packet *packet)
{
	if (packet->incomplete || packet->slowest_ns <= gaps->longest.ns)
		return;
	gaps->longest = (struct gap){
		.ns = packet->slowest_ns,
		.kind = GAP_WORK,
		.number = packet->number,
		.device = NO_DEVICE,
		.after = packet->slowest,
		.waited = packet->slowest_waited,
	};
}

unsigned int gaps_packet(struct gaps *gaps, const struct packet *packet)
{
	const struct way *way = stations_way(gaps->stations, packet->number);
	const struct copy *first = packet->copies[0];
	struct talk *talk = packet->flow_number && first->flow.family ? talk_of(gaps, packet) :
									NULL;
	unsigned int dir = talk ? goes_back(&talk->opener, &first->flow) : 0;
	int32_t payload = payload_of(packet);
	struct finding finding = { gaps, packet->flow_number, dir };

	if (talk) {
		acknowledges(gaps, talk, packet, dir);
		if (first->dir == RECORD_SKB_DIR_TX && (payload > 0 || is_syn(first)))
			sends(gaps, talk, packet, way, dir, payload);
		if (first->dir == RECORD_SKB_DIR_RX && (payload > 0 || is_syn(first)))
			comes(gaps, talk, packet, dir);
		if (way)
			is_delivered(&talk->dirs[dir], packet, way);
	}
	if (way)
		own_gaps(packet, way, found_own, &finding);
	look_at_work(gaps, packet);
	return dir;
}
