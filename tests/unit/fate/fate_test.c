// SPDX-License-Identifier: LGPL-2.1
/* fate_test.c - what becomes of an skb, from what happens to it: each way that was once told wrong */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fate.h"

static const struct fate_packet data = { .payload = 100, .tracked = true };
static const struct fate_packet no_data = { .payload = 0, .tracked = true };
static const struct fate_packet headers_cut = { .payload = -1, .tracked = true };
static const struct fate_packet untracked = { .payload = 100, .tracked = false };

/* The table's row is as good an identity as any. */
static struct fate_function function(const char *name)
{
	const struct function_facts *facts = function_facts(name);

	return (struct fate_function){ .id = facts ? (const void *)facts : name, .facts = facts };
}

static void comes(struct fate *fate, const char *name)
{
	const struct fate_function at = function(name);

	fate_seen(fate, &at, RECORD_SKB_DIR_RX);
}

static void goes(struct fate *fate, const char *name)
{
	const struct fate_function at = function(name);

	fate_seen(fate, &at, RECORD_SKB_DIR_TX);
}

static void is_tapped(struct fate *fate, const char *name)
{
	const struct fate_function at = function(name);

	fate_seen(fate, &at, RECORD_SKB_DIR_NONE);
}

static void leaves(struct fate *fate, const char *name, const struct fate_packet *packet)
{
	const struct fate_function at = function(name);

	fate_left(fate, &at, NULL, packet);
}

static void returns(struct fate *fate, const char *name, int64_t value,
		    const struct fate_packet *packet)
{
	const struct fate_function at = function(name);

	fate_left(fate, &at, &value, packet);
}

/* By a reader, or who had it in a queue. */
static void ends(struct fate *fate, const struct fate_packet *packet)
{
	fate_ended(fate, false, packet);
}

/* By whom it was given on its way. */
static void is_consumed(struct fate *fate, const struct fate_packet *packet)
{
	fate_ended(fate, true, packet);
}

enum { NO_REASON, REASON };
enum { LATER, AT_WORK };

static void dropped(struct fate *fate, const char *name, bool reason, bool at_work)
{
	const struct fate_function where = function(name);

	fate_dropped(fate, &where, reason, at_work, &data);
}

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

/* Where nothing is recorded of the way out. */
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

/* On the other side of a veth XDP has put it into another skb. */
static void put_into_another(void **state)
{
	struct fate fate = { 0 }, copy;

	(void)state;
	goes(&fate, "veth_xmit");
	returns(&fate, "veth_xmit", 0, &data);
	fate_born(&copy, &fate);
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_COPIED);
	comes(&copy, "tcp_v4_rcv");
	leaves(&copy, "tcp_v4_rcv", &data);
	assert_int_equal(copy.state, FATE_DELIVERED);

	/* Or has taken it away. */
	fate = (struct fate){ 0 };
	goes(&fate, "veth_xmit");
	returns(&fate, "veth_xmit", 0, &data);
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/* Points of the user's own: the verdict is what it would be without them. */
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

	/* Of which something is known, but not what it does with the packet. */
	fate = (struct fate){ 0 };
	comes(&fate, "tcp_v4_rcv");
	comes(&fate, "tcp_v4_do_rcv");
	is_tapped(&fate, "tcp_rcv_state_process");
	assert_int_equal(fate_dropped(&fate, &closing, NO_REASON, LATER, &no_data), false);
	assert_int_equal(fate.state, FATE_HANDLED);
	assert_ptr_equal(fate.where.id, function("tcp_v4_rcv").id);
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

static void what_is_not_tracked_is_not_known(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "tcp_v4_rcv");
	leaves(&fate, "tcp_v4_rcv", &untracked);
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
	fate_born(&clone, &fate);
	is_consumed(&fate, &data);
	dropped(&clone, "inet_sock_destruct", NO_REASON, LATER);
	assert_int_equal(clone.state, FATE_ON_THE_WAY);

	/* While somebody works for the packet, or with a reason, it is one. */
	fate = (struct fate){ 0 };
	comes(&fate, "icmp_rcv");
	fate_born(&clone, &fate);
	dropped(&clone, "__icmp_send", NO_REASON, AT_WORK);
	assert_int_equal(clone.state, FATE_DROPPED);
	fate_born(&clone, &fate);
	dropped(&clone, "net_tx_action", REASON, LATER);
	assert_int_equal(clone.state, FATE_DROPPED);
}

/* ipvlan in "private" mode, ifb: it is freed as if it was sent. */
static void driver_that_throws_away(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "ipvlan_start_xmit");
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_SENT);
	returns(&fate, "ipvlan_start_xmit", 1, &data);
	leaves(&fate, "ipvlan_start_xmit", &data);
	returns(&fate, "dev_hard_start_xmit", 0, &data);
	leaves(&fate, "dev_hard_start_xmit", &data);
	assert_int_not_equal(fate.state, FATE_SENT);
}

/* A ping's answer: the raw socket has a clone, and icmp_rcv() finds no other. */
static void raw_socket(void **state)
{
	struct fate fate = { 0 }, clone;

	(void)state;
	comes(&fate, "ip_local_deliver");
	fate_born(&clone, &fate);
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

static void taps(void **state)
{
	struct fate fate = { 0 }, clone, second;

	(void)state;
	/* Coming in: packet_rcv() shares the skb, and clones it for itself. */
	comes(&fate, "netif_rx_internal");
	is_tapped(&fate, "packet_rcv");
	fate_born(&clone, &fate);
	leaves(&fate, "packet_rcv", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	assert_int_equal(clone.state, FATE_TAPPED);
	dropped(&clone, "skb_queue_purge", NO_REASON, LATER);
	assert_int_equal(clone.state, FATE_TAPPED);

	/* Going out: it is given a clone, and has that for itself. */
	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	fate_born(&second, &fate);
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

static void sending(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	goes(&fate, "__dev_queue_xmit");
	leaves(&fate, "__dev_queue_xmit", &data);
	assert_int_equal(fate.state, FATE_QUEUED);
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "e1000_xmit_frame");
	leaves(&fate, "e1000_xmit_frame", &data);
	assert_int_equal(fate.state, FATE_SENT);
	assert_false(fate.came_in);
	leaves(&fate, "dev_hard_start_xmit", &data);
	/* The driver frees it from an interrupt, and calls that a drop. */
	dropped(&fate, "net_tx_action", NO_REASON, LATER);
	assert_int_equal(fate.state, FATE_SENT);

	/* The program of the device on the other side does not want it. */
	fate = (struct fate){ 0 };
	goes(&fate, "veth_xmit");
	leaves(&fate, "veth_xmit", &data);
	dropped(&fate, "veth_xdp_rcv_skb", NO_REASON, LATER);
	assert_int_equal(fate.state, FATE_DROPPED);

	fate = (struct fate){ 0 };
	goes(&fate, "veth_xmit");
	leaves(&fate, "veth_xmit", &data);
	/* On the other side of veth it goes on. */
	comes(&fate, "netif_rx_internal");
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	goes(&fate, "ip_output");
	goes(&fate, "dev_hard_start_xmit");
	leaves(&fate, "dev_hard_start_xmit", &data);
	assert_int_equal(fate.state, FATE_SENT);
	assert_true(fate.came_in);

	/* It waits there, and whoever has it then does not say so. */
	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "veth_xmit");
	returns(&fate, "veth_xmit", 0, &data);
	leaves(&fate, "veth_xmit", &data);
	returns(&fate, "dev_hard_start_xmit", 0, &data);
	leaves(&fate, "dev_hard_start_xmit", &data);
	assert_int_equal(fate.state, FATE_QUEUED);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* The same where nothing but dev_hard_start_xmit()'s value is recorded. */
	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "veth_xmit");
	returns(&fate, "dev_hard_start_xmit", 0, &data);
	assert_int_equal(fate.state, FATE_QUEUED);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* A driver that nothing is known of, and what its caller says. */

	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "tun_net_xmit");
	leaves(&fate, "tun_net_xmit", &data);
	assert_int_equal(fate.state, FATE_SENT);
	returns(&fate, "dev_hard_start_xmit", 0, &data);
	leaves(&fate, "dev_hard_start_xmit", &data);
	assert_int_equal(fate.state, FATE_SENT);
	assert_true(fate.sure);

	/* Not now. */
	fate = (struct fate){ 0 };
	goes(&fate, "e1000_xmit_frame");
	leaves(&fate, "e1000_xmit_frame", &data);
	returns(&fate, "e1000_xmit_frame", 0x10, &data);
	assert_int_not_equal(fate.state, FATE_SENT);

	/* A queue that is full; a netem that loses it. */
	fate = (struct fate){ 0 };
	goes(&fate, "__dev_queue_xmit");
	dropped(&fate, "kfree_skb_list_reason", REASON, AT_WORK);
	leaves(&fate, "__dev_queue_xmit", &data);
	assert_int_equal(fate.state, FATE_DROPPED);
}

/* What is sent as segments or fragments has no other end than theirs. */
static void cut_up(void **state)
{
	struct fate fate = { 0 }, segment;

	(void)state;
	goes(&fate, "__dev_queue_xmit");
	fate_born(&segment, &fate);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_COPIED);
	goes(&segment, "dev_hard_start_xmit");
	leaves(&segment, "dev_hard_start_xmit", &data);
	assert_int_equal(segment.state, FATE_SENT);
}

/* What holds where rows are lost. */
static void proved(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	comes(&fate, "__udp_enqueue_schedule_skb");
	leaves(&fate, "__udp_enqueue_schedule_skb", &data);
	assert_false(fate_is_proved(&fate));
	returns(&fate, "__udp_enqueue_schedule_skb", 0, &data);
	assert_true(fate_is_proved(&fate));

	/* That it was taken may be what was lost. */
	fate = (struct fate){ 0 };
	comes(&fate, "icmp_rcv");
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_HANDLED);
	assert_false(fate_is_proved(&fate));

	/* But TCP has its own sockets only. */
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

	/* Left the queue since, perhaps; went on through a device that is none. */
	fate = (struct fate){ 0 };
	goes(&fate, "__dev_queue_xmit");
	returns(&fate, "__dev_queue_xmit", 0, &data);
	assert_false(fate_is_proved(&fate));
	fate = (struct fate){ 0 };
	goes(&fate, "br_dev_xmit");
	returns(&fate, "br_dev_xmit", 0, &data);
	assert_false(fate_is_proved(&fate));
}

/* Who else had it, nobody says. */
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
	/* Its socket was closed before it was read. */
	fate = (struct fate){ 0 };
	comes(&fate, "udp_rcv");
	leaves(&fate, "udp_rcv", &lacking);
	at = function("udp_destruct_common");
	assert_false(fate_dropped(&fate, &at, NO_REASON, LATER, &lacking));
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* What says so by itself is believed. */
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

/* A queue gives it up without a word: a ring that is full, one that thins out acknowledgements. */
static void gone_is_not_queued(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "veth_xmit");
	is_consumed(&fate, &data);
	returns(&fate, "veth_xmit", 0, &data);
	returns(&fate, "dev_hard_start_xmit", 0, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	fate = (struct fate){ 0 };
	goes(&fate, "__dev_queue_xmit");
	leaves(&fate, "__dev_queue_xmit", &data);
	assert_int_equal(fate.state, FATE_QUEUED);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/* A program at the device's egress has taken it. */
	fate = (struct fate){ 0 };
	goes(&fate, "__dev_queue_xmit");
	is_consumed(&fate, &data);
	leaves(&fate, "__dev_queue_xmit", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/* Open vSwitch, AF_XDP, a tc filter: none is a point. */
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

	/* Put together with others, which go on. */
	fate = (struct fate){ 0 };
	comes(&fate, "napi_gro_receive");
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_HANDLED);

	/* The filter of a packet socket did not want it; then somebody else has. */
	fate = (struct fate){ 0 };
	comes(&fate, "__netif_receive_skb");
	is_tapped(&fate, "packet_rcv");
	leaves(&fate, "packet_rcv", &data);
	fate_born(&clone, &fate);
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	assert_int_equal(clone.state, FATE_ON_THE_WAY);

	/* It was the only one, and its reader has it. */
	fate = (struct fate){ 0 };
	comes(&fate, "__netif_receive_skb");
	is_tapped(&fate, "packet_rcv");
	leaves(&fate, "packet_rcv", &data);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_DELIVERED);
	assert_true(fate.sure);
}

/* Its sockets get clones of what has come, and free what was read as what was not. */
static void sctp(void **state)
{
	struct fate fate = { 0 }, clone;

	(void)state;
	comes(&fate, "sctp_rcv");
	fate_born(&clone, &fate);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(udp_is_taken),
		cmocka_unit_test(udp_is_refused),
		cmocka_unit_test(closed_unread),
		cmocka_unit_test(thrown_away_by_its_reader),
		cmocka_unit_test(only_received),
		cmocka_unit_test(put_into_another),
		cmocka_unit_test(points_of_users),
		cmocka_unit_test(tcp),
		cmocka_unit_test(syn),
		cmocka_unit_test(what_is_not_tracked_is_not_known),
		cmocka_unit_test(a_protocol_that_keeps_it_says_nothing),
		cmocka_unit_test(a_tunnel_of_udp),
		cmocka_unit_test(queue_of_errors),
		cmocka_unit_test(driver_that_throws_away),
		cmocka_unit_test(raw_socket),
		cmocka_unit_test(taps),
		cmocka_unit_test(sending),
		cmocka_unit_test(cut_up),
		cmocka_unit_test(proved),
		cmocka_unit_test(points_are_missing),
		cmocka_unit_test(gone_is_not_queued),
		cmocka_unit_test(taken_where_no_point_is),
		cmocka_unit_test(sctp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
