// SPDX-License-Identifier: GPL-2.0
/*
 * lost_events_test.c - test which packets a loss of events affects. With many packets and losses, the test
 * also limits the processing time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "input/lost_events.h"

/* The seed is fixed, so that each run has the same losses. */
static unsigned int seed;

static uint64_t random_below(uint64_t n)
{
	return (uint64_t)rand_r(&seed) % n;
}

/*
 * Add losses on random CPUs. A reader finds losses in the order of their ends, so add them in this order.
 */
static void add_some(struct lost_events *losses, int n, int cpus, uint64_t step)
{
	uint64_t now = 0, last[8] = {};

	for (int i = 0; i < n; i++) {
		struct loss loss = { .cpu = (int)random_below(cpus) };

		now += random_below(step);
		loss.from = last[loss.cpu] + random_below(now - last[loss.cpu] + 1);
		loss.to = last[loss.cpu] = now;
		assert_int_equal(lost_events_add(losses, &loss), 0);
	}
}

static int is_touched(const struct lost_events *losses, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < losses->n; i++)
		if (losses->v[i].from <= to && losses->v[i].to >= from)
			return 1;
	return 0;
}

static void one_by_one(void **state)
{
	int touched = 0;

	(void)state;
	seed = 1;
	for (int i = 0; i < 200; i++) {
		const int n = (int)random_below(40), cpus = 1 + (int)random_below(8);
		struct lost_events losses = {};

		add_some(&losses, n, cpus, 1 + random_below(50));
		for (uint64_t from = 0; from < 200; from++) {
			uint64_t to = from + random_below(20);
			int is = lost_events_touch(&losses, from, to);

			assert_int_equal(is, is_touched(&losses, from, to));
			touched += is;
		}
		lost_events_free(&losses);
	}
	assert_in_range(touched, 1000, 200 * 200 - 1000);
}

static void nothing_is_lost(void **state)
{
	struct lost_events losses = {};

	(void)state;
	assert_int_equal(lost_events_touch(&losses, 0, UINT64_MAX), 0);
	lost_events_free(&losses);
}

/* Forget old losses. The results for periods after these losses must not change. */
static void forgotten(void **state)
{
	struct lost_events all = {}, rest = {};
	uint64_t half;

	(void)state;
	seed = 7;
	add_some(&all, 4000, 4, 10);
	seed = 7;
	add_some(&rest, 4000, 4, 10);
	half = all.v[2000].to;
	lost_events_forget(&rest, half);
	assert_in_range(rest.n, 1, 2100);
	for (uint64_t from = half; from < half + 4000; from++)
		assert_int_equal(lost_events_touch(&rest, from, from + 1),
				 lost_events_touch(&all, from, from + 1));
	lost_events_free(&all);
	lost_events_free(&rest);
}

/*
 * This test ends in time only if the search is fast. Comparing each packet with each loss would take ten
 * thousand million steps.
 */
static void many(void **state)
{
	struct lost_events losses = {};
	unsigned int touched = 0;

	(void)state;
	seed = 11;
	add_some(&losses, 100000, 1, 100);
	alarm(20);
	for (uint64_t i = 0; i < 100000; i++)
		touched += lost_events_touch(&losses, i * 50, i * 50 + 1);
	alarm(0);
	assert_in_range(touched, 1, 99999);
	lost_events_free(&losses);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(one_by_one),
		cmocka_unit_test(forgotten),
		cmocka_unit_test(many),
	};

	return cmocka_run_group_tests_name("losses", tests, NULL, NULL);
}
