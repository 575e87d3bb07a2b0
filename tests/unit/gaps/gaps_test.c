// SPDX-License-Identifier: GPL-2.0
/* gaps_test.c - whose the time was in which nothing went on: each way in which it could be said wrongly */
#include "conversation.h"

#include "headers.h"

/* Until it calls to send: what comes then is not the application's. */
static void an_application_thinks(void **state)
{
	(void)state;
	connects();
	asks(13);
	answers(413, 900);
	longest_is(GAP_ANSWER, 400, 3, 4);
}

static void it_may_not_have_read(void **state)
{
	(void)state;
	connects();
	asks(0);
	answers(412, 413);
	longest_is(GAP_ANSWER_UNREAD, 400, 3, 4);
}

/* A timer or an acknowledgement let it go: since when it was in the socket nobody knows. */
static void what_no_call_sends_is_nobodys(void **state)
{
	(void)state;
	connects();
	asks(13);
	answers(0, 413);
	longest_is(GAP_EITHER, 400, 3, 4);
}

static void a_reader_is_late(void **state)
{
	(void)state;
	connects();
	asks(512);
	answers(513, 514);
	longest_is(GAP_UNREAD, 500, 3, 0);
}

/* A ping of one's own address: the two ends are one. */
static void a_reply_goes_back(void **state)
{
	const struct flow request = { .family = FLOW_INET,
				      .proto = 1,
				      .has_icmp = true,
				      .icmp_type = 8,
				      .icmp_id = 5,
				      .saddr = { 10, 9, 0, 1 },
				      .daddr = { 10, 9, 0, 1 } };
	struct flow reply = request;

	(void)state;
	assert_false(goes_back(&request, &reply));
	reply.icmp_type = 0;
	assert_true(goes_back(&request, &reply));
	assert_true(goes_back(&reply, &request));
	/* Elsewhere it is by the addresses: an error is about what came from its destination. */
	reply.daddr[3] = 2;
	assert_false(goes_back(&request, &reply));
}

/* Who asks may take his time; and who connected is who asks. */
static void asking_is_no_gap(void **state)
{
	(void)state;
	connects();
	asks(13);
	answers(33, 34);
	says(&(struct said){ .by = CLIENT,
			     .at = 5000,
			     .called = 4999,
			     .flags = ACK,
			     .seq = 15,
			     .ack = 107,
			     .payload = 5 });
	longest_is(GAP_ANSWER, 20, 3, 4);
}

/* A second part of an answer answers nothing. */
static void an_answer_goes_on(void **state)
{
	(void)state;
	connects();
	asks(13);
	answers(33, 34);
	says(&(struct said){ .by = SERVER,
			     .at = 3000,
			     .called = 2999,
			     .flags = ACK,
			     .seq = 107,
			     .ack = 15,
			     .payload = 7 });
	longest_is(GAP_ANSWER, 20, 3, 4);
}

static void nobody_knows_who_asks(void **state)
{
	(void)state;
	asks(13);
	answers(413, 414);
	longest_is(GAP_EITHER, 400, 1, 2);
}

static void udp_says_nothing_of_it(void **state)
{
	(void)state;
	says(&(struct said){ .by = CLIENT,
			     .udp = true,
			     .at = 10,
			     .called = 9,
			     .delivered = 12,
			     .read = 13,
			     .payload = 5 });
	says(&(struct said){ .by = SERVER, .udp = true, .at = 414, .called = 413, .payload = 5 });
	longest_is(GAP_EITHER, 400, 1, 2);
}

static void it_is_sent_again(void **state)
{
	(void)state;
	connects();
	says(&(struct said){ .by = CLIENT,
			     .at = 10,
			     .called = 9,
			     .flags = ACK,
			     .seq = 10,
			     .ack = 100,
			     .payload = 5 });
	says(&(struct said){ .by = CLIENT,
			     .at = 210,
			     .delivered = 212,
			     .read = 213,
			     .flags = ACK,
			     .seq = 10,
			     .ack = 100,
			     .payload = 5 });
	longest_is(GAP_RESENT, 200, 3, 4);
}

/* Again and again: from the first on, and who dropped that. */
static void it_is_dropped_and_sent_again(void **state)
{
	static const struct name rule = { .text = "nft_do_chain" };
	char text[GAP_LEN];

	(void)state;
	connects();
	dropped_in = &rule;
	for (unsigned int at = 10; at <= 640; at += 210)
		says(&(struct said){ .by = CLIENT,
				     .at = at,
				     .called = at == 10 ? 9 : 0,
				     .flags = ACK,
				     .seq = 10,
				     .ack = 100,
				     .payload = 5 });
	longest_is(GAP_RESENT, 630, 3, 6);
	assert_string_equal(words_gap(text, gaps_longest(gaps), NULL),
			    "#3 -> #6: it was dropped in nft_do_chain, and sent again");
}

/* Its acknowledgement was on the way, or came twice. */
static void what_was_acknowledged_did_not_wait(void **state)
{
	(void)state;
	connects();
	asks(13);
	says(&(struct said){ .by = SERVER, .at = 20, .flags = ACK, .seq = 100, .ack = 15 });
	says(&(struct said){
		.by = CLIENT, .at = 900, .flags = ACK, .seq = 10, .ack = 100, .payload = 5 });
	longest_is(GAP_UNREAD, 1, 3, 0);
}

/* The answer is made elsewhere: what is known is when the request had left, and when the answer came in. */
static void another_machine_answers(void **state)
{
	(void)state;
	connects();
	says(&(struct said){ .by = CLIENT,
			     .at = 10,
			     .called = 9,
			     .dir = RECORD_SKB_DIR_TX,
			     .flags = ACK,
			     .seq = 10,
			     .ack = 100,
			     .payload = 5 });
	says(&(struct said){ .by = SERVER,
			     .at = 311,
			     .dir = RECORD_SKB_DIR_RX,
			     .delivered = 312,
			     .read = 313,
			     .flags = ACK,
			     .seq = 100,
			     .ack = 15,
			     .payload = 7 });
	longest_is(GAP_AWAY, 300, 3, 4);
}

static void data_waits_in_its_socket(void **state)
{
	static const struct {
		enum released released;
		bool partial, unacked;
		enum gap_kind is;
	} held[] = {
		{ RELEASED_AT_ONCE, true, true, GAPS },
		{ RELEASED_WINDOW, true, true, GAP_WINDOW },
		{ RELEASED_ACK, true, true, GAP_NAGLE },
		{ RELEASED_ACK, false, true, GAP_CONGESTION },
		{ RELEASED_TIMER, true, false, GAP_CORKED },
		{ RELEASED_TIMER, false, false, GAP_PACED },
		{ RELEASED_CALL, true, true, GAP_HELD },
		{ RELEASED_CALL, true, false, GAP_CORKED },
		{ RELEASED_ROOM, false, true, GAP_ROOM },
		{ RELEASED_ROOM, false, false, GAP_CALL },
	};

	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++) {
		ends(state);
		begins(state);
		way.held = (struct held){ .released = held[i].released,
					  .since = 10 * MS,
					  .partial = held[i].partial,
					  .unacked = held[i].unacked };
		says(&(struct said){ .by = CLIENT, .at = 110, .flags = ACK, .payload = 5 });
		if (held[i].is == GAPS)
			assert_null(gaps_longest(gaps));
		else
			longest_is(held[i].is, 100, 1, 0);
	}
}

/* The application had answered when the call began that wrote it. */
static void an_answer_waits_in_its_socket(void **state)
{
	(void)state;
	connects();
	asks(13);
	way.held = (struct held){ RELEASED_TIMER, .written = 33 * MS, .since = 34 * MS,
				  .partial = true };
	answers(0, 234);
	longest_is(GAP_CORKED, 200, 4, 0);
}

static void a_call_waits(void **state)
{
	(void)state;
	way.first_of_call = true;
	says(&(struct said){ .by = CLIENT, .udp = true, .at = 110, .called = 10, .payload = 5 });
	longest_is(GAP_CALL, 100, 1, 0);
}

static void its_reader_waits(void **state)
{
	(void)state;
	connects();
	visit.awaited = true;
	asks(112);
	longest_is(GAP_AWAITED, 100, 3, 0);
}

static void longest_says(const char *words)
{
	struct devices *devices = devices_new();
	char text[GAP_LEN];

	assert_non_null(devices);
	words_gap(text, gaps_longest(gaps), devices);
	devices_free(devices);
	assert_string_equal(text, words);
}

/* With --sched: most of the time, or not. */
static void its_reader_has_no_cpu(void **state)
{
	(void)state;
	connects();
	visit.awaited = true;
	visit.waited =
		(struct waited){ .asleep = 40 * MS, .no_cpu = 60 * MS, .by = 5, .by_name = "busy" };
	asks(112);
	longest_is(GAP_AWAITED, 100, 3, 0);
	longest_says(
		"#3: it was in the socket's queue; its reader waited 60.0 ms for a CPU, which busy-5 had");
	visit.waited.by = 0;
	asks(312);
	longest_is(GAP_AWAITED, 300, 4, 0);
	longest_says(
		"#4: it was in the socket's queue; its reader was in the call for it, and had no CPU or "
		"wanted more (SO_RCVLOWAT)");
	visit.waited.no_cpu = 400 * MS;
	asks(512);
	longest_says("#5: it was in the socket's queue; its reader waited 400 ms for a CPU");
	visit.waited = (struct waited){ .asleep = 501 * MS };
	asks(1012);
	longest_says(
		"#6: it was in the socket's queue; its reader was in the call for it, and slept: it "
		"wanted more (SO_RCVLOWAT), or something else");
}

static void a_call_has_no_cpu(void **state)
{
	(void)state;
	way.first_of_call = true;
	way.waited = (struct waited){ .no_cpu = 70 * MS };
	says(&(struct said){ .by = CLIENT, .udp = true, .at = 110, .called = 10, .payload = 5 });
	longest_is(GAP_CALL, 100, 1, 0);
	longest_says("#1: the call that sends it had begun, and waited 70.0 ms for a CPU");
	/* Behind another packet of the same call. */
	way.first_of_call = false;
	way.waited.no_cpu = 300 * MS;
	says(&(struct said){ .by = CLIENT, .udp = true, .at = 510, .called = 10, .payload = 5 });
	longest_is(GAP_CALL_NO_CPU, 300, 2, 0);
	longest_says("#2: the call that sends it had begun, and waited 300 ms for a CPU");
}

/* What is asleep is a part, and never the longest. */
static void a_call_sleeps(void **state)
{
	(void)state;
	way.waited = (struct waited){ .asleep = 70 * MS };
	says(&(struct said){ .by = CLIENT, .udp = true, .at = 110, .called = 10, .payload = 5 });
	assert_null(gaps_longest(gaps));
}

static void a_function_works(void **state)
{
	static const struct name driver = { .text = "slow_xmit" };

	(void)state;
	worked = (struct worked){ &driver, 50 };
	says(&(struct said){ .by = CLIENT, .at = 10, .flags = ACK });
	longest_is(GAP_WORK, 50, 1, 0);
	longest_says("#1: slow_xmit took it by itself: it worked for it, or was interrupted");
	worked = (struct worked){ &driver, 60, 40 };
	says(&(struct said){ .by = CLIENT, .at = 10, .flags = ACK });
	longest_says("#2: slow_xmit took it, and waited 40.0 ms for a CPU");
}

/* While the driver still has the request; or what the driver did with it is not known. */
static void an_answer_comes_at_once(void **state)
{
	static const struct name nobody = { .text = "nobody" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		ends(state);
		begins(state);
		dropped_in = i ? &nobody : NULL;
		says(&(struct said){ .by = CLIENT,
				     .at = 10,
				     .last = 14,
				     .dir = RECORD_SKB_DIR_TX,
				     .flags = SYN,
				     .seq = 9 });
		dropped_in = NULL;
		says(&(struct said){ .by = SERVER,
				     .at = 12,
				     .dir = RECORD_SKB_DIR_RX,
				     .flags = SYN | ACK,
				     .seq = 99,
				     .ack = 10 });
		assert_null(gaps_longest(gaps));
	}
}

/* The request has come in at the other end, which is in the recording: its gaps have their names. */
static void the_other_end_is_here(void **state)
{
	struct said said = { .by = CLIENT,
			     .at = 10,
			     .called = 9,
			     .dir = RECORD_SKB_DIR_TX,
			     .flags = ACK,
			     .seq = 10,
			     .ack = 100,
			     .payload = 5 };

	(void)state;
	connects();
	says(&said);
	said.at = 12;
	said.dir = RECORD_SKB_DIR_RX;
	says(&said);
	says(&(struct said){ .by = SERVER,
			     .at = 311,
			     .dir = RECORD_SKB_DIR_RX,
			     .flags = ACK,
			     .seq = 100,
			     .ack = 15,
			     .payload = 7 });
	assert_null(gaps_longest(gaps));
}

static void rests(const char *where, bool incomplete)
{
	static struct name after, before = { .text = "sch_direct_xmit" };

	after = (struct name){ .text = where, .facts = function_facts(where) };
	way.longest = (struct rest){
		.ns = 100 * MS, .state = FATE_QUEUED, .after = &after, .before = &before
	};
	says(&(struct said){ .by = CLIENT, .at = 10, .flags = ACK, .incomplete = incomplete });
}

static void a_packet_waits(void **state)
{
	(void)state;
	rests("neigh_resolve_output", false);
	longest_is(GAP_NEIGHBOUR, 100, 1, 0);
}

/* The queue was stopped. */
static void it_is_put_back(void **state)
{
	(void)state;
	rests("sch_direct_xmit", false);
	longest_is(GAP_QUEUE, 100, 1, 0);
}

/* Rows are lost: it may have been anywhere. */
static void where_it_waited_is_lost(void **state)
{
	(void)state;
	rests("__dev_queue_xmit", true);
	longest_is(GAP_BETWEEN, 100, 1, 0);
}

static void stands_out(void **state)
{
	(void)state;
	assert_false(gaps_stands_out(gaps));
	connects();
	for (unsigned int i = 0; i < 10; i++) {
		way.longest.ns = 0;
		rests("__dev_queue_xmit", false);
	}
	/* All wait as long. */
	assert_false(gaps_stands_out(gaps));
	way.longest.ns = 0;
	asks(3013);
	assert_true(gaps_stands_out(gaps));
}

#define test(name) cmocka_unit_test_setup_teardown(name, begins, ends)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(an_application_thinks),
		test(it_may_not_have_read),
		test(what_no_call_sends_is_nobodys),
		test(a_reader_is_late),
		test(a_reply_goes_back),
		test(asking_is_no_gap),
		test(an_answer_goes_on),
		test(nobody_knows_who_asks),
		test(udp_says_nothing_of_it),
		test(it_is_sent_again),
		test(it_is_dropped_and_sent_again),
		test(what_was_acknowledged_did_not_wait),
		test(another_machine_answers),
		test(data_waits_in_its_socket),
		test(an_answer_waits_in_its_socket),
		test(a_call_waits),
		test(its_reader_waits),
		test(its_reader_has_no_cpu),
		test(a_call_has_no_cpu),
		test(a_call_sleeps),
		test(a_function_works),
		test(an_answer_comes_at_once),
		test(the_other_end_is_here),
		test(a_packet_waits),
		test(it_is_put_back),
		test(where_it_waited_is_lost),
		test(stands_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
