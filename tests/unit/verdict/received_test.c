// SPDX-License-Identifier: LGPL-2.1
/* received_test.c - test the verdicts of received packets. The verdict of each case was once wrong. */
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
	/* Now a reader takes the packet out of the queue and frees it. */
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

	/* The return value is recorded, but not the end of the packet. */
	fate = (struct fate){ 0 };
	comes(&fate, "udp_rcv");
	comes(&fate, "__udp_enqueue_schedule_skb");
	leaves(&fate, "__udp_enqueue_schedule_skb", &data);
	returns(&fate, "__udp_enqueue_schedule_skb", -12, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/*
	 * The recording has only the function of the queue. Its return value shows that the queue refused
	 * the packet. It does not show what happened to the packet then.
	 */
	fate = (struct fate){ 0 };
	comes(&fate, "__udp_enqueue_schedule_skb");
	returns(&fate, "__udp_enqueue_schedule_skb", -12, &data);
	leaves(&fate, "__udp_enqueue_schedule_skb", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/*
	 * Before the function of the queue returns, a reader on another CPU has already read and freed the
	 * packet.
	 */
	fate = (struct fate){ 0 };
	comes(&fate, "udp_rcv");
	comes(&fate, "__udp_enqueue_schedule_skb");
	ends(&fate, &data);
	returns(&fate, "__udp_enqueue_schedule_skb", 0, &data);
	assert_int_equal(fate.state, FATE_DELIVERED);

	/*
	 * In Linux 6.18, another CPU may put several packets into the queue at once. It may then drop this
	 * packet.
	 */
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

/*
 * The kernel verifies the checksum of a long datagram only when the datagram is read. It then drops a
 * datagram with a wrong checksum.
 */
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

	/* TCP appends the data to another packet in the queue and frees this packet. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	ends(&fate, &data);
	leaves(&fate, "tcp_v4_rcv", &data);
	assert_int_equal(fate.state, FATE_DELIVERED);

	/* A FIN waits in the queue and is freed when the socket is closed. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	leaves(&fate, "tcp_v4_rcv", &no_data);
	dropped(&fate, "sk_stream_kill_queues", NO_REASON, LATER);
	assert_int_equal(fate.state, FATE_HANDLED);

	/* TCP can also close the socket while it handles the FIN, if the process has already exited. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	assert_false(fate_dropped(&fate, &closing, NO_REASON, AT_WORK, &no_data));
	leaves(&fate, "tcp_v4_rcv", &no_data);
	assert_int_equal(fate.state, FATE_HANDLED);
	assert_ptr_equal(fate.where.id, function("tcp_v4_rcv").id);

	/* If TCP closes the socket while it handles a packet with data, the data are dropped. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	assert_true(fate_dropped(&fate, &closing, NO_REASON, AT_WORK, &data));
	leaves(&fate, "tcp_v4_rcv", &data);
	assert_int_equal(fate.state, FATE_DROPPED);

	/* Old data, and data that TCP removes from its out-of-order queue, are dropped. */
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

	/*
	 * TCP frees a packet that it has processed in the same way as a packet that it has ignored. So the
	 * verdict cannot distinguish them.
	 */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v6_rcv");
	dropped(&fate, "tcp_v6_rcv", NO_REASON, AT_WORK);
	assert_int_equal(fate.state, FATE_FREED);

	/* The event does not show whether the packet had data, so the verdict is unknown. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	leaves(&fate, "tcp_v4_rcv", &headers_cut);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/*
 * The kernel ignores a SYN if the queue of the listener has no room. In the events, an ignored SYN looks
 * like any other SYN. So a SYN counts as handled only if it was answered.
 */
static void syn(void **state)
{
	const struct fate_packet ignored = { .tracked = true, .asks = true };
	const struct fate_packet answered = { .tracked = true, .asks = true, .answered = true };
	const struct fate_packet with_data = {
		.tracked = true,
		.asks = true,
		.answered = true,
		.payload = 100,
		.for_socket = true,
	};
	const struct fate_function icmpv6 = function("icmpv6_rcv");
	struct fate fate = { 0 }, clone;

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

	/* A ping without an answer may have been ignored, so it must not count as handled. */
	fate = (struct fate){ 0 };
	comes(&fate, "icmp_rcv");
	ends(&fate, &ignored);
	assert_int_equal(fate.state, FATE_FREED);

	/* Up to Linux 6.3, ICMPv6 frees all packets as if they were dropped. */
	fate = (struct fate){ 0 };
	comes(&fate, "icmpv6_rcv");
	assert_true(fate_dropped(&fate, &icmpv6, NO_REASON, AT_WORK, &ignored));
	assert_int_equal(fate.state, FATE_FREED);
	fate = (struct fate){ 0 };
	comes(&fate, "icmpv6_rcv");
	assert_false(fate_dropped(&fate, &icmpv6, NO_REASON, AT_WORK, &answered));
	assert_int_equal(fate.state, FATE_HANDLED);
	fate = (struct fate){ 0 };
	comes(&fate, "icmpv6_rcv");
	assert_true(fate_dropped(&fate, &icmpv6, REASON, AT_WORK, &answered));
	assert_int_equal(fate.state, FATE_DROPPED);

	/* If no socket accepts data in a SYN, the data are ignored. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	ends(&fate, &with_data);
	leaves(&fate, "tcp_v4_rcv", &with_data);
	assert_int_equal(fate.state, FATE_HANDLED);

	/* With TCP Fast Open, the new socket gets a clone with the data. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	fate_born(&clone, &fate, RECORD_SKB_COPY_CLONE);
	ends(&fate, &with_data);
	leaves(&fate, "tcp_v4_rcv", &with_data);
	fate_maker_left(&clone, &fate.at, &with_data);
	assert_int_equal(fate.state, FATE_COPIED);
	assert_int_equal(clone.state, FATE_DELIVERED);
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

/*
 * UDP drops a packet if it has no socket for it. If a packet ends inside UDP without a drop, it went to a
 * tunnel, which may have dropped it.
 */
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

	/* Some protocols have no probe point, for example DCCP. The verdict of their packets is unknown. */
	fate = (struct fate){ 0 };
	comes(&fate, "ip_local_deliver");
	leaves(&fate, "ip_local_deliver", &data);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/*
 * With IP_RECVERR or SO_TIMESTAMPING, the socket's error queue gets a clone. Many programs never read this
 * queue. If the clone is freed with the socket, this must not count as a drop.
 */
static void queue_of_errors(void **state)
{
	struct fate fate = { 0 }, clone;

	(void)state;
	comes(&fate, "icmp_rcv");
	fate_born(&clone, &fate, RECORD_SKB_COPY_CLONE);
	is_consumed(&fate, &data);
	dropped(&clone, "inet_sock_destruct", NO_REASON, LATER);
	assert_int_equal(clone.state, FATE_ON_THE_WAY);

	/*
	 * A clone counts as dropped in two cases: a function that handles the packet frees the clone, or
	 * the kernel gives a reason.
	 */
	fate = (struct fate){ 0 };
	comes(&fate, "icmp_rcv");
	fate_born(&clone, &fate, RECORD_SKB_COPY_CLONE);
	dropped(&clone, "__icmp_send", NO_REASON, AT_WORK);
	assert_int_equal(clone.state, FATE_DROPPED);
	fate_born(&clone, &fate, RECORD_SKB_COPY_CLONE);
	dropped(&clone, "net_tx_action", REASON, LATER);
	assert_int_equal(clone.state, FATE_DROPPED);
}

/* The raw socket of ping gets a clone of the reply. icmp_rcv() then finds no other socket for the reply. */
static void raw_socket(void **state)
{
	struct fate fate = { 0 }, clone;

	(void)state;
	comes(&fate, "ip_local_deliver");
	fate_born(&clone, &fate, RECORD_SKB_COPY_CLONE);
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

/* SCTP sockets get clones of received packets. The kernel frees read and unread clones in the same way. */
static void sctp(void **state)
{
	struct fate fate = { 0 }, clone;

	(void)state;
	comes(&fate, "sctp_rcv");
	fate_born(&clone, &fate, RECORD_SKB_COPY_CLONE);
	is_consumed(&fate, &data);
	leaves(&fate, "sctp_rcv", &data);
	assert_int_equal(fate.state, FATE_COPIED);
	dropped(&clone, "sctp_recvmsg", NO_REASON, LATER);
	assert_int_equal(clone.state, FATE_FREED);

	/*
	 * Without a recorded clone, the verdict is unknown: the clones may have been made from fragments of
	 * the packet.
	 */
	fate = (struct fate){ 0 };
	comes(&fate, "sctp_rcv");
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	fate = (struct fate){ 0 };
	comes(&fate, "sctp_rcv");
	is_consumed(&fate, &headers_cut);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* An acknowledgement has no data for a socket, so SCTP itself has handled it. */
	fate = (struct fate){ 0 };
	comes(&fate, "sctp_rcv");
	is_consumed(&fate, &no_data);
	assert_int_equal(fate.state, FATE_HANDLED);

	/* If the kernel gives a reason, the packet was dropped. */
	fate = (struct fate){ 0 };
	comes(&fate, "sctp_rcv");
	dropped(&fate, "sctp_rcv", REASON, AT_WORK);
	assert_int_equal(fate.state, FATE_DROPPED);
}

/*
 * GRO has merged the data of this skb into another packet, and cannot free the skb yet. The skb is freed
 * when the other packet is read.
 */
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

	/*
	 * With other return values, GRO passes the packet on, or keeps it until more packets of the flow
	 * arrive.
	 */
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

	/* A router that forwards merged packets segments them again. */
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
	/*
	 * On the receive path, packet_rcv() gets an skb that other receivers use, too. It clones the skb
	 * for its own queue.
	 */
	comes(&fate, "netif_rx_internal");
	is_tapped(&fate, "packet_rcv");
	fate_born(&clone, &fate, RECORD_SKB_COPY_CLONE);
	leaves(&fate, "packet_rcv", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	assert_int_equal(clone.state, FATE_TAPPED);
	dropped(&clone, "skb_queue_purge", NO_REASON, LATER);
	assert_int_equal(clone.state, FATE_TAPPED);

	/* On the transmit path, packet_rcv() gets a clone from its caller. */
	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	fate_born(&second, &fate, RECORD_SKB_COPY_CLONE);
	is_tapped(&second, "packet_rcv");
	leaves(&second, "packet_rcv", &data);
	assert_int_equal(second.state, FATE_TAPPED);
	goes(&fate, "dummy_xmit");
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_SENT);

	/*
	 * A packet socket with a ring causes no event when the ring gets a copy of the packet. It causes
	 * none either when its filter rejects the packet.
	 */
	fate = (struct fate){ 0 };
	comes(&fate, "netif_rx_internal");
	is_tapped(&fate, "tpacket_rcv");
	ends(&fate, &data);
	leaves(&fate, "tpacket_rcv", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* No packet socket has room for the clone. The clone ends before tpacket_rcv() returns. */
	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	fate_born(&second, &fate, RECORD_SKB_COPY_CLONE);
	is_tapped(&second, "packet_rcv");
	assert_true(fate_tap_lost(&second));
	leaves(&second, "packet_rcv", &data);
	is_tapped(&second, "tpacket_rcv");
	assert_true(fate_tap_lost(&second));
	ends(&second, &data);
	leaves(&second, "tpacket_rcv", &data);
	assert_int_equal(second.state, FATE_DROPPED);
	/* One packet socket has no room for the clone, but another one has. */
	fate_born(&second, &fate, RECORD_SKB_COPY_CLONE);
	is_tapped(&second, "packet_rcv");
	leaves(&second, "packet_rcv", &data);
	is_tapped(&second, "tpacket_rcv");
	assert_false(fate_tap_lost(&second));
	leaves(&second, "tpacket_rcv", &data);
	assert_int_equal(second.state, FATE_TAPPED);
	/* This skb is not a clone but the received packet itself. Other receivers follow. */
	fate = (struct fate){ 0 };
	comes(&fate, "netif_rx_internal");
	is_tapped(&fate, "packet_rcv");
	assert_false(fate_tap_lost(&fate));
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* A packet socket is the only receiver of this packet. */
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
