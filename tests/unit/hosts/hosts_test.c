// SPDX-License-Identifier: GPL-2.0
/* hosts_test.c - test which packets of several hosts are joined, and which must not be */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "clocks_test.h"
#include "model/arguments.h"
#include "net.h"

static void changed_on_the_way(void **state)
{
	struct net *net = *state;
	struct made made = { .number = 7, .id = 9, .ttl = 64 };

	synchronize(net);
	leaves(net, CLIENT, 50 * SECOND, 7, udp(&made));
	made.ttl = 63, made.tos = 0xb8;
	comes(net, SERVER, 50 * SECOND + 100000, 7, udp(&made));
	join(net);
	assert_int_equal(last(net, CLIENT), last(net, SERVER));
	assert_int_equal(net->join.counts.joined, 41);
}

static void of_two_that_fit_neither(void **state)
{
	struct net *net = *state;
	struct made made = { .number = 7 };

	synchronize(net);
	leaves(net, CLIENT, 50 * SECOND, 7, udp(&made));
	leaves(net, CLIENT, 51 * SECOND, 7, udp(&made));
	comes(net, SERVER, 51 * SECOND + 100000, 7, udp(&made));
	join(net);
	assert_int_equal(net->join.counts.unclear, 1);
	assert_int_equal(net->join.counts.joined, 40);
	assert_int_not_equal(last(net, CLIENT), last(net, SERVER));
	assert_int_equal(net->join.counts.gone, 0);
}

static void other_payload(void **state)
{
	struct net *net = *state;
	struct made made = { .number = 7, .id = 9, .sum = 0x1234 };

	synchronize(net);
	leaves(net, CLIENT, 50 * SECOND, 7, udp(&made));
	made.sum = 0x1235;
	comes(net, SERVER, 50 * SECOND + 100000, 8, udp(&made));
	join(net);
	assert_int_equal(net->join.counts.joined, 40);
	assert_int_not_equal(last(net, CLIENT), last(net, SERVER));
}

/*
 * If the network card computes the checksum, the recorded packet contains only the sum of the pseudo
 * header: 10.9.0.1, 10.8.0.2, UDP and 12 bytes.
 */
static void checksum_by_the_card(void **state)
{
	struct net *net = *state;
	struct made made = {
		.number = 7, .id = 9, .nat = 9, .sum = 0x0a09 + 1 + 0x0a08 + 2 + 17 + 12
	};
	struct wire_key key;

	synchronize(net);
	key = udp(&made);
	assert_false(key.has_sum);
	leaves(net, CLIENT, 50 * SECOND, 7, key);
	made.sum = 0x1235;
	comes(net, SERVER, 50 * SECOND + 100000, 7, udp(&made));
	join(net);
	assert_int_equal(last(net, CLIENT), last(net, SERVER));
}

static void duplicate(void **state)
{
	struct net *net = *state;
	struct made made = { .number = 7, .id = 9 };
	const struct departure *departure;

	synchronize(net);
	leaves(net, CLIENT, 50 * SECOND, 7, udp(&made));
	comes(net, SERVER, 50 * SECOND + 100000, 7, udp(&made));
	comes(net, SERVER, 50 * SECOND + 150000, 7, udp(&made));
	join(net);
	assert_int_equal(net->join.counts.doubled, 1);
	assert_int_equal(last(net, CLIENT), last(net, SERVER));
	assert_int_equal(number_of(net, SERVER, net->next[SERVER] - 1), last(net, SERVER));
	departure = host_map_departure(&net->maps[CLIENT], net->next[CLIENT], 0);
	assert_non_null(departure);
	assert_true(departure->goes_on);
	assert_int_equal(departure->nr_arrivals, 1);
	assert_int_equal(departure->arrivals[0].kind, RECORD_SKB_COPY_CLONE);
	assert_int_not_equal(departure->arrivals[0].copy, 0);
}

static void through_nat(void **state)
{
	struct net *net = *state;
	struct made inside = { .number = 7, .id = 9, .nat = 9 }, outside = inside;
	uint32_t pkt;

	synchronize(net);
	outside.nat = 8;
	leaves(net, CLIENT, 50 * SECOND, 7, udp(&inside));
	pkt = packet(net, ROUTER, 50 * SECOND + 40000, 7);
	see(net, ROUTER, pkt, 50 * SECOND + 40000, false, udp(&inside));
	see(net, ROUTER, pkt, 50 * SECOND + 50000, true, udp(&outside));
	comes(net, SERVER, 50 * SECOND + 100000, 7, udp(&outside));
	join(net);
	assert_int_equal(last(net, CLIENT), last(net, ROUTER));
	assert_int_equal(last(net, CLIENT), last(net, SERVER));
}

static void parts_of_a_segment(void **state)
{
	struct net *net = *state;
	const struct departure *departure;

	synchronize(net);
	leaves(net, CLIENT, 50 * SECOND, 7, tcp(1000, 3000, 5, 99));
	for (int i = 0; i < 3; i++)
		comes(net, SERVER, 50 * SECOND + 100000 + i, 7,
		      tcp(1000 + i * 1000, 1000, 5 + i, 99));
	/* TCP sends the same bytes again, with a later time stamp. */
	comes(net, SERVER, 50 * SECOND + 300000, 8, tcp(1000, 1000, 900, 120));
	/*
	 * This packet has the time stamp of the first segment, but an IP identification that does not fit.
	 * So it must not count as a part of the first segment.
	 */
	comes(net, SERVER, 50 * SECOND + 400000, 8, tcp(1000, 1000, 900, 99));
	join(net);
	assert_int_equal(net->join.counts.parts, 3);
	assert_int_equal(net->join.counts.differ, 1);
	departure = host_map_departure(&net->maps[CLIENT], net->next[CLIENT], 0);
	assert_non_null(departure);
	assert_false(departure->goes_on);
	assert_int_equal(departure->nr_arrivals, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(number_of(net, SERVER, net->next[SERVER] - 2 - i),
				 last(net, CLIENT));
	assert_int_not_equal(last(net, SERVER), last(net, CLIENT));
}

static void merged_segments(void **state)
{
	struct net *net = *state;

	synchronize(net);
	for (int i = 0; i < 3; i++)
		leaves(net, CLIENT, 50 * SECOND + i, 7, tcp(1000 + i * 1000, 1000, 5 + i, 99));
	comes(net, SERVER, 50 * SECOND + 100000, 7, tcp(1000, 3000, 5, 99));
	join(net);
	assert_int_equal(net->join.counts.differ, 1);
	assert_int_equal(net->join.counts.joined, 40);
	assert_int_equal(net->join.counts.gone, 0);
}

static const struct departure *lose_one(struct net *net, uint64_t ts)
{
	const struct made made = { .number = 7, .id = 9 };

	synchronize(net);
	leaves(net, CLIENT, ts, 7, udp(&made));
	join(net);
	return host_map_departure(&net->maps[CLIENT], net->next[CLIENT], 0);
}

static void did_not_arrive(void **state)
{
	const struct departure *departure = lose_one(*state, 50 * SECOND);

	assert_non_null(departure);
	assert_int_equal(departure->missed, SERVER + 1);
	assert_int_equal(((struct net *)*state)->join.counts.gone, 1);
}

static void unknown_if_the_filter_may_not_match(void **state)
{
	struct net *net = *state;

	net->hosts[SERVER].arguments = (char *)"-p 8192 'greater 1000'";
	assert_null(lose_one(net, 50 * SECOND));
	assert_int_equal(net->join.counts.gone, 0);
}

static void unknown_if_the_filter_is_unknown(void **state)
{
	struct net *net = *state;

	net->hosts[SERVER].arguments = NULL;
	assert_null(lose_one(net, 50 * SECOND));
}

/* The sender's filter does not matter: the stream of the packet is known to match the receiver's filter. */
static void known_with_another_filter_of_the_sender(void **state)
{
	struct net *net = *state;

	net->hosts[CLIENT].arguments = (char *)"--where 'mark & 1'";
	assert_non_null(lose_one(net, 50 * SECOND));
}

static void arguments_show_filters(void **state)
{
	static const char *const flows[] = {
		"",
		"--netns server --shared -o /tmp/a.dat --detail path -C tai 'ip or ip6'",
		"-o 'a [1].dat' --sport 80 --why -- sh -c 'greater 1000'",
		"--detail=path 'src host 10.0.0.1 and (tcp dst port 80 or udp)'",
	};
	static const char *const others[] = {
		"'greater 1000'", "-p 80 -i eth0",    "--where 'mark & 1'",   "--mark 1",
		"--cpu 1",	  "--direction rx",   "'tcp[13] & 2 != 0'",   "-p 80 ...",
		"--pid 1",	  "'(vlan and tcp)'", "'host a and inbound'", "--inner 'port 80'",
	};

	(void)state;
	assert_false(arguments_match_flows(NULL));
	for (size_t i = 0; i < sizeof(flows) / sizeof(flows[0]); i++)
		assert_true(arguments_match_flows(flows[i]));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(arguments_match_flows(others[i]));
	assert_true(arguments_match_same("-C mono 'icmp or port 1'",
					 "--shared -o x 'icmp or port 1' -- ping"));
	assert_false(arguments_match_same("-C mono icmp", "-C mono"));
	assert_false(arguments_match_same("-C mono", "icmp"));
	assert_false(arguments_match_same("icmp", "icmp6"));
	assert_false(arguments_match_same("icmp", NULL));
}

static void unknown_if_rows_are_lost(void **state)
{
	struct net *net = *state;
	const struct loss loss = { .from = 49 * SECOND + AHEAD,
				   .to = 50 * SECOND + AHEAD,
				   .count = 1 };

	lost_events_add(&net->sightings[SERVER].losses, &loss);
	assert_null(lose_one(net, 50 * SECOND));
	assert_int_equal(net->join.counts.gone, 0);
}

static void unknown_if_the_other_ended(void **state)
{
	struct net *net = *state;

	net->hosts[SERVER].end = 900 * SECOND + AHEAD;
	assert_null(lose_one(net, 900 * SECOND - SECOND / 2));
}

static void unknown_if_the_filter_may_differ(void **state)
{
	struct net *net = *state;
	const struct made made = { .number = 7, .id = 9, .nat = 77 };

	synchronize(net);
	leaves(net, CLIENT, 50 * SECOND, 7, udp(&made));
	join(net);
	assert_int_equal(net->join.counts.gone, 0);
}

static unsigned int seed = 5;

static bool happens(unsigned int of_1000)
{
	return (unsigned int)rand_r(&seed) % 1000 < of_1000;
}

/*
 * Send a packet from one host to the next. It may be lost, duplicated or late. Return: the number of
 * arrivals.
 */
static unsigned int link_to(struct net *net, int host, uint64_t *ts, uint32_t *pkts,
			    const struct made *made)
{
	unsigned int n = happens(10) ? 0 : happens(10) ? 2 : 1;

	*ts += 50000 + rand_r(&seed) % 100000 + (happens(10) ? 3000000 : 0);
	for (unsigned int i = 0; i < n; i++) {
		pkts[i] = packet(net, host, *ts + i * 1000, made->number);
		see(net, host, pkts[i], *ts + i * 1000, false, udp(made));
	}
	return n;
}

/*
 * After joining, packets with the same number must have the same payload. Nearly all arrivals must be
 * joined.
 */
static void many_packets(void **state)
{
	const uint32_t count = 20000;
	struct net *net = *state;
	uint32_t *witness, pkts[2], ends[2];
	uint64_t arrivals = 0;

	synchronize(net);
	for (uint32_t i = 1; i <= count; i++) {
		struct made made = { .number = i, .id = i, .ttl = 64 };
		uint64_t ts = 30 * SECOND + i * 1000000ull, later;
		unsigned int n;

		leaves(net, CLIENT, ts, i, udp(&made));
		n = link_to(net, ROUTER, &ts, pkts, &made);
		arrivals += n;
		for (unsigned int j = 0; j < n; j++) {
			later = ts + j * 1000 + 10000;
			made.ttl = 63;
			see(net, ROUTER, pkts[j], later, true, udp(&made));
			arrivals += link_to(net, SERVER, &later, ends, &made);
		}
	}
	join(net);
	witness = calloc(4 * count, sizeof(*witness));
	for (int host = 0; host < 3; host++) {
		for (uint32_t pkt = 1; pkt <= net->next[host]; pkt++) {
			uint32_t *seen = &witness[number_of(net, host, pkt)];

			assert_true(!*seen || *seen == net->witness[host][pkt]);
			*seen = net->witness[host][pkt];
		}
	}
	free(witness);
	assert_true((double)(net->join.counts.joined - 40) >= 0.9999 * (double)arrivals);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(changed_on_the_way),
		TEST(of_two_that_fit_neither),
		TEST(other_payload),
		TEST(checksum_by_the_card),
		TEST(duplicate),
		TEST(through_nat),
		TEST(through_unknown_nat),
		TEST(unknown_nat_with_little_proof),
		TEST(unknown_nat_of_other_payloads),
		TEST(unknown_nat_of_two_clients),
		TEST(unknown_nat_of_one_payload),
		TEST(unknown_nat_of_three_streams),
		TEST(tcp_through_unknown_nat),
		TEST(through_tunnel),
		TEST(parts_of_a_segment),
		TEST(merged_segments),
		TEST(did_not_arrive),
		TEST(unknown_if_rows_are_lost),
		TEST(unknown_if_the_filter_may_not_match),
		TEST(unknown_if_the_filter_is_unknown),
		TEST(known_with_another_filter_of_the_sender),
		cmocka_unit_test(arguments_show_filters),
		TEST(unknown_if_the_other_ended),
		TEST(unknown_if_the_filter_may_differ),
		TEST(synchronized_by_trace_cmd),
		TEST(synchronized_without_packets_back),
		TEST(synchronized_and_corrected),
		TEST(synchronized_wrongly),
		TEST(synchronized_with_the_time_of_day),
		TEST(known_over_a_given_clock),
		TEST(bounded_by_the_last_departure),
		TEST(many_packets),
		cmocka_unit_test(clock_offset_and_drift),
		cmocka_unit_test(clock_with_changing_drift),
		cmocka_unit_test(clock_of_one_direction),
		cmocka_unit_test(clocks_combine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
