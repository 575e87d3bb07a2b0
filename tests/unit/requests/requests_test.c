// SPDX-License-Identifier: GPL-2.0
/* requests_test.c - test consecutive requests, and data in both directions at the same time */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "err.h"
#include "model/requests.h"

static const struct byte_stream from_client = {
	.number = 1,
	.peer = 2,
	.begins = true,
	.is_client = true,
};
static const struct byte_stream from_server = { .number = 2, .peer = 1, .begins = true };

struct test {
	struct requests *requests;
	int nr;
	uint64_t position[2];
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
	return test.requests ? 0 : -1;
}

static int tear_down(void **state)
{
	requests_free(((struct test *)*state)->requests);
	return 0;
}

/* Pass ten bytes that were written, arrived and were read at these times. */
static void piece(void **state, const struct byte_stream *stream, uint64_t written,
		  uint64_t arrived, uint64_t read)
{
	struct test *test = *state;
	uint64_t *position = &test->position[stream->is_client];
	const struct byte_call write = { .begun = written, .ended = written + 1 },
			       reader = { .begun = arrived, .ended = read };
	struct byte_piece passed = { .from = *position, .to = *position + 10 };

	*position += 10;
	passed.write = written ? &write : NULL;
	passed.read = read ? &reader : NULL;
	passed.times[BYTE_WRITTEN] = passed.times[BYTE_SENT] = written;
	passed.times[BYTE_ARRIVED] = arrived;
	passed.times[BYTE_READ] = read;
	requests_handle_piece(test->requests, stream, &passed);
}

/* Pass a request that is written at @time, and its response, which is written 10 ns later. */
static void exchange(void **state, uint64_t time)
{
	piece(state, &from_client, time, time + 2, time + 4);
	piece(state, &from_server, time + 10, time + 12, time + 14);
}

/* Check the number of requests, and the number of connections that could not be divided into requests. */
static void expect(void **state, int nr, uint64_t mixed)
{
	struct test *test = *state;

	requests_end(test->requests);
	assert_int_equal(test->nr, nr);
	assert_int_equal(requests_mixed(test->requests), mixed);
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

static void test_greetings_cross(void **state)
{
	piece(state, &from_client, 10, 12, 14);
	piece(state, &from_server, 11, 13, 15);
	piece(state, &from_server, 20, 22, 24);
	exchange(state, 30);
	expect(state, 2, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_in_turns, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_pipelined, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mixed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_client_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_greetings_cross, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
