// SPDX-License-Identifier: LGPL-2.1
/* received_test.c - what becomes of an skb that comes in: each way that was once told wrong */
#include "steps.h"

static void udp_is_taken(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "udp_rcv");
	comes(&fate, "__udp_enqueue_schedule_skb");
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	leaves(&fate, "__udp_enqueue_schedule_skb", &data);
	leaves(&fate, "udp_rcv", &data);
	assert_int_equal(fate.state, FATE_DELIVERED);
	assert_false(fate.sure);
	/* Read, and gone. */
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_DELIVERED);
	assert_true(fate.sure);
}

static void udp_is_refused(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "udp_rcv");
	comes(&fate, "__udp_enqueue_schedule_skb");
	leaves(&fate, "__udp_enqueue_schedule_skb", &data);
	dropped(&fate, "udp_queue_rcv_one_skb", REASON, AT_WORK);
	assert_int_equal(fate.state, FATE_DROPPED);

	/* By its value alone: what follows from it is not known. */
	fate = (struct fate){ 0 };
	comes(&fate, "udp_rcv");
	comes(&fate, "__udp_enqueue_schedule_skb");
	leaves(&fate, "__udp_enqueue_schedule_skb", &data);
	returns(&fate, "__udp_enqueue_schedule_skb", -12, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* The same, told before the function is left. */
	fate = (struct fate){ 0 };
	comes(&fate, "__udp_enqueue_schedule_skb");
	returns(&fate, "__udp_enqueue_schedule_skb", -12, &data);
	leaves(&fate, "__udp_enqueue_schedule_skb", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* A reader on another CPU has it before the function is left. */
	fate = (struct fate){ 0 };
	comes(&fate, "udp_rcv");
	comes(&fate, "__udp_enqueue_schedule_skb");
	ends(&fate, &data);
	returns(&fate, "__udp_enqueue_schedule_skb", 0, &data);
	assert_int_equal(fate.state, FATE_DELIVERED);

	/* By another CPU, which puts several into the queue at once (Linux 6.18). */
	fate = (struct fate){ 0 };
	comes(&fate, "__udp_enqueue_schedule_skb");
	returns(&fate, "__udp_enqueue_schedule_skb", 0, &data);
	dropped(&fate, "__udp_enqueue_schedule_skb", REASON, LATER);
	assert_int_equal(fate.state, FATE_DROPPED);
}

static void closed_unread(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "__udp_enqueue_schedule_skb");
	leaves(&fate, "__udp_enqueue_schedule_skb", &data);
	dropped(&fate, "skb_queue_purge", NO_REASON, LATER);
	assert_int_equal(fate.state, FATE_DELIVERED);
}

/* A checksum is looked at when the datagram is read, if it is long. */
static void thrown_away_by_its_reader(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "__udp_enqueue_schedule_skb");
	returns(&fate, "__udp_enqueue_schedule_skb", 0, &data);
	dropped(&fate, "udp_recvmsg", NO_REASON, LATER);
	assert_int_equal(fate.state, FATE_DROPPED);
}

static void tcp(void **state)
{
	const struct fate_function closing = function("sk_stream_kill_queues");
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "tcp_v4_rcv");
	comes(&fate, "tcp_v4_do_rcv");
	leaves(&fate, "tcp_v4_do_rcv", &data);
	assert_int_equal(fate.state, FATE_DELIVERED);
	assert_ptr_equal(fate.where.id, function("tcp_v4_rcv").id);

	/* Put behind what is in the queue already. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	ends(&fate, &data);
	leaves(&fate, "tcp_v4_rcv", &data);
	assert_int_equal(fate.state, FATE_DELIVERED);

	/* A FIN waits in the queue, and goes when the socket does. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	leaves(&fate, "tcp_v4_rcv", &no_data);
	dropped(&fate, "sk_stream_kill_queues", NO_REASON, LATER);
	assert_int_equal(fate.state, FATE_HANDLED);

	/* Or it closes the socket of one that has gone, while it is looked at. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	assert_false(fate_dropped(&fate, &closing, NO_REASON, AT_WORK, &no_data));
	leaves(&fate, "tcp_v4_rcv", &no_data);
	assert_int_equal(fate.state, FATE_HANDLED);
	assert_ptr_equal(fate.where.id, function("tcp_v4_rcv").id);

	/* What has data is read by nobody then. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	assert_true(fate_dropped(&fate, &closing, NO_REASON, AT_WORK, &data));
	leaves(&fate, "tcp_v4_rcv", &data);
	assert_int_equal(fate.state, FATE_DROPPED);

	/* Old data; the queue of what came too early is given up. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	dropped(&fate, "tcp_data_queue", REASON, AT_WORK);
	leaves(&fate, "tcp_v4_rcv", &data);
	assert_int_equal(fate.state, FATE_DROPPED);
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	leaves(&fate, "tcp_v4_rcv", &data);
	dropped(&fate, "tcp_prune_ofo_queue", REASON, LATER);
	assert_int_equal(fate.state, FATE_DROPPED);

	/* What it is done with and what it ignores, freed alike. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v6_rcv");
	dropped(&fate, "tcp_v6_rcv", NO_REASON, AT_WORK);
	assert_int_equal(fate.state, FATE_FREED);

	/* Nobody knows whether there was data. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	leaves(&fate, "tcp_v4_rcv", &headers_cut);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/* A listener that has no room takes a SYN as it takes any other; but it does not answer. */
static void syn(void **state)
{
	const struct fate_packet ignored = { .tracked = true, .asks = true };
	const struct fate_packet answered = { .tracked = true, .asks = true, .answered = true };
	const struct fate_packet with_data = {
		.tracked = true, .asks = true, .answered = true, .payload = 100
	};
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "tcp_v4_rcv");
	comes(&fate, "tcp_v4_do_rcv");
	ends(&fate, &ignored);
	leaves(&fate, "tcp_v4_do_rcv", &ignored);
	assert_int_equal(fate.state, FATE_FREED);

	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	comes(&fate, "tcp_v4_do_rcv");
	ends(&fate, &answered);
	assert_int_equal(fate.state, FATE_HANDLED);

	/* Nor does who is told to ignore pings. */
	fate = (struct fate){ 0 };
	comes(&fate, "icmp_rcv");
	ends(&fate, &ignored);
	assert_int_equal(fate.state, FATE_FREED);

	/* Whether its data are wanted (TCP Fast Open) is not known. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	ends(&fate, &with_data);
	leaves(&fate, "tcp_v4_rcv", &with_data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

static void a_protocol_that_keeps_it_says_nothing(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "igmp_rcv");
	leaves(&fate, "igmp_rcv", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_HANDLED);
}

/* UDP drops what no socket takes: what ends in it a tunnel had, which may have thrown it away. */
static void a_tunnel_of_udp(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "ip_local_deliver");
	comes(&fate, "udp_rcv");
	leaves(&fate, "udp_rcv", &data);
	leaves(&fate, "ip_local_deliver", &data);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* Nor is each protocol a point: DCCP. */
	fate = (struct fate){ 0 };
	comes(&fate, "ip_local_deliver");
	leaves(&fate, "ip_local_deliver", &data);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/* IP_RECVERR, SO_TIMESTAMPING: a clone for the socket's queue of errors, which many programs never read. */
static void queue_of_errors(void **state)
{
	struct fate fate = { 0 }, clone;

	(void)state;
	comes(&fate, "icmp_rcv");
	fate_born(&clone, &fate, false);
	is_consumed(&fate, &data);
	dropped(&clone, "inet_sock_destruct", NO_REASON, LATER);
	assert_int_equal(clone.state, FATE_ON_THE_WAY);

	/* While somebody works for the packet, or with a reason, it is one. */
	fate = (struct fate){ 0 };
	comes(&fate, "icmp_rcv");
	fate_born(&clone, &fate, false);
	dropped(&clone, "__icmp_send", NO_REASON, AT_WORK);
	assert_int_equal(clone.state, FATE_DROPPED);
	fate_born(&clone, &fate, false);
	dropped(&clone, "net_tx_action", REASON, LATER);
	assert_int_equal(clone.state, FATE_DROPPED);
}

/* A ping's answer: the raw socket has a clone, and icmp_rcv() finds no other. */
static void raw_socket(void **state)
{
	struct fate fate = { 0 }, clone;

	(void)state;
	comes(&fate, "ip_local_deliver");
	fate_born(&clone, &fate, false);
	comes(&clone, "raw_rcv");
	comes(&clone, "sock_queue_rcv_skb_reason");
	leaves(&clone, "sock_queue_rcv_skb_reason", &data);
	leaves(&clone, "raw_rcv", &data);
	assert_int_equal(clone.state, FATE_DELIVERED);
	comes(&fate, "icmp_rcv");
	dropped(&fate, "icmp_rcv", REASON, AT_WORK);
	assert_int_equal(fate.state, FATE_DROPPED);
	assert_int_equal(clone.state, FATE_DELIVERED);
}

/* Its sockets get clones of what has come, and free what was read as what was not. */
static void sctp(void **state)
{
	struct fate fate = { 0 }, clone;

	(void)state;
	comes(&fate, "sctp_rcv");
	fate_born(&clone, &fate, false);
	is_consumed(&fate, &data);
	leaves(&fate, "sctp_rcv", &data);
	assert_int_equal(fate.state, FATE_COPIED);
	dropped(&clone, "sctp_recvmsg", NO_REASON, LATER);
	assert_int_equal(clone.state, FATE_FREED);

	/* The clones may be of what it was put together from. */
	fate = (struct fate){ 0 };
	comes(&fate, "sctp_rcv");
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	fate = (struct fate){ 0 };
	comes(&fate, "sctp_rcv");
	is_consumed(&fate, &headers_cut);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* An acknowledgement. */
	fate = (struct fate){ 0 };
	comes(&fate, "sctp_rcv");
	is_consumed(&fate, &no_data);
	assert_int_equal(fate.state, FATE_HANDLED);

	/* With a reason it is a drop. */
	fate = (struct fate){ 0 };
	comes(&fate, "sctp_rcv");
	dropped(&fate, "sctp_rcv", REASON, AT_WORK);
	assert_int_equal(fate.state, FATE_DROPPED);
}

/* GRO keeps one that it cannot free until the one that it is part of is read. */
static void merged(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "napi_gro_receive");
	returns(&fate, "napi_gro_receive", 0, &data);
	assert_int_equal(fate.state, FATE_HANDLED);
	dropped(&fate, "skb_release_data", NO_REASON, LATER);
	assert_int_equal(fate.state, FATE_HANDLED);
	dropped(&fate, "tcp_rcv_established", REASON, AT_WORK);
	assert_int_equal(fate.state, FATE_DROPPED);

	/* Others go on, or wait for more of their kind. */
	for (int value = 2; value < 5; value++) {
		fate = (struct fate){ 0 };
		comes(&fate, "napi_gro_receive");
		returns(&fate, "napi_gro_receive", value, &data);
		assert_int_equal(fate.state, FATE_ON_THE_WAY);
	}
	fate = (struct fate){ 0 };
	comes(&fate, "napi_gro_receive");
	leaves(&fate, "napi_gro_receive", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* On their way through this machine they are taken apart again. */
	fate = (struct fate){ 0 };
	comes(&fate, "napi_gro_receive");
	returns(&fate, "napi_gro_receive", 0, &data);
	goes(&fate, "dev_hard_start_xmit");
	leaves(&fate, "dev_hard_start_xmit", &data);
	assert_int_equal(fate.state, FATE_SENT);
}

static void taps(void **state)
{
	struct fate fate = { 0 }, clone, second;

	(void)state;
	/* Coming in: packet_rcv() shares the skb, and clones it for itself. */
	comes(&fate, "netif_rx_internal");
	is_tapped(&fate, "packet_rcv");
	fate_born(&clone, &fate, false);
	leaves(&fate, "packet_rcv", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	assert_int_equal(clone.state, FATE_TAPPED);
	dropped(&clone, "skb_queue_purge", NO_REASON, LATER);
	assert_int_equal(clone.state, FATE_TAPPED);

	/* Going out: it is given a clone, and has that for itself. */
	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	fate_born(&second, &fate, false);
	is_tapped(&second, "packet_rcv");
	leaves(&second, "packet_rcv", &data);
	assert_int_equal(second.state, FATE_TAPPED);
	goes(&fate, "dummy_xmit");
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_SENT);

	/* Copied into its ring, or not wanted: nothing tells. */
	fate = (struct fate){ 0 };
	comes(&fate, "netif_rx_internal");
	is_tapped(&fate, "tpacket_rcv");
	ends(&fate, &data);
	leaves(&fate, "tpacket_rcv", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* A packet socket alone: there is no other. */
	fate = (struct fate){ 0 };
	comes(&fate, "netif_rx_internal");
	is_tapped(&fate, "packet_rcv");
	leaves(&fate, "packet_rcv", &data);
	assert_int_equal(fate.state, FATE_DELIVERED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(udp_is_taken),
		cmocka_unit_test(udp_is_refused),
		cmocka_unit_test(closed_unread),
		cmocka_unit_test(thrown_away_by_its_reader),
		cmocka_unit_test(tcp),
		cmocka_unit_test(syn),
		cmocka_unit_test(a_protocol_that_keeps_it_says_nothing),
		cmocka_unit_test(a_tunnel_of_udp),
		cmocka_unit_test(queue_of_errors),
		cmocka_unit_test(raw_socket),
		cmocka_unit_test(sctp),
		cmocka_unit_test(merged),
		cmocka_unit_test(taps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
