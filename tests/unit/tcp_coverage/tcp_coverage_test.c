// SPDX-License-Identifier: GPL-2.0
/* tcp_coverage_test.c - test segments that are retransmissions, and segments that only look like some */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/tcp_coverage.h"

enum { NONE = 0, FIN = 1, SYN = 2, RST = 4, ACK = 16 };

static const struct flow there = { .family = FLOW_INET, .proto = 6, .sport = 40000, .dport = 80 };
static const struct flow back = { .family = FLOW_INET, .proto = 6, .sport = 80, .dport = 40000 };

static int set_up(void **state)
{
	*state = tcp_coverage_new();
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	tcp_coverage_free(*state);
	return 0;
}

/* Pass a segment that @device of namespace @netns received. Return: true if it counts as seen before. */
static bool seen_at(void **state, uint32_t netns, uint16_t device, uint32_t seq, uint32_t payload)
{
	const struct segment segment = { .flow = &there,
					 .netns = netns,
					 .device = device,
					 .flags = ACK,
					 .seq = seq,
					 .payload = payload };

	return tcp_coverage_add(*state, &segment);
}

static bool seen(void **state, const struct flow *flow, uint8_t flags, uint32_t seq,
		 uint32_t payload)
{
	const struct segment segment = {
		.flow = flow, .netns = 1, .device = 1, .flags = flags, .seq = seq, .payload = payload
	};

	return tcp_coverage_add(*state, &segment);
}

static void sent_again(void **state)
{
	assert_false(seen(state, &there, ACK, 1000, 100));
	assert_false(seen(state, &there, ACK, 1100, 100));
	assert_true(seen(state, &there, ACK, 1000, 100));
	assert_true(seen(state, &there, ACK, 1100, 100));
	/*
	 * Two segments that are retransmissions: one repeats two earlier segments, and one repeats a part
	 * of an earlier segment.
	 */
	assert_true(seen(state, &there, ACK, 1000, 200));
	assert_true(seen(state, &there, ACK, 1150, 10));
	/* A segment with new bytes after old ones must not count as a retransmission. */
	assert_false(seen(state, &there, ACK, 1150, 100));
}

static void late(void **state)
{
	assert_false(seen(state, &there, ACK, 1000, 100));
	assert_false(seen(state, &there, ACK, 1200, 100));
	/* A segment that fills a gap is out of order, but not a retransmission. */
	assert_false(seen(state, &there, ACK, 1100, 100));
	assert_true(seen(state, &there, ACK, 1100, 100));
	assert_true(seen(state, &there, ACK, 1000, 300));
	/* The first segment that was seen begins at 1000. Bytes before that are new. */
	assert_false(seen(state, &there, ACK, 900, 100));
	assert_true(seen(state, &there, ACK, 900, 400));
}

static void without_bytes(void **state)
{
	assert_false(seen(state, &there, ACK, 1000, 100));
	/* Acknowledgements, keep-alives and resets must not count as retransmissions. */
	assert_false(seen(state, &there, ACK, 1000, 0));
	assert_false(seen(state, &there, ACK, 1099, 0));
	assert_false(seen(state, &there, RST, 1000, 0));
}

static void syn_and_fin(void **state)
{
	assert_false(seen(state, &there, SYN, 500, 0));
	assert_true(seen(state, &there, SYN, 500, 0));
	assert_false(seen(state, &back, SYN | ACK, 700, 0));
	assert_true(seen(state, &back, SYN | ACK, 700, 0));
	assert_false(seen(state, &there, ACK, 501, 10));
	assert_false(seen(state, &there, FIN | ACK, 511, 0));
	assert_true(seen(state, &there, FIN | ACK, 511, 0));
	assert_true(seen(state, &there, FIN | ACK, 501, 10));
}

static void next_connection(void **state)
{
	assert_false(seen(state, &there, SYN, 500, 0));
	assert_false(seen(state, &there, ACK, 501, 1000));
	/* A new connection between the same ports begins with a lower sequence number. */
	assert_false(seen(state, &there, SYN, 100, 0));
	assert_false(seen(state, &there, ACK, 101, 1000));
	/*
	 * This SYN has a sequence number that the previous connection has also used. Still, the SYN begins
	 * a new connection.
	 */
	assert_false(seen(state, &there, SYN, 600, 0));
	assert_false(seen(state, &there, ACK, 601, 100));
	assert_true(seen(state, &there, SYN, 600, 0));
	assert_true(seen(state, &there, ACK, 601, 100));
}

/*
 * A new connection between the same ports begins. Of the previous connection, the recording has only data,
 * because that connection is older than the recording.
 */
static void next_after_one_under_way(void **state)
{
	assert_false(seen(state, &there, ACK, 501, 1000));
	assert_false(seen(state, &there, SYN, 600, 0));
	assert_false(seen(state, &there, ACK, 601, 100));
}

static void places(void **state)
{
	/*
	 * A segment is seen at its sender, at a router and at its receiver. This must not count as a
	 * retransmission.
	 */
	assert_false(seen_at(state, 1, 0xffff, 1000, 100));
	assert_false(seen_at(state, 2, 1, 1000, 100));
	assert_false(seen_at(state, 2, 2, 1000, 100));
	assert_true(seen_at(state, 2, 2, 1000, 100));
	/* The other direction has its own sequence numbers. */
	assert_false(seen(state, &back, ACK, 1000, 100));
}

static void numbers_go_round(void **state)
{
	assert_false(seen(state, &there, ACK, 0xffffffc0, 100));
	assert_false(seen(state, &there, ACK, 36, 100));
	assert_true(seen(state, &there, ACK, 0xffffffc0, 100));
	assert_true(seen(state, &there, ACK, 0xfffffff0, 100));

	/* After four gigabytes, a sequence number is used again for other bytes. */
	for (uint32_t seq = 136; seq > 135; seq += 1 << 16) {
		assert_false(seen(state, &there, ACK, seq, 1 << 16));
		if (seq > 0xffff0000)
			break;
	}
	assert_false(seen(state, &there, ACK, 136, 100));
}

static void many_delays(void **state)
{
	for (uint32_t i = 0; i < 40; i++)
		assert_false(seen(state, &there, ACK, i * 200, 100));
	/* The newest segments must still be known. */
	assert_true(seen(state, &there, ACK, 39 * 200, 100));
	assert_true(seen(state, &there, ACK, 30 * 200, 100));
	/*
	 * The oldest segments are forgotten. So a segment that repeats the first one is not recognised as a
	 * retransmission.
	 */
	assert_false(seen(state, &there, ACK, 0, 100));
	assert_true(seen(state, &there, ACK, 39 * 200, 100));
}

static void many_streams(void **state)
{
	struct flow flow = there;

	/* In this test, the table has room for eight streams. It must keep the stream that is in use. */
	for (uint16_t port = 1; port < 100; port++) {
		flow.sport = port;
		assert_false(seen(state, &flow, ACK, 1000, 100));
		assert_int_equal(seen(state, &there, ACK, 1000, 100), port > 1);
	}
	flow.sport = 1;
	assert_false(seen(state, &flow, ACK, 1000, 100));
}

#define segments_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		segments_test(sent_again),
		segments_test(late),
		segments_test(without_bytes),
		segments_test(syn_and_fin),
		segments_test(next_connection),
		segments_test(places),
		segments_test(next_after_one_under_way),
		segments_test(numbers_go_round),
		segments_test(many_delays),
		segments_test(many_streams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
