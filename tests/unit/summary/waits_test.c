// SPDX-License-Identifier: GPL-2.0
/* waits_test.c - test that a wait at the end of a recording is reported only if the recording proves it */
#include "model/arguments.h"
#include "overview.h"

/* Return: the only wait, or NULL if there is none. */
static const struct open_wait *only_wait(void)
{
	struct open_wait *const *waits;
	size_t n;

	overview_finish(overview, 1000, false);
	waits = overview_open(overview, &n);
	assert_in_range(n, 0, 1);
	return n ? waits[0] : NULL;
}

static void add_answered_flow(void)
{
	add(make(1, 9, FROM_CLIENT, TCP_SYN));
	add(make(2, 9, FROM_SERVER, TCP_SYN | TCP_ACK));
}

static void unselected_packets_answer(void **state)
{
	(void)state;
	add_answered_flow();
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	overview_add_other(overview, &make(4, 1, FROM_SERVER, TCP_SYN | TCP_ACK)->packet);
	add(make(5, 2, FROM_CLIENT, TCP_SYN));
	overview_add_other(overview, &make(6, 2, FROM_CLIENT, TCP_RST)->packet);
	assert_null(only_wait());
}

static void silence_is_a_wait(void **state)
{
	(void)state;
	add_answered_flow();
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	assert_int_equal(only_wait()->packet, 3);
}

/*
 * The recording has only requests. The answers may exist, but not match the filter, so no wait may be
 * reported.
 */
static void one_direction_shows_no_wait(void **state)
{
	(void)state;
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	add(make(4, 2, FROM_CLIENT, TCP_SYN));
	assert_null(only_wait());
}

/* If the module has given up flows, the answer may have the number of another flow. */
static void lost_flows_show_no_wait(void **state)
{
	(void)state;
	overview_expect_answers(overview);
	overview_lose_flows(overview);
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	assert_null(only_wait());
}

/* The answer belongs to the first of two requests that follow each other, and takes its time from there. */
static void time_of_answer_begins_with_first_request(void **state)
{
	struct made *first = make(3, 1, FROM_CLIENT, TCP_ACK),
		    *second = make(4, 1, FROM_CLIENT, TCP_ACK);
	struct made *answer = make(5, 1, FROM_SERVER, TCP_ACK);
	struct server *const *servers;
	size_t n;

	(void)state;
	first->copies[0].payload = second->copies[0].payload = answer->copies[0].payload = 10;
	answer->copies[0].ack = 10;
	first->packet.first = 100;
	second->packet.first = 900;
	answer->packet.first = 1000;
	add(first);
	add(second);
	add(answer);
	overview_finish(overview, 2000, false);
	servers = overview_servers(overview, &n);
	assert_int_equal(n, 1);
	assert_int_equal(servers[0]->answers.nr, 1);
	assert_int_equal(histogram_percentile(&servers[0]->answers, 50), 900);
}

/* If the arguments of record-skb match the answers, too, their lack is a wait. */
static void expected_answers_show_wait(void **state)
{
	(void)state;
	overview_expect_answers(overview);
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	assert_int_equal(only_wait()->packet, 3);
}

/*
 * If the filter may leave out answers, as "-i eth0" does, answers of one server do not show that those of
 * another would be recorded.
 */
static void answers_of_another_server_show_no_wait(void **state)
{
	struct made *asked = make(3, 2, FROM_CLIENT, TCP_SYN);

	(void)state;
	overview_doubt_answers(overview);
	add(make(1, 1, FROM_CLIENT, TCP_SYN));
	add(make(2, 1, FROM_SERVER, TCP_SYN | TCP_ACK));
	asked->copies[0].flow.daddr[0] = 7;
	add(asked);
	assert_null(only_wait());
}

/* Another packet of the same server shows it. */
static void packets_of_server_show_wait(void **state)
{
	(void)state;
	overview_doubt_answers(overview);
	add(make(1, 1, FROM_CLIENT, TCP_SYN));
	add(make(2, 1, FROM_SERVER, TCP_SYN | TCP_ACK));
	add(make(3, 2, FROM_CLIENT, TCP_SYN));
	assert_int_equal(only_wait()->packet, 3);
}

/* The module counts packets that it did not record. They may be the answers. */
static void losses_of_module_show_no_wait(void **state)
{
	(void)state;
	overview_expect_answers(overview);
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	packets_set_module_losses(packets, (struct module_losses){ .packets = 1 });
	assert_null(only_wait());
}

/* Answers of another protocol do not show that the recording has the answers to SYNs. */
static void other_protocol_shows_no_wait(void **state)
{
	struct made *query = make(1, 9, FROM_CLIENT, 0), *answer = make(2, 9, FROM_SERVER, 0);

	(void)state;
	query->copies[0].flow.proto = answer->copies[0].flow.proto = PROTO_UDP;
	add(query);
	add(answer);
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	assert_null(only_wait());
}

static void arguments_show_direction(void **state)
{
	static const char *const both[] = {
		"",
		"-p 9000",
		"-p 9000 -- ping host",
		"-- nc -i 1 src",
		"--detail=path 'tcp and port 80'",
		"host 10.0.0.1 and not port 22",
		"-o a.dat --why -- sh -c 'a[1]=2'",
	};
	static const char *const one[] = {
		"-i eth0",
		"--direction rx",
		"--netns R -p 80",
		"dst port 80",
		"'tcp[tcpflags] == tcp-syn'",
		"--where 'mark & 1'",
		"--sport 80",
		"'icmp[0]=8 or tcp port 80'",
		"-p 1 ...",
	};

	(void)state;
	assert_false(arguments_match_answers(NULL));
	for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++)
		assert_true(arguments_match_answers(both[i]));
	for (size_t i = 0; i < sizeof(one) / sizeof(one[0]); i++)
		assert_false(arguments_match_answers(one[i]));
}

static void unselected_packets_show_both_directions(void **state)
{
	(void)state;
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	overview_add_other(overview, &make(4, 2, FROM_CLIENT, TCP_SYN)->packet);
	overview_add_other(overview, &make(5, 2, FROM_SERVER, TCP_SYN | TCP_ACK)->packet);
	assert_int_equal(only_wait()->packet, 3);
}

/*
 * The recording has requests to one server and answers of another server, as with --direction rx on a host
 * that is both a server and a client. It has no flow in both directions, so no wait may be reported.
 */
static void answers_of_others_show_no_wait(void **state)
{
	(void)state;
	add(make(3, 1, FROM_SERVER, TCP_SYN | TCP_ACK));
	add(make(4, 2, FROM_CLIENT, TCP_SYN));
	overview_add_other(overview, &make(5, 3, FROM_SERVER, TCP_SYN | TCP_ACK)->packet);
	assert_null(only_wait());
}

/*
 * The client acknowledges an answer that the recording does not have. So other answers may be missing, too.
 */
static void acknowledgements_show_answers(void **state)
{
	(void)state;
	add_answered_flow();
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	add(make(4, 1, FROM_CLIENT, TCP_ACK));
	add(make(5, 2, FROM_CLIENT, TCP_SYN));
	assert_null(only_wait());
}

static struct made *make_data(uint32_t number, bool from_server)
{
	struct made *made = make(number, 1, from_server, TCP_ACK);

	made->copies[0].payload = 10;
	made->copies[0].ack = from_server ? 10 : 0;
	return made;
}

/* Add a connection with a request and its answer. */
static void add_exchange(void)
{
	add(make(1, 1, FROM_CLIENT, TCP_SYN));
	add(make(2, 1, FROM_SERVER, TCP_SYN | TCP_ACK));
	add(make_data(3, FROM_CLIENT));
	add(make_data(4, FROM_SERVER));
}

/* The server has sent its data before it had the request, so the request still waits. */
static void early_data_are_no_answer(void **state)
{
	struct made *early = make_data(4, FROM_SERVER), *again = make_data(5, FROM_SERVER);
	struct server *const *servers;
	size_t n;

	(void)state;
	add(make(1, 1, FROM_CLIENT, TCP_SYN));
	add(make(2, 1, FROM_SERVER, TCP_SYN | TCP_ACK));
	add(make_data(3, FROM_CLIENT));
	early->copies[0].ack = 1;
	add(early);
	/* These data are sent again, now with another acknowledgement. */
	again->copies[0].again = true;
	add(again);
	add(make_data(6, FROM_SERVER));
	overview_finish(overview, 1000, false);
	servers = overview_servers(overview, &n);
	assert_int_equal(servers[0]->answers.nr, 1);
	assert_int_equal(histogram_percentile(&servers[0]->answers, 50), 30);
}

/* The server answers the first request before it has the second one, and that one waits. */
static void the_last_request_waits(void **state)
{
	struct made *second;

	(void)state;
	add_exchange();
	second = make_data(5, FROM_CLIENT);
	second->copies[0].seq = 10;
	add(second);
	add(make_data(6, FROM_SERVER));
	assert_int_equal(only_wait()->packet, 5);
}

/* After the server has closed the connection, TLS of the client still sends data. No answer can follow. */
static void closed_servers_do_not_answer(void **state)
{
	(void)state;
	add_exchange();
	add(make(5, 1, FROM_SERVER, TCP_FIN | TCP_ACK));
	add(make_data(6, FROM_CLIENT));
	assert_null(only_wait());
}

static void errors_of_the_client_are_no_answers(void **state)
{
	(void)state;
	add_answered_flow();
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	add(make_error(4, 1, 1));
	assert_int_equal(only_wait()->packet, 3);
}

static void errors_of_a_router_are_answers(void **state)
{
	(void)state;
	add_answered_flow();
	add(make(3, 1, FROM_CLIENT, TCP_SYN));
	add(make_error(4, 1, 7));
	assert_null(only_wait());
}

/* Add a packet that no program has read. */
static enum open_kind unread_kind(uint16_t sport, uint16_t dport)
{
	struct made *made = make(3, 1, FROM_CLIENT, TCP_ACK);
	struct copy *copy = &made->copies[0];

	copy->flow.sport = copy->flow_now.sport = sport;
	copy->flow.dport = copy->flow_now.dport = dport;
	copy->outcome.verdict = VERDICT_DELIVERED;
	copy->tracked = true;
	add(made);
	return only_wait()->kind;
}

static void a_known_server_does_not_read(void **state)
{
	(void)state;
	assert_int_equal(unread_kind(40000, 80), OPEN_UNREAD_BY_SERVER);
}

static void a_client_does_not_read(void **state)
{
	(void)state;
	assert_int_equal(unread_kind(80, 40000), OPEN_UNREAD_BY_CLIENT);
}

/* If it is not known which end is the server, the reader may be either end. */
static void an_unknown_end_does_not_read(void **state)
{
	(void)state;
	assert_int_equal(unread_kind(40000, 40001), OPEN_UNREAD);
}

/* Some data need no answer, so the finding must not call them a request. */
static void data_are_no_request(void **state)
{
	(void)state;
	add_exchange();
	add(make_data(5, FROM_CLIENT));
	assert_string_equal(finding_text(),
			    "tcp 2.0.0.0:80 did not answer the last data of 1 connection until the "
			    "end, at least 1000 ms long (#5).");
}

/*
 * A task receives from port 80. It must not be blamed for a full queue of another namespace or of another
 * address.
 */
static void tasks_read_in_their_namespace(void **state)
{
	struct readers *readers = readers_create();
	const struct moment at = { .ts = 1, .pid = 812, .comm = "nginx" };
	struct skb_event call = {
		.dir = RECORD_SKB_DIR_RX,
		.netns = 7,
		.flow = { .family = FLOW_INET, .proto = PROTO_TCP, .sport = 80 },
	};
	struct limited limited = {
		.proto = PROTO_TCP, .port = 80, .dport = 80, .netns = 7, .address = { 10 }
	};

	(void)state;
	readers_add(readers, &at, &call);
	assert_int_equal(readers_find(readers, &limited, false)->pid, 812);
	limited.netns = 8;
	assert_null(readers_find(readers, &limited, false));
	limited.netns = 0;
	assert_null(readers_find(readers, &limited, false));
	limited.netns = 7;
	call.flow.saddr[0] = 10;
	readers_add(readers, &at, &call);
	assert_int_equal(readers_find(readers, &limited, false)->pid, 812);
	limited.address[0] = 11;
	assert_null(readers_find(readers, &limited, false));
	readers_free(readers);
}

/*
 * If other sockets may have the port, a task is known only for a connection from which it has received. A
 * task that reads from connections does not accept them.
 */
static void tasks_read_from_their_connections(void **state)
{
	struct readers *readers = readers_create();
	const struct moment at = { .ts = 1, .pid = 812, .comm = "nginx" };
	const struct moment other = { .ts = 1, .pid = 813, .comm = "client" };
	struct skb_event call = {
		.dir = RECORD_SKB_DIR_RX,
		.netns = 7,
		.flow_number = 3,
		.flow = { .family = FLOW_INET, .proto = PROTO_TCP, .sport = 80, .dport = 5000 },
	};
	struct limited limited = {
		.proto = PROTO_TCP,
		.port = 80,
		.dport = 80,
		.netns = 7,
		.flow = 3,
	};

	(void)state;
	readers_add(readers, &at, &call);
	assert_null(readers_find(readers, &limited, false));
	assert_int_equal(readers_find(readers, &limited, true)->pid, 812);
	limited.flow = 4;
	assert_null(readers_find(readers, &limited, true));
	limited.flow = 0;
	assert_null(readers_find(readers, &limited, true));
	limited.flow = 3;
	call.flow.sport = 5000;
	call.flow.dport = 80;
	readers_add(readers, &other, &call);
	assert_int_equal(readers_find(readers, &limited, true)->pid, 812);
	limited.dport = 5000;
	assert_int_equal(readers_find(readers, &limited, true)->pid, 813);
	limited.dport = 80;
	call.flow.sport = 80;
	call.flow.dport = 0;
	call.flow_number = 0;
	readers_add(readers, &other, &call);
	assert_int_equal(readers_find(readers, &limited, false)->pid, 813);
	readers_free(readers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OVERVIEW_TEST(unselected_packets_answer),
		OVERVIEW_TEST(silence_is_a_wait),
		OVERVIEW_TEST(one_direction_shows_no_wait),
		OVERVIEW_TEST(lost_flows_show_no_wait),
		OVERVIEW_TEST(time_of_answer_begins_with_first_request),
		OVERVIEW_TEST(expected_answers_show_wait),
		OVERVIEW_TEST(other_protocol_shows_no_wait),
		OVERVIEW_TEST(answers_of_another_server_show_no_wait),
		OVERVIEW_TEST(packets_of_server_show_wait),
		OVERVIEW_TEST(losses_of_module_show_no_wait),
		cmocka_unit_test(arguments_show_direction),
		OVERVIEW_TEST(unselected_packets_show_both_directions),
		OVERVIEW_TEST(answers_of_others_show_no_wait),
		OVERVIEW_TEST(acknowledgements_show_answers),
		OVERVIEW_TEST(early_data_are_no_answer),
		OVERVIEW_TEST(the_last_request_waits),
		OVERVIEW_TEST(closed_servers_do_not_answer),
		OVERVIEW_TEST(data_are_no_request),
		OVERVIEW_TEST(errors_of_the_client_are_no_answers),
		OVERVIEW_TEST(errors_of_a_router_are_answers),
		OVERVIEW_TEST(a_known_server_does_not_read),
		OVERVIEW_TEST(a_client_does_not_read),
		OVERVIEW_TEST(an_unknown_end_does_not_read),
		OVERVIEW_TEST(tasks_read_in_their_namespace),
		OVERVIEW_TEST(tasks_read_from_their_connections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
