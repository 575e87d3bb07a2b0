// SPDX-License-Identifier: GPL-2.0
/* overview_test.c - test that the summary and --why count packets, and what the finding is */
#include <time.h>

#include "input/trace_marker.h"
#include "output/completeness.h"
#include "overview.h"
#include "output/tap_losses.h"
#include "output/why.h"

static struct happened *row_of(enum happened_rank rank)
{
	struct happened *const *rows;
	size_t n;

	rows = overview_happened(overview, &n);
	for (size_t i = 0; i < n; i++) {
		if (rows[i]->rank == rank)
			return rows[i];
	}
	return NULL;
}

static struct made *make_dropped_copies(uint32_t number)
{
	struct made *made = make(number, 1, FROM_CLIENT, TCP_ACK);

	made->packet.nr_copies = 3;
	for (unsigned int i = 1; i < 3; i++) {
		made->copies[i].outcome.verdict = VERDICT_DROPPED;
		made->copies[i].outcome.reason = "QDISC_DROP";
	}
	return made;
}

static void copies_count_as_one_packet(void **state)
{
	(void)state;
	add(make_dropped_copies(3));
	add(make_dropped_copies(4));
	overview_finish(overview, 1000, false);
	assert_int_equal(row_of(HAPPENED_COPY_DROPPED)->nr, 2);
	assert_int_equal(row_of(HAPPENED_CONSUMED)->nr, 2);
}

/*
 * Make a packet with a decision of a packet socket. @result says that the socket missed the packet, or that
 * this is unknown.
 */
static struct made *make_not_tapped(uint32_t number, struct decision *decision,
				    enum record_skb_tap result)
{
	struct made *made = make(number, 1, FROM_CLIENT, TCP_ACK);

	decision->facts.kind = RECORD_SKB_DECISION_TAP;
	decision->facts.result = result;
	decision->facts.number = 812;
	made->copies[0].path.decisions = (struct decisions){ decision, 1 };
	return made;
}

static void finding_names_packet_socket(void **state)
{
	static const struct chosen chosen = { .to = UINT64_MAX };
	static const struct ring_end end = { 0 };
	const struct recorded recorded = { .file = "trace.dat", .chosen = &chosen, .end = &end };
	struct found found;
	struct decision decision = { 0 };

	(void)state;
	add(make_not_tapped(3, &decision, RECORD_SKB_TAP_FULL));
	add(make_not_tapped(4, &decision, RECORD_SKB_TAP_FULL));
	add(make_not_tapped(5, &decision, RECORD_SKB_TAP_UNKNOWN));
	overview_finish(overview, 1000, false);
	summary_finding(overview, &recorded, packets, &found);
	assert_string_equal(
		found.text,
		"2 packets did not get to packet socket 812: its buffer was full (#3, tcp 2.0.0.0:80).");
	assert_string_equal(found.command, "trace-cmd report-skb --packet 3");
	assert_string_equal(found.see, "");
}

/* If only a copy of a packet was dropped, the finding must not say that nothing was dropped. */
static void finding_is_dropped_copy(void **state)
{
	(void)state;
	add(make_dropped_copies(3));
	assert_string_equal(
		finding_text(),
		"A copy of 1 of 1 packet (#3, tcp 2.0.0.0:80) was dropped, QDISC_DROP: the queueing "
		"discipline.");
}

/* If the end of a packet is not known, the packet may have been dropped. */
static void unknown_ends_may_be_drops(void **state)
{
	struct made *made = make(3, 1, FROM_CLIENT, TCP_ACK);

	(void)state;
	made->copies[0].outcome.verdict = VERDICT_UNKNOWN;
	add(made);
	assert_non_null(strstr(finding_text(), "As far as recorded, nothing was dropped"));
}

/*
 * The server sends data, nothing for 800 ms, and data again. The client sends nothing in between, so an
 * answer may have come after the pause.
 */
static void finding_names_a_pause(void **state)
{
	struct made *made;

	(void)state;
	add(make(1, 1, FROM_CLIENT, TCP_SYN));
	add(make(2, 1, FROM_SERVER, TCP_SYN | TCP_ACK));
	for (uint32_t number = 3; number <= 5; number++) {
		made = make(number, 1, number > 3 ? FROM_SERVER : FROM_CLIENT, TCP_ACK);
		made->copies[0].payload = made->copies[0].ack = 10;
		made->packet.first = number * 1000000 + (number == 5 ? 799000000 : 0);
		add(made);
	}
	assert_string_equal(
		finding_text(),
		"Nothing was dropped or refused, but no data of the server came for 800 ms (#4 -> #5): it "
		"may have worked or been idle.");
}

/* What the module did not record is a loss, even if no row shows it. */
static void module_losses_are_losses(void **state)
{
	struct module_losses losses = { 0 };
	char text[MODULE_LOSSES_LEN];

	(void)state;
	assert_false(module_losses_parse(&losses, "record_skb arguments: lost_flows=1"));
	assert_false(module_losses_parse(&losses, "lost_flows=1"));
	assert_true(module_losses_parse(&losses, "record_skb lost_flows=7232\n"));
	assert_string_equal(words_module_losses(text, &losses), "7232 flows forgotten");
	assert_true(module_losses_parse(
		&losses, "record_skb lost_tasks=3 lost_recursion=1 lost_tracked=2 lost_frames=4 "
			 "lost_functions=5 lost_new=6\n"));
	assert_string_equal(
		words_module_losses(text, &losses),
		"1 probe call not examined, 3 children of the command not followed, 2 packets forgotten "
		"before their end, 4 matches without a graph, 5 graphs may lack functions, 6 unknown losses");
	packets_set_module_losses(packets, losses);
	add(make(3, 1, FROM_CLIENT, TCP_ACK));
	assert_non_null(strstr(finding_text(), "As far as recorded, nothing was dropped"));
}

static void add_dropped(struct made *made, const char *reason)
{
	struct outcome *outcome = &made->copies[0].outcome;

	outcome->verdict = VERDICT_DROPPED;
	outcome->reason = reason;
	add(made);
}

/* Record two packets that are too big, and the ICMP error for the second one, which is dropped. */
static void add_black_hole(void)
{
	struct made *error = make_error(5, 1, 7);

	add_dropped(make(3, 1, FROM_CLIENT, TCP_ACK), "PKT_TOO_BIG");
	add_dropped(make(4, 1, FROM_CLIENT, TCP_ACK), "PKT_TOO_BIG");
	error->copies[0].flow.icmp_code = 4;
	add_dropped(error, "NETFILTER_DROP");
}

/* In a black hole, the dropped ICMP errors are the fault, and not the packets that are too big. */
static void finding_is_dropped_mtu_errors(void **state)
{
	const char *text;

	(void)state;
	add_black_hole();
	text = finding_text();
	assert_non_null(strstr(text, "#5"));
	assert_non_null(strstr(text, "NETFILTER_DROP"));
	assert_non_null(strstr(text, "does not learn the MTU of the way: 1 of 3 packets"));
}

/* If another error arrives, the sender learns the MTU, although one was dropped. */
static void one_mtu_error_is_enough(void **state)
{
	struct made *error = make_error(6, 1, 7);
	const char *text;

	(void)state;
	add_black_hole();
	error->copies[0].flow.icmp_code = 4;
	error->copies[0].outcome.verdict = VERDICT_CONSUMED;
	add(error);
	text = finding_text();
	assert_null(strstr(text, "does not learn"));
	assert_non_null(strstr(text, "PKT_TOO_BIG"));
}

static void unknown_taps_are_no_losses(void **state)
{
	struct decision decision = { 0 };

	(void)state;
	add(make_not_tapped(3, &decision, RECORD_SKB_TAP_UNKNOWN));
	overview_finish(overview, 1000, false);
	assert_null(row_of(HAPPENED_NOT_TAPPED));
}

static void tapped_is_not_delivered(void **state)
{
	struct made *tapped = make(3, 1, FROM_CLIENT, TCP_ACK);

	(void)state;
	tapped->copies[0].outcome.verdict = VERDICT_TAPPED;
	add(tapped);
	overview_finish(overview, 1000, false);
	assert_null(row_of(HAPPENED_DELIVERED));
	assert_int_equal(row_of(HAPPENED_TAPPED)->nr, 1);
}

/* --why */

static FILE *stdout_before;
static char *printed;

/* Collect the text that is printed from now on. */
static void begin_print(void)
{
	static size_t size;

	stdout_before = stdout;
	stdout = open_memstream(&printed, &size);
}

/* Return: the text that was printed since begin_print(); the caller must free it. */
static char *end_print(void)
{
	fclose(stdout);
	stdout = stdout_before;
	return printed;
}

static void why_counts_packets(void **state)
{
	const struct chosen chosen = { .to = UINT64_MAX };
	const struct why_options options = { .chosen = &chosen };
	struct why *why = why_new(&options, explanations, resets, &packets);
	char *text;

	(void)state;
	begin_print();
	for (uint32_t number = 7; number < 9; number++)
		why_output.packet(why, &make_dropped_copies(number)->packet);
	why_output.end(why);
	text = end_print();
	assert_non_null(strstr(text, "and 1 more: #8\n"));
	free(text);
	why_free(why);
}

/* Pass a reset that client 1:@port received. */
static void receive_reset(uint32_t number, uint16_t port)
{
	const struct moment at = { .ts = number, .pid = 1 };
	const struct skb_event event = {
		.pkt = number,
		.dir = RECORD_SKB_DIR_RX,
		.flow = { .family = FLOW_INET, .proto = PROTO_TCP, .sport = 80, .dport = port },
	};
	const struct name point = { .text = "ip_output" };
	const struct packet_seen seen = { .event = &event,
					  .facts.tcp_flags = TCP_RST,
					  .point = &point };

	resets_observer.packet(resets, &at, &seen);
}

/* resets.c remembers only the newest resets, but --why must print the first ones, too. */
static void why_keeps_resets(void **state)
{
	const struct chosen chosen = { .to = UINT64_MAX };
	const struct why_options options = { .chosen = &chosen };
	struct why *why = why_new(&options, explanations, resets, &packets);
	char *text;

	(void)state;
	begin_print();
	receive_reset(7, 40001);
	why_output.packet(why, &make(7, 1, FROM_SERVER, TCP_RST)->packet);
	for (uint32_t number = 8; number < 8 + 3 * 65536; number++)
		receive_reset(number, 40002);
	why_output.end(why);
	text = end_print();
	assert_non_null(strstr(text, "TCP reset\n    received; the recording does not show"));
	free(text);
	why_free(why);
}

/* Return: what --why prints about packet sockets; the caller must free it. */
static char *print_taps(const struct tap_losses *losses)
{
	begin_print();
	tap_losses_print(losses, false);
	return end_print();
}

static void why_counts_packet_sockets(void **state)
{
	struct decision decision = { 0 };
	struct tap_losses losses = { 0 };
	char *text;

	(void)state;
	tap_losses_add(&losses, &make_not_tapped(7, &decision, RECORD_SKB_TAP_LOST)->packet);
	for (uint32_t number = 8; number < 10; number++)
		tap_losses_add(&losses,
			       &make_not_tapped(number, &decision, RECORD_SKB_TAP_FULL)->packet);
	tap_losses_add(&losses, &make_not_tapped(10, &decision, RECORD_SKB_TAP_UNKNOWN)->packet);
	text = print_taps(&losses);
	assert_string_equal(
		text,
		"1 packet did not get to packet socket 812: the kernel does not tell why\n    #7\n"
		"2 packets did not get to packet socket 812: its buffer was full\n    #8 #9\n");
	free(text);
	tap_losses_free(&losses);
}

/*
 * A forged file can name another packet socket in each event. The time must not grow with the square of their
 * number.
 */
static void many_packet_sockets_take_little_time(void **state)
{
	enum { SOCKETS = 200000 };
	struct decision decision = { 0 };
	struct tap_losses losses = { 0 };
	struct made *made = make_not_tapped(7, &decision, RECORD_SKB_TAP_FULL);
	const clock_t begin = clock();
	char *text;

	(void)state;
	for (uint32_t number = 1; number <= SOCKETS; number++) {
		decision.facts.number = number;
		tap_losses_add(&losses, &made->packet);
	}
	text = print_taps(&losses);
	assert_non_null(strstr(text, "packet socket 200000: its buffer was full\n    #7\n"));
	assert_true(clock() - begin < 20 * CLOCKS_PER_SEC);
	free(text);
	tap_losses_free(&losses);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OVERVIEW_TEST(finding_is_dropped_copy),
		OVERVIEW_TEST(unknown_ends_may_be_drops),
		OVERVIEW_TEST(finding_names_a_pause),
		OVERVIEW_TEST(module_losses_are_losses),
		OVERVIEW_TEST(copies_count_as_one_packet),
		OVERVIEW_TEST(finding_names_packet_socket),
		OVERVIEW_TEST(finding_is_dropped_mtu_errors),
		OVERVIEW_TEST(one_mtu_error_is_enough),
		OVERVIEW_TEST(unknown_taps_are_no_losses),
		OVERVIEW_TEST(tapped_is_not_delivered),
		OVERVIEW_TEST(why_counts_packets),
		OVERVIEW_TEST(why_keeps_resets),
		OVERVIEW_TEST(why_counts_packet_sockets),
		OVERVIEW_TEST(many_packet_sockets_take_little_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
