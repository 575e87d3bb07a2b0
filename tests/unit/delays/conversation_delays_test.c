// SPDX-License-Identifier: GPL-2.0
/*
 * conversation_delays_test.c - test the causes of delays. Each test is about one way in which a cause could
 * be wrong.
 */
#include "conversation.h"

#include "model/packet_headers.h"

/*
 * The application is responsible for the delay until it calls send(). After that, TCP may delay the answer.
 */
static void an_application_thinks(void **state)
{
	(void)state;
	connects();
	asks(13);
	answers(413, 900);
	longest_is(DELAY_ANSWER, 400, 3, 4);
}

static void it_may_not_have_read(void **state)
{
	(void)state;
	connects();
	asks(0);
	answers(412, 413);
	longest_is(DELAY_ANSWER_UNREAD, 400, 3, 4);
}

/*
 * The answer was not sent by a call, but by a timer or an acknowledgement. So it is unknown when the socket
 * got its data, and who delayed it.
 */
static void data_is_sent_without_a_call(void **state)
{
	(void)state;
	connects();
	asks(13);
	answers(0, 413);
	longest_is(DELAY_EITHER, 400, 3, 4);
}

static void a_reader_is_late(void **state)
{
	(void)state;
	connects();
	asks(512);
	answers(513, 514);
	longest_is(DELAY_UNREAD, 500, 3, 0);
}

/* If a host pings its own address, the flow has the same address at both ends. */
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
	/*
	 * Between two hosts, the addresses show the direction. An ICMP error goes back to the source of the
	 * packet that caused it.
	 */
	reply.daddr[3] = 2;
	assert_false(goes_back(&request, &reply));
}

/* The end that connected is the client. The time until its next request does not count as a delay. */
static void asking_is_no_delay(void **state)
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
	longest_is(DELAY_ANSWER, 20, 3, 4);
}

/* The second segment of an answer must not count as an answer to the first segment. */
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
	longest_is(DELAY_ANSWER, 20, 3, 4);
}

static void client_known_by_port(void **state)
{
	(void)state;
	asks(13);
	answers(413, 414);
	longest_is(DELAY_ANSWER, 400, 1, 2);
}

/* If both ports are ephemeral and the SYN is not recorded, the client is unknown. */
static void client_unknown(void **state)
{
	(void)state;
	says(&(struct said){ .by = CLIENT,
			     .same_ports = true,
			     .at = 10,
			     .called = 9,
			     .delivered = 12,
			     .read = 13,
			     .flags = ACK,
			     .payload = 5 });
	says(&(struct said){ .by = SERVER,
			     .same_ports = true,
			     .at = 414,
			     .called = 413,
			     .flags = ACK,
			     .payload = 5 });
	longest_is(DELAY_EITHER, 400, 1, 2);
}

/*
 * The sender of the first datagram is the client. The time until its next request does not count as a delay.
 */
static void udp_client_pauses(void **state)
{
	(void)state;
	says(&(struct said){ .by = CLIENT,
			     .same_ports = true,
			     .udp = true,
			     .at = 10,
			     .called = 9,
			     .delivered = 12,
			     .read = 13,
			     .payload = 5 });
	says(&(struct said){ .by = SERVER,
			     .same_ports = true,
			     .udp = true,
			     .at = 24,
			     .called = 23,
			     .delivered = 26,
			     .read = 27,
			     .payload = 5 });
	says(&(struct said){ .by = CLIENT,
			     .same_ports = true,
			     .udp = true,
			     .at = 524,
			     .called = 523,
			     .payload = 5 });
	longest_is(DELAY_ANSWER, 10, 1, 2);
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
	longest_is(DELAY_RESENT, 200, 3, 4);
}

/*
 * A segment is dropped, sent again, dropped again, and so on. The delay must begin when the segment was
 * sent for the first time, and the text must name the function that dropped it.
 */
static void it_is_dropped_and_sent_again(void **state)
{
	static const struct name rule = { .text = "nft_do_chain" };
	char text[DELAY_LEN];

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
	longest_is(DELAY_RESENT, 630, 3, 6);
	assert_string_equal(words_delay(text, delays_longest(delays), NULL),
			    "#3 -> #6: it was dropped in nft_do_chain, and sent again");
}

/* Acknowledged data did not wait if the acknowledgement was still on its way, or arrived twice. */
static void what_was_acknowledged_did_not_wait(void **state)
{
	(void)state;
	connects();
	asks(13);
	says(&(struct said){ .by = SERVER, .at = 20, .flags = ACK, .seq = 100, .ack = 15 });
	says(&(struct said){
		.by = CLIENT, .at = 900, .flags = ACK, .seq = 10, .ack = 100, .payload = 5 });
	longest_is(DELAY_UNREAD, 1, 3, 0);
}

/*
 * Another machine, which is not recorded, sends the answer. Only two times are known: when the request left,
 * and when the answer arrived.
 */
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
	longest_is(DELAY_AWAY, 300, 3, 4);
}

static void data_waits_in_its_socket(void **state)
{
	static const struct {
		enum released released;
		bool partial, unacked;
		enum delay_kind is;
	} held[] = {
		{ RELEASED_AT_ONCE, true, true, DELAYS },
		{ RELEASED_WINDOW, true, true, DELAY_WINDOW },
		{ RELEASED_ACK, true, true, DELAY_NAGLE },
		{ RELEASED_ACK, false, true, DELAY_CONGESTION },
		{ RELEASED_TIMER, true, false, DELAY_HELD },
		{ RELEASED_TIMER, false, true, DELAY_HELD },
		{ RELEASED_TIMER, false, false, DELAY_PACED },
		{ RELEASED_CALL, true, true, DELAY_HELD },
		{ RELEASED_CALL, true, false, DELAY_CORKED },
		{ RELEASED_SEND_BUFFER, false, true, DELAY_SEND_BUFFER },
		{ RELEASED_SEND_BUFFER, false, false, DELAY_CALL },
	};

	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++) {
		ends(state);
		begins(state);
		way.held = (struct held){ .released = held[i].released,
					  .since = 10 * MS,
					  .partial = held[i].partial,
					  .unacked = held[i].unacked };
		says(&(struct said){ .by = CLIENT, .at = 110, .flags = ACK, .payload = 5 });
		if (held[i].is == DELAYS)
			assert_null(delays_longest(delays));
		else
			longest_is(held[i].is, 100, 1, 0);
	}
}

/*
 * The delay of the application ends with the call that writes the answer, even if the answer then waits in
 * its socket.
 */
static void an_answer_waits_in_its_socket(void **state)
{
	(void)state;
	connects();
	asks(13);
	way.held = (struct held){ RELEASED_TIMER, .written = 33 * MS, .since = 34 * MS,
				  .partial = true };
	answers(0, 234);
	longest_is(DELAY_HELD, 200, 4, 0);
}

static void a_call_waits(void **state)
{
	(void)state;
	way.first_of_call = true;
	says(&(struct said){ .by = CLIENT, .udp = true, .at = 110, .called = 10, .payload = 5 });
	longest_is(DELAY_CALL, 100, 1, 0);
}

static void its_reader_waits(void **state)
{
	(void)state;
	connects();
	visit.awaited = true;
	asks(112);
	longest_is(DELAY_AWAITED, 100, 3, 0);
}

static void longest_says(const char *words)
{
	struct devices *devices = devices_new();
	char text[DELAY_LEN];

	assert_non_null(devices);
	words_delay(text, delays_longest(delays), devices);
	devices_free(devices);
	assert_string_equal(text, words);
}

/*
 * The events of --sched show how long the reader waited for a CPU. Test a wait that is most of the delay,
 * and one that is less than half of it.
 */
static void its_reader_has_no_cpu(void **state)
{
	(void)state;
	connects();
	visit.awaited = true;
	visit.waited =
		(struct waited){ .asleep = 40 * MS, .no_cpu = 60 * MS, .by = 5, .by_name = "busy" };
	asks(112);
	longest_is(DELAY_AWAITED, 100, 3, 0);
	longest_says(
		"#3: it was in the socket's queue; its reader waited 60.0 ms for a CPU, which busy-5 had");
	visit.waited.by = 0;
	asks(312);
	longest_is(DELAY_AWAITED, 300, 4, 0);
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
	longest_is(DELAY_CALL, 100, 1, 0);
	longest_says("#1: the call that sends it had begun, and waited 70.0 ms for a CPU");
	/* This packet is not the first one that the call sends. */
	way.first_of_call = false;
	way.waited.no_cpu = 300 * MS;
	says(&(struct said){ .by = CLIENT, .udp = true, .at = 510, .called = 10, .payload = 5 });
	longest_is(DELAY_CALL_NO_CPU, 300, 2, 0);
	longest_says("#2: the call that sends it had begun, and waited 300 ms for a CPU");
}

/*
 * While a call sleeps, it waits for something else, which is a delay of its own. So the sleep itself must
 * never be the longest delay.
 */
static void a_call_sleeps(void **state)
{
	(void)state;
	way.waited = (struct waited){ .asleep = 70 * MS };
	says(&(struct said){ .by = CLIENT, .udp = true, .at = 110, .called = 10, .payload = 5 });
	assert_null(delays_longest(delays));
}

static void a_function_works(void **state)
{
	static const struct name driver = { .text = "slow_xmit" };

	(void)state;
	worked = (struct worked){ &driver, 50 };
	says(&(struct said){ .by = CLIENT, .at = 10, .flags = ACK });
	longest_is(DELAY_WORK, 50, 1, 0);
	longest_says("#1: slow_xmit took it by itself: it worked for it, or was interrupted");
	worked = (struct worked){ &driver, 60, 40 };
	says(&(struct said){ .by = CLIENT, .at = 10, .flags = ACK });
	longest_says("#2: slow_xmit took it, and waited 40.0 ms for a CPU");
}

/*
 * Test two cases in which no delay may be reported: the answer arrives before the driver's function for the
 * request returns, or this function is not recorded.
 */
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
		assert_null(delays_longest(delays));
	}
}

/* The first data of the other machine are no answer: it sent them before it had the request. */
static void early_data_are_no_answer(void **state)
{
	struct said data = { SERVER, 20, 0, 0, 0, 0, ACK, 100, 10, 7, .dir = RECORD_SKB_DIR_RX };

	(void)state;
	connects();
	says(&(struct said){ CLIENT, 10, 0, 9, 0, 0, ACK, 10, 100, 5, .dir = RECORD_SKB_DIR_TX });
	says(&data);
	data.at = 311;
	data.seq = 107;
	data.ack = 15;
	says(&data);
	longest_is(DELAY_AWAY, 300, 3, 5);
}

/*
 * The server sends data twice, with a pause. It is not known if it worked or was idle. If the client has sent
 * data before, the server may have waited for them.
 */
static void a_server_pauses(void **state)
{
	const struct said more = { SERVER, 834, 0, 834, 0, 0, ACK, 107, 15, 7 };

	for (int i = 0; i < 2; i++) {
		ends(state);
		begins(state);
		connects();
		asks(13);
		answers(33, 34);
		if (i)
			asks(835);
		says(&more);
		if (i)
			assert_null(delays_pause(delays));
		else
			assert_int_equal(delays_pause(delays)->ns, 800 * MS);
	}
}

/*
 * The recording also has the server. So the time until its answer must not count as the time of another
 * machine.
 */
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
	assert_null(delays_longest(delays));
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
	longest_is(DELAY_NEIGHBOUR, 100, 1, 0);
}

/* The driver's queue was stopped, so the kernel put the packet back into the qdisc. */
static void it_is_put_back(void **state)
{
	(void)state;
	rests("sch_direct_xmit", false);
	longest_is(DELAY_QUEUE, 100, 1, 0);
}

/* Rows were lost while the packet waited, so it is unknown where it waited. */
static void where_it_waited_is_lost(void **state)
{
	(void)state;
	rests("__dev_queue_xmit", true);
	longest_is(DELAY_BETWEEN, 100, 1, 0);
}

static void stands_out(void **state)
{
	(void)state;
	assert_false(delays_stands_out(delays));
	connects();
	for (unsigned int i = 0; i < 10; i++) {
		way.longest.ns = 0;
		rests("__dev_queue_xmit", false);
	}
	/* No delay stands out, because all delays have the same duration. */
	assert_false(delays_stands_out(delays));
	way.longest.ns = 0;
	asks(3013);
	assert_true(delays_stands_out(delays));
}

#define test(name) cmocka_unit_test_setup_teardown(name, begins, ends)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(an_application_thinks),
		test(it_may_not_have_read),
		test(data_is_sent_without_a_call),
		test(a_reader_is_late),
		test(a_reply_goes_back),
		test(asking_is_no_delay),
		test(an_answer_goes_on),
		test(client_known_by_port),
		test(client_unknown),
		test(udp_client_pauses),
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
		test(early_data_are_no_answer),
		test(a_server_pauses),
		test(the_other_end_is_here),
		test(a_packet_waits),
		test(it_is_put_back),
		test(where_it_waited_is_lost),
		test(stands_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
