// SPDX-License-Identifier: GPL-2.0
/* answers_test.c - test which answer belongs to which request, for --assert and for the times of servers */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "err.h"
#include "input/lost_events.h"
#include "model/packet_headers.h"
#include "model/request_answers.h"
#include "model/servers.h"

enum { FROM_CLIENT, FROM_SERVER };

#define MS 1000000ull

static struct request_answers *answers;
static struct servers *servers;
static struct answered answered[16];
static unsigned int nr_answered;

static void note_answered(void *data, const struct answered *each)
{
	(void)data;
	answered[nr_answered++] = *each;
}

static int set_up(void **state)
{
	(void)state;
	nr_answered = 0;
	answers = request_answers_new(note_answered, NULL);
	servers = servers_new();
	servers_expect_answers(servers);
	return !answers || !servers;
}

static int tear_down(void **state)
{
	(void)state;
	request_answers_free(answers);
	servers_free(servers);
	return 0;
}

/* A packet at @ms. @message identifies an echo message or a datagram; 0 if it is not known. */
static void add_packet(struct flow flow, uint32_t number, uint64_t ms, bool from_server,
		       uint64_t message)
{
	struct copy copy = {
		.flow = flow,
		.first = ms * MS,
		.payload = flow.has_icmp ? -1 : 10,
		.message = message,
		.outcome.verdict = from_server ? VERDICT_DELIVERED : VERDICT_SENT,
	};
	struct copy *copies[] = { &copy };
	const struct packet packet = {
		.number = number,
		.flow_number = 1,
		.first = ms * MS,
		.last = ms * MS,
		.copies = copies,
		.nr_copies = 1,
		.decided = &copy,
	};

	copy.flow.family = FLOW_INET;
	copy.flow.saddr[0] = from_server ? 2 : 1;
	copy.flow.daddr[0] = from_server ? 1 : 2;
	request_answers_add(answers, &packet, true);
	servers_add(servers, &packet);
}

static void echo(uint32_t number, uint64_t ms, bool from_server, uint64_t message)
{
	const struct flow flow = {
		.proto = 1,
		.has_icmp = true,
		.icmp_type = from_server ? 0 : 8,
		.icmp_id = 7,
	};

	add_packet(flow, number, ms, from_server, message);
}

static void datagram(uint32_t number, uint64_t ms, bool from_server, uint64_t message)
{
	const struct flow flow = {
		.proto = PROTO_UDP,
		.sport = from_server ? 53 : 40000,
		.dport = from_server ? 40000 : 53,
	};

	add_packet(flow, number, ms, from_server, message);
}

static void note_asked(void *data, const struct asked *asked)
{
	*(uint32_t *)data = asked->packet;
}

/* Return: number of the first request that the summary reports as unanswered; 0 for none. */
static uint32_t unanswered_packet(void)
{
	uint32_t packet = 0;

	servers_unanswered(servers, note_asked, &packet);
	return packet;
}

static void expect_answered(unsigned int i, uint32_t request, uint32_t answer, uint64_t ms)
{
	assert_true(i < nr_answered);
	assert_int_equal(answered[i].request, request);
	assert_int_equal(answered[i].answer, answer);
	assert_int_equal(answered[i].least, ms * MS);
	assert_false(answered[i].may_go_on);
}

/* The first ping has no reply. The replies to the later pings do not answer it. */
static void test_lost_ping(void **state)
{
	const struct request_counts *counts;

	(void)state;
	echo(1, 1000, FROM_CLIENT, 1);
	echo(2, 2000, FROM_CLIENT, 2);
	echo(3, 2001, FROM_SERVER, 2);
	echo(4, 3000, FROM_CLIENT, 3);
	echo(5, 3001, FROM_SERVER, 3);
	counts = request_answers_end(answers);
	assert_int_equal(counts->requests, 3);
	assert_int_equal(counts->unanswered, 1);
	assert_int_equal(counts->first_unanswered, 1);
	assert_int_equal(counts->unknown, 0);
	assert_int_equal(nr_answered, 3);
	expect_answered(0, 2, 3, 1);
	expect_answered(1, 4, 5, 1);
	expect_answered(2, 1, 0, 0);
	assert_int_equal(servers_total(servers)->answers.nr, 2);
	assert_int_equal(servers_total(servers)->answers.max, 1 * MS);
	assert_int_equal(unanswered_packet(), 1);
}

/* Several pings are on their way, and the first reply comes twice. */
static void test_pings_in_flight(void **state)
{
	const struct request_counts *counts;

	(void)state;
	echo(1, 1000, FROM_CLIENT, 1);
	echo(2, 1200, FROM_CLIENT, 2);
	echo(3, 1300, FROM_SERVER, 1);
	echo(4, 1301, FROM_SERVER, 1);
	echo(5, 1500, FROM_SERVER, 2);
	counts = request_answers_end(answers);
	assert_int_equal(counts->unanswered, 0);
	assert_int_equal(nr_answered, 2);
	expect_answered(0, 1, 3, 300);
	expect_answered(1, 2, 5, 300);
	assert_int_equal(servers_total(servers)->answers.nr, 2);
	assert_int_equal(unanswered_packet(), 0);
}

/* Without the numbers, it is not known which ping was answered. */
static void test_pings_without_numbers(void **state)
{
	const struct request_counts *counts;

	(void)state;
	echo(1, 1000, FROM_CLIENT, 0);
	echo(2, 2000, FROM_CLIENT, 0);
	echo(3, 2001, FROM_SERVER, 0);
	counts = request_answers_end(answers);
	assert_int_equal(counts->unanswered, 0);
	assert_int_equal(counts->unknown, 1);
	assert_int_equal(nr_answered, 0);
	assert_int_equal(servers_total(servers)->answers.nr, 0);
	assert_int_equal(unanswered_packet(), 0);
}

/* A datagram that is sent again is the same request. */
static void test_repeated_datagram(void **state)
{
	const struct request_counts *counts;

	(void)state;
	datagram(1, 1000, FROM_CLIENT, 77);
	datagram(2, 2000, FROM_CLIENT, 77);
	datagram(3, 2001, FROM_SERVER, 78);
	counts = request_answers_end(answers);
	assert_int_equal(counts->unknown, 0);
	assert_int_equal(nr_answered, 1);
	expect_answered(0, 1, 3, 1001);
	assert_int_equal(servers_total(servers)->answers.max, 1001 * MS);
}

/* Two questions wait for an answer. It is not known which one is answered. */
static void test_different_datagrams(void **state)
{
	const struct request_counts *counts;

	(void)state;
	datagram(1, 1000, FROM_CLIENT, 77);
	datagram(2, 2000, FROM_CLIENT, 79);
	datagram(3, 2001, FROM_SERVER, 78);
	counts = request_answers_end(answers);
	assert_int_equal(counts->unknown, 1);
	assert_int_equal(counts->unanswered, 0);
	assert_int_equal(nr_answered, 0);
	assert_int_equal(servers_total(servers)->answers.nr, 0);
}

/* Rows were lost after the first request. They may have been its answer, and another request. */
static void test_losses(void **state)
{
	struct loss loss = { .from = 1100 * MS, .to = 1200 * MS };
	const struct lost_events losses = { .v = &loss, .n = 1, .longest = 100 * MS };

	(void)state;
	request_answers_set_losses(answers, &losses);
	servers_set_losses(servers, &losses);
	datagram(1, 1000, FROM_CLIENT, 77);
	datagram(2, 2000, FROM_SERVER, 78);
	datagram(3, 3000, FROM_CLIENT, 79);
	datagram(4, 3001, FROM_SERVER, 80);
	request_answers_end(answers);
	assert_int_equal(nr_answered, 2);
	assert_int_equal(answered[0].answer, 2);
	assert_int_equal(answered[0].least, 0);
	assert_true(answered[0].may_go_on);
	expect_answered(1, 3, 4, 1);
	assert_int_equal(servers_total(servers)->answers.nr, 1);
	assert_int_equal(servers_total(servers)->answers.max, 1 * MS);
}

static void test_losses_of_pings(void **state)
{
	struct loss loss = { .from = 1100 * MS, .to = 1200 * MS };
	const struct lost_events losses = { .v = &loss, .n = 1, .longest = 100 * MS };

	(void)state;
	request_answers_set_losses(answers, &losses);
	servers_set_losses(servers, &losses);
	echo(1, 1000, FROM_CLIENT, 1);
	echo(2, 2000, FROM_SERVER, 1);
	request_answers_end(answers);
	assert_int_equal(nr_answered, 1);
	assert_int_equal(answered[0].least, 0);
	assert_true(answered[0].may_go_on);
	assert_int_equal(servers_total(servers)->answers.nr, 0);
}

/* The numbers are read from the headers. */
static void test_message_numbers(void **state)
{
	static const uint8_t request[] = { 0x45, 0, 0, 32, 0, 0, 0, 0, 64, 1, 0, 0, 10, 0, 0, 1,
					   10,	 0, 0, 2,  8, 0, 0, 0, 0,  7, 1, 4, 0,	0, 0, 0 };
	static const uint8_t query[] = { 0x45, 0,  0, 32, 0, 0,	 0, 0, 64, 17,	 0,
					 0,    10, 0, 0,  1, 10, 0, 0, 2,  0x9c, 0x40,
					 0,    53, 0, 12, 0, 0,	 1, 2, 3,  4 };
	struct flow ping = { .family = FLOW_INET, .proto = 1, .has_icmp = true, .icmp_type = 8 };
	const struct flow dns = { .family = FLOW_INET, .proto = PROTO_UDP };

	(void)state;
	assert_int_equal(message_of(&ping, request, sizeof(request)), 1 + 0x104);
	assert_int_equal(message_of(&ping, request, 27), 0);
	assert_int_equal(message_of(&ping, NULL, 0), 0);
	ping.icmp_type = 3;
	assert_int_equal(message_of(&ping, request, sizeof(request)), 0);
	assert_int_not_equal(message_of(&dns, query, sizeof(query)), 0);
	assert_int_equal(message_of(&dns, query, sizeof(query) - 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lost_ping, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_pings_in_flight, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_pings_without_numbers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_repeated_datagram, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_different_datagrams, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_losses_of_pings, set_up, tear_down),
		cmocka_unit_test(test_message_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
