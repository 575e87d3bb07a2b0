// SPDX-License-Identifier: GPL-2.0
/* hosts_test.c - which packets of several hosts are joined, and which must not be */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "clocks_test.h"
#include "hosts/host_map.h"

#define CLIENT 0
#define ROUTER 1
#define SERVER 2
#define SECOND 1000000000ull
#define AHEAD  (37 * SECOND)
#define HEADER 28

/* report/input/reader.c is not linked. */
bool writes_len(const struct packet_seen *seen)
{
	(void)seen;
	return false;
}

uint32_t packet_len(const struct packet_seen *seen)
{
	return seen->facts.net_len;
}

struct net {
	struct sightings sightings[3];
	struct join_host hosts[3];
	struct join join;
	struct host_map *maps;
	uint32_t next[3];
	uint32_t witness[3][200000];
};

static int set_up(void **state)
{
	struct net *net = calloc(1, sizeof(*net));

	for (int i = 0; i < 3; i++) {
		net->hosts[i].sightings = &net->sightings[i];
		net->sightings[i].host = i;
		net->sightings[i].begin = 10 * SECOND;
		net->hosts[i].end = 1000 * SECOND;
	}
	net->join.hosts = net->hosts;
	net->join.nr_hosts = 3;
	*state = net;
	return 0;
}

static int tear_down(void **state)
{
	struct net *net = *state;

	host_maps_free(net->maps, 3);
	join_free(&net->join);
	for (int i = 0; i < 3; i++)
		sightings_free(&net->sightings[i]);
	free(net);
	return 0;
}

/* The number in the payload is the witness. */
struct made {
	uint32_t number;
	uint16_t id;
	uint8_t ttl, tos, nat;
	uint16_t sum;
};

static void put32(uint8_t *at, uint32_t v)
{
	at[0] = v >> 24, at[1] = v >> 16, at[2] = v >> 8, at[3] = v;
}

static struct wire_key udp(const struct made *made)
{
	uint8_t data[HEADER + 4] = { 0x45, made->tos, 0, HEADER + 4 };
	struct wire_key key;

	data[4] = made->id >> 8, data[5] = made->id;
	data[8] = made->ttl, data[9] = 17, data[10] = made->ttl;
	memcpy(data + 12, (uint8_t[]){ 10, made->nat, 0, 1, 10, 8, 0, 2, 0x10, 0, 0x20, 0, 0, 12 },
	       14);
	data[26] = made->sum >> 8, data[27] = made->sum;
	put32(data + HEADER, made->number);
	assert_true(wire_key_read(&key, 0x0800, data, sizeof(data), sizeof(data)));
	return key;
}

static struct wire_key tcp_from(uint8_t from, uint32_t seq, uint32_t len, uint16_t id,
				uint32_t tsval)
{
	uint8_t data[20 + 32] = { 0x45, 0, (52 + len) >> 8, 52 + len, id >> 8, id, 0, 0, 64, 6 };
	struct wire_key key;

	memcpy(data + 12, (uint8_t[]){ 10, 9, 0, from, 10, 8, 0, 2, 0x10, 0, 0x20, 0 }, 12);
	put32(data + 24, seq);
	put32(data + 28, 77);
	data[32] = 8 << 4, data[33] = 0x10, data[36] = 1, data[37] = 3 - from;
	data[42] = 8, data[43] = 10;
	put32(data + 44, tsval);
	assert_true(wire_key_read(&key, 0x0800, data, sizeof(data), 52 + len));
	return key;
}

static struct wire_key tcp(uint32_t seq, uint32_t len, uint16_t id, uint32_t tsval)
{
	return tcp_from(1, seq, len, id, tsval);
}

/*
 * Return: the next unused packet number in the recording of the host. In these tests, the clock of the server
 * is ahead.
 */
static uint32_t packet(struct net *net, int host, uint64_t ts, uint32_t witness)
{
	const uint32_t pkt = ++net->next[host];
	struct sightings *sightings = &net->sightings[host];

	if (pkt >= sightings->nr_packets) {
		sightings->packets =
			realloc(sightings->packets, (pkt + 1) * 2 * sizeof(struct host_packet));
		memset(sightings->packets + sightings->nr_packets, 0,
		       ((pkt + 1) * 2 - sightings->nr_packets) * sizeof(struct host_packet));
		sightings->nr_packets = (pkt + 1) * 2;
	}
	sightings->packets[pkt] = (struct host_packet){ .first = ts + (host == SERVER ? AHEAD : 0),
							.flow = 1,
							.copies = 1 };
	net->witness[host][pkt] = witness;
	return pkt;
}

static void see(struct net *net, int host, uint32_t pkt, uint64_t ts, bool leaves,
		struct wire_key key)
{
	struct sightings *sightings = &net->sightings[host];

	if (sightings->n == sightings->capacity) {
		sightings->capacity = sightings->capacity ? sightings->capacity * 2 : 64;
		sightings->v = realloc(sightings->v, sightings->capacity * sizeof(*sightings->v));
	}
	sightings->v[sightings->n++] = (struct sighting){
		.key = key,
		.ts = ts + (host == SERVER ? AHEAD : 0),
		.pkt = pkt,
		.host = host,
		.leaves = leaves,
		.from = -1,
	};
}

static void leaves(struct net *net, int host, uint64_t ts, uint32_t number, struct wire_key key)
{
	see(net, host, packet(net, host, ts, number), ts, true, key);
}

static void comes(struct net *net, int host, uint64_t ts, uint32_t number, struct wire_key key)
{
	see(net, host, packet(net, host, ts, number), ts, false, key);
}

/* Packets in both directions, so that the clocks are known. */
static void synchronize(struct net *net)
{
	for (uint32_t i = 0; i < 20; i++) {
		struct made there = { .number = 1000000 + i, .id = 30000 + i };
		struct made back = { .number = 2000000 + i, .id = 40000 + i };
		const uint64_t ts = 20 * SECOND + i * 45 * SECOND;

		leaves(net, CLIENT, ts, there.number, udp(&there));
		comes(net, SERVER, ts + 100000, there.number, udp(&there));
		leaves(net, SERVER, ts + 200000, back.number, udp(&back));
		comes(net, CLIENT, ts + 300000, back.number, udp(&back));
	}
}

static void join(struct net *net)
{
	assert_true(join_find(&net->join));
	net->maps = host_maps_create(&net->join);
	assert_non_null(net->maps);
}

static uint32_t number_of(struct net *net, int host, uint32_t pkt)
{
	return host_map_number(&net->maps[host], pkt);
}

static uint32_t last(struct net *net, int host)
{
	return number_of(net, host, net->next[host]);
}

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

/* A card that computes checksums gets the sum of the pseudo header: 10.9.0.1, 10.8.0.2, UDP, 12 bytes. */
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

/* Packets from the client to the server, on the way through a host that is not recorded and changes addresses. */
static void through_hidden_nat(struct net *net, unsigned int n, uint16_t sum_at_server)
{
	synchronize(net);
	for (unsigned int i = 0; i < n; i++) {
		const uint64_t ts = (50 + i) * SECOND;
		struct made inside = { .number = i, .id = 100 + i, .nat = 9, .sum = 0x1234 };
		struct made outside = inside;

		outside.nat = 8, outside.sum = sum_at_server;
		leaves(net, CLIENT, ts, i, udp(&inside));
		comes(net, SERVER, ts + 100000, i, udp(&outside));
	}
}

static void through_unknown_nat(void **state)
{
	struct net *net = *state;

	through_hidden_nat(net, 3, 0x1235);
	/* This one is lost. */
	leaves(net, CLIENT, 60 * SECOND, 7, udp(&(struct made){ .number = 7, .id = 9, .nat = 9 }));
	join(net);
	assert_int_equal(net->join.counts.joined, 43);
	assert_int_equal(net->join.counts.translated, 3);
	assert_int_equal(net->join.counts.alike, 0);
	assert_int_equal(net->join.counts.gone, 1);
	assert_int_equal(number_of(net, CLIENT, net->next[CLIENT] - 1), last(net, SERVER));
}

static void unknown_nat_with_little_proof(void **state)
{
	struct net *net = *state;

	through_hidden_nat(net, 2, 0x1235);
	join(net);
	assert_int_equal(net->join.counts.joined, 40);
	assert_int_equal(net->join.counts.alike, 2);
	assert_int_not_equal(last(net, CLIENT), last(net, SERVER));
}

static void unknown_nat_of_other_payloads(void **state)
{
	struct net *net = *state;

	through_hidden_nat(net, 5, 0x1236);
	join(net);
	assert_int_equal(net->join.counts.joined, 40);
	assert_int_equal(net->join.counts.alike, 5);
}

/* Two clients send equal packets, and the server receives one of each pair. */
static void unknown_nat_of_two_clients(void **state)
{
	struct net *net = *state;

	through_hidden_nat(net, 5, 0x1235);
	for (uint32_t i = 0; i < 5; i++)
		leaves(net, ROUTER, (50 + i) * SECOND, i,
		       udp(&(struct made){ .number = i, .id = 100 + i, .nat = 7, .sum = 0x1236 }));
	join(net);
	assert_int_equal(net->join.counts.joined, 40);
	assert_int_equal(net->join.counts.alike, 5);
}

static void tcp_through_unknown_nat(void **state)
{
	struct net *net = *state;

	synchronize(net);
	leaves(net, CLIENT, 50 * SECOND, 7, tcp_from(1, 900, 100, 5, 99));
	comes(net, SERVER, 50 * SECOND + 100000, 7, tcp_from(3, 900, 100, 5, 99));
	leaves(net, CLIENT, 51 * SECOND, 8, tcp_from(1, 1000, 3000, 6, 99));
	for (int i = 0; i < 3; i++)
		comes(net, SERVER, 51 * SECOND + 100000 + i, 8,
		      tcp_from(3, 1000 + i * 1000, 1000, 6 + i, 99));
	join(net);
	assert_int_equal(net->join.counts.translated, 4);
	assert_int_equal(net->join.counts.parts, 3);
	assert_int_equal(last(net, CLIENT), last(net, SERVER));
}

/* The server's recording has only the inner packets of a tunnel, and the router's has only the outer ones. */
static void through_tunnel(void **state)
{
	struct net *net = *state;
	struct made inner = { .number = 7, .id = 9 }, outer = { .number = 7, .id = 900, .nat = 99 };
	uint32_t pkt;

	synchronize(net);
	pkt = packet(net, CLIENT, 50 * SECOND, 7);
	see(net, CLIENT, pkt, 50 * SECOND, true, udp(&inner));
	see(net, CLIENT, pkt, 50 * SECOND + 10, true, udp(&outer));
	comes(net, SERVER, 50 * SECOND + 100000, 7, udp(&inner));
	pkt = packet(net, ROUTER, 50 * SECOND + 40000, 7);
	see(net, ROUTER, pkt, 50 * SECOND + 40000, false, udp(&outer));
	see(net, ROUTER, pkt, 50 * SECOND + 50000, true, udp(&outer));
	join(net);
	assert_int_equal(net->join.counts.joined, 42);
	assert_int_equal(last(net, CLIENT), last(net, SERVER));
	assert_int_equal(last(net, CLIENT), last(net, ROUTER));
	assert_int_equal(net->join.counts.gone, 0);
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
	/* The same bytes, sent again at another time. */
	comes(net, SERVER, 50 * SECOND + 300000, 8, tcp(1000, 1000, 900, 120));
	/* The same time stamp, but another IP identification: not known to be a part. */
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

/* Send a packet from one host to the next: lost, duplicated or late. Return: the number of arrivals. */
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

/* Each number that was joined belongs to one witness only, and nearly all arrivals are joined. */
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
		TEST(tcp_through_unknown_nat),
		TEST(through_tunnel),
		TEST(parts_of_a_segment),
		TEST(merged_segments),
		TEST(did_not_arrive),
		TEST(unknown_if_rows_are_lost),
		TEST(unknown_if_the_other_ended),
		TEST(unknown_if_the_filter_may_differ),
		TEST(many_packets),
		cmocka_unit_test(clock_offset_and_drift),
		cmocka_unit_test(clock_with_changing_drift),
		cmocka_unit_test(clock_of_one_direction),
		cmocka_unit_test(clocks_combine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
