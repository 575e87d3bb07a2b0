// SPDX-License-Identifier: GPL-2.0
/* packets_test.c - what became of packets, from the stream of what happens to them: each that was once told wrong */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "packets.h"

#define PROTO_TCP 6
#define SYN	  2
#define ACK	  16

static struct packets *packets;
static uint64_t now;

/* What was handed on, by number. */
static struct {
	unsigned int times;
	enum verdict verdict;
	bool incomplete;
} shown[16];

/* reader.c's, of whole rows. */
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
	shown[packet->number].verdict = packet->decided->outcome.verdict;
	shown[packet->number].incomplete = packet->incomplete;
}

static const struct output output = { .packet = one_packet };

static int begin(void **state)
{
	(void)state;
	memset(shown, 0, sizeof(shown));
	now = 1000000;
	packets = packets_new(&output, NULL, NULL);
	return !packets;
}

static int end(void **state)
{
	(void)state;
	packets_free(packets);
	return 0;
}

static struct moment a_moment_later(void)
{
	now += 1000;
	return (struct moment){ .ts = now, .softirq = true };
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

static const struct flow there = { .family = FLOW_INET,
				   .proto = PROTO_TCP,
				   .sport = 4000,
				   .dport = 80,
				   .saddr = { 1 },
				   .daddr = { 2 } };
static const struct flow back = { .family = FLOW_INET,
				  .proto = PROTO_TCP,
				  .sport = 80,
				  .dport = 4000,
				  .saddr = { 2 },
				  .daddr = { 1 } };
static const struct flow datagram = {
	.family = FLOW_INET, .proto = 17, .sport = 4000, .dport = 53, .saddr = { 1 }, .daddr = { 2 }
};
static const struct flow who_has = { .ethertype = 0x806, .arp = 1, .saddr = { 1 }, .daddr = { 2 } };
static const struct flow is_at = { .ethertype = 0x806, .arp = 2, .saddr = { 2 }, .daddr = { 1 } };

enum { IN = RECORD_SKB_DIR_RX, OUT = RECORD_SKB_DIR_TX };

struct skb {
	unsigned int pkt, copy;
	const struct flow *flow;
	unsigned int flags;
	unsigned int within; /* the packet that it is made for, or that is worked for */
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

	packets_sink.packet(packets, &at, &packet);
}

static void left(const struct skb *skb, const char *point)
{
	const struct moment at = a_moment_later();
	const struct function function = {
		.name = name(point), .pkt = skb->pkt, .copy = skb->copy, .point = true
	};

	packets_sink.left(packets, &at, &function);
}

static void returned(const struct skb *skb, const char *point, int64_t value)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = {
		.kind = EVENT_RETURN, .pkt = skb->pkt, .copy = skb->copy, .ret = value
	};
	const struct function_left function = { .event = &event, .name = name(point) };

	packets_sink.returned(packets, &at, &function);
}

static void copied(const struct skb *from, const struct skb *copy)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = {
		.kind = EVENT_COPY, .pkt = copy->pkt, .copy = copy->copy, .from = from->copy
	};

	packets_sink.copied(packets, &at, &event);
}

static void ended(const struct skb *skb, bool at_work)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = { .kind = EVENT_END, .pkt = skb->pkt, .copy = skb->copy };
	const struct packet_ended packet = { .event = &event, .at_work = at_work };

	packets_sink.ended(packets, &at, &packet);
}

static void dropped(const struct skb *skb, const char *place, const char *reason, bool at_work)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = { .kind = EVENT_DROP, .pkt = skb->pkt, .copy = skb->copy };
	struct packet_dropped packet = {
		.event = &event, .place = name(place), .says_why = reason, .at_work = at_work
	};

	strcpy(packet.facts.why, reason ? reason : "NOT_SPECIFIED");
	packets_sink.dropped(packets, &at, &packet);
}

static void rows_are_lost(void)
{
	const uint64_t from = now;
	const struct moment at = a_moment_later();

	packets_sink.lost(packets, &at, from, 10);
}

static void is_told(unsigned int number, enum verdict verdict)
{
	packets_end(packets);
	assert_int_equal(shown[number].times, 1);
	assert_int_equal(shown[number].verdict, verdict);
}

/* A flush of what GRO held, lost: who had it then, a reader or nobody, is not known. */
static void lost_before_its_end(void **state)
{
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	seen(&skb, IN, "napi_gro_receive");
	left(&skb, "napi_gro_receive");
	a_moment_later();
	rows_are_lost();
	ended(&skb, false);
	is_told(1, VERDICT_UNKNOWN);
	assert_true(shown[1].incomplete);
}

/* What is lost behind the end is not its own. */
static void lost_behind_its_end(void **state)
{
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	seen(&skb, IN, "napi_gro_receive");
	ended(&skb, true);
	left(&skb, "napi_gro_receive");
	a_moment_later();
	rows_are_lost();
	is_told(1, VERDICT_CONSUMED);
	assert_false(shown[1].incomplete);
}

/* tcpdump's ring is full: the packet goes on all the same. */
static void tap_without_room(void **state)
{
	static const char *const reasons[] = { "PACKET_SOCK_ERROR", NULL };
	const struct skb skb = { .pkt = 1, .flow = &there, .flags = ACK };
	const struct skb clone = { .pkt = 1, .copy = 1, .flow = &there, .flags = ACK };

	for (size_t i = 0; i < 2; i++) {
		seen(&skb, OUT, "dev_hard_start_xmit");
		copied(&skb, &clone);
		seen(&clone, RECORD_SKB_DIR_NONE, "tpacket_rcv");
		dropped(&clone, "tpacket_rcv", reasons[i], true);
		left(&clone, "tpacket_rcv");
		seen(&skb, OUT, "veth_xmit");
		left(&skb, "veth_xmit");
		seen(&skb, IN, "tcp_v4_rcv");
		ended(&skb, true);
		left(&skb, "tcp_v4_rcv");
		is_told(1, VERDICT_CONSUMED);
		end(state);
		begin(state);
	}
}

/* The resolver's sockets have IP_RECVERR, and it never reads their queue of errors. */
static void error_that_nobody_read(void **state)
{
	static const struct flow unreachable = {
		.family = FLOW_INET, .proto = FLOW_ICMP, .has_icmp = true, .icmp_type = 3
	};
	const struct skb skb = { .pkt = 1, .flow = &unreachable };
	const struct skb clone = { .pkt = 1, .copy = 1, .flow = &unreachable };

	(void)state;
	seen(&skb, IN, "icmp_rcv");
	copied(&skb, &clone);
	ended(&skb, true);
	left(&skb, "icmp_rcv");
	dropped(&clone, "inet_sock_destruct", NULL, false);
	is_told(1, VERDICT_COPIED);
}

/* By a way through this host: out, and in again. */
static void syn_comes(const struct skb *syn, const struct skb *asks, const struct skb *answers)
{
	seen(syn, OUT, "ip_output");
	seen(syn, OUT, "neigh_resolve_output");
	if (asks)
		seen(asks, OUT, "arp_xmit");
	seen(syn, IN, "tcp_v4_rcv");
	seen(syn, IN, "tcp_v4_do_rcv");
	if (answers)
		seen(answers, OUT, "__ip_local_out");
	ended(syn, true);
	left(syn, "tcp_v4_do_rcv");
}

/* The neighbour's address that its way out asks for is no answer to it. */
static void neighbour_is_asked(void **state)
{
	const struct skb syn = { .pkt = 1, .flow = &there, .flags = SYN };
	const struct skb asks = { .pkt = 2, .flow = &who_has, .within = 1 };

	(void)state;
	syn_comes(&syn, &asks, NULL);
	is_told(1, VERDICT_FREED);
}

static void syn_is_answered(void **state)
{
	const struct skb syn = { .pkt = 1, .flow = &there, .flags = SYN };
	const struct skb asks = { .pkt = 2, .flow = &who_has, .within = 1 };
	const struct skb answers = { .pkt = 3, .flow = &back, .flags = SYN | ACK, .within = 1 };

	(void)state;
	syn_comes(&syn, &asks, &answers);
	is_told(1, VERDICT_CONSUMED);
}

/* arp_ignore, or another's address: it is freed all the same. */
static void arp(void **state)
{
	static const struct flow says_so = {
		.ethertype = 0x806, .arp = 1, .saddr = { 1 }, .daddr = { 1 }
	};
	const struct skb ignored = { .pkt = 1, .flow = &who_has };
	const struct skb answered = { .pkt = 2, .flow = &who_has };
	const struct skb answer = { .pkt = 3, .flow = &is_at, .within = 2 };
	const struct skb gratuitous = { .pkt = 4, .flow = &says_so };

	(void)state;
	seen(&ignored, IN, "arp_rcv");
	ended(&ignored, true);
	seen(&answered, IN, "arp_rcv");
	seen(&answer, OUT, "arp_xmit");
	ended(&answered, true);
	seen(&gratuitous, IN, "arp_rcv");
	ended(&gratuitous, true);
	packets_end(packets);
	assert_int_equal(shown[1].verdict, VERDICT_FREED);
	assert_int_equal(shown[2].verdict, VERDICT_CONSUMED);
	assert_int_equal(shown[4].verdict, VERDICT_CONSUMED);
}

/* It waits while as many others come as are kept: it was handed on, and the others are told once. */
static void comes_back_late(void **state)
{
	struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	for (skb.pkt = 1; skb.pkt <= 5; skb.pkt++) {
		seen(&skb, OUT, "__dev_queue_xmit");
		left(&skb, "__dev_queue_xmit");
	}
	for (skb.pkt = 1; skb.pkt <= 5; skb.pkt++) {
		seen(&skb, OUT, "dev_hard_start_xmit");
		returned(&skb, "dev_hard_start_xmit", 0);
		left(&skb, "dev_hard_start_xmit");
		ended(&skb, false);
	}
	packets_end(packets);
	assert_int_equal(shown[1].times, 1);
	assert_int_equal(shown[1].verdict, VERDICT_QUEUED);
	for (unsigned int i = 2; i <= 5; i++) {
		assert_int_equal(shown[i].times, 1);
		assert_int_equal(shown[i].verdict, VERDICT_SENT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lost_before_its_end, begin, end),
		cmocka_unit_test_setup_teardown(lost_behind_its_end, begin, end),
		cmocka_unit_test_setup_teardown(tap_without_room, begin, end),
		cmocka_unit_test_setup_teardown(error_that_nobody_read, begin, end),
		cmocka_unit_test_setup_teardown(neighbour_is_asked, begin, end),
		cmocka_unit_test_setup_teardown(syn_is_answered, begin, end),
		cmocka_unit_test_setup_teardown(arp, begin, end),
		cmocka_unit_test_setup_teardown(comes_back_late, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
