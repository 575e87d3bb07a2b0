// SPDX-License-Identifier: GPL-2.0
/* packets.c - what is known of each packet, gathered from the stream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "headers.h"
#include "packets.h"

/* A power of two. */
#ifndef MAX_PACKETS
#define MAX_PACKETS	131072
#endif

struct packets {
	const struct output *output;
	void *output_data;
	bool keep_frames;
	struct packet **ring;	/* by number modulo MAX_PACKETS */
	struct devices *devices;
	struct losses losses;
	uint64_t incomplete;
};

struct packets *packets_new(const struct output *output, void *data, bool frames)
{
	struct packets *packets = calloc(1, sizeof(*packets));

	if (!packets)
		return NULL;
	packets->output = output;
	packets->output_data = data;
	packets->keep_frames = frames;
	packets->ring = calloc(MAX_PACKETS, sizeof(*packets->ring));
	packets->devices = devices_new();
	if (!packets->ring || !packets->devices) {
		packets_free(packets);
		return NULL;
	}
	return packets;
}

static void free_packet(struct packet *packet)
{
	struct frame *frame;

	if (!packet)
		return;
	while ((frame = packet->frames)) {
		packet->frames = frame->next;
		free(frame);
	}
	free(packet);
}

void packets_free(struct packets *packets)
{
	if (!packets)
		return;
	for (size_t i = 0; packets->ring && i < MAX_PACKETS; i++)
		free_packet(packets->ring[i]);
	free(packets->ring);
	devices_free(packets->devices);
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

static void finish(struct packets *packets, struct packet *packet)
{
	packet->incomplete |= losses_touch(&packets->losses, packet->first, packet->last);
	packets->incomplete += packet->incomplete;
	packets->output->packet(packets->output_data, packet);
	free_packet(packet);
}

static struct packet *find(struct packets *packets, uint32_t number)
{
	struct packet *packet = packets->ring[number % MAX_PACKETS];

	return packet && packet->number == number ? packet : NULL;
}

static struct packet *find_or_add(struct packets *packets, uint32_t number)
{
	struct packet **slot = &packets->ring[number % MAX_PACKETS];

	if (*slot && (*slot)->number == number)
		return *slot;
	if (*slot)
		finish(packets, *slot);
	*slot = calloc(1, sizeof(**slot));
	if (!*slot)
		return NULL;
	(*slot)->number = number;
	(*slot)->payload = -1;
	(*slot)->device = NO_DEVICE;
	return *slot;
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

/* What became of it. */

static void settle(struct packet *packet, enum verdict verdict, const struct name *where)
{
	/* In a socket's queue it stays, whatever is done with its copies. */
	if (packet->verdict == VERDICT_DELIVERED && verdict != VERDICT_SENT &&
	    verdict != VERDICT_FORWARDED)
		return;
	packet->verdict = verdict;
	packet->where = where;
	packet->reason[0] = '\0';
}

/* The device it was on last; NO_DEVICE if there was none. */
static uint16_t last_hop(const struct packet *packet)
{
	unsigned int n = packet->nr_hops > MAX_HOPS ? MAX_HOPS : packet->nr_hops;

	return n ? packet->hops[n - 1] : NO_DEVICE;
}

static void learn_from_function(struct packet *packet, const struct name *name)
{
	switch (name->meaning) {
	case MEANS_DELIVERED:
		/* A listener is woken by a handshake too, and gets nothing. */
		if (packet->flow.proto != PROTO_TCP || packet->payload)
			settle(packet, VERDICT_DELIVERED, name);
		break;
	case MEANS_CONSUMED:
		settle(packet, VERDICT_CONSUMED, name);
		break;
	case MEANS_FORWARDED:
		packet->forwarded = true;
		break;
	case MEANS_SENT:
		settle(packet, packet->forwarded ? VERDICT_FORWARDED : VERDICT_SENT, name);
		packet->device = last_hop(packet);
		break;
	case MEANS_NOTHING:
		break;
	}
}

/* Its way. */

/* Its headers, into a frame that is made anew if there is none. Returns NULL without memory. */
static struct frame *take_headers(struct frame *frame, const struct packet_seen *seen)
{
	struct frame *taken = realloc(frame, sizeof(*taken) + seen->facts.data_len);

	if (!taken)
		return NULL;
	taken->ethertype = seen->event->flow.ethertype;
	taken->caplen = seen->facts.data_len;
	taken->len = network_len(seen->facts.data, seen->facts.data_len, seen->facts.len);
	memcpy(taken->data, seen->facts.data, seen->facts.data_len);
	return taken;
}

static void add_frame(struct packet *packet, const struct moment *at, const struct packet_seen *seen,
		      uint16_t device)
{
	struct frame *frame = take_headers(NULL, seen), **end = &packet->frames;

	if (!frame)
		return;
	frame->next = NULL;
	frame->ts = at->ts;
	frame->device = device;
	frame->dir = seen->event->dir;
	while (*end)
		end = &(*end)->next;
	*end = frame;
}

/* Where a sender first has it, the headers are not written yet; the frame is to have them. */
static void complete_frame(struct packet *packet, const struct packet_seen *seen)
{
	struct frame **last = &packet->frames, *frame;

	while (*last && (*last)->next)
		last = &(*last)->next;
	if (!*last || (*last)->dir != seen->event->dir || says_len((*last)->data, (*last)->caplen) ||
	    !says_len(seen->facts.data, seen->facts.data_len))
		return;
	frame = take_headers(*last, seen);
	if (frame)
		*last = frame;
}

static void add_hop(struct packets *packets, struct packet *packet, const struct moment *at,
		    const struct packet_seen *seen)
{
	uint16_t device = devices_add(packets->devices, seen->facts.dev, seen->facts.netns);
	unsigned int n = packet->nr_hops;

	if (device == NO_DEVICE)
		return;
	if (n && n <= MAX_HOPS && packet->hops[n - 1] == device) {
		if (packets->keep_frames)
			complete_frame(packet, seen);
		return;
	}
	if (n < MAX_HOPS)
		packet->hops[n] = device;
	if (n <= MAX_HOPS)
		packet->nr_hops++;
	if (packets->keep_frames && n < MAX_HOPS && seen->facts.data_len)
		add_frame(packet, at, seen, device);
}

static bool is_out(const struct packet *packet)
{
	return packet->verdict == VERDICT_SENT || packet->verdict == VERDICT_FORWARDED;
}

/* Behind dev_hard_start_xmit() comes the driver's own function, for the same device. */
static bool is_driver(const struct packet *packet, const struct packet_seen *seen)
{
	return seen->event->dir == 2 && packet->device == last_hop(packet);
}

static void packet_seen(void *data, const struct moment *at, const struct packet_seen *seen)
{
	struct packets *packets = data;
	struct packet *packet = find_or_add(packets, seen->event->pkt);

	if (!packet)
		return;
	if (!packet->first) {
		packet->first = at->ts;
		packet->flow = seen->event->flow;
		packet->flow_number = seen->event->flow_number;
		packet->dir = seen->event->dir;
		packet->len = network_len(seen->facts.data, seen->facts.data_len, seen->facts.len);
		packet->tcp_flags = seen->facts.tcp_flags;
	}
	/* Where a sender first has it, the headers are not written yet. */
	if (packet->payload < 0) {
		packet->payload = payload_len(&seen->event->flow, seen->facts.data, seen->facts.data_len);
		if (packet->payload >= 0)
			packet->len = network_len(seen->facts.data, seen->facts.data_len, seen->facts.len);
	}
	if (!packet->flow_number)
		packet->flow_number = seen->event->flow_number;
	packet->incomplete |= !seen->placed;
	packet->last = at->ts;
	add_hop(packets, packet, at, seen);
	if (packet->verdict == VERDICT_UNKNOWN || (is_out(packet) && !is_driver(packet, seen)))
		settle(packet, VERDICT_UNKNOWN, seen->point);
	learn_from_function(packet, seen->point);
}

static void packet_dropped(void *data, const struct moment *at, const struct packet_dropped *dropped)
{
	struct packet *packet = find(data, dropped->event->pkt);

	if (!packet)
		return;
	packet->last = at->ts;
	if (dropped->freed) {
		settle(packet, VERDICT_FREED, dropped->place);
		return;
	}
	settle(packet, VERDICT_DROPPED, dropped->place);
	if (packet->verdict != VERDICT_DROPPED)
		return;
	memcpy(packet->reason, dropped->facts.name, sizeof(packet->reason));
	if (!packet->reason[0])
		snprintf(packet->reason, sizeof(packet->reason), "%u", dropped->facts.reason);
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
	learn_from_function(packet, function->name);
}

static void left(void *data, const struct moment *at, const struct function *function)
{
	struct packet *packet = function->pkt ? find(data, function->pkt) : NULL;

	if (!packet)
		return;
	packet->last = at->ts;
	if (function->starts)
		end_piece(packet, at);
	if (function->name->gate)
		return;
	packet->stack_ns += function->self;
	if (!packet->slowest || function->self > packet->slowest_ns) {
		packet->slowest = function->name;
		packet->slowest_ns = function->self;
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

const struct sink packets_sink = {
	.packet = packet_seen,
	.dropped = packet_dropped,
	.entered = entered,
	.left = left,
	.abandoned = abandoned,
	.lost = lost,
};
