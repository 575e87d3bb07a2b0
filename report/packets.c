// SPDX-License-Identifier: GPL-2.0
/* packets.c - what is known of each packet, gathered from the stream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copies.h"
#include "crossing.h"
#include "headers.h"
#include "packets.h"
#include "segments.h"

/* A power of two. */
#ifndef MAX_PACKETS
#define MAX_PACKETS 131072
#endif

/* While they come: how long nothing may happen to one that has ended, and to one that has not. */
#define SETTLED_NS  10000000ull
#define PATIENCE_NS 5000000000ull
/* No packet is kept for so long. */
#define FORGOTTEN_NS (4 * PATIENCE_NS)

struct packets {
	const struct output *output;
	void *output_data;
	struct frames *frames; /* NULL if none are wanted */
	struct packet **ring;  /* by number modulo MAX_PACKETS */
	struct devices *devices;
	struct losses losses;
	struct segments *segments;
	uint64_t incomplete;
	uint32_t highest; /* number of a packet */
	uint64_t shown;
	/* While they come: those handed on, by number modulo MAX_PACKETS, and the first not to be. */
	uint32_t *gone;
	uint32_t first;
};

struct packets *packets_new(const struct output *output, void *data, struct frames *frames)
{
	struct packets *packets = calloc(1, sizeof(*packets));

	if (!packets)
		return NULL;
	packets->output = output;
	packets->output_data = data;
	packets->frames = frames;
	packets->ring = calloc(MAX_PACKETS, sizeof(*packets->ring));
	packets->devices = devices_new();
	packets->segments = segments_new();
	if (!packets->ring || !packets->devices || !packets->segments) {
		packets_free(packets);
		return NULL;
	}
	return packets;
}

static void free_packet(struct packet *packet)
{
	if (!packet)
		return;
	copies_free(packet);
	free(packet);
}

void packets_free(struct packets *packets)
{
	if (!packets)
		return;
	for (size_t i = 0; packets->ring && i < MAX_PACKETS; i++)
		free_packet(packets->ring[i]);
	free(packets->ring);
	free(packets->gone);
	devices_free(packets->devices);
	segments_free(packets->segments);
	losses_free(&packets->losses);
	free(packets);
}

const struct devices *packets_devices(const struct packets *packets)
{
	return packets->devices;
}

const struct losses *packets_losses(const struct packets *packets)
{
	return &packets->losses;
}

uint64_t packets_incomplete(const struct packets *packets)
{
	return packets->incomplete;
}

uint64_t packets_missing(const struct packets *packets)
{
	return packets->highest > packets->shown ? packets->highest - packets->shown : 0;
}

/* Rows were lost while it was there: for all that is known, it is there until it ends. */
static bool loses_rows(const struct losses *losses, const struct packet *packet)
{
	uint64_t until = packet->last > packet->told ? packet->last : packet->told;

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (!packet->copies[i]->fate.ended)
			until = UINT64_MAX;
	}
	return losses_touch(losses, packet->first, until);
}

static void finish(struct packets *packets, struct packet *packet)
{
	packet->incomplete |= loses_rows(&packets->losses, packet);
	copies_judge(packet);
	/* Of a packet that was never seen at a point there is nothing to show. */
	if (packet->nr_copies && packet->first) {
		packets->incomplete += packet->incomplete;
		packets->shown++;
		packets->output->packet(packets->output_data, packet);
	}
	free_packet(packet);
}

static struct packet *find(struct packets *packets, uint32_t number)
{
	struct packet *packet = packets->ring[number % MAX_PACKETS];

	return packet && packet->number == number ? packet : NULL;
}

bool packets_is_gone(const struct packets *packets, uint32_t number)
{
	return packets->gone && packets->gone[number % MAX_PACKETS] == number;
}

static struct packet *find_or_add(struct packets *packets, uint32_t number)
{
	struct packet **slot = &packets->ring[number % MAX_PACKETS];

	if (packets_is_gone(packets, number))
		return NULL;
	if (*slot && (*slot)->number == number)
		return *slot;
	/* One that was handed on when this came. */
	if (*slot && (*slot)->number > number)
		return NULL;
	if (*slot)
		finish(packets, *slot);
	*slot = calloc(1, sizeof(**slot));
	if (!*slot)
		return NULL;
	(*slot)->number = number;
	if (number > packets->highest)
		packets->highest = number;
	return *slot;
}

const struct packet *packets_find(const struct packets *packets, uint32_t number)
{
	return find((struct packets *)packets, number);
}

bool packets_come_live(struct packets *packets)
{
	packets->gone = calloc(MAX_PACKETS, sizeof(*packets->gone));
	packets->first = 1;
	return packets->gone;
}

static bool has_ended(const struct packet *packet)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (!packet->copies[i]->fate.ended)
			return false;
	}
	return !packet->pieces && packet->nr_copies;
}

/* What is told of a packet behind its end is in the graph around, which may be another's. */
static bool can_be_handed_on(const struct packet *packet, uint64_t now)
{
	const uint64_t since = packet->last > packet->first ? packet->last : packet->first;

	return packet->first && now > since + (has_ended(packet) ? SETTLED_NS : PATIENCE_NS);
}

static void hand_on(struct packets *packets, uint32_t number)
{
	struct packet **slot = &packets->ring[number % MAX_PACKETS];

	finish(packets, *slot);
	*slot = NULL;
	packets->gone[number % MAX_PACKETS] = number;
}

void packets_hand_on(struct packets *packets, uint64_t now)
{
	bool all = true;

	if (packets->highest >= packets->first + MAX_PACKETS)
		packets->first = packets->highest - MAX_PACKETS + 1;
	for (uint32_t number = packets->first; number <= packets->highest; number++) {
		struct packet *packet = find(packets, number);

		if (packet && can_be_handed_on(packet, now)) {
			hand_on(packets, number);
			packet = NULL;
		}
		/* One that was not seen yet may come. */
		all &= !packet && packets_is_gone(packets, number);
		packets->first += all;
	}
	losses_forget(&packets->losses, now > FORGOTTEN_NS ? now - FORGOTTEN_NS : 0);
}

void packets_choose(struct packets *packets, uint32_t number)
{
	struct packet *packet = find(packets, number);

	if (packet)
		packet->chosen = true;
}

static int by_number(const void *a, const void *b)
{
	const struct packet *const *x = a, *const *y = b;

	return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

void packets_end(struct packets *packets)
{
	size_t n = 0;

	for (size_t i = 0; i < MAX_PACKETS; i++) {
		struct packet *packet = packets->ring[i];

		packets->ring[i] = NULL;
		if (packet)
			packets->ring[n++] = packet;
	}
	qsort(packets->ring, n, sizeof(*packets->ring), by_number);
	for (size_t i = 0; i < n; i++) {
		finish(packets, packets->ring[i]);
		packets->ring[i] = NULL;
	}
}

/* An older recording, or an skb that is not remembered: the packet is one skb, of which not all is known. */
static uint32_t known_number(uint32_t copy)
{
	return copy == RECORD_SKB_COPY_UNKNOWN ? 0 : copy;
}

static struct fate_function function_of(const struct name *name)
{
	return (struct fate_function){ .id = name, .facts = name ? name->facts : NULL };
}

/* If all is well, it is answered at once. */
static bool asks(const struct copy *copy)
{
	return (copy->tcp_flags_now & (TCP_SYN | TCP_ACK)) == TCP_SYN ||
	       is_request(&copy->flow_now);
}

static struct fate_packet fate_packet(const struct packet *packet, const struct copy *copy)
{
	return (struct fate_packet){
		.payload = copy->payload_now,
		.tracked = copy->tracked,
		.asks = asks(copy),
		.answered = packet->answered,
		.lacks_points = packet->lacks_points,
	};
}

/* Its way. */

/*
 * What TCP sends, and what comes from a device, has each time another skb and so another number. Copies of
 * one have the packet's; an skb that is not remembered has a new one at each point.
 */
static bool may_be_again(const struct copy *copy, const struct packet_seen *seen)
{
	const struct flow *flow = &seen->event->flow;

	return !copy->streamed && !copy->number && copy->tracked && copy->payload_now >= 0 &&
	       flow->proto == PROTO_TCP && flow->sport && flow->dport;
}

/* It is looked at where its headers are complete for the first time. */
static void see_segment(struct packets *packets, struct copy *copy, const struct packet_seen *seen)
{
	const struct segment segment = {
		.flow = &seen->event->flow,
		.netns = seen->facts.netns,
		.device = copy->dir == RECORD_SKB_DIR_RX && copy->path.n ? copy->path.hops[0] :
									   NO_DEVICE,
		.flags = seen->facts.tcp_flags,
		.seq = seen->facts.seq,
		.payload = copy->payload_now,
	};

	if (!may_be_again(copy, seen))
		return;
	copy->streamed = true;
	copy->again = segments_see(packets->segments, &segment);
}

static void see_first(struct copy *copy, const struct moment *at, const struct packet_seen *seen)
{
	copy->seen = true;
	copy->first = at->ts;
	copy->skb = seen->event->skb;
	copy->tracked = seen->event->copy != RECORD_SKB_COPY_UNKNOWN;
	copy->flow = seen->event->flow;
	copy->dir = seen->event->dir;
	copy->payload = copy->payload_now = -1;
	copy->len = packet_len(seen);
	copy->tcp_flags = seen->facts.tcp_flags;
	copy->seq = seen->facts.seq;
	copy->ack = seen->facts.ack;
}

/* A tunnel's around it, or those inside; and where a sender first has it, they are not written yet. */
static void see_headers(struct copy *copy, const struct packet_seen *seen)
{
	const struct flow *flow = &seen->event->flow;
	const int32_t payload =
		writes_len(seen) ? -1 : payload_len(flow, seen->facts.data, seen->facts.data_len);

	if (flow->proto == PROTO_SCTP)
		copy->payload_now = sctp_data_len(flow, seen->facts.data, seen->facts.data_len);
	else if (payload >= 0 || flow->proto != copy->flow_now.proto)
		copy->payload_now = payload;
	copy->tcp_flags_now = seen->facts.tcp_flags;
	copy->flow_now = *flow;
	if (copy->payload < 0 && payload >= 0) {
		copy->payload = payload;
		copy->len = packet_len(seen);
	}
}

/* What is new on its way out, while a packet is worked for that came in, and goes back, was made for that. */
static void see_answer(struct packets *packets, const struct packet_seen *seen)
{
	struct packet *asked = seen->within ? find(packets, seen->within) : NULL;

	if (!asked || seen->event->dir != RECORD_SKB_DIR_TX || find(packets, seen->event->pkt))
		return;
	for (unsigned int i = 0; i < asked->nr_copies; i++) {
		const struct copy *copy = asked->copies[i];

		asked->answered |= !copy->fate.goes_out &&
				   is_answer(&seen->event->flow, &copy->flow_now);
	}
}

static void packet_seen(void *data, const struct moment *at, const struct packet_seen *seen)
{
	const struct fate_function point = function_of(seen->point);
	struct packets *packets = data;
	struct packet *packet;
	struct copy *copy;

	see_answer(packets, seen);
	packet = find_or_add(packets, seen->event->pkt);
	copy = packet ? copies_find_or_add(packet, known_number(seen->event->copy)) : NULL;
	if (!copy)
		return;
	if (!packet->first) {
		packet->first = at->ts;
		packet->incomplete |= seen->facts.seen_before;
	}
	if (!copy->seen)
		see_first(copy, at, seen);
	see_headers(copy, seen);
	if (!packet->flow_number)
		packet->flow_number = seen->event->flow_number;
	packet->incomplete |= !seen->placed;
	packet->lacks_points |= seen->facts.lacks_points;
	packet->last = copy->last = at->ts;
	crossing_see(packets->devices, packets->frames, copy, at, seen);
	see_segment(packets, copy, seen);
	fate_seen(&copy->fate, &point, seen->event->dir);
}

/* What became of it. */

static void packet_dropped(void *data, const struct moment *at,
			   const struct packet_dropped *dropped)
{
	const struct fate_function place = function_of(dropped->place);
	struct packet *packet = find(data, dropped->event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(dropped->event->copy)) : NULL;
	struct fate_packet about;

	if (!copy)
		return;
	packet->told = at->ts;
	about = fate_packet(packet, copy);
	if (fate_dropped(&copy->fate, &place, dropped->says_why, dropped->at_work, &about)) {
		packet->last = copy->last = at->ts;
		strcpy(copy->outcome.reason, dropped->facts.why);
	}
}

static void packet_copied(void *data, const struct moment *at, const struct skb_event *event)
{
	struct packet *packet = find_or_add(data, event->pkt);

	if (!packet)
		return;
	packet->told = at->ts;
	copies_made(packet, event);
}

static void packet_ended(void *data, const struct moment *at, const struct packet_ended *ended)
{
	struct packet *packet = find(data, ended->event->pkt);
	struct copy *copy = packet ? copies_find(packet, known_number(ended->event->copy)) : NULL;
	struct fate_packet about;

	if (!copy)
		return;
	packet->told = at->ts;
	about = fate_packet(packet, copy);
	fate_ended(&copy->fate, ended->at_work, &about);
}

/* Where the event does not say the copy: by its address, or the last that stood at this point. */
static struct copy *copy_of_return(const struct packet *packet, const struct function_left *left)
{
	const struct skb_event *event = left->event;

	if (event->copy != RECORD_SKB_COPY_UNKNOWN)
		return copies_find(packet, event->copy);
	for (unsigned int i = packet->nr_copies; i > 0; i--) {
		struct copy *copy = packet->copies[i - 1];

		if (event->skb ? copy->skb == event->skb : copy->fate.at.id == left->name)
			return copy;
	}
	return NULL;
}

static void function_returned(void *data, const struct moment *at, const struct function_left *left)
{
	const struct fate_function function = function_of(left->name);
	struct packet *packet = find(data, left->event->pkt);
	struct copy *copy = packet ? copy_of_return(packet, left) : NULL;
	struct fate_packet about;

	(void)at;
	if (!copy)
		return;
	about = fate_packet(packet, copy);
	fate_left(&copy->fate, &function, &left->event->ret, &about);
}

static void point_left(struct packet *packet, const struct function *function)
{
	const struct fate_function left = function_of(function->name);
	struct copy *copy = copies_find(packet, known_number(function->copy));
	struct fate_packet about;

	if (!copy)
		return;
	about = fate_packet(packet, copy);
	fate_left(&copy->fate, &left, NULL, &about);
}

/* Its time. */

static void begin_piece(struct packet *packet, const struct moment *at)
{
	if (!packet->pieces++ && packet->idle_since && at->ts > packet->idle_since)
		packet->wait_ns += at->ts - packet->idle_since;
}

static void end_piece(struct packet *packet, const struct moment *at)
{
	if (packet->pieces && !--packet->pieces)
		packet->idle_since = at->ts;
}

static void entered(void *data, const struct moment *at, const struct function *function)
{
	struct packet *packet = function->pkt ? find(data, function->pkt) : NULL;

	if (!packet)
		return;
	if (function->starts)
		begin_piece(packet, at);
	packet->last = at->ts;
	if (function->name->gate)
		return;
	packet->calls++;
}

static void left(void *data, const struct moment *at, const struct function *function)
{
	struct packet *packet = function->pkt ? find(data, function->pkt) : NULL;

	if (!packet)
		return;
	packet->last = at->ts;
	if (function->starts)
		end_piece(packet, at);
	if (function->point)
		point_left(packet, function);
	if (function->name->gate)
		return;
	packet->stack_ns += function->self;
	if (!packet->slowest || function->self > packet->slowest_ns) {
		packet->slowest = function->name;
		packet->slowest_ns = function->self;
		packet->slowest_waited = function->waited;
	}
}

static void abandoned(void *data, const struct moment *at, const struct function *function)
{
	struct packet *packet = function->pkt ? find(data, function->pkt) : NULL;

	if (!packet)
		return;
	packet->incomplete |= function->lost;
	if (function->starts)
		end_piece(packet, at);
}

static void lost(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	struct packets *packets = data;
	struct loss loss = { .cpu = at->cpu, .from = from, .to = at->ts, .count = count };

	losses_add(&packets->losses, &loss);
}

/* Any of those before. There is a time before the first, else they would be the end of a ring. */
static void read_by_others(void *data, const struct moment *at)
{
	struct packets *packets = data;
	struct loss loss = { .cpu = -1, .from = 1, .to = at->ts };

	losses_add(&packets->losses, &loss);
}

const struct sink packets_sink = {
	.packet = packet_seen,
	.dropped = packet_dropped,
	.copied = packet_copied,
	.ended = packet_ended,
	.returned = function_returned,
	.entered = entered,
	.left = left,
	.abandoned = abandoned,
	.lost = lost,
	.read_by_others = read_by_others,
};
