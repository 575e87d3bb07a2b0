// SPDX-License-Identifier: LGPL-2.1
/* interrupt_test.c - test the packet of each line if an interrupt comes between the rows */
#include "cases.h"

/*
 * The event of a packet announces the entry of a probe point. Before the row of this entry, a softirq runs.
 */
static void softirq_in_between(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	open_graph(t);
	packet(t, 7, NESTED, IP_OUTPUT, &tcp_a);
	enter(t, 2, SOFTIRQ);
	other(t, IP_OUTPUT);
	leaf(t, 3, IP_OUTPUT);
	packet(t, 8, NESTED, TCP_RCV, &tcp_b);
	enter(t, 3, TCP_RCV);
	leaf(t, 4, KFREE);
	leave(t, 3, TCP_RCV);
	leave(t, 2, SOFTIRQ);
	leaf(t, 2, IP_OUTPUT);
	close_graph(t);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n"
		  "100:     __do_softirq() { /* #7 " TCP_A " */\n"
		  "100: record_skb:other\n"
		  "100:       ip_output();\n"
		  "100: record_skb:packet\n"
		  "100:       tcp_v4_rcv() { /* #8 " TCP_B " */\n"
		  "100:         kfree(); /* #8 " TCP_B " */\n"
		  "100:       }\n"
		  "100:     }\n"
		  "100:     ip_output(); /* #7 " TCP_A " */\n"
		  "100:   }\n"
		  "100: }\n");
}

/*
 * The event of a packet announces a gate. Before the row of this gate, a softirq runs and enters a gate of
 * its own.
 */
static void softirq_before_the_gate(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	packet(t, 7, OPEN, IP_OUTPUT, &tcp_a);
	packet(t, 8, OPEN, IP_RCV, &tcp_b);
	enter(t, 0, GATE);
	leaf(t, 1, IP_RCV);
	leave(t, 0, GATE);
	enter(t, 0, GATE);
	leaf(t, 1, IP_OUTPUT);
	leave(t, 0, GATE);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #8 " TCP_B " */\n"
		  "100:   ip_rcv(); /* #8 " TCP_B " */\n"
		  "100: }\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_output(); /* #7 " TCP_A " */\n"
		  "100: }\n");
}

/*
 * The kernel first increments the depth, and then writes the row of the gate. An interrupt can come between
 * these two steps. Its rows then come before the row of the gate, and it can have packets of its own.
 */
static void interrupt_before_the_gates_row(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	packet(t, 7, OPEN, IP_OUTPUT, &tcp_a);
	enter(t, 1, SOFTIRQ);
	packet(t, 8, NESTED, IP_RCV, &tcp_b);
	enter(t, 2, IP_RCV);
	leaf(t, 3, KFREE);
	leave(t, 2, IP_RCV);
	leave(t, 1, SOFTIRQ);
	enter(t, 0, GATE);
	enter(t, 1, IP_OUTPUT);
	leave(t, 1, IP_OUTPUT);
	leave(t, 0, GATE);
	expect(t, "100: record_skb:packet\n"
		  "100:   __do_softirq() {\n"
		  "100: record_skb:packet\n"
		  "100:     ip_rcv() { /* #8 " TCP_B " */\n"
		  "100:       kfree(); /* #8 " TCP_B " */\n"
		  "100:     }\n"
		  "100:   }\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_output(); /* #7 " TCP_A " */\n"
		  "100: }\n");
}

/*
 * The module knows that a task is in a gate only while the function of the gate runs. Interrupts can come
 * shortly before and shortly after this function. Their packets then have gates of their own.
 */
static void interrupts_inside_a_gate(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	packet(t, 7, OPEN, IP_OUTPUT, &tcp_a);
	enter(t, 0, GATE);
	packet(t, 8, OPEN, IP_RCV, &tcp_b);
	enter(t, 1, IP_RCV);
	enter(t, 2, GATE);
	leaf(t, 3, IP_RCV);
	leave(t, 2, GATE);
	leave(t, 1, IP_RCV);
	enter(t, 1, IP_OUTPUT);
	packet(t, 9, NESTED, TCP_RCV, &tcp_b);
	leaf(t, 2, TCP_RCV);
	leave(t, 1, IP_OUTPUT);
	packet(t, 10, OPEN, IP_RCV, &tcp_b);
	enter(t, 1, IP_RCV);
	enter(t, 2, GATE);
	leaf(t, 3, IP_RCV);
	leave(t, 2, GATE);
	close_graph(t);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n"
		  "100:   ip_rcv() {\n"
		  "100:     record_skb_gate() { /* #8 " TCP_B " */\n"
		  "100:       ip_rcv(); /* #8 " TCP_B " */\n"
		  "100:     }\n"
		  "100:   }\n"
		  "100:   ip_output() { /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n"
		  "100:     tcp_v4_rcv(); /* #9 " TCP_B " */\n"
		  "100:   }\n"
		  "100: record_skb:packet\n"
		  "100:   ip_rcv() {\n"
		  "100:     record_skb_gate() { /* #10 " TCP_B " */\n"
		  "100:       ip_rcv(); /* #10 " TCP_B " */\n"
		  "100:     }\n"
		  "100:   }\n"
		  "100: }\n");
}

#define TWO_MORE   "100: record_skb:packet\n100: record_skb:packet\n"
#define EIGHT_MORE TWO_MORE TWO_MORE TWO_MORE TWO_MORE

/*
 * An interrupt has packets without a graph and without rows. After these packets, the plugin must still
 * expect the gate of the first packet.
 */
static void hidden_before_the_gates_row(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	packet(t, 7, OPEN, IP_OUTPUT, &tcp_a);
	for (int i = 0; i < 8; i++)
		packet(t, 8, HIDDEN, IP_RCV, &tcp_b);
	enter(t, 0, GATE);
	enter(t, 1, IP_OUTPUT);
	leave(t, 1, IP_OUTPUT);
	leave(t, 0, GATE);
	expect(t,
	       "100: record_skb:packet\n" EIGHT_MORE "100: record_skb_gate() { /* #7 " TCP_A " */\n"
	       "100:   ip_output(); /* #7 " TCP_A " */\n"
	       "100: }\n");
}

/*
 * Rows of an interrupt may come before an exit row. They may also come before the entry row of a probed
 * function that has no gate.
 */
static void interrupt_before_a_row(void **state)
{
	struct canned_trace *t = canned_new(NULL);

	(void)state;
	open_graph(t);
	packet(t, 8, NESTED, TCP_RCV, &tcp_b);
	enter(t, 3, SOFTIRQ);
	leaf(t, 4, KFREE);
	leave(t, 3, SOFTIRQ);
	enter(t, 2, TCP_RCV);
	leaf(t, 3, KFREE);
	enter(t, 2, SOFTIRQ);
	leaf(t, 3, KFREE);
	leave(t, 2, SOFTIRQ);
	leave(t, 2, TCP_RCV);
	leaf(t, 2, KFREE);
	/* On newer kernels, an interrupt can also come after an exit row, before the depth is decremented. */
	leaf(t, 3, SOFTIRQ);
	packet(t, 8, NESTED, TCP_RCV, &tcp_b);
	leaf(t, 2, TCP_RCV);
	leaf(t, 3, SOFTIRQ);
	leave(t, 1, IP_RCV);
	leaf(t, 1, KFREE);
	expect(t, "100: record_skb:packet\n"
		  "100: record_skb_gate() { /* #7 " TCP_A " */\n"
		  "100:   ip_rcv() { /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n"
		  "100:       __do_softirq() { /* #7 " TCP_A " */\n"
		  "100:         kfree(); /* #7 " TCP_A " */\n"
		  "100:       }\n"
		  "100:     tcp_v4_rcv() { /* #8 " TCP_B " */\n"
		  "100:       kfree(); /* #8 " TCP_B " */\n"
		  "100:     __do_softirq() { /* #7 " TCP_A " */\n"
		  "100:       kfree(); /* #7 " TCP_A " */\n"
		  "100:     }\n"
		  "100:     }\n"
		  "100:     kfree(); /* #7 " TCP_A " */\n"
		  "100:       __do_softirq(); /* #7 " TCP_A " */\n"
		  "100: record_skb:packet\n"
		  "100:     tcp_v4_rcv(); /* #8 " TCP_B " */\n"
		  "100:       __do_softirq(); /* #7 " TCP_A " */\n"
		  "100:   }\n"
		  "100:   kfree(); /* #7 " TCP_A " */\n");
}

int run_interrupt_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(softirq_in_between),
		cmocka_unit_test(softirq_before_the_gate),
		cmocka_unit_test(interrupt_before_the_gates_row),
		cmocka_unit_test(interrupts_inside_a_gate),
		cmocka_unit_test(hidden_before_the_gates_row),
		cmocka_unit_test(interrupt_before_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
