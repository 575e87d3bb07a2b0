// SPDX-License-Identifier: GPL-2.0
/*
 * call_chain_test.c - test how the positions of bytes are found for calls without a position
 * (report/model/call_chain.c)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/call_chain.h"

/* Begin and end a call whose position is not known. */
static void unknown_call(struct call_chain *chain, uint32_t len, bool moves)
{
	const struct chained_call call = { .len = len, .moves = moves };

	call_chain_begin(chain);
	assert_true(call_chain_add(chain, &call));
	call_chain_end(chain);
}

static void assert_range(const struct call_chain *chain, size_t i, uint64_t from, uint64_t to)
{
	assert_int_equal(chain->v[i].call.from, from);
	assert_int_equal(chain->v[i].call.to, to);
}

static void results_that_add_up(void **state)
{
	struct call_chain chain = { 0 };

	(void)state;
	call_chain_set(&chain, 100);
	unknown_call(&chain, 10, true);
	unknown_call(&chain, 7, false);
	unknown_call(&chain, 20, true);
	assert_true(call_chain_reach(&chain, 130));
	assert_int_equal(chain.n, 3);
	assert_range(&chain, 0, 100, 110);
	assert_range(&chain, 1, 110, 117);
	assert_range(&chain, 2, 110, 130);
	call_chain_set(&chain, 130);
	assert_int_equal(chain.n, 0);
	unknown_call(&chain, 5, true);
	assert_true(call_chain_reach(&chain, 135));
	assert_range(&chain, 0, 130, 135);
	call_chain_free(&chain);
}

/* The results of the calls do not add up, because a call that was not recorded has moved bytes, too. */
static void results_that_do_not_add_up(void **state)
{
	struct call_chain chain = { 0 };

	(void)state;
	call_chain_set(&chain, 100);
	unknown_call(&chain, 10, true);
	assert_false(call_chain_reach(&chain, 111));
	assert_false(call_chain_reach(&chain, 109));
	call_chain_free(&chain);
}

static void no_known_position(void **state)
{
	struct call_chain chain = { 0 };

	(void)state;
	unknown_call(&chain, 10, true);
	assert_int_equal(chain.n, 0);
	assert_false(call_chain_reach(&chain, 10));
	call_chain_set(&chain, 100);
	unknown_call(&chain, 10, true);
	call_chain_lose(&chain);
	assert_false(call_chain_reach(&chain, 110));
	call_chain_free(&chain);
}

/* If calls overlap, the order of their bytes is unknown, even if their results add up. */
static void overlapping_calls(void **state)
{
	const struct chained_call call = { .len = 10, .moves = true };
	struct call_chain chain = { 0 };

	(void)state;
	call_chain_set(&chain, 100);
	call_chain_begin(&chain);
	unknown_call(&chain, 10, true);
	assert_true(call_chain_add(&chain, &call));
	call_chain_end(&chain);
	assert_false(call_chain_reach(&chain, 120));
	/* While another call has not returned, the position is unknown, too. */
	call_chain_begin(&chain);
	call_chain_begin(&chain);
	call_chain_set(&chain, 120);
	call_chain_end(&chain);
	assert_true(call_chain_add(&chain, &call));
	assert_false(call_chain_reach(&chain, 130));
	call_chain_end(&chain);
	call_chain_set(&chain, 130);
	unknown_call(&chain, 10, true);
	assert_true(call_chain_reach(&chain, 140));
	call_chain_free(&chain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_that_add_up),
		cmocka_unit_test(results_that_do_not_add_up),
		cmocka_unit_test(no_known_position),
		cmocka_unit_test(overlapping_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
