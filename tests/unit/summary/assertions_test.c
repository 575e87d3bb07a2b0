// SPDX-License-Identifier: GPL-2.0
/*
 * assertions_test.c - test that an assertion passes only if the packets prove it, and that it is called false
 * only if they prove that
 */
#include "output/assertions.h"
#include "overview.h"

#define MS 1000000ull

static struct assertions *list;

/* Begin to check one assertion, which must outlive the test. */
static void check(const char *assertion)
{
	static const struct chosen chosen = { .to = UINT64_MAX };
	struct err err;

	list = NULL;
	assert_int_equal(assertions_add(&list, assertion, &err), 0);
	assert_int_equal(assertions_begin(list, &chosen, NULL, NULL, reads, explanations, &packets),
			 0);
}

/* A TCP packet that is sent at @ms. Without @bytes, it has no data. */
struct segment {
	uint32_t number, flow;
	bool from_server;
	uint8_t flags;
	unsigned int ms;
	uint32_t seq, ack;
	int32_t bytes;
};

static struct made *segment(const struct segment *segment)
{
	struct made *made =
		make(segment->number, segment->flow, segment->from_server, segment->flags);

	made->packet.first = made->packet.last = segment->ms * MS;
	made->copies[0].seq = segment->seq;
	made->copies[0].ack = segment->ack;
	made->copies[0].payload = segment->bytes;
	return made;
}

static void send(const struct segment *sent)
{
	assertions_output.packet(list, &segment(sent)->packet);
}

/* The client opens flow 1. It has sent the bytes up to 1, and the server those up to 1. */
static void connects(void)
{
	send(&(struct segment){ 1, 1, FROM_CLIENT, TCP_SYN, 0, 0, 0, 0 });
	send(&(struct segment){ 2, 1, FROM_SERVER, TCP_SYN | TCP_ACK, 1, 0, 1, 0 });
	send(&(struct segment){ 3, 1, FROM_CLIENT, TCP_ACK, 2, 1, 1, 0 });
}

static void asks(uint32_t number, unsigned int ms, uint32_t seq)
{
	send(&(struct segment){ number, 1, FROM_CLIENT, TCP_ACK, ms, seq, 1, 10 });
}

static void answers(uint32_t number, unsigned int ms, uint32_t ack)
{
	send(&(struct segment){ number, 1, FROM_SERVER, TCP_ACK, ms, number, ack, 10 });
}

static void server_closes(uint32_t number, unsigned int ms)
{
	send(&(struct segment){ number, 1, FROM_SERVER, TCP_ACK | TCP_FIN, ms, 500, 500, 0 });
}

/* End the recording. Return: what is printed about the assertion; "" if it passes. */
static const char *result(void)
{
	static char text[2048];
	FILE *terminal = stdout;

	memset(text, 0, sizeof(text));
	stdout = fmemopen(text, sizeof(text) - 1, "w");
	assertions_print(list, true);
	fclose(stdout);
	stdout = terminal;
	assertions_free(list);
	return text;
}

static void passes(void)
{
	assert_string_equal(result(), "");
}

static void says(const char *words)
{
	const char *text = result();

	if (!strstr(text, words))
		fail_msg("'%s' is not in '%s'", words, text);
}

static void nothing_is_judged_without_packets(void **state)
{
	static const char *const nothing[] = { "dropped == 0",		"reason[NO_SOCKET] < 5",
					       "verdict[unknown] == 0", "unanswered == 0",
					       "max(requests) < 1s",	"path !~ \"a\"" };

	(void)state;
	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
		check(nothing[i]);
		says("nothing to judge");
	}
	check("packets == 0");
	passes();
	check("flows == 0");
	passes();
}

static void an_unknown_packet_may_be_a_dropped_one(void **state)
{
	static const char *const unproven[] = { "dropped == 0", "dropped < 2",
						"reason[NO_SOCKET] == 0",
						"verdict[delivered] == 0" };
	static const char *const proven[] = { "dropped < 3", "dropped >= 0", "packets == 2",
					      "verdict[unknown] == 2" };
	struct made *made;

	(void)state;
	for (size_t i = 0; i < sizeof(unproven) / sizeof(unproven[0]); i++) {
		check(unproven[i]);
		for (uint32_t number = 1; number <= 2; number++) {
			made = make(number, 1, FROM_CLIENT, TCP_SYN);
			made->copies[0].outcome.verdict = VERDICT_UNKNOWN;
			assertions_output.packet(list, &made->packet);
		}
		says("the verdict of 2 packets");
	}
	for (size_t i = 0; i < sizeof(proven) / sizeof(proven[0]); i++) {
		check(proven[i]);
		for (uint32_t number = 1; number <= 2; number++) {
			made = make(number, 1, FROM_CLIENT, TCP_SYN);
			made->copies[0].outcome.verdict = VERDICT_UNKNOWN;
			assertions_output.packet(list, &made->packet);
		}
		passes();
	}
}

/* A SYN that was freed without an answer is "possibly dropped". */
static void a_freed_syn_may_be_a_dropped_one(void **state)
{
	struct made *made = make(1, 1, FROM_CLIENT, TCP_SYN);

	(void)state;
	made->copies[0].outcome.verdict = VERDICT_FREED;
	made->copies[0].tcp_flags_now = TCP_SYN;
	check("dropped == 0");
	assertions_output.packet(list, &made->packet);
	says("the verdict of 1 packet");
	made->packet.answered = true;
	check("dropped == 0");
	assertions_output.packet(list, &made->packet);
	passes();
}

static void an_older_connection_has_unknown_requests(void **state)
{
	static const char *const unproven[] = { "unanswered == 0", "max(requests) < 1s" };

	(void)state;
	for (size_t i = 0; i < sizeof(unproven) / sizeof(unproven[0]); i++) {
		check(unproven[i]);
		asks(3, 3, 1);
		answers(4, 4, 11);
		says("the client of a connection");
	}
}

/* An echo request with its reply does not prove the requests of an older connection. */
static void an_older_connection_beside_others(void **state)
{
	(void)state;
	check("unanswered == 0");
	connects();
	asks(4, 3, 1);
	answers(5, 4, 11);
	send(&(struct segment){ 6, 2, FROM_CLIENT, TCP_ACK, 5, 1, 1, 10 });
	says("the client of a connection");
}

static void a_syn_is_a_request(void **state)
{
	(void)state;
	check("unanswered == 0");
	connects();
	send(&(struct segment){ 4, 2, FROM_CLIENT, TCP_SYN, 5, 0, 0, 0 });
	says("it is 1; the first is #4");
	check("unanswered == 0");
	connects();
	passes();
	/* The server refuses the connection. */
	check("unanswered == 0");
	send(&(struct segment){ 1, 1, FROM_CLIENT, TCP_SYN, 0, 0, 0, 0 });
	send(&(struct segment){ 2, 1, FROM_SERVER, TCP_RST | TCP_ACK, 1, 0, 1, 0 });
	passes();
}

/* The filter does not match the SYN-ACK, or it takes another way. */
static void an_answer_is_not_recorded(void **state)
{
	(void)state;
	check("unanswered == 0");
	connects();
	send(&(struct segment){ 4, 2, FROM_CLIENT, TCP_SYN, 5, 0, 0, 0 });
	send(&(struct segment){ 5, 2, FROM_CLIENT, TCP_ACK, 6, 1, 1, 0 });
	send(&(struct segment){ 6, 2, FROM_CLIENT, TCP_ACK, 7, 1, 1, 10 });
	says("not known");
}

/* TLS ends a connection with data (close_notify) that needs no answer. */
static void a_fin_ends_the_wait(void **state)
{
	static const char *const proven[] = { "unanswered == 0", "max(requests) == 2ms" };

	(void)state;
	for (size_t i = 0; i < sizeof(proven) / sizeof(proven[0]); i++) {
		check(proven[i]);
		connects();
		asks(4, 3, 1);
		answers(5, 5, 11);
		asks(6, 7, 11);
		server_closes(7, 9);
		asks(8, 10, 21);
		passes();
	}
}

/* The server sends a session ticket after 2 ms, and the response after 800 ms. */
static void an_answer_comes_in_parts(void **state)
{
	static const struct {
		const char *assertion, *says;
	} cases[] = {
		{ "max(requests) < 50ms", "not known" },
		{ "p99(requests) > 50ms", "not known" },
		{ "mean(requests) < 50ms", "not known" },
		{ "median(requests) == 2ms", "not known" },
		{ "max(requests) < 1ms", "1 of 1 time is not" },
		{ "max(requests) > 900ms", "1 of 1 time is not" },
		{ "max(requests) < 801ms", NULL },
		{ "min(requests) >= 2ms", NULL },
		{ "mean(requests) < 801ms", NULL },
		{ "unanswered == 0", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		check(cases[i].assertion);
		connects();
		asks(4, 3, 1);
		answers(5, 5, 11);
		answers(6, 803, 11);
		server_closes(7, 804);
		if (cases[i].says)
			says(cases[i].says);
		else
			passes();
	}
}

/* The client's next data end the answer. */
static void the_next_request_ends_an_answer(void **state)
{
	(void)state;
	check("max(requests) <= 2ms");
	connects();
	asks(4, 3, 1);
	answers(5, 5, 11);
	asks(6, 900, 11);
	answers(7, 901, 21);
	server_closes(8, 902);
	passes();
}

/* The connection is open when the recording ends, so the answer may go on. */
static void an_answer_may_go_on(void **state)
{
	(void)state;
	check("max(requests) < 50ms");
	connects();
	asks(4, 3, 1);
	answers(5, 5, 11);
	says("not known");
	check("max(requests) > 1ms");
	connects();
	asks(4, 3, 1);
	answers(5, 5, 11);
	passes();
}

/* The server sent its data before it had the request. */
static void data_without_the_request_are_no_answer(void **state)
{
	static const char *const assertions[] = { "max(requests) < 50ms", "unanswered == 0" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		check(assertions[i]);
		connects();
		asks(4, 3, 1);
		answers(5, 4, 1);
		says(i ? "it is 1; the first is #4" : "had not ended");
	}
	check("min(requests) >= 700ms");
	connects();
	asks(4, 3, 1);
	answers(5, 4, 1);
	answers(6, 703, 11);
	server_closes(7, 704);
	passes();
}

/* The module did not follow a child of the command, so packets may be missing. */
static void module_losses_prove_nothing(void **state)
{
	static const struct module_losses tasks = { .tasks = 1 }, graphs = { .graphs = 1 };

	(void)state;
	check("dropped == 0");
	connects();
	packets_set_module_losses(packets, tasks);
	says("lost entries");
	check("max(stack) < 1s");
	connects();
	packets_set_module_losses(packets, graphs);
	says("lost entries or calls");
	check("dropped == 0");
	connects();
	passes();
}

/* Send a packet that passed these devices. */
static void passes_devices(uint32_t number, bool incomplete, const char *const *names,
			   unsigned int nr)
{
	struct devices *devices = (struct devices *)packets_devices(packets);
	struct made *made = make(number, 1, FROM_CLIENT, TCP_ACK);
	struct hop hops[4];

	for (unsigned int i = 0; i < nr; i++)
		hops[i] = (struct hop){ .device = devices_add(devices, names[i], 1) };
	made->packet.incomplete = incomplete;
	made->copies[0].path.hops = hops;
	made->copies[0].path.n = nr;
	assertions_output.packet(list, &made->packet);
}

/*
 * Packet 1 passed left and right. If rows were lost, it may have passed other devices before, between and
 * after them.
 */
static void lost_rows_hide_devices(void **state)
{
	static const char *const names[] = { "left", "right" };
	static const struct {
		const char *assertion, *complete, *incomplete;
	} cases[] = {
		{ "path ~ \"left > right\"", NULL, "true in the recording, but" },
		{ "path !~ \"left > right\"", "1 of 1 packet has", "false in the recording, but" },
		{ "path ~ \"left > middle\"", "0 of 1 packet have", "false in the recording, but" },
		{ "path !~ \"left > middle\"", NULL, "true in the recording, but" },
		{ "path ~ \"left\"", NULL, NULL },
		{ "path !~ \"left\"", "1 of 1 packet has", "1 of 1 packet has" },
		{ "path ~ \"middle\"", "0 of 1 packet have", "false in the recording, but" },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const wanted = i % 2 ? cases[i / 2].incomplete : cases[i / 2].complete;

		check(cases[i / 2].assertion);
		passes_devices(1, i % 2, names, 2);
		if (wanted)
			says(wanted);
		else
			passes();
	}
}

/* Packet 1 proves that a packet has the path. The devices of packet 2 are not all known. */
static void one_packet_proves_a_path(void **state)
{
	static const char *const names[] = { "left", "right" };

	(void)state;
	check("path !~ \"left > right\"");
	passes_devices(1, false, names, 2);
	passes_devices(2, true, names, 1);
	says("1 of 2 packets has this path, and 1 may have it; the first is #1");
	check("path ~ \"left > right\"");
	passes_devices(1, true, names, 2);
	passes_devices(2, false, names, 1);
	says("0 of 2 packets have this path, and 1 may have it; the first without it is #2");
}

/* The module did not examine a call of a probe point. */
static void a_missed_probe_hides_a_device(void **state)
{
	static const char *const names[] = { "left", "right" };
	static const struct module_losses probes = { .probes = 1 };

	(void)state;
	check("path !~ \"left > right\"");
	passes_devices(1, false, names, 2);
	packets_set_module_losses(packets, probes);
	says("false in the recording, but");
}

/* A packet is in the queue of its socket at the end. If earlier bytes may be missing, no program was late. */
static void unread_packet_behind_a_hole(void **state)
{
	struct made *made = make(3, 1, FROM_CLIENT, TCP_ACK);

	(void)state;
	made->copies[0].outcome.verdict = VERDICT_DELIVERED;
	made->copies[0].tracked = true;
	check("max(socket queue -> reader) < 1s");
	assertions_output.packet(list, &made->packet);
	says("had not ended");
	visits[0].in_order = 0;
	check("max(socket queue -> reader) < 1s");
	assertions_output.packet(list, &made->packet);
	visits[0].in_order = 5;
	says("nothing to judge");
}

/* A packet takes 100 ms from host 0 to host 1, and waits 50 ms of this time. */
static void clocks_of_hosts_have_errors(void **state)
{
	static const struct {
		const char *assertion;
		uint64_t error;
		const char *says;
	} cases[] = {
		{ "max(packets) < 90ms", 5 * MS, "the longest is #1 with 95.0 ms to 105 ms" },
		{ "max(packets) < 102ms", 5 * MS, "the error of the hosts' clocks is ± " },
		{ "max(packets) < 106ms", 5 * MS, NULL },
		{ "max(packets) < 106ms", CLOCK_ERROR_UNKNOWN, "clocks is not known" },
		{ "max(waiting) < 52ms", 5 * MS, "the error of the hosts' clocks is ± " },
		{ "max(waiting) < 56ms", 5 * MS, NULL },
		{ "max(waiting) > 1ms", CLOCK_ERROR_UNKNOWN, "clocks is not known" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const uint64_t error = cases[i].error;
		struct made *made = make(1, 1, FROM_CLIENT, TCP_ACK);

		hosts_set_clock_error(1, error);
		made->packet.first = MS;
		made->packet.last = 101 * MS;
		made->packet.last_host = 1;
		made->packet.wait_ns = 50 * MS;
		made->packet.wait_error = error == CLOCK_ERROR_UNKNOWN ? WAIT_ERROR_UNKNOWN : error;
		check(cases[i].assertion);
		assertions_output.packet(list, &made->packet);
		if (cases[i].says)
			says(cases[i].says);
		else
			passes();
	}
	hosts_set_clock_error(1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OVERVIEW_TEST(nothing_is_judged_without_packets),
		OVERVIEW_TEST(an_unknown_packet_may_be_a_dropped_one),
		OVERVIEW_TEST(a_freed_syn_may_be_a_dropped_one),
		OVERVIEW_TEST(an_older_connection_has_unknown_requests),
		OVERVIEW_TEST(an_older_connection_beside_others),
		OVERVIEW_TEST(a_syn_is_a_request),
		OVERVIEW_TEST(an_answer_is_not_recorded),
		OVERVIEW_TEST(a_fin_ends_the_wait),
		OVERVIEW_TEST(an_answer_comes_in_parts),
		OVERVIEW_TEST(the_next_request_ends_an_answer),
		OVERVIEW_TEST(an_answer_may_go_on),
		OVERVIEW_TEST(data_without_the_request_are_no_answer),
		OVERVIEW_TEST(module_losses_prove_nothing),
		OVERVIEW_TEST(lost_rows_hide_devices),
		OVERVIEW_TEST(one_packet_proves_a_path),
		OVERVIEW_TEST(a_missed_probe_hides_a_device),
		OVERVIEW_TEST(unread_packet_behind_a_hole),
		OVERVIEW_TEST(clocks_of_hosts_have_errors),
	};

	return cmocka_run_group_tests_name("assertions", tests, NULL, NULL);
}
