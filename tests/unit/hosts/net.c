// SPDX-License-Identifier: GPL-2.0
/* net.c - make packets of three hosts for the tests */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

#define HEADER 28

/* Stand-in, because report/input/reader.c is not linked. */
bool writes_len(const struct packet_seen *seen)
{
	(void)seen;
	return false;
}

uint32_t packet_len(const struct packet_seen *seen)
{
	return seen->facts.net_len;
}

int set_up(void **state)
{
	struct net *net = calloc(1, sizeof(*net));

	for (int i = 0; i < 3; i++) {
		net->hosts[i].sightings = &net->sightings[i];
		net->sightings[i].host = i;
		net->sightings[i].begin = 10 * SECOND;
		net->hosts[i].end = 1000 * SECOND;
		net->hosts[i].arguments = (char *)"-p 8192";
	}
	net->join.hosts = net->hosts;
	net->join.nr_hosts = 3;
	*state = net;
	return 0;
}

int tear_down(void **state)
{
	struct net *net = *state;

	host_maps_free(net->maps, 3);
	join_free(&net->join);
	for (int i = 0; i < 3; i++)
		sightings_free(&net->sightings[i]);
	free(net);
	return 0;
}

static void put32(uint8_t *at, uint32_t v)
{
	at[0] = v >> 24, at[1] = v >> 16, at[2] = v >> 8, at[3] = v;
}

struct wire_key udp(const struct made *made)
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

struct wire_key tcp_from(uint8_t from, uint32_t seq, uint32_t len, uint16_t id, uint32_t tsval)
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

struct wire_key tcp(uint32_t seq, uint32_t len, uint16_t id, uint32_t tsval)
{
	return tcp_from(1, seq, len, id, tsval);
}

uint32_t packet(struct net *net, int host, uint64_t ts, uint32_t witness)
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

void see(struct net *net, int host, uint32_t pkt, uint64_t ts, bool leaves, struct wire_key key)
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

void leaves(struct net *net, int host, uint64_t ts, uint32_t number, struct wire_key key)
{
	see(net, host, packet(net, host, ts, number), ts, true, key);
}

void comes(struct net *net, int host, uint64_t ts, uint32_t number, struct wire_key key)
{
	see(net, host, packet(net, host, ts, number), ts, false, key);
}

void synchronize(struct net *net)
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

void join(struct net *net)
{
	assert_true(join_find(&net->join));
	net->maps = host_maps_create(&net->join);
	assert_non_null(net->maps);
}

uint32_t number_of(struct net *net, int host, uint32_t pkt)
{
	return host_map_number(&net->maps[host], pkt);
}

uint32_t last(struct net *net, int host)
{
	return number_of(net, host, net->next[host]);
}
