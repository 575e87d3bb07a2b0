// SPDX-License-Identifier: GPL-2.0
/* sched_waits_test.c - test for how long a task slept, and for how long it had no CPU */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "model/sched_waits.h"

enum { READER = 7, BUSY, SHORT };

static struct sched_waits *waits;

static int begins(void **state)
{
	(void)state;
	waits = sched_waits_new();
	return !waits;
}

static int ends(void **state)
{
	(void)state;
	sched_waits_free(waits);
	return 0;
}

/*
 * Add a sched event. If @what is RECORD_SKB_SCHED_OTHER, it is an event of the task SHORT, otherwise of the
 * reader. @switches is how often the task has left a CPU so far. @other is the PID of another task: the one
 * that had the CPU before, or that gets the CPU next.
 */
static void does(enum record_skb_sched what, int cpu, uint64_t ts, uint32_t switches, int other)
{
	struct sched_facts facts = {
		.what = what,
		.task = what == RECORD_SKB_SCHED_OTHER ? SHORT : READER,
		.other = other,
		.switches = switches,
	};

	snprintf(facts.other_name, sizeof(facts.other_name), "task%d", other);
	sched_waits_add(waits, cpu, ts, &facts);
}

static void is(uint64_t from, uint64_t to, uint64_t asleep, uint64_t no_cpu, int by)
{
	const struct waited waited = sched_waits_of(waits, READER, from, to);

	assert_int_equal(waited.asleep, asleep);
	assert_int_equal(waited.no_cpu, no_cpu);
	assert_int_equal(waited.by, by);
}

static void asleep_then_without_cpu(void **state)
{
	(void)state;
	does(RECORD_SKB_SCHED_ASLEEP, 0, 100, 1, BUSY);
	does(RECORD_SKB_SCHED_WOKEN, 0, 200, 1, 0);
	does(RECORD_SKB_SCHED_ON, 0, 500, 1, BUSY);
	is(0, 600, 100, 300, BUSY);
	is(150, 600, 50, 300, BUSY);
	is(200, 300, 0, 100, BUSY);
	is(500, 600, 0, 0, 0);
	is(0, 100, 0, 0, 0);
}

static void preempted(void **state)
{
	(void)state;
	does(RECORD_SKB_SCHED_PREEMPTED, 0, 100, 1, BUSY);
	does(RECORD_SKB_SCHED_ON, 0, 400, 1, BUSY);
	is(0, 500, 0, 300, BUSY);
}

/*
 * An event shows when the task was woken in poll(), but none shows when it fell asleep. So only the wait
 * after waking is known.
 */
static void woken_only(void **state)
{
	(void)state;
	does(RECORD_SKB_SCHED_WOKEN, 0, 200, 9, 0);
	does(RECORD_SKB_SCHED_ON, 1, 300, 9, BUSY);
	is(0, 400, 0, 100, BUSY);
}

static void who_had_it_longest(void **state)
{
	(void)state;
	does(RECORD_SKB_SCHED_OTHER, 0, 50, 0, BUSY);
	does(RECORD_SKB_SCHED_WOKEN, 0, 100, 1, 0);
	does(RECORD_SKB_SCHED_OTHER, 1, 300, 0, SHORT);
	does(RECORD_SKB_SCHED_OTHER, 0, 390, 0, BUSY);
	does(RECORD_SKB_SCHED_ON, 0, 400, 1, SHORT);
	is(0, 500, 0, 300, BUSY);
}

/*
 * Several tasks had the CPU during the wait, and none of them had it for most of the time. So no task may
 * be named.
 */
static void many_had_it(void **state)
{
	(void)state;
	does(RECORD_SKB_SCHED_WOKEN, 0, 100, 1, 0);
	does(RECORD_SKB_SCHED_OTHER, 0, 200, 0, BUSY);
	does(RECORD_SKB_SCHED_OTHER, 0, 300, 0, SHORT);
	does(RECORD_SKB_SCHED_ON, 0, 400, 1, BUSY);
	is(0, 500, 0, 300, 0);
}

/*
 * Too many tasks had the CPU during the wait to remember all of them. The first one, which had it longest,
 * is forgotten, so no task may be named.
 */
static void too_many_had_it(void **state)
{
	(void)state;
	does(RECORD_SKB_SCHED_WOKEN, 0, 100, 1, 0);
	does(RECORD_SKB_SCHED_OTHER, 0, 1000, 0, BUSY);
	for (unsigned int i = 0; i < 63; i++)
		does(RECORD_SKB_SCHED_OTHER, 0, 1001 + i, 0, SHORT);
	does(RECORD_SKB_SCHED_ON, 0, 1100, 1, SHORT);
	is(0, 2000, 0, 1000, 0);
}

static void on_its_cpu_still(void **state)
{
	(void)state;
	does(RECORD_SKB_SCHED_WOKEN, 0, 100, 1, 0);
	does(RECORD_SKB_SCHED_ASLEEP, 1, 300, 2, BUSY);
	does(RECORD_SKB_SCHED_WOKEN, 0, 400, 2, 0);
	does(RECORD_SKB_SCHED_ON, 1, 450, 2, BUSY);
	is(0, 500, 100, 50, BUSY);
}

/*
 * The counter of switches shows that the task had a CPU in the meantime, but the rows about this are
 * missing. So no wait may be reported.
 */
static void a_row_is_missing(void **state)
{
	(void)state;
	does(RECORD_SKB_SCHED_ASLEEP, 0, 100, 1, BUSY);
	does(RECORD_SKB_SCHED_WOKEN, 0, 300, 2, 0);
	does(RECORD_SKB_SCHED_ON, 0, 500, 3, BUSY);
	is(0, 600, 0, 0, 0);
	does(RECORD_SKB_SCHED_ASLEEP, 0, 700, 4, BUSY);
	does(RECORD_SKB_SCHED_ON, 0, 800, 4, BUSY);
	is(0, 900, 0, 0, 0);
}

static void rows_are_lost(void **state)
{
	(void)state;
	does(RECORD_SKB_SCHED_PREEMPTED, 0, 100, 1, BUSY);
	does(RECORD_SKB_SCHED_ON, 0, 200, 1, BUSY);
	does(RECORD_SKB_SCHED_PREEMPTED, 0, 300, 2, BUSY);
	sched_waits_forget(waits, 350);
	does(RECORD_SKB_SCHED_ON, 0, 400, 2, BUSY);
	is(0, 500, 0, 0, 0);
	does(RECORD_SKB_SCHED_PREEMPTED, 0, 600, 3, BUSY);
	does(RECORD_SKB_SCHED_ON, 0, 700, 3, BUSY);
	is(300, 800, 0, 0, 0);
	is(350, 800, 0, 100, BUSY);
}

static void as_many_as_are_remembered(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 200; i++) {
		does(RECORD_SKB_SCHED_PREEMPTED, 0, 1000 + 10 * i, i, BUSY);
		does(RECORD_SKB_SCHED_ON, 0, 1005 + 10 * i, i, BUSY);
	}
	is(2900, 3000, 0, 50, BUSY);
	/* The oldest wait that is still remembered began at 1720. Earlier waits are forgotten. */
	is(1720, 3000, 0, 128 * 5, BUSY);
	is(1710, 3000, 0, 0, 0);
}

static void without_sched(void **state)
{
	(void)state;
	is(0, 100, 0, 0, 0);
	assert_int_equal(sched_waits_of(NULL, READER, 0, 100).no_cpu, 0);
}

int main(void)
{
#define test(f) cmocka_unit_test_setup_teardown(f, begins, ends)
	const struct CMUnitTest tests[] = {
		test(asleep_then_without_cpu),	 test(preempted),	 test(woken_only),
		test(who_had_it_longest),	 test(many_had_it),	 test(too_many_had_it),
		test(on_its_cpu_still),		 test(a_row_is_missing), test(rows_are_lost),
		test(as_many_as_are_remembered), test(without_sched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
