/* SPDX-License-Identifier: GPL-2.0 */
/* net.h - make packets of three hosts for the tests */
#ifndef _RECORD_SKB_TESTS_NET_H
#define _RECORD_SKB_TESTS_NET_H

#include "hosts/host_map.h"

#define CLIENT 0
#define ROUTER 1
#define SERVER 2
#define SECOND 1000000000ull
#define AHEAD  (37 * SECOND)

struct net {
	struct sightings sightings[3];
	struct join_host hosts[3];
	struct join join;
	struct host_map *maps;
	uint32_t next[3];
	uint32_t witness[3][200000];
};

/* A packet that a test makes. Its payload contains @number, by which the test recognises the packet. */
struct made {
	uint32_t number;
	uint16_t id;
	uint8_t ttl, tos, nat;
	uint16_t sum;
};

int set_up(void **state);
int tear_down(void **state);

/* Return: the key of a UDP packet with these values. */
struct wire_key udp(const struct made *made);
/* Return: the key of a TCP segment. Its source address is 10.9.0.@from, and in tcp() it is 10.9.0.1. */
struct wire_key tcp_from(uint8_t from, uint32_t seq, uint32_t len, uint16_t id, uint32_t tsval);
struct wire_key tcp(uint32_t seq, uint32_t len, uint16_t id, uint32_t tsval);

/*
 * Return: the number of a new packet in the recording of @host. In these tests, the clock of the server is
 * ahead of the other clocks.
 */
uint32_t packet(struct net *net, int host, uint64_t ts, uint32_t witness);
void see(struct net *net, int host, uint32_t pkt, uint64_t ts, bool leaves, struct wire_key key);
void leaves(struct net *net, int host, uint64_t ts, uint32_t number, struct wire_key key);
void comes(struct net *net, int host, uint64_t ts, uint32_t number, struct wire_key key);
/* Send packets in both directions, so that the clocks can be estimated. */
void synchronize(struct net *net);
void join(struct net *net);
uint32_t number_of(struct net *net, int host, uint32_t pkt);
uint32_t last(struct net *net, int host);

/* The tests of nat_test.c. */
void through_unknown_nat(void **state);
void unknown_nat_with_little_proof(void **state);
void unknown_nat_of_other_payloads(void **state);
void unknown_nat_of_two_clients(void **state);
void unknown_nat_of_one_payload(void **state);
void unknown_nat_of_three_streams(void **state);
void tcp_through_unknown_nat(void **state);
void through_tunnel(void **state);
void synchronized_by_trace_cmd(void **state);
void synchronized_without_packets_back(void **state);
void synchronized_and_corrected(void **state);
void synchronized_wrongly(void **state);
void synchronized_with_the_time_of_day(void **state);
void known_over_a_given_clock(void **state);
void bounded_by_the_last_departure(void **state);

#endif
