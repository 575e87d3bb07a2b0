// SPDX-License-Identifier: GPL-2.0
/* packets_test.c - test verdicts with streams of events; each case was once wrong */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "model/packets.h"

#define PROTO_TCP 6
#define SYN	  2
#define ACK	  16

static struct packets *packets;
static uint64_t now;

/* Calls of the output for each packet, by packet number. */
static struct {
	unsigned int times;
	enum verdict verdict;
	enum verdict first; /* verdict on the skb that matched */
	uint32_t program;   /* id of the BPF program that dropped the packet, 0 for none */
	unsigned int nr_programs;
	bool incomplete;
} shown[16];

/* Stand-in for the function in report/input. All rows of these tests are complete. */
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
	shown[packet->number].nr_programs = packet->decided->programs.n;
	if (packet->decided->outcome.program)
		shown[packet->number].program = packet->decided->outcome.program->id;
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
	/*
	 * number of the packet that the task is processing while the packet is created; for functions: their
	 * packet
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

static void copied(const struct skb *from, const struct skb *copy)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = {
		.kind = EVENT_COPY, .pkt = copy->pkt, .copy = copy->copy, .from = from->copy
	};

	packets_observer.copied(packets, &at, &event);
}

static void ended(const struct skb *skb, bool at_work)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = { .kind = EVENT_END, .pkt = skb->pkt, .copy = skb->copy };
	const struct packet_ended packet = { .event = &event, .at_work = at_work };

	packets_observer.ended(packets, &at, &packet);
}

static void dropped(const struct skb *skb, const char *place, const char *reason, bool at_work)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = { .kind = EVENT_DROP, .pkt = skb->pkt, .copy = skb->copy };
	struct packet_dropped packet = {
		.event = &event, .place = name(place), .says_why = reason, .at_work = at_work
	};

	strcpy(packet.facts.why, reason ? reason : "NOT_SPECIFIED");
	packets_observer.dropped(packets, &at, &packet);
}

/* A program has run on an skb. Its address is in the event; frames without an skb have none. */
static void ran(const struct skb *skb, uint32_t id, enum program_type type, int result)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = {
		.kind = EVENT_PROGRAM, .skb = 1, .pkt = skb->pkt, .copy = skb->copy
	};
	const struct packet_program packet = {
		.event = &event, .facts = { .id = id, .type = type, .result = result }
	};

	packets_observer.program(packets, &at, &packet);
}

static void rows_are_lost(void)
{
	const uint64_t from = now;
	const struct moment at = a_moment_later();

	packets_observer.lost(packets, &at, from, 10);
}

static void is_told(unsigned int number, enum verdict verdict)
{
	packets_end(packets);
	assert_int_equal(shown[number].times, 1);
	assert_int_equal(shown[number].verdict, verdict);
}

/*
 * GRO passes on the packets that it holds, but the event about this is lost. So it is not known which
 * function received the packet later.
 */
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

/* A loss after the end of the packet does not affect the packet. */
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

/*
 * The ring of tcpdump's packet socket is full, so the clone for it is dropped. The packet itself continues.
 */
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

/* The socket of a resolver has IP_RECVERR, and the program never reads the error queue. */
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
	is_told(1, VERDICT_DELIVERED);
}

/* The error queue of the socket has no space for an ICMP error. */
static void error_without_room(void **state)
{
	static const struct flow unreachable = {
		.family = FLOW_INET, .proto = FLOW_ICMP, .has_icmp = true, .icmp_type = 3
	};
	const struct skb skb = { .pkt = 1, .flow = &unreachable };
	const struct skb clone = { .pkt = 1, .copy = 1, .flow = &unreachable };

	(void)state;
	seen(&skb, IN, "icmp_rcv");
	copied(&skb, &clone);
	dropped(&clone, "ip_icmp_error", NULL, true);
	ended(&skb, true);
	left(&skb, "icmp_rcv");
	is_told(1, VERDICT_DROPPED);
}

/* Add a SYN that goes through this host: it is sent, and received again. */
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

/* The packet causes an ARP request on its way out. The ARP request is not an answer to the packet. */
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

/*
 * The kernel ignores an ARP request because of arp_ignore, or because the request is for another address. In
 * both cases, it frees the packet in the same way.
 */
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

/*
 * So many other packets arrive while a packet waits that it must be printed early. Each packet must be
 * printed only once.
 */
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

/*
 * The kernel frees an echo reply with the reason NO_SOCKET, even if a raw or ping socket has got a clone of
 * the reply.
 */
static void echo_reply(void **state)
{
	static const struct flow reply = { .family = FLOW_INET,
					   .proto = FLOW_ICMP,
					   .has_icmp = true,
					   .icmp_id = 7,
					   .saddr = { 2 },
					   .daddr = { 1 } };
	static const struct flow request = { .family = FLOW_INET,
					     .proto = FLOW_ICMP,
					     .has_icmp = true,
					     .icmp_type = 8,
					     .icmp_id = 7,
					     .saddr = { 2 },
					     .daddr = { 1 } };
	const struct {
		const struct flow *flow;
		bool is_cloned, is_taken;
		enum verdict verdict;
	} cases[] = {
		{ &reply, true, true, VERDICT_CONSUMED },
		{ &reply, true, false, VERDICT_DROPPED },
		{ &reply, false, false, VERDICT_DROPPED },
		{ &request, true, true, VERDICT_DROPPED },
		{ &datagram, true, true, VERDICT_DROPPED },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct skb skb = { .pkt = 1, .flow = cases[i].flow };
		const struct skb clone = { .pkt = 1, .copy = 1, .flow = cases[i].flow };

		seen(&skb, IN, "ip_local_deliver");
		if (cases[i].is_cloned) {
			copied(&skb, &clone);
			seen(&clone, IN, "sock_queue_rcv_skb_reason");
			returned(&clone, "sock_queue_rcv_skb_reason", cases[i].is_taken ? 0 : 1);
			left(&clone, "sock_queue_rcv_skb_reason");
			if (!cases[i].is_taken)
				dropped(&clone, "raw_rcv", "SOCKET_RCVBUFF", true);
		}
		seen(&skb, IN, "icmp_rcv");
		dropped(&skb, "icmp_rcv", "NO_SOCKET", true);
		left(&skb, "icmp_rcv");
		packets_end(packets);
		assert_int_equal(shown[1].first, cases[i].verdict);
		end(state);
		begin(state);
	}
}

/* Send the packet, and end it. */
static void sends(const struct skb *skb)
{
	seen(skb, OUT, "dev_hard_start_xmit");
	returned(skb, "dev_hard_start_xmit", 0);
	left(skb, "dev_hard_start_xmit");
	ended(skb, false);
}

/* Let two seconds pass without events. Rows may be missing from the time @losses_from on. */
static void pass(uint64_t losses_from)
{
	const struct read_state state = {
		.now = now + 2000000000,
		.losses_from = losses_from,
		.calls_from = UINT64_MAX,
	};

	packets_pass_final(packets, &state);
}

/*
 * A packet is printed when no later row can change it, and when all packets with lower numbers were printed.
 */
static void prints_final_packets(void **state)
{
	const struct skb one = { .pkt = 1, .flow = &datagram };
	const struct skb two = { .pkt = 2, .flow = &datagram };
	const struct read_state at_once = { now + 5000, UINT64_MAX, UINT64_MAX };

	(void)state;
	assert_true(packets_come_in_order(packets));
	seen(&one, OUT, "__dev_queue_xmit");
	left(&one, "__dev_queue_xmit");
	sends(&two);
	pass(UINT64_MAX);
	assert_int_equal(shown[2].times, 0);
	assert_true(packets_has_before(packets, now));
	sends(&one);
	packets_pass_final(packets, &at_once);
	assert_int_equal(shown[1].times, 0);
	/* The packet is not final: a CPU may have lost rows before its next row, which was not read yet. */
	pass(now - 1);
	assert_int_equal(shown[1].times, 0);
	pass(UINT64_MAX);
	assert_int_equal(shown[1].times, 1);
	assert_int_equal(shown[1].verdict, VERDICT_SENT);
	assert_int_equal(shown[2].times, 1);
	assert_false(packets_has_before(packets, now));
	/* Packet number 3 does not exist. */
	sends(&(struct skb){ .pkt = 4, .flow = &datagram });
	pass(UINT64_MAX);
	assert_int_equal(shown[4].times, 1);
	packets_end(packets);
	assert_int_equal(shown[1].times + shown[2].times + shown[4].times, 3);
}

/*
 * While a packet is open, more packets follow than the ring can hold. The packet is printed late, but its
 * line is correct.
 */
static void keeps_open_packets(void **state)
{
	struct skb skb = { .pkt = 1, .flow = &datagram };
	const struct skb open = skb;

	(void)state;
	assert_true(packets_come_in_order(packets));
	seen(&open, OUT, "__dev_queue_xmit");
	left(&open, "__dev_queue_xmit");
	for (skb.pkt = 2; skb.pkt <= 9; skb.pkt++) {
		sends(&skb);
		pass(UINT64_MAX);
	}
	assert_int_equal(shown[1].times, 0);
	assert_int_equal(shown[9].times, 1);
	sends(&open);
	pass(UINT64_MAX);
	assert_int_equal(shown[1].times, 1);
	assert_int_equal(shown[1].verdict, VERDICT_SENT);
	packets_end(packets);
	for (unsigned int i = 1; i <= 9; i++)
		assert_int_equal(shown[i].times, 1);
}

enum { XDP_DROPS = 1, XDP_PASSES = 2, TC_PASSES = -1, TC_DROPS = 2 };

/* Up to Linux 6.12, the kernel gives no reason for a drop by XDP. */
static void xdp_drops(void **state)
{
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	seen(&skb, IN, "__netif_receive_skb");
	ran(&skb, 42, PROGRAM_XDP, XDP_DROPS);
	dropped(&skb, "netif_receive_generic_xdp", NULL, true);
	ended(&skb, true);
	is_told(1, VERDICT_DROPPED);
	assert_int_equal(shown[1].program, 42);
}

/* The last program of a chain drops the packet, and the first one does not. */
static void second_program_drops(void **state)
{
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	seen(&skb, OUT, "__dev_queue_xmit");
	ran(&skb, 42, PROGRAM_TC_CLASSIFIER, TC_PASSES);
	ran(&skb, 43, PROGRAM_TC_CLASSIFIER, TC_DROPS);
	dropped(&skb, "__dev_queue_xmit", "TC_EGRESS", true);
	is_told(1, VERDICT_DROPPED);
	assert_int_equal(shown[1].program, 43);
	assert_int_equal(shown[1].nr_programs, 2);
}

/* A program has run, and another part of the kernel drops the packet. */
static void program_does_not_drop(void **state)
{
	static const struct {
		enum program_type type;
		int result;
		const char *then;
	} cases[] = {
		{ PROGRAM_XDP, XDP_PASSES, NULL },
		{ PROGRAM_TC_CLASSIFIER, TC_PASSES, NULL },
		/* A class with this number. */
		{ PROGRAM_TC_CLASSIFIER, TC_DROPS, NULL },
		/* Another program has let the packet pass. */
		{ PROGRAM_TC_CLASSIFIER, TC_DROPS, "ip_rcv" },
		{ PROGRAM_XDP, XDP_DROPS, "ip_rcv" },
	};
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		seen(&skb, IN, "__netif_receive_skb");
		ran(&skb, 42, cases[i].type, cases[i].result);
		if (cases[i].then)
			seen(&skb, IN, cases[i].then);
		dropped(&skb, "ip_rcv_core", "IP_CSUM", true);
		is_told(1, VERDICT_DROPPED);
		assert_int_equal(shown[1].program, 0);
		end(state);
		begin(state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lost_before_its_end, begin, end),
		cmocka_unit_test_setup_teardown(lost_behind_its_end, begin, end),
		cmocka_unit_test_setup_teardown(tap_without_room, begin, end),
		cmocka_unit_test_setup_teardown(error_that_nobody_read, begin, end),
		cmocka_unit_test_setup_teardown(error_without_room, begin, end),
		cmocka_unit_test_setup_teardown(neighbour_is_asked, begin, end),
		cmocka_unit_test_setup_teardown(syn_is_answered, begin, end),
		cmocka_unit_test_setup_teardown(arp, begin, end),
		cmocka_unit_test_setup_teardown(comes_back_late, begin, end),
		cmocka_unit_test_setup_teardown(echo_reply, begin, end),
		cmocka_unit_test_setup_teardown(prints_final_packets, begin, end),
		cmocka_unit_test_setup_teardown(keeps_open_packets, begin, end),
		cmocka_unit_test_setup_teardown(xdp_drops, begin, end),
		cmocka_unit_test_setup_teardown(second_program_drops, begin, end),
		cmocka_unit_test_setup_teardown(program_does_not_drop, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
