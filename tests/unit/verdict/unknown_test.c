// SPDX-License-Identifier: LGPL-2.1
/*
 * unknown_test.c - test verdicts that cannot be known, and verdicts that are known although events are
 * missing
 */
#include "steps.h"

/* With --direction rx, the probe points of the transmit path are not recorded. */
static void only_received(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "ip_rcv");
	comes(&fate, "ip_forward");
	leaves(&fate, "ip_forward", &data);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	fate = (struct fate){ 0 };
	goes(&fate, "ip_output");
	leaves(&fate, "ip_output", &data);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/* Additional probe points of the user (-g) must not change the verdict. */
static void points_of_users(void **state)
{
	const struct fate_function closing = function("sk_stream_kill_queues");
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "tcp_v4_rcv");
	is_tapped(&fate, "tcp_data_queue");
	assert_ptr_equal(fate.where.id, function("tcp_data_queue").id);
	leaves(&fate, "tcp_data_queue", &data);
	leaves(&fate, "tcp_v4_rcv", &data);
	assert_int_equal(fate.state, FATE_DELIVERED);
	is_tapped(&fate, "skb_copy_datagram_iter");
	assert_int_equal(fate.state, FATE_DELIVERED);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_DELIVERED);

	fate = (struct fate){ 0 };
	comes(&fate, "udp_rcv");
	comes(&fate, "__udp_enqueue_schedule_skb");
	is_tapped(&fate, "skb_condense");
	leaves(&fate, "skb_condense", &data);
	returns(&fate, "__udp_enqueue_schedule_skb", 0, &data);
	assert_int_equal(fate.state, FATE_DELIVERED);

	/* The table of functions contains tcp_rcv_state_process(), but not what it does with a packet. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	comes(&fate, "tcp_v4_do_rcv");
	is_tapped(&fate, "tcp_rcv_state_process");
	assert_int_equal(fate_dropped(&fate, &closing, NO_REASON, LATER, &no_data), false);
	assert_int_equal(fate.state, FATE_HANDLED);
	assert_ptr_equal(fate.where.id, function("tcp_v4_rcv").id);
}

static void what_is_not_tracked_is_not_known(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "tcp_v4_rcv");
	leaves(&fate, "tcp_v4_rcv", &untracked);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/*
 * Open vSwitch, AF_XDP and tc filters have no probe point. So it is unknown whether one of them received the
 * packet.
 */
static void taken_where_no_point_is(void **state)
{
	static const char *const offers[] = { "netif_rx_internal", "netif_receive_skb",
					      "netif_receive_skb_list_internal",
					      "__netif_receive_skb",
					      "__netif_receive_skb_list_core" };
	struct fate fate, clone;

	(void)state;
	for (size_t i = 0; i < sizeof(offers) / sizeof(offers[0]); i++) {
		fate = (struct fate){ 0 };
		comes(&fate, offers[i]);
		is_consumed(&fate, &data);
		leaves(&fate, offers[i], &data);
		assert_int_equal(fate.state, FATE_ON_THE_WAY);
	}

	/* GRO has merged the packet into another one, which it passes on. */
	fate = (struct fate){ 0 };
	comes(&fate, "napi_gro_receive");
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_HANDLED);

	/*
	 * The packet socket got no clone, because its filter rejected the packet. So another receiver must
	 * have taken it.
	 */
	fate = (struct fate){ 0 };
	comes(&fate, "__netif_receive_skb");
	is_tapped(&fate, "packet_rcv");
	leaves(&fate, "packet_rcv", &data);
	fate_born(&clone, &fate, RECORD_SKB_COPY_CLONE);
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	assert_int_equal(clone.state, FATE_ON_THE_WAY);

	/* A packet socket was the only receiver, and its reader has freed the packet. */
	fate = (struct fate){ 0 };
	comes(&fate, "__netif_receive_skb");
	is_tapped(&fate, "packet_rcv");
	leaves(&fate, "packet_rcv", &data);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_DELIVERED);
	assert_true(fate.sure);
}

/*
 * The recording lacks some probe points. So another function may have received the packet, and the verdict
 * is unknown.
 */
static void points_are_missing(void **state)
{
	const struct fate_packet lacking = { .payload = 100,
					     .tracked = true,
					     .lacks_points = true };
	struct fate_packet answered = lacking;
	struct fate_function at;
	struct fate fate = { 0 };

	(void)state;
	answered.asks = answered.answered = true;
	comes(&fate, "udp_rcv");
	leaves(&fate, "udp_rcv", &lacking);
	ends(&fate, &lacking);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	fate = (struct fate){ 0 };
	comes(&fate, "ip_local_deliver");
	ends(&fate, &lacking);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	/* The socket was closed before a program had read the packet. */
	fate = (struct fate){ 0 };
	comes(&fate, "udp_rcv");
	leaves(&fate, "udp_rcv", &lacking);
	at = function("udp_destruct_common");
	assert_false(fate_dropped(&fate, &at, NO_REASON, LATER, &lacking));
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* Some events prove the verdict on their own, even if the recording lacks probe points. */
	fate = (struct fate){ 0 };
	comes(&fate, "__udp_enqueue_schedule_skb");
	returns(&fate, "__udp_enqueue_schedule_skb", 0, &lacking);
	assert_int_equal(fate.state, FATE_DELIVERED);
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	ends(&fate, &lacking);
	assert_int_equal(fate.state, FATE_DELIVERED);
	fate = (struct fate){ 0 };
	comes(&fate, "icmp_rcv");
	ends(&fate, &answered);
	assert_int_equal(fate.state, FATE_HANDLED);
}

/* If rows were lost, only some verdicts are certain. */
static void proved(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "__udp_enqueue_schedule_skb");
	leaves(&fate, "__udp_enqueue_schedule_skb", &data);
	assert_false(fate_is_proved(&fate));
	returns(&fate, "__udp_enqueue_schedule_skb", 0, &data);
	assert_true(fate_is_proved(&fate));

	/*
	 * The verdict "handled" is not certain, because the lost rows may show another receiver of the
	 * packet.
	 */
	fate = (struct fate){ 0 };
	comes(&fate, "icmp_rcv");
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_HANDLED);
	assert_false(fate_is_proved(&fate));

	/*
	 * A TCP packet can only go to a TCP socket. So its verdict is certain as soon as the packet has
	 * ended.
	 */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	leaves(&fate, "tcp_v4_rcv", &no_data);
	assert_false(fate_is_proved(&fate));
	ends(&fate, &no_data);
	assert_true(fate_is_proved(&fate));

	fate = (struct fate){ 0 };
	comes(&fate, "udp_rcv");
	dropped(&fate, "skb_queue_purge", NO_REASON, LATER);
	assert_false(fate_is_proved(&fate));
	fate = (struct fate){ 0 };
	comes(&fate, "udp_rcv");
	dropped(&fate, "__udp4_lib_rcv", REASON, AT_WORK);
	assert_true(fate_is_proved(&fate));

	/*
	 * The verdict of a queued packet is not certain. While rows were lost, the packet may have left the
	 * queue and passed a device without probe points.
	 */
	fate = (struct fate){ 0 };
	goes(&fate, "__dev_queue_xmit");
	returns(&fate, "__dev_queue_xmit", 0, &data);
	assert_false(fate_is_proved(&fate));
	fate = (struct fate){ 0 };
	goes(&fate, "br_dev_xmit");
	returns(&fate, "br_dev_xmit", 0, &data);
	assert_false(fate_is_proved(&fate));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_received),
		cmocka_unit_test(points_of_users),
		cmocka_unit_test(what_is_not_tracked_is_not_known),
		cmocka_unit_test(taken_where_no_point_is),
		cmocka_unit_test(points_are_missing),
		cmocka_unit_test(proved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
