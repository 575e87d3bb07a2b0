// SPDX-License-Identifier: GPL-2.0
/* gaps.c - whose the time was in which nobody worked for a packet, or for a conversation */
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
	uint64_t first, out; /* out: when a driver had it, 0 if not known */
	const struct name *dropped;
	bool acked;
};

/* Data that a socket got. */
struct got {
	uint32_t number;
	uint64_t delivered, read;
};

/* One direction of a flow: 0 is that of its first packet. */
struct direction {
	struct sent sent[REMEMBERED];
	struct got got[REMEMBERED];
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

void gaps_free(struct gaps *gaps)
{
	if (!gaps)
		return;
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
	if (gap->kind == GAP_REQUEST || gap->kind == GAP_ACK)
		return;
	gaps->lengths[log2_of(gap->ns)]++;
	gaps->nr++;
	if (gap->ns > gaps->longest.ns)
		gaps->longest = *gap;
}

/* A packet's own. */

static enum gap_kind kind_of_queue(const struct name *queue)
{
	if (!queue)
		return GAP_BETWEEN;
	if (!strcmp(queue->text, "__dev_queue_xmit"))
		return GAP_QUEUE;
	if (!strcmp(queue->text, "neigh_resolve_output"))
		return GAP_NEIGHBOUR;
	if (!strcmp(queue->text, "netif_rx_internal"))
		return GAP_BACKLOG;
	if (!strcmp(queue->text, "ip_defrag") || !strcmp(queue->text, "ipv6_frag_rcv"))
		return GAP_FRAGMENTS;
	return GAP_OTHER_QUEUE;
}

/* The driver had stopped its queue, or was at another packet: what was handed to it is put back. */
static bool was_put_back(const struct rest *rest)
{
	return rest->after && rest->before && !strcmp(rest->after->text, "sch_direct_xmit") &&
	       !strcmp(rest->before->text, "sch_direct_xmit");
}

static enum gap_kind kind_of_rest(const struct packet *packet, const struct rest *rest)
{
	/* Where rows are lost, it may have been anywhere. */
	if (packet->incomplete)
		return GAP_BETWEEN;
	if (was_put_back(rest))
		return GAP_QUEUE;
	return rest->state == FATE_QUEUED ? kind_of_queue(rest->after) : GAP_BETWEEN;
}

static struct gap rest_as_gap(const struct packet *packet, const struct rest *rest)
{
	return (struct gap){
		.ns = rest->after && rest->before ? rest->ns : 0,
		.kind = kind_of_rest(packet, rest),
		.number = packet->number,
		.device = rest->device,
		.after = rest->after,
		.before = rest->before,
	};
}

static struct gap unread(const struct packet *packet, const struct visit *visit)
{
	return (struct gap){
		.ns = visit->read ? visit->read - visit->delivered : 0,
		.kind = visit->awaited ? GAP_AWAITED : GAP_UNREAD,
		.number = packet->number,
		.device = NO_DEVICE,
	};
}

/* What lay in the socket that sends it. */

static enum gap_kind kind_of_held(const struct held *held)
{
	switch (held->released) {
	case RELEASED_WINDOW:
		return GAP_WINDOW;
	case RELEASED_ROOM:
		return held->unacked ? GAP_ROOM : GAP_CALL;
	case RELEASED_ACK:
		return held->last ? GAP_NAGLE : GAP_CONGESTION;
	case RELEASED_TIMER:
		if (!held->last)
			return GAP_PACED;
		/* fall through */
	case RELEASED_CALL:
		return held->last && !held->unacked ? GAP_CORKED : GAP_HELD;
	case RELEASED_AT_ONCE:
		break;
	}
	return GAP_BETWEEN;
}

static struct gap unsent_as_gap(const struct packet *packet, const struct way *way)
{
	const struct held *held = &way->held;
	const bool waited = held->released != RELEASED_AT_ONCE && packet->first > held->since;

	return (struct gap){
		.ns = waited && !packet->incomplete ? packet->first - held->since : 0,
		.kind = kind_of_held(held),
		.number = packet->number,
		.by = held->by,
		.device = NO_DEVICE,
	};
}

/* Its call had begun, and there was no packet. */
static struct gap in_its_call(const struct packet *packet, const struct way *way)
{
	return (struct gap){
		.ns = way->called && way->first_of_call ? packet->first - way->called : 0,
		.kind = GAP_CALL,
		.number = packet->number,
		.device = NO_DEVICE,
	};
}

struct gap gap_of_packet(const struct packet *packet, const struct way *way)
{
	const struct gap own[] = {
		unsent_as_gap(packet, way),
		in_its_call(packet, way),
	};
	struct gap longest = rest_as_gap(packet, &way->longest);

	for (unsigned int i = 0; i < way->nr_visits; i++) {
		const struct gap gap = unread(packet, &way->visits[i]);

		if (gap.ns > longest.ns)
			longest = gap;
	}
	for (unsigned int i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (own[i].ns > longest.ns)
			longest = own[i];
	}
	return longest;
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

static void sends(struct gaps *gaps, struct talk *talk, const struct packet *packet,
		  const struct way *way, unsigned int dir, int32_t payload)
{
	const struct copy *first = packet->copies[0];
	struct direction *own = &talk->dirs[dir];
	struct sent *before = is_resent(gaps, talk, packet, dir);
	const struct outcome *outcome = &packet->decided->outcome;
	struct sent sent;

	if (!before && payload > 0)
		answers(gaps, talk, packet, way, dir);
	sent = (struct sent){
		.number = packet->number,
		.seq = first->seq,
		.end = first->seq + (payload > 0 ? payload : 0) + is_syn(first),
		.first = packet->first,
		.out = outcome->verdict == VERDICT_SENT ? packet->last : 0,
		.dropped = outcome->verdict == VERDICT_DROPPED ? outcome->where : NULL,
	};
	/* Sent again and again, it is the first that was to be acknowledged. */
	if (before && !before->acked) {
		sent.number = before->number;
		sent.first = before->first;
		sent.dropped = before->dropped;
		before->acked = true;
	}
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

static void is_delivered(struct gaps *gaps, struct talk *talk, const struct packet *packet,
			 const struct way *way, unsigned int dir)
{
	struct direction *own = &talk->dirs[dir];

	for (unsigned int i = 0; i < way->nr_visits; i++) {
		const struct visit *visit = &way->visits[i];
		struct gap gap;

		if (!visit->delivered)
			continue;
		own->got[own->nr_got++ % REMEMBERED] = (struct got){
			.number = packet->number,
			.delivered = visit->delivered,
			.read = visit->read,
		};
		gap = unread(packet, visit);
		found(gaps, &gap, packet->flow_number, dir);
	}
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
	struct gap gap;

	if (talk) {
		acknowledges(gaps, talk, packet, dir);
		if (first->dir == RECORD_SKB_DIR_TX && (payload > 0 || is_syn(first)))
			sends(gaps, talk, packet, way, dir, payload);
		if (first->dir == RECORD_SKB_DIR_RX && (payload > 0 || is_syn(first)))
			comes(gaps, talk, packet, dir);
		if (way)
			is_delivered(gaps, talk, packet, way, dir);
	}
	if (way) {
		gap = rest_as_gap(packet, &way->longest);
		found(gaps, &gap, packet->flow_number, dir);
		gap = unsent_as_gap(packet, way);
		found(gaps, &gap, packet->flow_number, dir);
		gap = in_its_call(packet, way);
		found(gaps, &gap, packet->flow_number, dir);
	}
	look_at_work(gaps, packet);
	return dir;
}

/* Words. */

const char *gap_name(enum gap_kind kind)
{
	static const char *const names[GAPS] = {
		[GAP_QUEUE] = "in a device's queue",
		[GAP_NEIGHBOUR] = "neighbour asked for",
		[GAP_BACKLOG] = "in a CPU's backlog",
		[GAP_FRAGMENTS] = "for other fragments",
		[GAP_OTHER_QUEUE] = "in another queue",
		[GAP_BETWEEN] = "between functions",
		[GAP_ROOM] = "call waited for room",
		[GAP_WINDOW] = "for the other end's window",
		[GAP_NAGLE] = "small, held back (Nagle)",
		[GAP_CONGESTION] = "for the congestion window",
		[GAP_CORKED] = "held back (cork)",
		[GAP_PACED] = "held back (pacing)",
		[GAP_HELD] = "in the sending socket",
		[GAP_UNREAD] = "queued -> read",
		[GAP_AWAITED] = "queued -> read, awaited",
		[GAP_ANSWER] = "read -> answer sent",
		[GAP_ANSWER_UNREAD] = "delivered -> answer sent",
		[GAP_REQUEST] = "answer -> next request",
		[GAP_EITHER] = "delivered -> sent back",
		[GAP_AWAY] = "sent -> answer came in",
		[GAP_ACK] = "sent -> acknowledged",
		[GAP_RESENT] = "sent -> sent again",
		[GAP_WORK] = "in one function",
	};

	return names[kind];
}

/* In the socket that sends, or in the call. */
static void unsent(char *buf, size_t len, const struct gap *gap)
{
	static const char *const why[GAPS] = {
		[GAP_CALL] =
			"the call that sends it had begun: it worked, or waited for room in the socket or "
			"for a CPU",
		[GAP_ROOM] = "the call that sends it waited for room in the socket's send buffer",
		[GAP_WINDOW] =
			"its data waited in the socket: the other end had no room (its window)",
		[GAP_NAGLE] =
			"its data, small, waited in the socket for the acknowledgement of what was sent "
			"before (Nagle)",
		[GAP_CONGESTION] =
			"its data waited in the socket for the acknowledgement of what was sent before "
			"(congestion window)",
		[GAP_CORKED] = "its data was held back in the socket (cork, MSG_MORE)",
		[GAP_PACED] =
			"its data was held back in the socket (pacing, or the device's queue)",
		[GAP_HELD] =
			"its data waited in the socket (cork, MSG_MORE, pacing, Nagle, or the device's "
			"queue)",
	};

	if (gap->by)
		snprintf(buf, len, "%s, until #%u came", why[gap->kind], gap->by);
	else
		snprintf(buf, len, "%s", why[gap->kind]);
}

static void one_packets(char *buf, size_t len, const struct gap *gap, const char *device)
{
	switch (gap->kind) {
	case GAP_QUEUE:
		snprintf(buf, len, "it was in the queue of %s (qdisc)", device);
		break;
	case GAP_NEIGHBOUR:
		snprintf(buf, len, "it waited on %s for its neighbour's link-layer address",
			 device);
		break;
	case GAP_BACKLOG:
		snprintf(buf, len, "it was in a CPU's backlog, which had not been worked off");
		break;
	case GAP_FRAGMENTS:
		snprintf(buf, len, "it waited for the other fragments of its packet");
		break;
	case GAP_OTHER_QUEUE:
		snprintf(buf, len, "it was in the queue that %s had put it into", gap->after->text);
		break;
	case GAP_CALL:
	case GAP_ROOM:
	case GAP_WINDOW:
	case GAP_NAGLE:
	case GAP_CONGESTION:
	case GAP_CORKED:
	case GAP_PACED:
	case GAP_HELD:
		unsent(buf, len, gap);
		break;
	case GAP_WORK:
		snprintf(buf, len, "%s took it by itself: it worked for it, or was interrupted",
			 gap->after->text);
		break;
	case GAP_AWAITED:
		snprintf(
			buf, len,
			"it was in the socket's queue; its reader was in the call for it, and had no CPU "
			"or wanted more (SO_RCVLOWAT)");
		break;
	case GAP_UNREAD:
		snprintf(buf, len, "it was in the socket's queue, and nobody had taken it out");
		break;
	default:
		snprintf(buf, len, "between %s and %s", gap->after ? gap->after->text : "?",
			 gap->before ? gap->before->text : "?");
		break;
	}
}

const char *words_own_gap(char *buf, const struct gap *gap, const struct devices *devices)
{
	const struct device *device = devices_get(devices, gap->device);

	one_packets(buf, GAP_LEN, gap, device ? device->name : "a device");
	return buf;
}

const char *words_gap(char *buf, const struct gap *gap, const struct devices *devices)
{
	static const char *const pairs[GAPS] = {
		[GAP_ANSWER] = "the application had the request and had not answered",
		[GAP_ANSWER_UNREAD] = "the socket had the request, and no answer was sent",
		[GAP_REQUEST] = "the application had the answer and had not asked again",
		[GAP_EITHER] = "between what the socket got and what was sent back",
		[GAP_AWAY] =
			"the network or the other end had the request, and no answer had come in",
		[GAP_ACK] = "it was not acknowledged",
		[GAP_RESENT] = "it was not acknowledged, and was sent again",
	};
	char text[GAP_LEN];

	if (gap->kind == GAP_RESENT && gap->after) {
		snprintf(buf, GAP_LEN, "#%u -> #%u: it was dropped in %s, and sent again",
			 gap->number, gap->next, gap->after->text);
		return buf;
	}
	if (gap->next) {
		snprintf(buf, GAP_LEN, "#%u -> #%u: %s", gap->number, gap->next, pairs[gap->kind]);
		return buf;
	}
	snprintf(buf, GAP_LEN, "#%u: %.*s", gap->number, GAP_LEN - 32,
		 words_own_gap(text, gap, devices));
	return buf;
}
