// SPDX-License-Identifier: GPL-2.0
/* order_test.c - test when and in which order packets are printed */
#include "events.h"

/*
 * While a packet waits in a queue, many other packets arrive. So the packet must be printed before it ends.
 * It must not be printed again when it ends.
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

/* The driver sends the packet, and the packet ends. */
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
 * A packet must be printed as soon as two things are true: no later row can change it, and all packets with
 * lower numbers have been printed.
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
	/*
	 * The next row of a CPU may report that earlier rows were lost. So the packet must not be printed
	 * before that row has been read.
	 */
	pass(now - 1);
	assert_int_equal(shown[1].times, 0);
	pass(UINT64_MAX);
	assert_int_equal(shown[1].times, 1);
	assert_int_equal(shown[1].verdict, VERDICT_SENT);
	assert_int_equal(shown[2].times, 1);
	assert_false(packets_has_before(packets, now));
	/* A gap in the numbers must not stop the printing: no packet has the number 3. */
	sends(&(struct skb){ .pkt = 4, .flow = &datagram });
	pass(UINT64_MAX);
	assert_int_equal(shown[4].times, 1);
	packets_end(packets);
	assert_int_equal(shown[1].times + shown[2].times + shown[4].times, 3);
}

/*
 * A packet does not end, and more packets follow than the ring of packets can hold. The line of the first
 * packet must be printed late, and must be correct.
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(comes_back_late, begin, end),
		cmocka_unit_test_setup_teardown(prints_final_packets, begin, end),
		cmocka_unit_test_setup_teardown(keeps_open_packets, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
