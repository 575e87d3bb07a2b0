// SPDX-License-Identifier: LGPL-2.1
/* sent_test.c - what becomes of an skb that goes out: each way that was once told wrong */
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

/* On the other side of a veth XDP has put it into another skb. */
static void put_into_another(void **state)
{
	struct fate fate = { 0 }, copy;

	(void)state;
	goes(&fate, "veth_xmit");
	returns(&fate, "veth_xmit", 0, &data);
	fate_born(&copy, &fate, true);
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_COPIED);
	comes(&copy, "tcp_v4_rcv");
	leaves(&copy, "tcp_v4_rcv", &data);
	assert_int_equal(copy.state, FATE_DELIVERED);

	/* Its thread has dropped that, with nobody at work for the packet. */
	fate = (struct fate){ 0 };
	goes(&fate, "veth_xmit");
	fate_born(&copy, &fate, true);
	dropped(&copy, "veth_xdp_rcv_skb", NO_REASON, LATER);
	assert_int_equal(copy.state, FATE_DROPPED);
	/* A time stamp's clone goes with the socket that has it unread. */
	fate_born(&copy, &fate, false);
	dropped(&copy, "inet_sock_destruct", NO_REASON, LATER);
	assert_int_equal(copy.state, FATE_ON_THE_WAY);

	/* Or has taken it away. */
	fate = (struct fate){ 0 };
	goes(&fate, "veth_xmit");
	returns(&fate, "veth_xmit", 0, &data);
	is_consumed(&fate, &data);
	assert_int_equal(fate.state, FATE_ON_THE_WAY);
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

/* What is sent as segments or fragments has no other end than theirs. */
static void cut_up(void **state)
{
	struct fate fate = { 0 }, segment;

	(void)state;
	goes(&fate, "__dev_queue_xmit");
	fate_born(&segment, &fate, false);
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
		cmocka_unit_test(gone_is_not_queued),
		cmocka_unit_test(cut_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
