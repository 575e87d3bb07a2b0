// SPDX-License-Identifier: GPL-2.0
/* request_parts_test.c - test that network loss and idle time are not blamed on a host or a program */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "err.h"
#include "model/request_parts.h"

/* A piece that was written at @at, and read 100 ns later. Each step between the two takes 10 ns. */
static struct kept_piece piece_at(uint64_t at)
{
	return (struct kept_piece){
		.at = at,
		.bytes = 10,
		.write = { .begun = at, .ended = at + 15 },
		.read = { .begun = at + 5, .ended = at + 100 },
		.times = {
			[BYTE_WRITTEN] = at,
			[BYTE_SENT] = at + 10,
			[BYTE_RESENT] = at + 10,
			[BYTE_QUEUED] = at + 20,
			[BYTE_DRIVEN] = at + 30,
			[BYTE_RECEIVED] = at + 40,
			[BYTE_ARRIVED] = at + 50,
			[BYTE_IN_ORDER] = at + 50,
			[BYTE_CALLED] = at + 50,
			[BYTE_READ] = at + 100,
		},
	};
}

/* Move the times of a piece from @since on by @ns. */
static void delay(struct kept_piece *piece, enum byte_time since, uint64_t ns)
{
	for (enum byte_time time = since; time < BYTE_TIMES; time++)
		piece->times[time] += ns;
	piece->read.ended += ns;
}

static struct request times_of(const struct kept_piece *asked, const struct kept_piece *answered)
{
	struct half request = { 0 }, response = { 0 };
	struct request times = { 0 };

	half_add(&request, asked);
	half_add(&response, answered);
	request_set_times(&times, &request, &response);
	times.again = request.again;
	times.response_again = response.again;
	return times;
}

static void expect_part(const struct request *request, enum request_part part, uint64_t ns)
{
	assert_true(request->known[part]);
	assert_int_equal(request->parts[part], ns);
}

/* The parts of a request without any delay: each is as long as its steps, and together they are the total. */
static void expect_normal(const struct request *request)
{
	expect_part(request, REQUEST_CLIENT, 30);
	expect_part(request, REQUEST_TRANSIT, 20);
	expect_part(request, REQUEST_SERVER, 10);
	expect_part(request, REQUEST_QUEUE, 0);
	expect_part(request, REQUEST_APPLICATION, 950);
	expect_part(request, REQUEST_RESPONSE, 30 + 10 + 50);
}

static void test_normal(void **state)
{
	const struct kept_piece asked = piece_at(1000), answered = piece_at(2000);
	const struct request request = times_of(&asked, &answered);

	(void)state;
	expect_normal(&request);
	expect_part(&request, REQUEST_AGAIN, 0);
	expect_part(&request, REQUEST_MISSING, 0);
	expect_part(&request, REQUEST_CLIENT_QUEUE, 0);
	assert_int_equal(request.ended - request.begun, 1100);
}

/* The only segment is lost, in one direction after the other. */
static void test_lost(void **state)
{
	struct kept_piece asked = piece_at(1000), answered = piece_at(2000);
	struct request request;

	(void)state;
	delay(&asked, BYTE_RESENT, 210);
	asked.resent = true;
	asked.again = 1220;
	answered = piece_at(2210);
	request = times_of(&asked, &answered);
	expect_normal(&request);
	expect_part(&request, REQUEST_AGAIN, 210);
	assert_int_equal(request.again, 1);

	asked = piece_at(1000);
	answered = piece_at(2000);
	delay(&answered, BYTE_RESENT, 210);
	answered.resent = true;
	answered.again = 2220;
	request = times_of(&asked, &answered);
	expect_normal(&request);
	expect_part(&request, REQUEST_AGAIN, 210);
	assert_int_equal(request.again, 0);
	assert_int_equal(request.response_again, 1);
}

/* The first of two segments is lost, in one direction after the other. */
static void test_hole(void **state)
{
	struct kept_piece asked = piece_at(1000), answered = piece_at(2210);
	struct request request;

	(void)state;
	delay(&asked, BYTE_IN_ORDER, 210);
	asked.again = 1220;
	request = times_of(&asked, &answered);
	expect_normal(&request);
	expect_part(&request, REQUEST_MISSING, 210);
	assert_int_equal(request.again, 1);

	asked = piece_at(1000);
	answered = piece_at(2000);
	delay(&answered, BYTE_IN_ORDER, 210);
	request = times_of(&asked, &answered);
	expect_normal(&request);
	expect_part(&request, REQUEST_MISSING, 210);
}

/* The client does not read the response for some time. */
static void test_slow_reader(void **state)
{
	struct kept_piece asked = piece_at(1000), answered = piece_at(2000);
	struct request request;

	(void)state;
	delay(&answered, BYTE_CALLED, 300);
	request = times_of(&asked, &answered);
	expect_normal(&request);
	expect_part(&request, REQUEST_CLIENT_QUEUE, 300);
}

/* The socket of the client sends the last data only after earlier data of the request were sent again. */
static void test_held_back(void **state)
{
	struct kept_piece asked = piece_at(1000), answered = piece_at(2210);
	struct request request;

	(void)state;
	delay(&asked, BYTE_SENT, 210);
	asked.again = 1215;
	request = times_of(&asked, &answered);
	assert_false(request.known[REQUEST_CLIENT]);
	expect_part(&request, REQUEST_APPLICATION, 950);
}

/* The arrival is not recorded: the packet that was sent again may have been needless. */
static void test_unknown_arrival(void **state)
{
	struct kept_piece asked = piece_at(1000), answered = piece_at(2210);
	struct request request;

	(void)state;
	delay(&asked, BYTE_RESENT, 210);
	for (enum byte_time time = BYTE_RECEIVED; time < BYTE_TIMES; time++)
		asked.times[time] = 0;
	asked.resent = true;
	asked.again = 1220;
	request = times_of(&asked, &answered);
	assert_false(request.known[REQUEST_CLIENT]);
	expect_part(&request, REQUEST_AGAIN, 0);
}

/* A resolver repeats its query after a second. This is not a second in the stack of the client. */
static void test_datagram_again(void **state)
{
	struct kept_piece first = piece_at(1000), second = piece_at(2000),
			  answered = piece_at(3000);
	struct half request = { 0 }, response = { 0 };
	struct request times = { 0 };

	(void)state;
	first.is_datagram = second.is_datagram = answered.is_datagram = true;
	second.resent = true;
	half_add(&request, &first);
	half_add(&request, &second);
	half_add(&response, &answered);
	request_set_times(&times, &request, &response);
	expect_part(&times, REQUEST_AGAIN, 1000);
	expect_part(&times, REQUEST_CLIENT, 30);
	assert_int_equal(request.again, 1);
}

/* A server says goodbye on an idle connection. */
static void test_goodbye(void **state)
{
	const struct kept_piece asked = piece_at(1000), answered = piece_at(2000),
				last = piece_at(65000);
	struct half request = { 0 }, response = { 0 };
	struct request times = { 0 };

	(void)state;
	half_add(&request, &asked);
	half_add(&response, &answered);
	half_add(&response, &last);
	request_set_times(&times, &request, &response);
	expect_normal(&times);
	assert_int_equal(times.ended - times.begun, 1100);
	assert_int_equal(times.rest, 63000);
	assert_int_equal(request_longest_part(&times), REQUEST_APPLICATION);
}

/* The longest known part is not the longest one if the unknown time can be longer than it. */
static void test_longest_part(void **state)
{
	struct request request = { .begun = 1000, .ended = 2000 };

	(void)state;
	assert_int_equal(request_longest_part(&request), REQUEST_PARTS);
	request.known[REQUEST_CLIENT] = request.known[REQUEST_RESPONSE] = true;
	request.parts[REQUEST_CLIENT] = 250;
	request.parts[REQUEST_RESPONSE] = 300;
	assert_int_equal(request_longest_part(&request), REQUEST_PARTS);
	request.parts[REQUEST_RESPONSE] = 400;
	assert_int_equal(request_longest_part(&request), REQUEST_RESPONSE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal),	       cmocka_unit_test(test_lost),
		cmocka_unit_test(test_hole),	       cmocka_unit_test(test_slow_reader),
		cmocka_unit_test(test_held_back),      cmocka_unit_test(test_unknown_arrival),
		cmocka_unit_test(test_datagram_again), cmocka_unit_test(test_goodbye),
		cmocka_unit_test(test_longest_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
