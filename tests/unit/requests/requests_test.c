// SPDX-License-Identifier: GPL-2.0
/*
 * requests_test.c - test requests that follow one another, data in both directions at the same time, and many
 * datagrams
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "err.h"
#include "input/lost_events.h"
#include "model/requests.h"

static const struct byte_stream from_client = {
	.number = 1,
	.peer = 2,
	.begins = true,
	.is_client = true,
};
static const struct byte_stream from_server = { .number = 2, .peer = 1, .begins = true };
static const struct byte_stream udp_client = {
	.number = 3,
	.peer = 4,
	.begins = true,
	.is_client = true,
	.has_datagrams = true,
};
static const struct byte_stream udp_server = {
	.number = 4,
	.peer = 3,
	.begins = true,
	.has_datagrams = true,
};

struct test {
	struct requests *requests;
	int nr;
	uint64_t position[2];
	struct request first;
};

static void count(void *data, const struct request *request)
{
	(void)request;
	++*(int *)data;
}

static int set_up(void **state)
{
	static struct test test;

	test = (struct test){ 0 };
	test.requests = requests_create(count, &test.nr);
	*state = &test;
	if (!test.requests)
		return -1;
	requests_expect_answers(test.requests);
	return 0;
}

static int tear_down(void **state)
{
	requests_free(((struct test *)*state)->requests);
	return 0;
}

/*
 * Pass ten bytes that were written, arrived and were read at these times. The sender had acknowledged the
 * bytes before @acked, 0 if not known.
 */
static void acked_piece(void **state, const struct byte_stream *stream, uint64_t written,
			uint64_t arrived, uint64_t read, uint64_t acked)
{
	struct test *test = *state;
	uint64_t *position = &test->position[stream->is_client];
	const struct byte_call write = { .begun = written, .ended = written + 1 },
			       reader = { .begun = arrived, .ended = read };
	struct byte_piece passed = { .from = *position, .to = *position + 10, .acked = acked };

	*position += 10;
	passed.write = written ? &write : NULL;
	passed.read = read ? &reader : NULL;
	passed.times[BYTE_WRITTEN] = passed.times[BYTE_SENT] = written;
	passed.times[BYTE_ARRIVED] = arrived;
	passed.times[BYTE_READ] = read;
	requests_handle_piece(test->requests, stream, &passed);
}

static void piece(void **state, const struct byte_stream *stream, uint64_t written,
		  uint64_t arrived, uint64_t read)
{
	acked_piece(state, stream, written, arrived, read, 0);
}

/* Pass a request that is written at @time, and its response, which is written 10 ns later. */
static void exchange(void **state, uint64_t time)
{
	piece(state, &from_client, time, time + 2, time + 4);
	piece(state, &from_server, time + 10, time + 12, time + 14);
}

/*
 * Check the number of requests. @mixed is the number of connections that cannot be divided into requests.
 */
static void expect(void **state, int nr, uint64_t mixed)
{
	struct test *test = *state;

	requests_end(test->requests);
	assert_int_equal(test->nr, nr);
	assert_int_equal(requests_counts(test->requests)->mixed, mixed);
}

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

/* Datagrams, with and without answers. Many datagrams must not need more memory than few. */

#define MANY 100000

/* The memory in use, if the program was built with AddressSanitizer. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t memory_in_use(void)
{
	return __sanitizer_get_current_allocated_bytes ? __sanitizer_get_current_allocated_bytes() :
							 0;
}

/*
 * Pass a datagram that was written at @time, and read 4 ns later if @is_read. All datagrams of its flow
 * before
 * @all_before have come. @resent is set if it has the same bytes as the datagram before it.
 */
static void pass_datagram(void **state, const struct byte_stream *stream, uint64_t time,
			  bool is_read, uint64_t all_before, bool resent)
{
	struct test *test = *state;
	const struct byte_call write = { .begun = time, .ended = time + 1 },
			       read = { .begun = time + 2, .ended = time + 4 };
	const struct byte_piece passed = {
		.to = 10,
		.write = &write,
		.read = is_read ? &read : NULL,
		.all_before = all_before,
		.resent = resent,
		.times[BYTE_WRITTEN] = time,
		.times[BYTE_SENT] = time,
		.times[BYTE_READ] = is_read ? time + 4 : 0,
	};

	requests_handle_piece(test->requests, stream, &passed);
}

static void datagram(void **state, const struct byte_stream *stream, uint64_t time, bool is_read,
		     uint64_t all_before)
{
	pass_datagram(state, stream, time, is_read, all_before, false);
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

static void note_first(void *data, const struct request *request)
{
	((struct test *)data)->first = *request;
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
		cmocka_unit_test_setup_teardown(test_many_answered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_unanswered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_answers, set_up, tear_down),
		cmocka_unit_test(test_late_begin),
		cmocka_unit_test_setup_teardown(test_begins_with_answer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_clientless, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_two_questions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_duplicate, set_up, tear_down),
		cmocka_unit_test(test_same_question),
		cmocka_unit_test(test_duplicated_answer),
		cmocka_unit_test_setup_teardown(test_same_answer, set_up, tear_down),
		cmocka_unit_test(test_filter_without_answers),
		cmocka_unit_test_setup_teardown(test_answer_without_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_losses, set_up, tear_down),
		cmocka_unit_test(test_goodbye),
		cmocka_unit_test_setup_teardown(test_translated_port, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
