// SPDX-License-Identifier: LGPL-2.1
/* flow_test.c - test how a flow is written as text */
#include <stdlib.h>
#include <string.h>

#include "cases.h"

static void expect_flow(const struct canned_flow *flow, bool is_call, const char *text)
{
	struct canned_machine machines[] = {
		{ .long_size = 8 },
		{ .long_size = 4 },
		{ .big_endian = true },
		{ .long_size = 4, .big_endian = true },
	};
	struct canned_trace *t;
	char report[512];
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		t = canned_new(&machines[i]);
		if (is_call)
			call(t, OPEN, SENDMSG, flow);
		else
			packet(t, 4294967295u, OPEN, SENDMSG, flow);
		enter(t, 0, GATE);
		leaf(t, 1, SENDMSG);
		snprintf(report, sizeof(report),
			 "100: record_skb:%s\n"
			 "100: record_skb_gate() { /* %s */\n"
			 "100:   tcp_sendmsg(); /* %s */\n",
			 is_call ? "call" : "packet", text, text);
		expect(t, report);
	}
}

static void packets(void **state)
{
	struct canned_flow flow;

	(void)state;
	expect_flow(&tcp_a, false, "#4294967295 " TCP_A);
	expect_flow(&tcp_v6, false, "#4294967295 " TCP_V6);
	expect_flow(&echo, false, "#4294967295 " ECHO);

	flow = echo;
	flow.icmp_type = 0;
	expect_flow(&flow, false, "#4294967295 icmp 10.0.0.1 > 10.0.0.2 echo reply id 77");
	flow.icmp_type = 3;
	flow.icmp_code = 1;
	expect_flow(&flow, false, "#4294967295 icmp 10.0.0.1 > 10.0.0.2 host unreachable");

	flow = tcp_v6;
	flow.proto = 58;
	flow.sport = flow.dport = 0;
	flow.icmp_type = 128;
	flow.icmp_id = 0xbeef;
	expect_flow(&flow, false, "#4294967295 icmpv6 fe80::1 > ::1 echo request id 48879");

	flow = tcp_a;
	flow.proto = 17;
	flow.sport = 0;
	expect_flow(&flow, false, "#4294967295 udp 10.0.0.1:0 > 10.0.0.2:9000");
	flow.proto = 253;
	flow.dport = 0;
	expect_flow(&flow, false, "#4294967295 proto 253 10.0.0.1 > 10.0.0.2");

	expect_flow(&arp, false, "#4294967295 arp");
	flow = arp;
	flow.ethertype = 0x88b5;
	expect_flow(&flow, false, "#4294967295 ethertype 0x88b5");
	flow.ethertype = 0;
	expect_flow(&flow, false, "#4294967295");

	flow = tcp_v6;
	flow.saddr = "1111:2222:3333:4444:5555:6666:7777:8888";
	flow.daddr = "1111:2222:3333:4444:5555:6666:7777:9999";
	expect_flow(&flow, false,
		    "#4294967295 tcp [1111:2222:3333:4444:5555:6666:7777:8888]:40312 > "
		    "[1111:2222:3333:4444:5555:6666:7777:9999]:9000");
}

static void calls(void **state)
{
	struct canned_flow flow = tcp_a;

	(void)state;
	expect_flow(&tcp_a, true, "call " TCP_A);
	flow.daddr = "0.0.0.0";
	flow.dport = 0;
	expect_flow(&flow, true, "call tcp 10.0.0.1:40312 > *");
	flow.saddr = "0.0.0.0";
	expect_flow(&flow, true, "call tcp *:40312 > *");
	flow.sport = 0;
	flow.proto = 0;
	expect_flow(&flow, true, "call");
	flow = (struct canned_flow){ 0 };
	expect_flow(&flow, true, "call");
}

/* If the record has only half of the addresses, the text must not have any address. */
static void missing_fields(void **state)
{
	static const struct {
		const char *field;
		const char *text;
	} without[] = {
		{ "saddr", "#7 ip" },  { "daddr", "#7 ip" },	     { "proto", "#7 ip" },
		{ "family", "#7 ip" }, { "ethertype", "#7 " TCP_A }, { "icmp_id", "#7 " TCP_A },
	};
	struct canned_machine machine = { 0 };
	struct canned_flow flow = tcp_a;
	struct canned_trace *t;
	char report[512];
	size_t i;

	(void)state;
	flow.sa_family = 10;
	expect_flow(&flow, false, "#4294967295 ip");

	for (i = 0; i < sizeof(without) / sizeof(*without); i++) {
		machine.without_field = without[i].field;
		t = canned_new(&machine);
		packet(t, 7, OPEN, IP_RCV, &tcp_a);
		enter(t, 0, GATE);
		snprintf(report, sizeof(report),
			 "100: record_skb:packet\n"
			 "100: record_skb_gate() { /* %s */\n",
			 without[i].text);
		expect(t, report);
	}

	machine.without_field = "icmp_type";
	t = canned_new(&machine);
	packet(t, 7, OPEN, IP_RCV, &echo);
	enter(t, 0, GATE);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 icmp 10.0.0.1 > 10.0.0.2 */\n");
}

int run_flow_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets),
		cmocka_unit_test(calls),
		cmocka_unit_test(missing_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
