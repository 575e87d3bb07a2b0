/* SPDX-License-Identifier: GPL-2.0 */
/* events.h - pass events of packets to the tested code, and collect the packets that it prints */
#ifndef _PACKETS_EVENTS_H
#define _PACKETS_EVENTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "model/packets.h"

#define PROTO_TCP 6

static struct packets *packets;
static struct captured_frames *frames;
static uint64_t now;
static int cpu; /* CPU of the next events */

/* The output of the tested code for each packet, by packet number. */
static struct {
	unsigned int times;
	enum verdict verdict;
	enum verdict first; /* verdict on the first skb of the packet */
	uint32_t program;   /* id of the BPF program that dropped it; 0 for none */
	unsigned int nr_programs;
	/* Number of programs that may have dropped the packet; 0 if the program is known. */
	unsigned int candidates;
	bool incomplete;
	uint8_t first_host, last_host;
	uint64_t wait_ns, wait_error;
	unsigned int nr_frames; /* frames of the copy that decides the outcome */
} shown[16];

/* Stand-in for a function of report/input. In these tests, all rows are complete. */
bool writes_len(const struct packet_seen *seen)
{
	return seen->point->facts && seen->point->facts->writes_len;
}

uint32_t packet_len(const struct packet_seen *seen)
{
	return seen->facts.net_len;
}

static void one_packet(void *data, const struct packet *packet)
{
	(void)data;
	assert_non_null(packet->decided);
	shown[packet->number].times++;
	shown[packet->number].first = packet->copies[0]->outcome.verdict;
	shown[packet->number].verdict = packet->decided->outcome.verdict;
	shown[packet->number].incomplete = packet->incomplete;
	shown[packet->number].first_host = packet->first_host;
	shown[packet->number].last_host = packet->last_host;
	shown[packet->number].wait_ns = packet->wait_ns;
	shown[packet->number].wait_error = packet_wait_error(packet);
	shown[packet->number].nr_frames = packet->decided->nr_frames;
	shown[packet->number].nr_programs = packet->decided->programs.n;
	if (packet->decided->outcome.program) {
		shown[packet->number].program = packet->decided->outcome.program->id;
		shown[packet->number].candidates = packet->decided->outcome.program->candidates;
	}
}

static const struct output output = { .packet = one_packet };

static int begin(void **state)
{
	struct err err;

	(void)state;
	memset(shown, 0, sizeof(shown));
	now = 1000000;
	cpu = 0;
	frames = captured_frames_new(&err);
	packets = packets_new(&output, NULL, frames);
	return !packets || !frames;
}

static int end(void **state)
{
	(void)state;
	packets_free(packets);
	captured_frames_free(frames);
	return 0;
}

static struct moment a_moment_later(void)
{
	now += 1000;
	return (struct moment){ .ts = now, .cpu = cpu, .softirq = true };
}

static const struct name *name(const char *text)
{
	static struct name names[32];
	size_t i;

	for (i = 0; names[i].text && strcmp(names[i].text, text); i++)
		assert_in_range(i, 0, 30);
	names[i].text = (char *)text;
	names[i].facts = function_facts(text);
	return &names[i];
}

static const struct flow datagram = {
	.family = FLOW_INET, .proto = 17, .sport = 4000, .dport = 53, .saddr = { 1 }, .daddr = { 2 }
};
enum { IN = RECORD_SKB_DIR_RX, OUT = RECORD_SKB_DIR_TX };

struct skb {
	unsigned int pkt, copy;
	const struct flow *flow;
	unsigned int flags;
	/*
	 * number of the packet that the task handles when it creates this packet. In an event of a function:
	 * number of the packet that the function handles
	 */
	unsigned int within;
};

static void seen(const struct skb *skb, int dir, const char *point)
{
	static const uint8_t header[40] = { 0x45, [3] = 40, [9] = PROTO_TCP, [32] = 0x50 };
	const struct moment at = a_moment_later();
	const struct skb_event event = {
		.kind = EVENT_PACKET,
		.pkt = skb->pkt,
		.copy = skb->copy,
		.dir = dir,
		.flow = *skb->flow,
		.flow_number = 1,
	};
	const struct packet_seen packet = {
		.event = &event,
		.point = name(point),
		.within = skb->within,
		.placed = true,
		.facts = { .net_len = 40,
			   .tcp_flags = skb->flags,
			   .data = header,
			   .data_len = 40,
			   .dev = "eth0",
			   .netns = 1 },
	};

	packets_observer.packet(packets, &at, &packet);
}

static void left(const struct skb *skb, const char *point)
{
	const struct moment at = a_moment_later();
	const struct function function = {
		.name = name(point), .pkt = skb->pkt, .copy = skb->copy, .point = true
	};

	packets_observer.left(packets, &at, &function);
}

static void returned(const struct skb *skb, const char *point, int64_t value)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = {
		.kind = EVENT_RETURN, .pkt = skb->pkt, .copy = skb->copy, .ret = value
	};
	const struct function_left function = { .event = &event, .name = name(point) };

	packets_observer.returned(packets, &at, &function);
}

static void ended(const struct skb *skb, bool at_work)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = { .kind = EVENT_END, .pkt = skb->pkt, .copy = skb->copy };
	const struct packet_ended packet = { .event = &event, .at_work = at_work };

	packets_observer.ended(packets, &at, &packet);
}

#endif
