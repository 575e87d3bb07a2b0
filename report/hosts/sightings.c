// SPDX-License-Identifier: GPL-2.0
/* sightings.c - collect where the packets of one recording arrived and left */
#include <stdlib.h>
#include <string.h>

#include "hosts/sightings.h"

/* The device at which a copy was last seen. */
struct last_device {
	char dev[DEVICE_NAME_LEN + 1];
	uint32_t netns;
	bool left;
};

/*
 * Return: true if a device transmits the packet at this probe point. A driver's function may be missing in
 * the table of functions. All other functions of the transmit path are in the table.
 */
static bool is_transmitted(const struct packet_seen *seen)
{
	const struct function_facts *facts = seen->point->facts;

	return seen->event->dir == RECORD_SKB_DIR_TX &&
	       (!facts || facts->role == ROLE_SENDS || facts->role == ROLE_DRIVES ||
		facts->role == ROLE_CROSSES);
}

static struct host_packet *packet_of(struct sightings *sightings, uint32_t pkt)
{
	const uint32_t old = sightings->nr_packets;
	struct host_packet *more;
	uint32_t n = old ? old : 1024;

	if (pkt < old)
		return &sightings->packets[pkt];
	while (n <= pkt && n < UINT32_MAX / 2)
		n *= 2;
	more = n > pkt ? realloc(sightings->packets, n * sizeof(*more)) : NULL;
	if (!more) {
		sightings->failed = true;
		return NULL;
	}
	memset(more + old, 0, (n - old) * sizeof(*more));
	sightings->packets = more;
	sightings->nr_packets = n;
	return &more[pkt];
}

static void note_copy(struct sightings *sightings, uint32_t pkt, uint32_t copy)
{
	struct host_packet *packet = packet_of(sightings, pkt);

	if (packet && copy != RECORD_SKB_COPY_UNKNOWN && copy >= packet->copies)
		packet->copies = copy + 1;
}

static void add_sighting(struct sightings *sightings, const struct moment *at,
			 const struct packet_seen *seen, bool leaves)
{
	const size_t capacity = sightings->capacity ? sightings->capacity * 2 : 1024;
	struct sighting sighting = {
		.ts = at->ts,
		.pkt = seen->event->pkt,
		.copy = seen->event->copy,
		.host = sightings->host,
		.leaves = leaves,
		.from = -1,
	};
	struct sighting *more;

	if (!wire_key_read(&sighting.key, seen->event->flow.ethertype, seen->facts.data,
			   seen->facts.data_len, packet_len(seen)))
		return;
	if (sightings->n == sightings->capacity) {
		more = realloc(sightings->v, capacity * sizeof(*more));
		if (!more) {
			sightings->failed = true;
			return;
		}
		sightings->v = more;
		sightings->capacity = capacity;
	}
	sightings->v[sightings->n++] = sighting;
}

static void see_device(struct sightings *sightings, const struct moment *at,
		       const struct packet_seen *seen)
{
	const struct table_key key = { .number = (uint64_t)seen->event->pkt << 32 |
						 seen->event->copy };
	struct last_device *last = table_find(&sightings->last, key);
	const bool leaves = is_transmitted(seen);
	bool crosses;

	if (!last)
		last = table_add(&sightings->last, key, calloc(1, sizeof(*last)));
	if (!last) {
		sightings->failed = true;
		return;
	}
	crosses = strcmp(last->dev, seen->facts.dev) || last->netns != seen->facts.netns;
	if (crosses) {
		strcpy(last->dev, seen->facts.dev);
		last->netns = seen->facts.netns;
		last->left = false;
	}
	if (leaves ? last->left : !crosses || seen->event->dir != RECORD_SKB_DIR_RX)
		return;
	last->left = leaves;
	add_sighting(sightings, at, seen, leaves);
}

static void handle_packet(void *data, const struct moment *at, const struct packet_seen *seen)
{
	struct sightings *sightings = data;
	struct host_packet *packet;

	note_copy(sightings, seen->event->pkt, seen->event->copy);
	packet = packet_of(sightings, seen->event->pkt);
	if (!packet)
		return;
	if (!packet->first)
		packet->first = at->ts;
	if (!packet->flow)
		packet->flow = seen->event->flow_number;
	if (!sightings->begin)
		sightings->begin = at->ts;
	/*
	 * Ignore untracked skbs. The module gives such an skb another copy number at its next probe point, so
	 * the two devices of a copy cannot be compared.
	 */
	if (seen->event->copy != RECORD_SKB_COPY_UNKNOWN && seen->facts.dev[0] && !writes_len(seen))
		see_device(sightings, at, seen);
}

static void handle_copy(void *data, const struct moment *at, const struct skb_event *event)
{
	(void)at;
	note_copy(data, event->pkt, event->copy);
}

static void handle_wall_clock(void *data, const struct moment *at, uint64_t real)
{
	struct sightings *sightings = data;

	if (!sightings->begin)
		sightings->begin = at->ts;
	if (sightings->wall_ts)
		return;
	sightings->wall_ts = at->ts;
	sightings->wall = real;
}

static void handle_loss(void *data, const struct moment *at, uint64_t from, uint64_t count)
{
	struct sightings *sightings = data;
	const struct loss loss = { .cpu = at->cpu, .from = from, .to = at->ts, .count = count };

	if (lost_events_add(&sightings->losses, &loss))
		sightings->failed = true;
}

static void handle_other_reader(void *data, const struct moment *at)
{
	struct sightings *sightings = data;
	const struct loss loss = { .cpu = -1, .from = 1, .to = at->ts };

	if (lost_events_add(&sightings->losses, &loss))
		sightings->failed = true;
}

const struct observer sightings_observer = {
	.packet = handle_packet,
	.copied = handle_copy,
	.wall_clock = handle_wall_clock,
	.lost = handle_loss,
	.read_by_others = handle_other_reader,
};

void sightings_end(struct sightings *sightings)
{
	table_free(&sightings->last);
	memset(&sightings->last, 0, sizeof(sightings->last));
}

void sightings_free(struct sightings *sightings)
{
	sightings_end(sightings);
	lost_events_free(&sightings->losses);
	free(sightings->v);
	free(sightings->packets);
}
