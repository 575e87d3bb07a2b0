// SPDX-License-Identifier: GPL-2.0
/* packets_test.c - test verdicts with streams of events. The verdict of each case was once wrong. */
#include "events.h"

#define SYN 2
#define ACK 16

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
static const struct flow who_has = { .ethertype = 0x806, .arp = 1, .saddr = { 1 }, .daddr = { 2 } };
static const struct flow is_at = { .ethertype = 0x806, .arp = 2, .saddr = { 2 }, .daddr = { 1 } };

static void copied(const struct skb *from, const struct skb *copy)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = {
		.kind = EVENT_COPY, .pkt = copy->pkt, .copy = copy->copy, .from = from->copy
	};

	packets_observer.copied(packets, &at, &event);
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

/*
 * A BPF program has run on a packet. The event has the address of the skb, which is 0 for a frame without an
 * skb.
 */
static void ran_or_refused(const struct skb *skb, uint32_t id, enum program_type type, int result,
			   unsigned int candidates)
{
	const struct moment at = a_moment_later();
	const struct skb_event event = {
		.kind = EVENT_PROGRAM, .skb = 1, .pkt = skb->pkt, .copy = skb->copy
	};
	const struct packet_program packet = {
		.event = &event,
		.pkt = skb->pkt,
		.copy = skb->copy,
		.facts = { .id = id, .type = type, .result = result, .candidates = candidates },
	};

	packets_observer.program(packets, &at, &packet);
}

static void ran(const struct skb *skb, uint32_t id, enum program_type type, int result)
{
	ran_or_refused(skb, id, type, result, 0);
}

/*
 * Pass an event that says: one of @candidates programs has refused the packet, and program @id may be this
 * one.
 */
static void may_have_refused(const struct skb *skb, uint32_t id, enum program_type type,
			     unsigned int candidates)
{
	ran_or_refused(skb, id, type, 0, candidates);
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
 * GRO passes the packet on, but the row that shows this is lost. So it is unknown which function received
 * the packet.
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

/* A loss of rows after the end of the packet must not affect the packet. */
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
 * The ring of tcpdump's packet socket is full, so the kernel drops the clone for it. The packet itself is not
 * dropped.
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

/*
 * The socket of a resolver has IP_RECVERR, so an ICMP error is queued. The program never reads the error
 * queue.
 */
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

/* An ICMP error is dropped, because the error queue of the socket has no room. */
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

/*
 * Add the events of a SYN that is sent and received. @asks is an ARP request that the SYN causes, and
 * @answers is the answer. Both may be NULL.
 */
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

/* The packet causes an ARP request on its way out. This request must not count as an answer to the packet. */
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
 * The kernel frees each echo reply with the reason NO_SOCKET, even if a raw socket or ping socket has
 * received a clone of it.
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

/* If the last program of a chain drops the packet, this program must be named, and not the first one. */
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

/* All programs of a cgroup run. The one that refused the packet must be named. */
static void cgroup_program_drops(void **state)
{
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	seen(&skb, OUT, "ip_output");
	ran(&skb, 42, PROGRAM_CGROUP_SKB, 1);
	ran(&skb, 43, PROGRAM_CGROUP_SKB, 0);
	ran(&skb, 44, PROGRAM_CGROUP_SKB, 1);
	dropped(&skb, "ip_finish_output", "BPF_CGROUP_EGRESS", true);
	is_told(1, VERDICT_DROPPED);
	assert_int_equal(shown[1].program, 43);
	assert_int_equal(shown[1].candidates, 0);
}

/*
 * Without BTF, the results of the programs are unknown. The filter of the socket may also have refused the
 * packet: the function that runs the programs also runs the filter.
 */
static void candidates_drop(void **state)
{
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	seen(&skb, IN, "udp_rcv");
	may_have_refused(&skb, 42, PROGRAM_CGROUP_SKB, 2);
	may_have_refused(&skb, 43, PROGRAM_CGROUP_SKB, 2);
	may_have_refused(&skb, 44, PROGRAM_SOCKET_FILTER, 1);
	dropped(&skb, "udp_queue_rcv_one_skb", "SOCKET_FILTER", true);
	is_told(1, VERDICT_DROPPED);
	assert_int_equal(shown[1].candidates, 2);
	end(state);
	begin(state);

	/* If one of two programs has let the packet pass, the other one has refused it. */
	seen(&skb, IN, "udp_rcv");
	ran(&skb, 42, PROGRAM_CGROUP_SKB, 1);
	may_have_refused(&skb, 42, PROGRAM_CGROUP_SKB, 2);
	may_have_refused(&skb, 43, PROGRAM_CGROUP_SKB, 2);
	dropped(&skb, "udp_queue_rcv_one_skb", "SOCKET_FILTER", true);
	is_told(1, VERDICT_DROPPED);
	assert_int_equal(shown[1].program, 43);
	assert_int_equal(shown[1].candidates, 1);
}

/*
 * The same skb is dropped twice. The second drop must not change the number of programs that may have
 * refused it.
 */
static void candidates_drop_twice(void **state)
{
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	seen(&skb, IN, "udp_rcv");
	ran(&skb, 42, PROGRAM_CGROUP_SKB, 1);
	may_have_refused(&skb, 43, PROGRAM_CGROUP_SKB, 3);
	may_have_refused(&skb, 42, PROGRAM_CGROUP_SKB, 3);
	may_have_refused(&skb, 44, PROGRAM_CGROUP_SKB, 3);
	dropped(&skb, "udp_queue_rcv_one_skb", "SOCKET_FILTER", true);
	dropped(&skb, "udp_queue_rcv_one_skb", "SOCKET_FILTER", true);
	is_told(1, VERDICT_DROPPED);
	assert_int_equal(shown[1].candidates, 2);
}

/*
 * In a damaged file, more results of programs are known than programs exist. Then no program may be named.
 */
static void more_results_than_candidates(void **state)
{
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	seen(&skb, IN, "udp_rcv");
	ran(&skb, 42, PROGRAM_CGROUP_SKB, 1);
	may_have_refused(&skb, 42, PROGRAM_CGROUP_SKB, 1);
	may_have_refused(&skb, 43, PROGRAM_CGROUP_SKB, 1);
	dropped(&skb, "udp_queue_rcv_one_skb", "SOCKET_FILTER", true);
	is_told(1, VERDICT_DROPPED);
	assert_int_equal(shown[1].program, 0);
}

/*
 * A program has run on the packet, but another part of the kernel drops it. The verdict must not name the
 * program.
 */
static void program_does_not_drop(void **state)
{
	static const struct {
		enum program_type type;
		int result;
		const char *then;
	} cases[] = {
		{ PROGRAM_XDP, XDP_PASSES, NULL },
		{ PROGRAM_TC_CLASSIFIER, TC_PASSES, NULL },
		/* The result of this classifier is the number of a class, not an action. */
		{ PROGRAM_TC_CLASSIFIER, TC_DROPS, NULL },
		/* The packet reaches ip_rcv(), so it was passed on after this program. */
		{ PROGRAM_TC_CLASSIFIER, TC_DROPS, "ip_rcv" },
		{ PROGRAM_XDP, XDP_DROPS, "ip_rcv" },
		/* The filter of a packet socket refuses only a copy of the packet. */
		{ PROGRAM_SOCKET_FILTER, 0, NULL },
		{ PROGRAM_CGROUP_SKB, 0, NULL },
		/* The parser of a sockmap returns 0 if it needs more data. */
		{ PROGRAM_SK_SKB, 0, NULL },
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

/*
 * A router with one arm sends the packet by the device that received it. The capture file needs both frames.
 */
static void one_device_receives_and_sends(void **state)
{
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	(void)state;
	seen(&skb, IN, "napi_gro_receive");
	seen(&skb, IN, "ip_rcv");
	seen(&skb, OUT, "dev_hard_start_xmit");
	seen(&skb, OUT, "virtio_xmit");
	returned(&skb, "dev_hard_start_xmit", 0);
	ended(&skb, false);
	is_told(1, VERDICT_FORWARDED);
	assert_int_equal(shown[1].nr_frames, 2);
}

/* A function processes the packet on this host. */
static void works_on(unsigned int host, const struct skb *skb)
{
	const struct function function = {
		.pkt = skb->pkt, .name = name("ip_rcv"), .point = true, .starts = true
	};
	struct moment at;

	cpu = hosts_cpu(host, 0);
	seen(skb, IN, "ip_rcv");
	at = a_moment_later();
	packets_observer.entered(packets, &at, &function);
	at = a_moment_later();
	packets_observer.left(packets, &at, &function);
}

/* The packet waits once on host 0, and between hosts 0 and 1. Only the second wait has an error. */
static void hosts_of_a_packet(void **state)
{
	static const uint64_t errors[] = { 3, CLOCK_ERROR_UNKNOWN };
	const struct skb skb = { .pkt = 1, .flow = &datagram };

	for (size_t i = 0; i < 2; i++) {
		hosts_set_clock_error(1, errors[i]);
		works_on(0, &skb);
		works_on(0, &skb);
		works_on(1, &skb);
		packets_end(packets);
		assert_int_equal(shown[1].first_host, 0);
		assert_int_equal(shown[1].last_host, 1);
		assert_int_equal(shown[1].wait_ns, 4000);
		assert_int_equal(shown[1].wait_error, errors[i]);
		end(state);
		assert_int_equal(begin(state), 0);
	}
	hosts_set_clock_error(1, 0);
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
		cmocka_unit_test_setup_teardown(echo_reply, begin, end),
		cmocka_unit_test_setup_teardown(xdp_drops, begin, end),
		cmocka_unit_test_setup_teardown(second_program_drops, begin, end),
		cmocka_unit_test_setup_teardown(cgroup_program_drops, begin, end),
		cmocka_unit_test_setup_teardown(candidates_drop, begin, end),
		cmocka_unit_test_setup_teardown(candidates_drop_twice, begin, end),
		cmocka_unit_test_setup_teardown(more_results_than_candidates, begin, end),
		cmocka_unit_test_setup_teardown(program_does_not_drop, begin, end),
		cmocka_unit_test_setup_teardown(one_device_receives_and_sends, begin, end),
		cmocka_unit_test_setup_teardown(hosts_of_a_packet, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
