// SPDX-License-Identifier: GPL-2.0
/* test-linger.c - test how long a recording continues after its command has ended */
#include <stdbool.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "modes/until.h"

static void test_no_traffic(void **state)
{
	const struct record_skb_stats none = {}, some = { .hits = 5 };
	const struct record_skb_stats stopped = { .hits = 5, .stopped = 1 };
	struct linger_state linger = {};

	(void)state;
	assert_false(linger_begin(&linger, 1000, &none));
	assert_false(linger_begin(&linger, 0, &some));
	assert_false(linger_begin(&linger, 1000, &stopped));
	assert_false(linger.on);
	assert_true(linger_begin(&linger, 1000, &some));
	assert_true(linger.on);
}

/* Return: true if a recording with these @stats continues @msec after its command has ended. */
static bool goes_on(const struct record_skb_stats *stats, unsigned int msec, bool *cut_off)
{
	const struct record_skb_stats begin = { .hits = 1 };
	struct linger_state linger = {};

	assert_true(linger_begin(&linger, 300, &begin));
	linger_is_over(&linger, stats, cut_off);
	usleep(msec * 1000);
	return !linger_is_over(&linger, stats, cut_off);
}

static void test_ends(void **state)
{
	const struct record_skb_stats quiet = { .hits = 1 }, tracked = { .hits = 1, .tracked = 1 };
	const struct record_skb_stats closing = { .hits = 1, .closing = 1 }, later = { .hits = 2 };
	bool cut_off;

	(void)state;
	assert_false(goes_on(&quiet, 60, &cut_off));
	assert_false(cut_off);
	assert_false(goes_on(&later, 100, &cut_off));
	assert_false(cut_off);
	assert_false(goes_on(&tracked, 310, &cut_off));
	assert_true(cut_off);
	assert_false(goes_on(&closing, 310, &cut_off));
	assert_true(cut_off);
}

/* Do not sleep in this test: on a busy machine, a sleep could take longer than the limits. */
static void test_waits(void **state)
{
	const struct record_skb_stats begin = { .hits = 1 };
	const struct record_skb_stats tracked = { .hits = 1, .tracked = 1 };
	struct linger_state linger = {};
	bool cut_off;

	(void)state;
	assert_true(linger_begin(&linger, 600000, &begin));
	usleep(100000);
	assert_false(linger_is_over(&linger, &tracked, &cut_off));
	assert_false(cut_off);
	assert_true(linger_is_over(&linger, &begin, &cut_off));
	assert_false(cut_off);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_traffic),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
