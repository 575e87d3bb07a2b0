// SPDX-License-Identifier: GPL-2.0
/* byte_segments_test.c - test the limit of packets that are kept for a connection, and retransmissions */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "err.h"
#include "model/byte_segments.h"

#define MANY 50000
#define LEN  100

static struct segment_seen seen[MANY];

/*
 * Let packet @i + 1 arrive in order. It carries LEN bytes of the stream, beginning at @i * LEN. It is sent at
 * the time @i * 10 + 1 and arrives at @i * 10 + 5.
 */
static void pass_packet(struct byte_segments *segments, uint32_t i)
{
	const uint64_t from = (uint64_t)i * LEN;

	seen[i] = (struct segment_seen){
		.from = from,
		.to = from + LEN,
		.packet = i + 1,
		.times[BYTE_SENT] = i * 10 + 1,
		.times[BYTE_RECEIVED] = i * 10 + 4,
	};
	assert_true(byte_segments_add(segments, &seen[i]));
	assert_true(byte_segments_arrive(segments, &seen[i], from, from + LEN, i * 10 + 5));
}

/*
 * Only packets that are still kept can describe a byte. But the end of the bytes is known even if the
 * packet is no longer kept.
 */
static void test_limit(void **state)
{
	struct byte_segments *segments = byte_segments_create();
	struct byte_piece last = { 0 }, first = { 0 };
	unsigned int kept = 0;

	(void)state;
	assert_non_null(segments);
	byte_segments_set_next(segments, 0);
	for (uint32_t i = 0; i < MANY; i++)
		pass_packet(segments, i);
	for (uint32_t i = 0; i < MANY; i++)
		kept += !seen[i].forgotten;
	assert_in_range(kept, 4000, 8192);
	assert_int_equal(byte_segments_end(segments), (uint64_t)MANY * LEN);
	assert_int_equal(byte_segments_arrived(segments), (uint64_t)MANY * LEN);
	byte_segments_describe(segments, &last, (uint64_t)MANY * LEN - 1);
	assert_int_equal(last.packet, MANY);
	assert_int_equal(last.times[BYTE_IN_ORDER], (MANY - 1) * 10 + 5);
	byte_segments_describe(segments, &first, 0);
	assert_int_equal(first.packet, 0);
	assert_int_equal(first.times[BYTE_SENT], 0);
	assert_true(byte_segments_forgot(segments, 0));
	assert_false(byte_segments_forgot(segments, (uint64_t)MANY * LEN - 1));
	byte_segments_free(segments);
}

/* Add packet @number with the bytes from @from to @to, sent at @sent. */
static void add_sent(struct byte_segments *segments, uint32_t number, uint64_t from, uint64_t to,
		     uint64_t sent)
{
	seen[number] = (struct segment_seen){
		.from = from,
		.to = to,
		.packet = number,
		.times[BYTE_SENT] = sent,
	};
	assert_true(byte_segments_add(segments, &seen[number]));
}

/* The second of three packets is sent again, and the third one only in part. */
static void test_again(void **state)
{
	struct byte_segments *segments = byte_segments_create();

	(void)state;
	assert_non_null(segments);
	add_sent(segments, 1, 0, 100, 10);
	add_sent(segments, 2, 100, 200, 20);
	add_sent(segments, 3, 200, 300, 30);
	assert_int_equal(byte_segments_again(segments, 0, 300), 0);
	add_sent(segments, 4, 100, 250, 230);
	assert_int_equal(byte_segments_again(segments, 0, 300), 230);
	assert_int_equal(byte_segments_again(segments, 240, 300), 230);
	assert_int_equal(byte_segments_again(segments, 0, 100), 0);
	assert_int_equal(byte_segments_again(segments, 250, 300), 0);
	assert_true(byte_segments_has_data(segments, 299));
	assert_false(byte_segments_has_data(segments, 300));
	byte_segments_free(segments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
