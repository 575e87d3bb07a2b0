/* SPDX-License-Identifier: GPL-2.0 */
/* pieces.h - pieces of TCP streams and datagrams, as the tests of requests need them */
#ifndef _RECORD_SKB_TEST_PIECES_H
#define _RECORD_SKB_TEST_PIECES_H

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

static inline void count(void *data, const struct request *request)
{
	(void)request;
	++*(int *)data;
}

static inline int set_up(void **state)
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

static inline int tear_down(void **state)
{
	requests_free(((struct test *)*state)->requests);
	return 0;
}

/*
 * Pass ten bytes that were written, arrived and were read at these times. The sender had acknowledged the
 * bytes before @acked, 0 if not known.
 */
static inline void acked_piece(void **state, const struct byte_stream *stream, uint64_t written,
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

static inline void piece(void **state, const struct byte_stream *stream, uint64_t written,
			 uint64_t arrived, uint64_t read)
{
	acked_piece(state, stream, written, arrived, read, 0);
}

/* Pass a request that is written at @time, and its response, which is written 10 ns later. */
static inline void exchange(void **state, uint64_t time)
{
	piece(state, &from_client, time, time + 2, time + 4);
	piece(state, &from_server, time + 10, time + 12, time + 14);
}

/*
 * Check the number of requests. @mixed is the number of connections that cannot be divided into requests.
 */
static inline void expect(void **state, int nr, uint64_t mixed)
{
	struct test *test = *state;

	requests_end(test->requests);
	assert_int_equal(test->nr, nr);
	assert_int_equal(requests_counts(test->requests)->mixed, mixed);
}

/*
 * Pass a datagram that was written at @time, and read 4 ns later if @is_read. All datagrams of its flow
 * before
 * @all_before have come. @resent is set if it has the same bytes as the datagram before it.
 */
static inline void pass_datagram(void **state, const struct byte_stream *stream, uint64_t time,
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

static inline void datagram(void **state, const struct byte_stream *stream, uint64_t time,
			    bool is_read, uint64_t all_before)
{
	pass_datagram(state, stream, time, is_read, all_before, false);
}

static inline void note_first(void *data, const struct request *request)
{
	((struct test *)data)->first = *request;
}

#endif
