// SPDX-License-Identifier: GPL-2.0
/*
 * nat_test.c - test NAT and tunnels that only some hosts have recorded, and clocks that trace-cmd has
 * synchronized
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "net.h"

/* Send packets from the client to the server through a host that changes addresses and is not recorded. */
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

void through_unknown_nat(void **state)
{
	struct net *net = *state;

	through_hidden_nat(net, 3, 0x1235);
	/* Send one more packet, which is lost. */
	leaves(net, CLIENT, 60 * SECOND, 7, udp(&(struct made){ .number = 7, .id = 9, .nat = 9 }));
	join(net);
	assert_int_equal(net->join.counts.joined, 43);
	assert_int_equal(net->join.counts.translated, 3);
	assert_int_equal(net->join.counts.alike, 0);
	assert_int_equal(net->join.counts.gone, 1);
	assert_int_equal(number_of(net, CLIENT, net->next[CLIENT] - 1), last(net, SERVER));
}

void unknown_nat_with_little_proof(void **state)
{
	struct net *net = *state;

	through_hidden_nat(net, 2, 0x1235);
	join(net);
	assert_int_equal(net->join.counts.joined, 40);
	assert_int_equal(net->join.counts.alike, 2);
	assert_int_not_equal(last(net, CLIENT), last(net, SERVER));
}

void unknown_nat_of_other_payloads(void **state)
{
	struct net *net = *state;

	through_hidden_nat(net, 5, 0x1236);
	join(net);
	assert_int_equal(net->join.counts.joined, 40);
	assert_int_equal(net->join.counts.alike, 5);
}

/* Two clients send pairs of equal packets. The server receives only one packet of each pair. */
void unknown_nat_of_two_clients(void **state)
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

/*
 * Two devices with the same firmware send equal bytes. Sometimes their packets also have the same IP
 * identification.
 */
void unknown_nat_of_one_payload(void **state)
{
	struct net *net = *state;

	synchronize(net);
	for (uint32_t i = 0; i < 5; i++) {
		struct made made = { .number = 7, .id = 100 + i, .nat = 9 };

		leaves(net, CLIENT, (50 + i) * SECOND, 7, udp(&made));
		made.nat = 8;
		comes(net, SERVER, (50 + i) * SECOND + 100000, 8, udp(&made));
	}
	join(net);
	assert_int_equal(net->join.counts.joined, 40);
	assert_int_equal(net->join.counts.translated, 0);
	assert_int_equal(net->join.counts.alike, 5);
}

/*
 * The server received one stream of the client through an unknown NAT. It may be any of three streams. No
 * packet may be joined, even if the packets of the second stream seem to fit.
 */
void unknown_nat_of_three_streams(void **state)
{
	struct net *net = *state;
	struct made made = { .number = 99, .id = 99 };

	synchronize(net);
	for (uint8_t nat = 5; nat < 8; nat++) {
		made.nat = nat;
		leaves(net, CLIENT, 49 * SECOND + nat, 99, udp(&made));
	}
	made.nat = 8;
	comes(net, SERVER, 49 * SECOND + 100000, 99, udp(&made));
	for (uint32_t i = 0; i < 5; i++) {
		made = (struct made){ .number = i, .id = 100 + i, .nat = 6 };
		leaves(net, CLIENT, (50 + i) * SECOND, i, udp(&made));
		made.nat = 4;
		comes(net, SERVER, (50 + i) * SECOND + 100000, i, udp(&made));
	}
	join(net);
	assert_int_equal(net->join.counts.translated, 0);
	assert_int_equal(net->join.counts.alike, 6);
}

void tcp_through_unknown_nat(void **state)
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

/*
 * A packet goes through a tunnel. The server has recorded only inner packets, and the router only outer
 * packets.
 */
void through_tunnel(void **state)
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

/* Send packets from host @a to host @b, and @n_back packets back. */
static void exchange(struct net *net, int a, int b, unsigned int n_back)
{
	for (uint32_t i = 0; i < 20; i++) {
		struct made made = { .number = i, .id = 500 + i, .nat = 66 };
		const uint64_t ts = 20 * SECOND + i * 45 * SECOND;

		leaves(net, a, ts, i, udp(&made));
		comes(net, b, ts + 100000, i, udp(&made));
		made.nat = 65;
		leaves(net, b, ts + 200000, i, udp(&made));
		if (i < n_back)
			comes(net, a, ts + 300000, i, udp(&made));
	}
}

void synchronized_by_trace_cmd(void **state)
{
	struct net *net = *state;

	synchronize(net);
	exchange(net, CLIENT, ROUTER, 20);
	net->hosts[ROUTER].sync = CLIENT + 1;
	net->hosts[SERVER].sync = CLIENT + 1;
	join(net);
	assert_int_equal(net->hosts[ROUTER].source, CLOCK_SYNC);
	assert_int_equal(net->hosts[ROUTER].clock.ns, 0);
	assert_true(net->hosts[ROUTER].clock.error > 50000);
	assert_true(net->hosts[ROUTER].clock.error < 300000);
	/*
	 * trace-cmd's synchronization says that the server's clock is right, but the packets show that it is
	 * wrong.
	 */
	assert_int_equal(net->hosts[SERVER].source, CLOCK_PACKETS);
	assert_true(net->hosts[SERVER].sync_is_wrong);
	assert_int_equal(net->join.counts.clock, 0);
}

void synchronized_without_packets_back(void **state)
{
	struct net *net = *state;

	exchange(net, CLIENT, ROUTER, 0);
	net->hosts[ROUTER].sync = CLIENT + 1;
	join(net);
	assert_int_equal(net->hosts[ROUTER].source, CLOCK_SYNC_ONLY);
	assert_int_equal(net->hosts[ROUTER].clock.ns, 0);
	assert_int_equal(net->join.counts.joined, 20);
	assert_int_equal(net->join.counts.gone, 0);
}

/*
 * Send packets from the client to the router. One of them seems to arrive @early nanoseconds before it left.
 */
static void contradict(struct net *net, uint64_t early)
{
	const struct made made = { .number = 7, .id = 7, .nat = 66 };

	exchange(net, CLIENT, ROUTER, 0);
	leaves(net, CLIENT, 50 * SECOND, 7, udp(&made));
	comes(net, ROUTER, 50 * SECOND - early, 7, udp(&made));
	net->hosts[ROUTER].sync = CLIENT + 1;
	join(net);
	assert_int_equal(net->hosts[ROUTER].clock.ns, early);
	assert_int_equal(net->join.counts.joined, 21);
}

/* The synchronization may be wrong by about a microsecond. Larger errors make it invalid. */
void synchronized_and_corrected(void **state)
{
	struct net *net = *state;

	contradict(net, 1000);
	assert_int_equal(net->hosts[ROUTER].source, CLOCK_SYNC_ONLY);
	assert_false(net->hosts[ROUTER].sync_is_wrong);
}

void synchronized_wrongly(void **state)
{
	struct net *net = *state;

	contradict(net, 2000000);
	assert_int_equal(net->hosts[ROUTER].source, CLOCK_WALL);
	assert_true(net->hosts[ROUTER].sync_is_wrong);
}

/*
 * Only the time of day shows the offset of the router's clock. The server is a guest of the router, so the
 * same is true for the server's clock.
 */
void synchronized_with_the_time_of_day(void **state)
{
	struct net *net = *state;

	exchange(net, CLIENT, ROUTER, 0);
	net->hosts[SERVER].sync = ROUTER + 1;
	join(net);
	assert_int_equal(net->hosts[ROUTER].source, CLOCK_WALL);
	assert_int_equal(net->hosts[SERVER].source, CLOCK_WALL);
}

/*
 * --offset gives the router's clock, and the server's clock is known only in relation to the router's. The
 * error of --offset is unknown. So the error of the server's clock is unknown, too.
 */
void known_over_a_given_clock(void **state)
{
	const struct made made = { .number = 7, .id = 9, .nat = 67 };
	const struct made gone = { .number = 8, .id = 10, .nat = 67 };
	struct net *net = *state;

	net->hosts[ROUTER].has_offset = true;
	net->hosts[SERVER].end = 1000 * SECOND + AHEAD;
	exchange(net, ROUTER, SERVER, 20);
	leaves(net, CLIENT, 50 * SECOND, 7, udp(&made));
	comes(net, SERVER, 50 * SECOND + 100000, 7, udp(&made));
	leaves(net, CLIENT, 51 * SECOND, 8, udp(&gone));
	join(net);
	assert_int_equal(net->hosts[ROUTER].source, CLOCK_GIVEN);
	assert_int_equal(net->hosts[SERVER].source, CLOCK_PACKETS);
	assert_true(net->hosts[CLIENT].error_is_known);
	assert_false(net->hosts[ROUTER].error_is_known);
	assert_false(net->hosts[SERVER].error_is_known);
	assert_int_equal(net->join.counts.joined, 41);
	assert_int_equal(net->join.counts.gone, 0);
}

/*
 * The client sends a packet into a tunnel, and no packet comes back from the router. The packet leaves the
 * client twice: first without, and then with outer headers. The later departure limits the router's clock.
 */
void bounded_by_the_last_departure(void **state)
{
	struct made inner = { .number = 7, .id = 9 }, outer = { .number = 7, .id = 900, .nat = 99 };
	const uint64_t at = 50 * SECOND, behind = 5 * SECOND;
	struct net *net = *state;
	uint32_t pkt;

	pkt = packet(net, CLIENT, at, 7);
	see(net, CLIENT, pkt, at, true, udp(&inner));
	see(net, CLIENT, pkt, at + 20000, true, udp(&outer));
	pkt = packet(net, ROUTER, at - behind, 7);
	outer.nat = 98;
	see(net, ROUTER, pkt, at - behind, false, udp(&outer));
	see(net, ROUTER, pkt, at - behind + 5000, false, udp(&inner));
	join(net);
	assert_int_equal(net->join.counts.joined, 1);
	assert_int_equal(net->hosts[ROUTER].source, CLOCK_WALL);
	assert_int_equal(net->hosts[ROUTER].clock.ns, behind + 20000);
}
