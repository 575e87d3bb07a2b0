// SPDX-License-Identifier: GPL-2.0
/*
 * lost_rows_test.c - test that no delay is reported if rows were lost in it, and no delay of a program that
 * may have been unable to read its data. Each delay is reported without the loss.
 */
#include "conversation.h"

#include "model/packet_headers.h"

static bool reported[DELAYS];

static void note_delay(void *data, const struct delay *delay, uint32_t flow, unsigned int dir)
{
	(void)data;
	(void)flow;
	(void)dir;
	reported[delay->kind] = true;
}

static int begins_noting(void **state)
{
	int status = begins(state);

	delays_free(delays);
	delays = delays_new(NULL, note_delay, NULL);
	for (unsigned int i = 0; i < DELAYS; i++)
		reported[i] = false;
	return status || !delays;
}

static void loses(unsigned int from, unsigned int to)
{
	const struct loss loss = { .cpu = 1, .from = from * MS, .to = to * MS };

	lost_events_add(&losses, &loss);
}

/* Run a conversation without a loss, and again with a loss from 100 to 200 ms. */
static void is_lost(void (*conversation)(void), enum delay_kind kind)
{
	void *state = NULL;

	conversation();
	assert_true(reported[kind]);
	ends(&state);
	assert_int_equal(begins_noting(&state), 0);
	loses(100, 200);
	conversation();
	assert_false(reported[kind]);
	assert_null(delays_pause(delays));
}

static void answered_later(void)
{
	connects();
	asks(13);
	answers(413, 414);
}

static void answer_in_lost_rows(void **state)
{
	(void)state;
	is_lost(answered_later, DELAY_ANSWER);
}

static void acknowledged_later(void)
{
	asks(13);
	says(&(struct said){ .by = SERVER,
			     .at = 500,
			     .delivered = 502,
			     .flags = ACK,
			     .seq = 100,
			     .ack = 15,
			     .dir = RECORD_SKB_DIR_RX });
}

static void acknowledgement_in_lost_rows(void **state)
{
	(void)state;
	is_lost(acknowledged_later, DELAY_ACK);
}

static void sent_again(void)
{
	connects();
	asks(13);
	says(&(struct said){
		.by = CLIENT, .at = 300, .flags = ACK, .seq = 10, .ack = 100, .payload = 5 });
}

static void retransmission_after_lost_rows(void **state)
{
	(void)state;
	is_lost(sent_again, DELAY_RESENT);
}

static void answered_by_another_machine(void)
{
	says(&(struct said){ .by = CLIENT, .at = 1, .flags = SYN, .seq = 9 });
	says(&(struct said){ .by = CLIENT, .at = 10, .flags = ACK, .seq = 10, .payload = 5 });
	says(&(struct said){ .by = SERVER,
			     .at = 400,
			     .flags = ACK,
			     .seq = 100,
			     .ack = 15,
			     .payload = 5,
			     .dir = RECORD_SKB_DIR_RX });
}

static void arrival_in_lost_rows(void **state)
{
	(void)state;
	is_lost(answered_by_another_machine, DELAY_AWAY);
}

static void read_later(void)
{
	connects();
	asks(512);
}

static void read_after_lost_rows(void **state)
{
	(void)state;
	is_lost(read_later, DELAY_UNREAD);
}

static void called_earlier(void)
{
	connects();
	way.first_of_call = true;
	says(&(struct said){ .by = CLIENT, .at = 300, .called = 50, .flags = ACK, .payload = 5 });
}

static void call_with_lost_rows(void **state)
{
	(void)state;
	is_lost(called_earlier, DELAY_CALL);
}

/* The server sends data at 20 and at 5000 ms. Other data may be among the lost rows. */
static void pauses(void)
{
	connects();
	asks(13);
	answers(20, 21);
	says(&(struct said){
		.by = SERVER, .at = 5000, .flags = ACK, .seq = 107, .ack = 15, .payload = 7 });
}

static void data_in_lost_rows(void **state)
{
	(void)state;
	pauses();
	assert_non_null(delays_pause(delays));
	ends(state);
	assert_int_equal(begins_noting(state), 0);
	loses(100, 200);
	pauses();
	assert_null(delays_pause(delays));
}

/* The server may have been unable to read the request, because earlier bytes were missing. */
static void request_may_be_behind_a_hole(void **state)
{
	(void)state;
	connects();
	says(&(struct said){ .by = CLIENT,
			     .at = 10,
			     .called = 9,
			     .delivered = 12,
			     .is_unordered = true,
			     .flags = ACK,
			     .seq = 10,
			     .ack = 100,
			     .payload = 5 });
	answers(413, 414);
	assert_false(reported[DELAY_ANSWER]);
	assert_false(reported[DELAY_ANSWER_UNREAD]);
}

/* A loss before the delay hides nothing. */
static void loss_before_the_delay(void **state)
{
	(void)state;
	loses(2, 8);
	answered_later();
	assert_true(reported[DELAY_ANSWER]);
}

#define test(name) cmocka_unit_test_setup_teardown(name, begins_noting, ends)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(answer_in_lost_rows),
		test(acknowledgement_in_lost_rows),
		test(retransmission_after_lost_rows),
		test(arrival_in_lost_rows),
		test(read_after_lost_rows),
		test(call_with_lost_rows),
		test(data_in_lost_rows),
		test(loss_before_the_delay),
		test(request_may_be_behind_a_hole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
