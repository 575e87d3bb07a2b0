// SPDX-License-Identifier: GPL-2.0
/* freed_test.c - test what --why says about packets that the kernel freed without a reason */
#include "why_output.h"

/*
 * Return: the output of --why for a packet that the kernel freed in @place without a reason. If @called is
 * not NULL, the packet's graph has these functions, with a blank between two names.
 */
static const char *say_freed(const struct flow *of, unsigned int flags, const char *place,
			     const char *called)
{
	const struct moment at = { .ts = 1000000 };
	const struct skb_event event = { .pkt = 1, .flow = *of, .dir = RECORD_SKB_DIR_RX };
	const struct name name = { .text = place, .facts = function_facts(place) };
	char functions[64], *left = functions, *text;
	const struct packet_seen seen = {
		.event = &event, .point = &name, .placed = true, .facts.tcp_flags = flags
	};
	struct packet_dropped dropped = { .event = &event, .place = &name, .at_work = true };

	begin_why();
	packets_observer.packet(packets, &at, &seen);
	snprintf(functions, sizeof(functions), "%s", called ? called : "");
	while ((text = strsep(&left, " "))) {
		const struct name called_name = { .text = text };
		const struct function function = { .name = &called_name, .pkt = 1 };

		explanations_observer.entered(explanations, &at, &function);
	}
	strcpy(dropped.facts.why, "NOT_SPECIFIED");
	packets_observer.dropped(packets, &at, &dropped);
	return end_why();
}

/* A packet that the kernel freed without a reason may be reported as a possible drop, but never as a drop. */
static void frees_are_possible_drops(void **state)
{
	enum { FIN = 1, SYN = 2, RST = 4, ACK = 16 };
	const struct flow tcp = { .family = FLOW_INET,
				  .proto = 6,
				  .sport = 4000,
				  .dport = 80,
				  .saddr = { 1 },
				  .daddr = { 2 } };
	const struct flow advertisement = { .family = FLOW_INET6,
					    .proto = FLOW_ICMPV6,
					    .has_icmp = true,
					    .icmp_type = 136,
					    .saddr = { 1 },
					    .daddr = { 2 } };
	const struct {
		const struct flow *flow;
		unsigned int flags;
		const char *place, *called, *says;
	} cases[] = {
		{ &tcp, SYN, "tcp_v4_rcv", NULL, "accept queue is full" },
		{ &tcp, SYN, "tcp_v4_rcv", "tcp_conn_request", "accept queue is full" },
		{ &tcp, ACK, "tcp_v4_rcv", "tcp_check_req", "acknowledgement of the handshake" },
		{ &tcp, ACK, "tcp_v4_rcv", NULL, "TCP gives no reason" },
		{ &tcp, ACK, "tcp_rcv_state_process", "tcp_done", NULL },
		{ &tcp, ACK, "tcp_rcv_state_process", NULL, NULL },
		{ &tcp, ACK, "tcp_v4_rcv", "tcp_timewait_state_process", NULL },
		{ &tcp, FIN | ACK, "tcp_v4_rcv", NULL, NULL },
		{ &tcp, RST, "tcp_v4_rcv", NULL, NULL },
		/* A recording of the probe points has TCP's handler only, and not what it called. */
		{ &tcp, SYN, "tcp_v4_rcv", "tcp_v4_rcv", "accept queue is full" },
		{ &tcp, FIN | ACK, "tcp_v4_rcv", "tcp_v4_rcv", NULL },
		{ &tcp, ACK, "tcp_v4_rcv", "ip_protocol_deliver_rcu tcp_v4_rcv",
		  "rejected before its socket saw it" },
		{ &advertisement, 0, "icmpv6_rcv", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *said =
			say_freed(cases[i].flow, cases[i].flags, cases[i].place, cases[i].called);

		if (cases[i].says) {
			assert_non_null(strstr(said, ": possibly dropped: freed in "));
			assert_non_null(strstr(said, cases[i].says));
		} else {
			assert_null(strstr(said, "drop in"));
			assert_null(strstr(said, "possibly"));
			assert_non_null(strstr(said, "1 freed without a reason"));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frees_are_possible_drops),
	};

	return cmocka_run_group_tests(tests, NULL, free_printed);
}
