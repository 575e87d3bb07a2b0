// SPDX-License-Identifier: LGPL-2.1
/* sent_test.c - test the verdicts of sent packets. The verdict of each case was once wrong. */
#include "steps.h"

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
	/* The driver frees the sent packet in an interrupt. The kernel reports this like a drop. */
	dropped(&fate, "net_tx_action", NO_REASON, LATER);
	assert_int_equal(fate.state, FATE_SENT);

	/* The XDP program of the peer device drops the packet. */
	fate = (struct fate){ 0 };
	goes(&fate, "veth_xmit");
	leaves(&fate, "veth_xmit", &data);
	dropped(&fate, "veth_xdp_rcv_skb", NO_REASON, LATER);
	assert_int_equal(fate.state, FATE_DROPPED);

	fate = (struct fate){ 0 };
	goes(&fate, "veth_xmit");
	leaves(&fate, "veth_xmit", &data);
	/* The packet continues at the other device of the veth pair. */
	comes(&fate, "netif_rx_internal");
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
	goes(&fate, "ip_output");
	goes(&fate, "dev_hard_start_xmit");
	leaves(&fate, "dev_hard_start_xmit", &data);
	assert_int_equal(fate.state, FATE_SENT);
	assert_true(fate.came_in);

	/* The packet waits at the peer device. No event shows what happens to it then. */
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

	/*
	 * The return value of dev_hard_start_xmit() is recorded, but not that of the driver, which it calls.
	 */
	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "veth_xmit");
	returns(&fate, "dev_hard_start_xmit", 0, &data);
	assert_int_equal(fate.state, FATE_QUEUED);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	/*
	 * The meaning of this driver's return values is not known. The meaning of its caller's return
	 * values is known.
	 */

	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "tun_net_xmit");
	leaves(&fate, "tun_net_xmit", &data);
	assert_int_equal(fate.state, FATE_SENT);
	returns(&fate, "dev_hard_start_xmit", 0, &data);
	leaves(&fate, "dev_hard_start_xmit", &data);
	assert_int_equal(fate.state, FATE_SENT);
	assert_true(fate.sure);

	/* The driver is busy and did not take the packet, so the packet is not sent yet. */
	fate = (struct fate){ 0 };
	goes(&fate, "e1000_xmit_frame");
	leaves(&fate, "e1000_xmit_frame", &data);
	returns(&fate, "e1000_xmit_frame", 0x10, &data);
	assert_int_not_equal(fate.state, FATE_SENT);

	/* The packet is dropped by a full queue, or by netem. */
	fate = (struct fate){ 0 };
	goes(&fate, "__dev_queue_xmit");
	dropped(&fate, "kfree_skb_list_reason", REASON, AT_WORK);
	leaves(&fate, "__dev_queue_xmit", &data);
	assert_int_equal(fate.state, FATE_DROPPED);
}

/* At the peer device, XDP has copied the packet to another skb. */
static void put_into_another(void **state)
{
	struct fate fate = { 0 }, copy;

	(void)state;
	goes(&fate, "veth_xmit");
	returns(&fate, "veth_xmit", 0, &data);
	fate_born(&copy, &fate, RECORD_SKB_COPY_COPY);
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_COPIED);
	comes(&copy, "tcp_v4_rcv");
	leaves(&copy, "tcp_v4_rcv", &data);
	assert_int_equal(copy.state, FATE_DELIVERED);

	/* A thread of the device drops the copy later, when no recorded function handles it. */
	fate = (struct fate){ 0 };
	goes(&fate, "veth_xmit");
	fate_born(&copy, &fate, RECORD_SKB_COPY_COPY);
	dropped(&copy, "veth_xdp_rcv_skb", NO_REASON, LATER);
	assert_int_equal(copy.state, FATE_DROPPED);
	/*
	 * A clone that was made for a timestamp is freed with its socket, because the program has not read
	 * it.
	 */
	fate_born(&copy, &fate, RECORD_SKB_COPY_CLONE);
	dropped(&copy, "inet_sock_destruct", NO_REASON, LATER);
	assert_int_equal(copy.state, FATE_ON_THE_WAY);

	/* XDP has redirected the packet, so its fate is unknown. */
	fate = (struct fate){ 0 };
	goes(&fate, "veth_xmit");
	returns(&fate, "veth_xmit", 0, &data);
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/* A driver may drop packets, but free them as if it had sent them. Its return value tells. */
static void driver_that_throws_away(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "e1000_xmit_frame");
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_SENT);
	returns(&fate, "e1000_xmit_frame", 1, &data);
	leaves(&fate, "e1000_xmit_frame", &data);
	returns(&fate, "dev_hard_start_xmit", 0, &data);
	leaves(&fate, "dev_hard_start_xmit", &data);
	assert_int_not_equal(fate.state, FATE_SENT);
}

/*
 * A tunnel without a route frees the packet as if it had sent it, and returns success. A tunnel with a route
 * passes the same skb on.
 */
static void tunnel_without_route(void **state)
{
	struct fate fate = { 0 };

	(void)state;
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "geneve_xmit");
	is_consumed(&fate, &data);
	returns(&fate, "geneve_xmit", 0, &data);
	returns(&fate, "dev_hard_start_xmit", 0, &data);
	leaves(&fate, "dev_hard_start_xmit", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);

	fate = (struct fate){ 0 };
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "geneve_xmit");
	goes(&fate, "ip_output");
	goes(&fate, "dev_hard_start_xmit");
	goes(&fate, "e1000_xmit_frame");
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_SENT);
}

/*
 * Some queues drop a packet without an event. Examples are a full ring, and a queue that drops superfluous
 * acknowledgements.
 */
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

	/* A BPF program at the device's egress consumed the packet. */
	fate = (struct fate){ 0 };
	goes(&fate, "__dev_queue_xmit");
	is_consumed(&fate, &data);
	leaves(&fate, "__dev_queue_xmit", &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
}

/* If a packet is sent in segments or fragments, only the segments or fragments have an end event. */
static void cut_up(void **state)
{
	struct fate fate = { 0 }, segment;

	(void)state;
	goes(&fate, "__dev_queue_xmit");
	fate_born(&segment, &fate, RECORD_SKB_COPY_SEGMENT);
	ends(&fate, &data);
	assert_int_equal(fate.state, FATE_COPIED);
	goes(&segment, "dev_hard_start_xmit");
	leaves(&segment, "dev_hard_start_xmit", &data);
	assert_int_equal(segment.state, FATE_SENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sending),
		cmocka_unit_test(put_into_another),
		cmocka_unit_test(driver_that_throws_away),
		cmocka_unit_test(tunnel_without_route),
		cmocka_unit_test(gone_is_not_queued),
		cmocka_unit_test(cut_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
