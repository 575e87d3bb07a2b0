// SPDX-License-Identifier: GPL-2.0
/*
 * conversation_delays.c - find the cause of each delay between the packets of a conversation, and the longest
 * delay of all
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/conversation_delays.h"
#include "model/packet_headers.h"
#include "model/servers.h"
#include "hash_table.h"

/* Number of sent segments, and of received segments, that are remembered for each direction of a flow. */
#define REMEMBERED 64

/* A segment that was sent. */
struct sent {
	uint32_t number, seq, end;
	uint64_t first,
		out; /* time when a driver or the socket of the peer got the segment, 0 if unknown */
	const struct name *dropped;
	bool acked;
	bool answered; /* data that another machine sent as an answer have arrived */
};

/*
 * A segment that a socket received. A program can read it from @in_order on; 0 means that earlier bytes may
 * have been missing.
 */
struct got {
	uint32_t number;
	uint64_t delivered, in_order, read;
};

/*
 * A direction of a flow. Direction 0 is the direction of the first packet. The arrays grow on demand, because
 * most flows have few packets. Each array has at most REMEMBERED elements; then the oldest element is
 * overwritten.
 */
struct direction {
	struct sent *sent;
	struct got *got;
	uint64_t nr_sent, nr_got;
	uint64_t came; /* when data last arrived from a device */
};

/* A conversation: both directions of a flow. */
struct talk {
	struct flow opener;
	bool asker_known;
	unsigned int asker; /* direction of requests, from the client to the server */
	struct direction dirs[2];
	uint32_t last_number; /* the last data of the server since the last data of the client; 0 for none */
	uint64_t last_data; /* when these data were first seen */
};

#define NR_LENGTHS 64

struct delays {
	struct stages *stages;
	delay_callback *each;
	void *data;
	struct table talks; /* table of struct talk, by number of the flow */
	struct delay longest;
	struct pause pause;
	uint64_t lengths[NR_LENGTHS]; /* histogram: element n counts delays from 2^n ns to 2^(n+1) ns */
	uint64_t nr;
};

struct delays *delays_new(struct stages *stages, delay_callback *each, void *data)
{
	struct delays *delays = calloc(1, sizeof(*delays));

	if (!delays)
		return NULL;
	delays->stages = stages;
	delays->each = each;
	delays->data = data;
	return delays;
}

static void direction_free(struct direction *dir)
{
	free(dir->sent);
	free(dir->got);
}

void delays_free(struct delays *delays)
{
	struct talk *talk;
	size_t i = 0;

	if (!delays)
		return;
	while ((talk = table_next(&delays->talks, &i))) {
		direction_free(&talk->dirs[0]);
		direction_free(&talk->dirs[1]);
	}
	table_free(&delays->talks);
	free(delays);
}

const struct delay *delays_longest(const struct delays *delays)
{
	return delays->longest.ns ? &delays->longest : NULL;
}

static unsigned int log2_of(uint64_t ns)
{
	unsigned int n = 0;

	while (ns >>= 1)
		n++;
	return n;
}

/*
 * Return: true if a time is at least 1 ms and ten times the median of the @others other delays, rounded
 * down to a power of two.
 */
static bool is_much_longer(const struct delays *delays, uint64_t ns, uint64_t others)
{
	uint64_t below = 0;
	unsigned int n = 0;

	while (n < NR_LENGTHS - 1 && (below += delays->lengths[n]) * 2 < others)
		n++;
	return ns >= 1000000 && (!others || ns >= 10ull << n);
}

bool delays_stands_out(const struct delays *delays)
{
	return is_much_longer(delays, delays->longest.ns, delays->nr ? delays->nr - 1 : 0);
}

const struct pause *delays_pause(const struct delays *delays)
{
	return delays->pause.ns > delays->longest.ns &&
			       is_much_longer(delays, delays->pause.ns, delays->nr) ?
		       &delays->pause :
		       NULL;
}

/* Return: true if rows were lost in this time. The lost rows may show that the time ended earlier. */
static bool loses_rows(const struct delays *delays, uint64_t from, uint64_t to)
{
	return lost_events_touch(stages_losses(delays->stages), from, to);
}

static void add_delay(struct delays *delays, const struct delay *delay, uint32_t flow,
		      unsigned int dir)
{
	if (!delay->ns)
		return;
	if (delays->each)
		delays->each(delays->data, delay, flow, dir);
	/*
	 * Three kinds of delays cannot be the longest delay. DELAY_REQUEST is the time that the client took
	 * before its next request, so nothing was late. DELAY_ACK and parts of delays overlap with delays
	 * that are counted already.
	 */
	if (delay->kind == DELAY_REQUEST || delay->kind == DELAY_ACK || delay_is_part(delay))
		return;
	delays->lengths[log2_of(delay->ns)]++;
	delays->nr++;
	if (delay->ns > delays->longest.ns)
		delays->longest = *delay;
}

/* Conversations. */

static struct talk *talk_of(struct delays *delays, const struct packet *packet)
{
	const struct table_key key = { .number = packet->flow_number };
	const struct copy *first = packet->copies[0];
	struct talk *talk = table_find(&delays->talks, key);
	bool source_asks;

	if (talk)
		return talk;
	talk = table_add(&delays->talks, key, calloc(1, sizeof(*talk)));
	if (!talk)
		return NULL;
	talk->opener = first->flow;
	talk->asker_known = first_shows_client(first, &source_asks);
	talk->asker = !source_asks;
	return talk;
}

/*
 * Make space for one more element in @ring, which has @nr elements. Return: the ring; NULL if there is not
 * enough memory. Then @ring stays valid.
 */
static void *grow_ring(void *ring, uint64_t nr, size_t size)
{
	const bool full = nr < REMEMBERED && !(nr & (nr - 1));

	return full ? realloc(ring, (nr ? 2 * nr : 1) * size) : ring;
}

/*
 * Return: the payload length of the copy that decides the outcome. If it is not known, return the payload
 * length of the first copy.
 */
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

static uint64_t since_of(const struct got *got)
{
	return got->in_order ? got->in_order : got->delivered;
}

/*
 * Return: the last segment of this direction that a program could read at time @ts; NULL if it is
 * not known which one.
 */
static const struct got *got_before(const struct direction *dir, uint64_t ts)
{
	const struct got *last = NULL;

	for (uint64_t i = dir->nr_got; i && i + REMEMBERED > dir->nr_got; i--) {
		const struct got *got = &dir->got[(i - 1) % REMEMBERED];

		if (since_of(got) <= ts && (!last || since_of(got) > since_of(last)))
			last = got;
	}
	return last && (last->in_order || (last->read && last->read <= ts)) ? last : NULL;
}

static enum delay_kind kind_of_answer(const struct talk *talk, const struct got *got,
				      unsigned int dir, bool called)
{
	/*
	 * If no call has sent the segment, the segment may have waited in the socket. In this case, the
	 * reason for the delay is not known.
	 */
	if (!talk->asker_known || !called)
		return DELAY_EITHER;
	if (dir == talk->asker)
		return DELAY_REQUEST;
	return got->read ? DELAY_ANSWER : DELAY_ANSWER_UNREAD;
}

/*
 * Note the delay before an answer. The delay begins when the last segment from the peer was received. If this
 * direction has sent another segment since then, that segment was the answer, and this packet is none.
 */
static void note_answer(struct delays *delays, struct talk *talk, const struct packet *packet,
			const struct way *way, unsigned int dir)
{
	const struct direction *own = &talk->dirs[dir];
	const struct got *got = got_before(&talk->dirs[!dir], packet->first);
	/*
	 * The delay ends when the data were written, because the segment may have waited in the socket after
	 * that.
	 */
	const uint64_t called = !way ? 0 : way->held.written ? way->held.written : way->called;
	const uint64_t to = called ? called : packet->first;
	struct got known;
	uint64_t from;

	if (!got ||
	    (own->nr_sent && own->sent[(own->nr_sent - 1) % REMEMBERED].first >= since_of(got)))
		return;
	known = *got;
	if (known.read > to)
		known.read = 0;
	from = known.read ? known.read : known.in_order;
	/* The lost rows may also have a newer segment from the peer. */
	if (!from || from >= to || loses_rows(delays, since_of(&known), to))
		return;
	add_delay(delays,
		  &(struct delay){
			  .ns = to - from,
			  .kind = kind_of_answer(talk, &known, dir, called),
			  .number = known.number,
			  .next = packet->number,
		  },
		  packet->flow_number, dir);
}

/* Return: the earlier transmission of the same segment; NULL if this packet is not a retransmission. */
static struct sent *find_resent(struct delays *delays, struct talk *talk,
				const struct packet *packet, unsigned int dir)
{
	const struct copy *first = packet->copies[0];
	struct sent *before;
	bool is_known;

	if (first->flow.proto != PROTO_TCP)
		return NULL;
	before = sent_before(&talk->dirs[dir], first->seq);
	if (!before)
		return NULL;
	is_known = !before->acked && !loses_rows(delays, before->first, packet->first);
	add_delay(delays,
		  &(struct delay){
			  .ns = is_known ? packet->first - before->first : 0,
			  .kind = DELAY_RESENT,
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

static void note_sent(struct delays *delays, struct talk *talk, const struct packet *packet,
		      const struct way *way, unsigned int dir, int32_t payload)
{
	const struct copy *first = packet->copies[0];
	struct direction *own = &talk->dirs[dir];
	struct sent *before = find_resent(delays, talk, packet, dir);
	const struct outcome *outcome = &packet->decided->outcome;
	struct sent sent, *ring;

	if (!before && payload > 0)
		note_answer(delays, talk, packet, way, dir);
	sent = (struct sent){
		.number = packet->number,
		.seq = first->seq,
		.end = first->seq + (payload > 0 ? payload : 0) + is_syn(first),
		.first = packet->first,
		.out = is_through(outcome->verdict) ? packet->last : 0,
		.dropped = outcome->verdict == VERDICT_DROPPED ? outcome->where : NULL,
	};
	/*
	 * If a segment was retransmitted several times, measure the time to the acknowledgement from the
	 * first transmission.
	 */
	if (before && !before->acked) {
		sent.number = before->number;
		sent.first = before->first;
		sent.dropped = before->dropped;
		before->acked = true;
	}
	ring = grow_ring(own->sent, own->nr_sent, sizeof(sent));
	if (!ring)
		return;
	own->sent = ring;
	own->sent[own->nr_sent++ % REMEMBERED] = sent;
}

/* Note the segments that a received packet acknowledges. */
static void note_acknowledged(struct delays *delays, struct talk *talk, const struct packet *packet,
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
		/* An earlier acknowledgement may be among the lost rows. */
		if (loses_rows(delays, sent->first, packet->decided->last))
			continue;
		add_delay(delays,
			  &(struct delay){
				  .ns = packet->decided->last - sent->first,
				  .kind = DELAY_ACK,
				  .number = sent->number,
				  .next = packet->number,
			  },
			  packet->flow_number, !dir);
	}
}

/*
 * Return: true if the packet was sent before its sender had the segment @sent. Then the packet does not
 * answer this segment.
 */
static bool is_sent_before(const struct packet *packet, const struct sent *sent)
{
	const struct copy *first = packet->copies[0];

	return first->flow.proto == PROTO_TCP && was_sent_without(first->ack, sent->end);
}

/*
 * Handle data that arrive from another machine. The recording does not show what delayed the data there, so
 * note only the time since the request.
 */
static void note_arrival(struct delays *delays, struct talk *talk, const struct packet *packet,
			 unsigned int dir)
{
	struct direction *other = &talk->dirs[!dir];
	struct sent *asked = NULL;

	for (uint64_t i = other->nr_sent; i && i + REMEMBERED > other->nr_sent && !asked; i--) {
		struct sent *sent = &other->sent[(i - 1) % REMEMBERED];

		if (sent->first < packet->first && !is_sent_before(packet, sent))
			asked = sent;
	}
	/*
	 * Do nothing if the request also arrived at a device of this machine: the server runs here, and the
	 * recording contains its delays.
	 */
	if (asked && !asked->answered && other->came < asked->first && talk->asker_known &&
	    dir != talk->asker && !loses_rows(delays, asked->first, packet->first))
		add_delay(delays,
			  &(struct delay){
				  /*
				   * The answer may arrive before the driver's function that sends the request
				   * has returned.
				   */
				  .ns = asked->out && asked->out < packet->first ?
						packet->first - asked->out :
						0,
				  .kind = DELAY_AWAY,
				  .number = asked->number,
				  .next = packet->number,
			  },
			  packet->flow_number, dir);
	if (asked)
		asked->answered = true;
	talk->dirs[dir].came = packet->first;
}

static void note_delivered(struct direction *own, const struct packet *packet,
			   const struct way *way)
{
	struct got *ring;

	for (unsigned int i = 0; i < way->nr_visits; i++) {
		const struct visit *visit = &way->visits[i];

		if (!visit->delivered)
			continue;
		ring = grow_ring(own->got, own->nr_got, sizeof(*ring));
		if (!ring)
			return;
		own->got = ring;
		own->got[own->nr_got++ % REMEMBERED] = (struct got){
			.number = packet->number,
			.delivered = visit->delivered,
			.in_order = visit->in_order,
			.read = visit->read,
		};
	}
}

/* The argument of add_own_delay(). This function adds a delay of a single packet. */
struct finding {
	struct delays *delays;
	uint32_t flow;
	unsigned int dir;
};

static void add_own_delay(void *data, const struct delay *delay)
{
	const struct finding *finding = data;

	add_delay(finding->delays, delay, finding->flow, finding->dir);
}

/*
 * Handle the longest time that the packet spent in one function. Every packet spends time in functions, so
 * use this time only if it is longer than all delays before.
 */
static void look_at_work(struct delays *delays, const struct packet *packet)
{
	if (packet->incomplete || packet->slowest_ns <= delays->longest.ns)
		return;
	delays->longest = (struct delay){
		.ns = packet->slowest_ns,
		.kind = DELAY_WORK,
		.number = packet->number,
		.device = NO_DEVICE,
		.after = packet->slowest,
		.waited = packet->slowest_waited,
	};
}

/*
 * Note a pause in the data of the server, in which the client sent no data. The recording does not show if
 * the server worked or was idle, so the pause is not a delay.
 */
static void note_pause(struct delays *delays, struct talk *talk, const struct packet *packet,
		       const struct way *way, unsigned int dir)
{
	const uint64_t called = !way ? 0 : way->held.written ? way->held.written : way->called;
	const uint64_t to = called && called < packet->first ? called : packet->first;

	if (packet->copies[0]->again)
		return;
	if (dir == talk->asker) {
		talk->last_number = 0;
		return;
	}
	if (talk->last_number && to > talk->last_data && to - talk->last_data > delays->pause.ns &&
	    !loses_rows(delays, talk->last_data, to))
		delays->pause =
			(struct pause){ to - talk->last_data, talk->last_number, packet->number };
	talk->last_number = packet->number;
	talk->last_data = packet->first;
}

unsigned int delays_packet(struct delays *delays, const struct packet *packet)
{
	const struct way *way = stages_way(delays->stages, packet->number);
	const struct copy *first = packet->copies[0];
	struct talk *talk = packet->flow_number && first->flow.family ? talk_of(delays, packet) :
									NULL;
	const enum flow_way direction = talk ? flow_way(&talk->opener, &first->flow) : WAY_UNKNOWN;
	const unsigned int dir = direction == WAY_BACK;
	int32_t payload = payload_of(packet);
	struct finding finding = { delays, packet->flow_number, dir };

	if (direction != WAY_UNKNOWN) {
		note_acknowledged(delays, talk, packet, dir);
		if (first->dir == RECORD_SKB_DIR_TX && (payload > 0 || is_syn(first)))
			note_sent(delays, talk, packet, way, dir, payload);
		if (first->dir == RECORD_SKB_DIR_RX && (payload > 0 || is_syn(first)))
			note_arrival(delays, talk, packet, dir);
		if (talk->asker_known && payload > 0)
			note_pause(delays, talk, packet, way, dir);
		if (way)
			note_delivered(&talk->dirs[dir], packet, way);
	}
	if (way)
		own_delays(packet, way, stages_losses(delays->stages), add_own_delay, &finding);
	look_at_work(delays, packet);
	return dir;
}
