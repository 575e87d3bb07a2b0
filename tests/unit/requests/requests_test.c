// SPDX-License-Identifier: GPL-2.0
/* requests_test.c - test requests that follow one another, and data in both directions at the same time */
#include "pieces.h"

static void test_in_turns(void **state)
{
	exchange(state, 10);
	exchange(state, 30);
	expect(state, 2, 0);
}

static void test_pipelined(void **state)
{
	piece(state, &from_client, 10, 12, 14);
	piece(state, &from_client, 11, 13, 21);
	piece(state, &from_server, 20, 22, 24);
	piece(state, &from_server, 30, 32, 34);
	expect(state, 1, 0);
}

/* When the second request is on its way, the server is still answering the first one. */
static void test_mixed(void **state)
{
	exchange(state, 10);
	piece(state, &from_client, 30, 32, 38);
	piece(state, &from_server, 35, 37, 39);
	piece(state, &from_server, 40, 42, 44);
	exchange(state, 50);
	expect(state, 1, 1);
}

/* The recording has only the client's calls. */
static void test_client_only(void **state)
{
	const struct byte_stream *back = &from_server;

	piece(state, &from_client, 10, 0, 0);
	piece(state, back, 0, 22, 24);
	piece(state, &from_client, 30, 0, 0);
	piece(state, back, 0, 37, 39);
	expect(state, 2, 0);
}

/*
 * The recording has only the client's calls, and the server is on the same machine. So the client's data come
 * at the end of the connection, and the responses wait for them.
 */
static void one_direction_first(void **state, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		piece(state, &from_server, 0, 1000 + 100 * i + 60, 1000 + 100 * i + 70);
	for (unsigned int i = 0; i < nr; i++)
		piece(state, &from_client, 1000 + 100 * i, 0, 0);
}

static void expect_unsorted(void **state, int nr, uint64_t unsorted)
{
	const struct test *test = *state;

	expect(state, nr, 0);
	assert_int_equal(requests_counts(test->requests)->unsorted, unsorted);
	assert_int_equal(requests_counts(test->requests)->unanswered, 0);
	assert_int_equal(requests_counts(test->requests)->unknown, 0);
}

static void test_one_direction_first(void **state)
{
	one_direction_first(state, 2000);
	expect_unsorted(state, 2000, 0);
}

/* If too many pieces wait, no request is invented from them, and the connection is counted. */
static void test_too_many_wait(void **state)
{
	one_direction_first(state, 20000);
	expect_unsorted(state, 0, 1);
}

/* The same with the other direction first, after a request that both directions show. */
static void test_too_many_requests_wait(void **state)
{
	exchange(state, 10);
	for (unsigned int i = 0; i < 20000; i++)
		piece(state, &from_client, 1000 + 100 * i, 1000 + 100 * i + 10,
		      1000 + 100 * i + 20);
	for (unsigned int i = 0; i < 20000; i++)
		piece(state, &from_server, 1000 + 100 * i + 60, 0, 0);
	expect_unsorted(state, 0, 1);
}

/* A long upload, and then a long download. While one direction has data, the other one has none. */
static void test_long_transfer(void **state)
{
	for (unsigned int i = 0; i < 20000; i++)
		piece(state, &from_client, 10 * i + 10, 10 * i + 12, 10 * i + 14);
	for (unsigned int i = 20000; i < 40000; i++)
		piece(state, &from_server, 10 * i + 10, 10 * i + 12, 10 * i + 14);
	expect_unsorted(state, 1, 0);
}

/*
 * The recording has only the client's calls. When the second request is sent, data of the server are on their
 * way. The acknowledgement in their packet shows that the server did not have this request.
 */
static void test_client_only_mixed(void **state)
{
	const struct byte_stream *back = &from_server;

	piece(state, &from_client, 10, 0, 0);
	acked_piece(state, back, 0, 22, 24, 10);
	piece(state, &from_client, 30, 0, 0);
	acked_piece(state, back, 0, 31, 32, 10);
	acked_piece(state, back, 0, 50, 52, 20);
	expect(state, 1, 1);
}

static void test_client_only_acknowledged(void **state)
{
	const struct byte_stream *back = &from_server;

	piece(state, &from_client, 10, 0, 0);
	acked_piece(state, back, 0, 22, 24, 10);
	piece(state, &from_client, 30, 0, 0);
	acked_piece(state, back, 0, 50, 52, 20);
	expect(state, 2, 0);
}

static void test_greetings_cross(void **state)
{
	piece(state, &from_client, 10, 12, 14);
	piece(state, &from_server, 11, 13, 15);
	piece(state, &from_server, 20, 22, 24);
	exchange(state, 30);
	expect(state, 2, 0);
}

/* A datagram that is read after hundreds of later ones still begins its request. */
static void test_late_begin(void **state)
{
	struct test test = { .requests = requests_create(note_first, &test) };
	void *alone = &test;

	(void)state;
	for (uint64_t time = 20; time < 20 + 10 * 2000; time += 10)
		pass_datagram(&alone, &udp_client, time, false, 10, true);
	datagram(&alone, &udp_client, 10, true, UINT64_MAX);
	datagram(&alone, &udp_server, 40000, true, UINT64_MAX);
	requests_end(test.requests);
	assert_int_equal(test.first.begun, 10);
	assert_int_equal(test.first.ended, 40004);
	assert_int_equal(test.first.request_bytes, 20010);
	requests_free(test.requests);
}

/*
 * The recording begins with an answer in a connection that is older than the recording. The ports show the
 * client, and the first answer belongs to no recorded request.
 */
static void test_begins_with_answer(void **state)
{
	static const struct byte_stream client = { .number = 5,
						   .peer = 6,
						   .flow = { .sport = 40000, .dport = 80 } };
	static const struct byte_stream server = { .number = 6,
						   .peer = 5,
						   .flow = { .sport = 80, .dport = 40000 } };
	struct test *test = *state;

	piece(state, &server, 10, 12, 14);
	piece(state, &client, 30, 32, 34);
	piece(state, &server, 40, 42, 44);
	piece(state, &client, 60, 62, 64);
	expect(state, 1, 0);
	assert_int_equal(requests_counts(test->requests)->unanswered, 1);
	assert_int_equal(requests_counts(test->requests)->clientless, 0);
}

/* If neither a SYN nor the ports show the client, the connection is not divided. */
static void test_clientless(void **state)
{
	static const struct byte_stream one = { .number = 5,
						.peer = 6,
						.flow = { .sport = 40000, .dport = 50000 } };
	static const struct byte_stream other = { .number = 6,
						  .peer = 5,
						  .flow = { .sport = 50000, .dport = 40000 } };
	struct test *test = *state;

	piece(state, &one, 10, 12, 14);
	piece(state, &other, 30, 32, 34);
	piece(state, &one, 40, 42, 44);
	expect(state, 0, 0);
	assert_int_equal(requests_counts(test->requests)->unanswered, 0);
	assert_int_equal(requests_counts(test->requests)->clientless, 1);
}

/*
 * The port of the server was translated, so only the ports of one direction show the client. The server's
 * stream is not connected with the client's until this one has data.
 */
static void test_translated_port(void **state)
{
	static const struct byte_stream client = { .number = 5,
						   .peer = 6,
						   .flow = { .sport = 40000, .dport = 80 },
						   .peer_flow = { .sport = 50000,
								  .dport = 40000 } };
	struct byte_stream server = { .number = 6, .flow = { .sport = 50000, .dport = 40000 } };
	struct test *test = *state;

	piece(state, &server, 10, 12, 14);
	assert_int_equal(requests_counts(test->requests)->clientless, 1);
	piece(state, &client, 30, 32, 34);
	server.peer = client.number;
	server.peer_flow = client.flow;
	piece(state, &server, 40, 42, 44);
	piece(state, &client, 60, 62, 64);
	expect(state, 1, 0);
	assert_int_equal(requests_counts(test->requests)->unanswered, 1);
	assert_int_equal(requests_counts(test->requests)->clientless, 0);
}

/* If the filter may not match answers, it is unknown if the client's last data had one. */
static void test_filter_without_answers(void **state)
{
	struct test test = { 0 };
	void *alone = &test;

	(void)state;
	test.requests = requests_create(count, &test.nr);
	piece(&alone, &from_client, 10, 12, 14);
	requests_end(test.requests);
	assert_int_equal(requests_counts(test.requests)->unanswered, 0);
	assert_int_equal(requests_counts(test.requests)->unknown, 1);
	requests_free(test.requests);
}

/* The server has sent data that no recorded call has written, so they came in no piece. */
static void test_answer_without_calls(void **state)
{
	const struct byte_piece unknown = { .is_unknown = true };
	struct test *test = *state;

	piece(state, &from_client, 10, 12, 14);
	requests_handle_piece(test->requests, &from_server, &unknown);
	expect(state, 0, 0);
	assert_int_equal(requests_counts(test->requests)->unanswered, 0);
	assert_int_equal(requests_counts(test->requests)->unknown, 1);
}

/*
 * Entries were lost during the second request and during the last one. So an answer may have come earlier, or
 * it may have come at all.
 */
static void test_losses(void **state)
{
	struct loss loss[] = { { .from = 32, .to = 36 }, { .from = 55, .to = 65 } };
	const struct lost_events losses = { .v = loss, .n = 2, .longest = 10 };
	struct test *test = *state;

	requests_set_losses(test->requests, &losses);
	exchange(state, 10);
	exchange(state, 30);
	piece(state, &from_client, 50, 52, 54);
	expect(state, 1, 0);
	assert_int_equal(requests_counts(test->requests)->unanswered, 0);
	assert_int_equal(requests_counts(test->requests)->unknown, 2);
}

/* The server closes an idle connection and says goodbye. The request has not taken so long. */
static void test_goodbye(void **state)
{
	struct test test = { .requests = requests_create(note_first, &test) };
	void *alone = &test;

	(void)state;
	exchange(&alone, 10);
	piece(&alone, &from_server, 65000, 65002, 65004);
	requests_end(test.requests);
	assert_int_equal(test.first.begun, 10);
	assert_int_equal(test.first.ended, 24);
	assert_int_equal(test.first.rest, 65004 - 24);
	assert_int_equal(test.first.response_bytes, 20);
	requests_free(test.requests);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_in_turns, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_pipelined, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mixed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_client_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_client_only_mixed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_client_only_acknowledged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_direction_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_many_wait, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_many_requests_wait, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_long_transfer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_greetings_cross, set_up, tear_down),
		cmocka_unit_test(test_late_begin),
		cmocka_unit_test_setup_teardown(test_begins_with_answer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_clientless, set_up, tear_down),
		cmocka_unit_test(test_filter_without_answers),
		cmocka_unit_test_setup_teardown(test_answer_without_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_losses, set_up, tear_down),
		cmocka_unit_test(test_goodbye),
		cmocka_unit_test_setup_teardown(test_translated_port, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
