// SPDX-License-Identifier: GPL-2.0
/* datagrams_test.c - test requests and answers that are UDP datagrams */
#include "pieces.h"

/* Many datagrams must not need more memory than few. */
#define MANY 100000

/* The memory in use, if the program was built with AddressSanitizer. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t memory_in_use(void)
{
	return __sanitizer_get_current_allocated_bytes ? __sanitizer_get_current_allocated_bytes() :
							 0;
}

/* Check that requests are passed on while data still come, and that many requests need little memory. */
static void test_many_answered(void **state)
{
	struct test *test = *state;
	const size_t before = memory_in_use();

	for (uint64_t time = 10; time < 10 + 20 * MANY; time += 20) {
		datagram(state, &udp_client, time, true, UINT64_MAX);
		datagram(state, &udp_server, time + 10, true, UINT64_MAX);
	}
	assert_true(test->nr > MANY - 10);
	assert_true(memory_in_use() - before < 100000);
	expect(state, MANY, 0);
	assert_int_equal(requests_counts(test->requests)->unanswered, 0);
}

/*
 * The server does not read. The first datagram waits in its socket, and the next datagrams are dropped. All
 * of them are one request, because no datagram was answered.
 */
static void test_many_unanswered(void **state)
{
	struct test *test = *state;
	const size_t before = memory_in_use();

	for (uint64_t time = 20; time < 20 + 10 * MANY; time += 10)
		datagram(state, &udp_client, time, false, 10);
	assert_true(memory_in_use() - before < 1000000);
	datagram(state, &udp_client, 10, false, UINT64_MAX);
	expect(state, 0, 0);
	assert_int_equal(requests_counts(test->requests)->unanswered, 1);
	assert_int_equal(requests_counts(test->requests)->overlapping, 0);
}

/*
 * The client reads the answers in the opposite order: first the answers to the newest datagrams, and then
 * those to the oldest.
 */
static void test_late_answers(void **state)
{
	for (uint64_t time = 10; time < 10 + 20 * 100; time += 20)
		datagram(state, &udp_client, time, true, 20);
	for (uint64_t time = 20 + 20 * 99; time > 20; time -= 20)
		datagram(state, &udp_server, time, true, 20);
	datagram(state, &udp_server, 20, true, UINT64_MAX);
	expect(state, 100, 0);
}

/*
 * A resolver asks for two kinds of addresses from one port. One of the answers is lost, so the resolver asks
 * for both again. The recording does not show which of the two was answered.
 */
static void test_two_questions(void **state)
{
	const struct test *test = *state;
	const struct requests_counts *counts = requests_counts(test->requests);

	datagram(state, &udp_client, 10, true, UINT64_MAX);
	datagram(state, &udp_client, 12, true, UINT64_MAX);
	datagram(state, &udp_server, 20, true, UINT64_MAX);
	datagram(state, &udp_client, 5000, true, UINT64_MAX);
	datagram(state, &udp_server, 5010, true, UINT64_MAX);
	datagram(state, &udp_client, 5020, true, UINT64_MAX);
	datagram(state, &udp_server, 5030, true, UINT64_MAX);
	expect(state, 0, 0);
	assert_int_equal(counts->unanswered, 0);
	assert_int_equal(counts->overlapping, 1);
	assert_int_equal(counts->overlapping_sent, 4);
	assert_int_equal(counts->overlapping_answers, 3);
}

/* Both copies of a repeated request are answered. The second answer comes after the next request. */
static void test_late_duplicate(void **state)
{
	const struct test *test = *state;

	datagram(state, &udp_client, 10, true, UINT64_MAX);
	pass_datagram(state, &udp_client, 20, true, UINT64_MAX, true);
	datagram(state, &udp_server, 30, true, UINT64_MAX);
	datagram(state, &udp_client, 40, true, UINT64_MAX);
	pass_datagram(state, &udp_server, 50, true, UINT64_MAX, true);
	datagram(state, &udp_server, 60, true, UINT64_MAX);
	expect(state, 1, 0);
	assert_int_equal(requests_counts(test->requests)->overlapping, 1);
}

/* The same question, asked again after its answer, was not sent again. */
static void test_same_question(void **state)
{
	struct test test = { .requests = requests_create(note_first, &test) };
	void *alone = &test;

	(void)state;
	datagram(&alone, &udp_client, 10, true, UINT64_MAX);
	datagram(&alone, &udp_server, 20, true, UINT64_MAX);
	pass_datagram(&alone, &udp_client, 30, true, UINT64_MAX, true);
	pass_datagram(&alone, &udp_server, 40, true, UINT64_MAX, true);
	requests_end(test.requests);
	assert_int_equal(test.first.begun, 30);
	assert_int_equal(test.first.again, 0);
	requests_free(test.requests);
}

/*
 * The network duplicates the answer to a question, and the duplicate comes after the next question. It does
 * not answer this question.
 */
static void test_duplicated_answer(void **state)
{
	struct test test = { .requests = requests_create(note_first, &test) };
	void *alone = &test;

	(void)state;
	datagram(&alone, &udp_client, 10, true, UINT64_MAX);
	datagram(&alone, &udp_server, 20, true, UINT64_MAX);
	datagram(&alone, &udp_client, 30, true, UINT64_MAX);
	pass_datagram(&alone, &udp_server, 40, true, UINT64_MAX, true);
	datagram(&alone, &udp_server, 50, true, UINT64_MAX);
	requests_end(test.requests);
	assert_int_equal(test.first.begun, 30);
	assert_int_equal(test.first.ended, 54);
	assert_int_equal(test.first.response_bytes, 10);
	requests_free(test.requests);
}

/* The answer has the same bytes as the one before it. It may be a duplicate, or the server says "OK" again. */
static void test_same_answer(void **state)
{
	const struct test *test = *state;

	datagram(state, &udp_client, 10, true, UINT64_MAX);
	datagram(state, &udp_server, 20, true, UINT64_MAX);
	datagram(state, &udp_client, 30, true, UINT64_MAX);
	pass_datagram(state, &udp_server, 40, true, UINT64_MAX, true);
	expect(state, 1, 0);
	assert_int_equal(requests_counts(test->requests)->unanswered, 0);
	assert_int_equal(requests_counts(test->requests)->unknown, 1);
	assert_int_equal(requests_counts(test->requests)->overlapping, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_many_answered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_unanswered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_answers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_two_questions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_duplicate, set_up, tear_down),
		cmocka_unit_test(test_same_question),
		cmocka_unit_test(test_duplicated_answer),
		cmocka_unit_test_setup_teardown(test_same_answer, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
