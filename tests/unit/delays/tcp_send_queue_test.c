// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_send_queue_test.c - test each reason why TCP data was not sent earlier, and cases without a known
 * reason
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "model/packet_headers.h"
#include "model/tcp_send_queue.h"

#define MS 1000000ull

#define CALL 1
#define PID  7

static struct tcp_send_queue *queue;
static uint32_t number;

static int begins(void **state)
{
	(void)state;
	number = 0;
	queue = tcp_send_queue_new();
	return !queue;
}

static int ends(void **state)
{
	(void)state;
	tcp_send_queue_free(queue);
	return 0;
}

/*
 * Make an event of the connection between this end, address 1 and port 40000, and the other end, address 2
 * and port 80.
 */
static struct skb_event event_of(bool out)
{
	return (struct skb_event){
		.pkt = ++number,
		.flow_number = 1,
		.dir = out ? RECORD_SKB_DIR_TX : RECORD_SKB_DIR_RX,
		.func = CALL,
		.flow = {
			.family = FLOW_INET,
			.proto = PROTO_TCP,
			.saddr = { out ? 1 : 2 },
			.daddr = { out ? 2 : 1 },
			.sport = out ? 40000 : 80,
			.dport = out ? 80 : 40000,
		},
	};
}

/*
 * Write an IPv4 header and a TCP header of 24 bytes. If @scale is negative, the TCP header has no window
 * scale option. Otherwise the option shifts windows by @scale bits.
 */
static unsigned int write_header(uint8_t *data, unsigned int window, int scale)
{
	memset(data, 0, 44);
	data[0] = 0x45;
	data[32] = 6 << 4;
	data[34] = window >> 8;
	data[35] = window;
	memcpy(data + 40, (uint8_t[]){ 1, 3, 3, scale < 0 ? 0 : scale }, 4);
	if (scale < 0)
		memset(data + 40, 1, 4);
	return 44;
}

static void comes(uint8_t flags, uint32_t ack, unsigned int window, int scale)
{
	const struct skb_event event = event_of(false);
	uint8_t data[44];
	const struct packet_seen seen = {
		.event = &event,
		.facts = { .tcp_flags = flags,
			   .ack = ack,
			   .data = data,
			   .data_len = write_header(data, window, scale),
			   .net_len = 44 },
	};

	tcp_send_queue_handle_receive(queue, &seen);
}

static struct held sends(unsigned int ms, uint8_t flags, uint32_t seq, unsigned int payload,
			 bool softirq, uint32_t within)
{
	const struct skb_event event = event_of(true);
	const struct moment at = { .ts = ms * MS, .pid = PID, .softirq = softirq };
	uint8_t data[44];
	const struct packet_seen seen = {
		.event = &event,
		.facts = { .tcp_flags = flags,
			   .seq = seq,
			   .data = data,
			   .data_len = write_header(data, 1000, 7),
			   .net_len = 44 + payload },
	};

	return tcp_send_queue_handle_send(queue, &at, &seen, within);
}

static void calls(unsigned int ms)
{
	const struct skb_event event = event_of(true);

	tcp_send_queue_handle_call(queue, &(struct moment){ .ts = ms * MS, .pid = PID }, &event);
}

static void returns(unsigned int ms, int bytes)
{
	struct skb_event event = event_of(true);

	event.ret = bytes;
	tcp_send_queue_handle_return(queue, &(struct moment){ .ts = ms * MS, .pid = PID }, &event);
}

/* Set up a stream that begins at sequence number 100. The other end has a window of 1000 bytes. */
static void connects(void)
{
	sends(1, TCP_SYN, 99, 0, false, 0);
	comes(TCP_SYN | TCP_ACK, 100, 1000, -1);
}

static void held_is(struct held held, enum released released, unsigned int since)
{
	assert_int_equal(held.released, released);
	assert_int_equal(held.since, since * MS);
}

static void at_once(void **state)
{
	(void)state;
	connects();
	calls(10);
	assert_int_equal(sends(10, TCP_ACK, 100, 50, false, 0).released, RELEASED_AT_ONCE);
	returns(11, 50);
}

/* The segment is small and earlier data is not acknowledged, so Nagle's rule applies. */
static void an_acknowledgement(void **state)
{
	struct held held;

	(void)state;
	connects();
	calls(10);
	sends(10, TCP_ACK, 100, 50, false, 0);
	returns(11, 50);
	calls(12);
	returns(13, 20);
	comes(TCP_ACK, 150, 1000, -1);
	held = sends(53, TCP_ACK, 150, 20, true, number);
	held_is(held, RELEASED_ACK, 13);
	assert_int_equal(held.written, 12 * MS);
	assert_int_equal(held.by, number - 1);
	assert_true(held.partial);
	assert_true(held.unacked);
}

/*
 * Nagle's rule does not apply to a full segment. A full segment has 536 bytes here, because there is no MSS
 * option and the header has 20 bytes.
 */
static void a_whole_segment(void **state)
{
	struct held held;

	(void)state;
	sends(1, TCP_SYN, 99, 0, false, 0);
	comes(TCP_SYN | TCP_ACK, 100, 2000, -1);
	calls(10);
	sends(10, TCP_ACK, 100, 532, false, 0);
	returns(11, 1064);
	comes(TCP_ACK, 632, 2000, -1);
	held = sends(53, TCP_ACK, 632, 532, true, number);
	held_is(held, RELEASED_ACK, 11);
	assert_false(held.partial);
}

static void a_window(void **state)
{
	(void)state;
	connects();
	calls(10);
	sends(10, TCP_ACK, 100, 1000, false, 0);
	returns(11, 1200);
	comes(TCP_ACK, 1100, 0, -1);
	comes(TCP_ACK, 1100, 1000, -1);
	held_is(sends(311, TCP_ACK, 1100, 200, true, number), RELEASED_WINDOW, 11);
}

/* Both ends must have sent the window scale option. Otherwise windows are not scaled. */
static void a_window_is_scaled(void **state)
{
	(void)state;
	sends(1, TCP_SYN, 99, 0, false, 0);
	comes(TCP_SYN | TCP_ACK, 100, 1000, 4);
	calls(10);
	sends(10, TCP_ACK, 100, 1000, false, 0);
	returns(11, 2000);
	comes(TCP_ACK, 600, 100, -1);
	/* The right edge of the scaled window is at 600 + 100 * 16. */
	comes(TCP_ACK, 1100, 100, -1);
	held_is(sends(50, TCP_ACK, 1100, 1000, true, number), RELEASED_ACK, 11);
}

static void a_timer(void **state)
{
	struct held held;

	(void)state;
	connects();
	calls(10);
	returns(11, 50);
	held = sends(211, TCP_ACK, 100, 50, true, 0);
	held_is(held, RELEASED_TIMER, 11);
	assert_true(held.partial);
	assert_false(held.unacked);
}

static void the_next_call(void **state)
{
	struct held held;

	(void)state;
	connects();
	calls(10);
	returns(11, 50);
	calls(111);
	held = sends(112, TCP_ACK, 100, 80, false, 0);
	held_is(held, RELEASED_CALL, 11);
	assert_true(held.partial);
}

static void room_in_the_call(void **state)
{
	(void)state;
	connects();
	calls(10);
	sends(11, TCP_ACK, 100, 500, false, 0);
	held_is(sends(111, TCP_ACK, 600, 500, false, 0), RELEASED_SEND_BUFFER, 11);
}

/* If the events contradict each other, no wait may be reported. */
static void more_than_was_written(void **state)
{
	(void)state;
	connects();
	calls(10);
	returns(11, 50);
	sends(12, TCP_ACK, 100, 50, false, 0);
	/* Send data of a call that was not recorded, and then data of a recorded call. */
	assert_int_equal(sends(300, TCP_ACK, 150, 50, true, 0).released, RELEASED_AT_ONCE);
	calls(301);
	returns(302, 50);
	assert_int_equal(sends(600, TCP_ACK, 200, 50, true, 0).released, RELEASED_AT_ONCE);
}

static void two_calls_at_once(void **state)
{
	(void)state;
	connects();
	calls(10);
	calls(11);
	returns(12, 50);
	returns(13, 50);
	assert_int_equal(sends(300, TCP_ACK, 100, 50, true, 0).released, RELEASED_AT_ONCE);
}

static void it_was_there_before(void **state)
{
	(void)state;
	calls(10);
	returns(11, 50);
	comes(TCP_ACK, 100, 1000, -1);
	assert_int_equal(sends(300, TCP_ACK, 100, 50, true, number).released, RELEASED_AT_ONCE);
}

static void rows_are_lost(void **state)
{
	(void)state;
	connects();
	calls(10);
	returns(11, 50);
	tcp_send_queue_forget(queue);
	assert_int_equal(sends(300, TCP_ACK, 100, 50, true, 0).released, RELEASED_AT_ONCE);
}

/* Data that is sent again has not waited in the socket. */
static void it_is_sent_again(void **state)
{
	(void)state;
	connects();
	calls(10);
	sends(10, TCP_ACK, 100, 50, false, 0);
	returns(11, 50);
	assert_int_equal(sends(211, TCP_ACK, 100, 50, true, 0).released, RELEASED_AT_ONCE);
	calls(300);
	returns(301, 50);
	held_is(sends(500, TCP_ACK, 150, 50, true, 0), RELEASED_TIMER, 301);
}

static void the_port_is_taken_again(void **state)
{
	(void)state;
	connects();
	calls(10);
	sends(10, TCP_ACK, 100, 50, false, 0);
	returns(11, 50);
	sends(20, TCP_ACK | TCP_FIN, 150, 0, false, 0);
	sends(30, TCP_SYN, 4999, 0, false, 0);
	comes(TCP_SYN | TCP_ACK, 5000, 1000, -1);
	calls(40);
	returns(41, 50);
	held_is(sends(241, TCP_ACK, 5000, 50, true, 0), RELEASED_TIMER, 41);
}

#define test(name) cmocka_unit_test_setup_teardown(name, begins, ends)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(at_once),		 test(an_acknowledgement),	test(a_whole_segment),
		test(a_window),		 test(a_window_is_scaled),	test(a_timer),
		test(the_next_call),	 test(room_in_the_call),	test(more_than_was_written),
		test(two_calls_at_once), test(it_was_there_before),	test(rows_are_lost),
		test(it_is_sent_again),	 test(the_port_is_taken_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
