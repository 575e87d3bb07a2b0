// SPDX-License-Identifier: GPL-2.0
/*
 * packets.c - store the packets that are not complete yet, and pass each packet to the output when it is
 * complete
 */
#include <stdlib.h>
#include <string.h>

#include "model/packet_copies.h"
#include "model/device_path.h"
#include "model/packet_store.h"

/* Number of packets kept in memory; must be a power of two. */
#ifndef MAX_PACKETS
#define MAX_PACKETS 131072
#endif

/*
 * While a recording runs, a packet is passed to the output after it has had no event for some time. This time
 * is SETTLED_NS if the packet has ended, and PATIENCE_NS otherwise.
 */
#define SETTLED_NS  10000000ull
#define PATIENCE_NS 5000000000ull
/*
 * A packet is passed to the output before it reaches this age. So losses that are older than this can be
 * forgotten.
 */
#define FORGOTTEN_NS (4 * PATIENCE_NS)

/*
 * Time to wait for the first event of a packet, or for the return event of a function without a graph. The
 * module writes these events within microseconds. So an event that has not come after this time was lost.
 */
#define LATE_NS 1000000000ull

/*
 * A packet that was not complete when it was removed from the ring, to make room for a newer packet. @packet
 * is NULL after the packet was passed to the output.
 */
struct old_packet {
	struct packet *packet;
};

struct packets *packets_new(const struct output *output, void *data, struct captured_frames *frames)
{
	struct packets *packets = calloc(1, sizeof(*packets));

	if (!packets)
		return NULL;
	packets->output = output;
	packets->output_data = data;
	packets->frames = frames;
	packets->ring = calloc(MAX_PACKETS, sizeof(*packets->ring));
	packets->devices = devices_new();
	packets->segments = tcp_coverage_new();
	packets->translations = translations_new();
	if (!packets->ring || !packets->devices || !packets->segments || !packets->translations) {
		packets_free(packets);
		return NULL;
	}
	return packets;
}

static void free_packet(struct packet *packet)
{
	if (!packet)
		return;
	copies_free(packet);
	free(packet);
}

void packets_free(struct packets *packets)
{
	struct decisions *lookups;
	struct old_packet *old;
	size_t at = 0;

	if (!packets)
		return;
	for (size_t i = 0; packets->ring && i < MAX_PACKETS; i++)
		free_packet(packets->ring[i]);
	while ((old = table_next(&packets->old, &at)))
		free_packet(old->packet);
	table_free(&packets->old);
	table_free(&packets->reasons);
	free(packets->ring);
	free(packets->gone);
	devices_free(packets->devices);
	tcp_coverage_free(packets->segments);
	translations_free(packets->translations);
	at = 0;
	while ((lookups = table_next(&packets->lookups, &at)))
		decisions_free(lookups);
	table_free(&packets->lookups);
	lost_events_free(&packets->losses);
	free(packets);
}

void packets_set_netns_names(struct packets *packets, const struct netns_names *names)
{
	devices_set_netns_names(packets->devices, names);
}

const struct devices *packets_devices(const struct packets *packets)
{
	return packets->devices;
}

const struct translation *packets_find_dnat(const struct packets *packets, uint32_t flow_number)
{
	return translations_find_dnat(packets->translations, flow_number);
}

const struct lost_events *packets_losses(const struct packets *packets)
{
	return &packets->losses;
}

void packets_set_module_losses(struct packets *packets, struct module_losses losses)
{
	packets->losses.module = losses;
}

uint64_t packets_incomplete(const struct packets *packets)
{
	return packets->incomplete;
}

uint64_t packets_missing(const struct packets *packets)
{
	return packets->highest > packets->shown ? packets->highest - packets->shown : 0;
}

/*
 * Return: true if rows were lost during the life of the packet. Without an end event, the life of a packet
 * lasts until the end of the recording.
 */
static bool loses_rows(const struct lost_events *losses, const struct packet *packet)
{
	uint64_t until = packet->last > packet->told ? packet->last : packet->told;

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (!packet->copies[i]->fate.ended)
			until = UINT64_MAX;
	}
	return lost_events_touch(losses, packet->first, until);
}

/*
 * Return: true if the function_graph entry of a probe point was lost. An entry is also missing if the user
 * has excluded the function. So a missing entry counts as lost only if function_graph reported missing calls.
 */
static bool lacks_lines(const struct lost_events *losses, const struct packet *packet)
{
	return packet->announced > packet->entered &&
	       lost_events_lack_calls(losses, packet->first,
				      packet->last > packet->told ? packet->last : packet->told);
}

const char *packets_keep_reason(struct packets *packets, const char *reason)
{
	struct table_key key = { .number = hash_text(HASH_BEGIN, reason) };
	const char *kept;

	while ((kept = table_find(&packets->reasons, key)) && strcmp(kept, reason))
		key.number++;
	if (!kept)
		kept = table_add(&packets->reasons, key, strdup(reason));
	return kept ? kept : "";
}

static void finish_packet(struct packets *packets, struct packet *packet)
{
	packet->incomplete |= loses_rows(&packets->losses, packet) ||
			      lacks_lines(&packets->losses, packet);
	copies_judge(packet);
	/* Do not output a packet that was not seen at any probe point, because there is nothing to show. */
	if (packet->nr_copies && packet->first) {
		packets->incomplete += packet->incomplete;
		packets->shown++;
		packets->output->packet(packets->output_data, packet);
	}
	free_packet(packet);
}

static struct table_key number_key(uint32_t number)
{
	return (struct table_key){ .number = number };
}

struct packet *packets_find_open(struct packets *packets, uint32_t number)
{
	struct packet *packet = packets->ring[number % MAX_PACKETS];
	const struct old_packet *old;

	if (packet && packet->number == number)
		return packet;
	old = packets->old.nr ? table_find(&packets->old, number_key(number)) : NULL;
	return old ? old->packet : NULL;
}

bool packets_is_gone(const struct packets *packets, uint32_t number)
{
	return packets->gone && packets->gone[number % MAX_PACKETS] == number;
}

/* Return: true if a later event may still change the packet, because one of its skbs was not freed yet. */
static bool is_open(const struct packet *packet)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (packet->copies[i]->tracked && !packet->copies[i]->fate.ended)
			return true;
	}
	return packet->open_graphs;
}

/*
 * Free a slot of the ring for a newer packet. If packets are passed on in order, a packet that is not
 * complete moves to the table @old.
 */
static void clear_slot(struct packets *packets, struct packet **slot)
{
	struct old_packet *old;

	if (packets->in_order && is_open(*slot)) {
		old = table_add(&packets->old, number_key((*slot)->number),
				calloc(1, sizeof(*old)));
		if (old) {
			old->packet = *slot;
			*slot = NULL;
			return;
		}
	}
	finish_packet(packets, *slot);
	*slot = NULL;
}

struct packet *packets_find_or_add(struct packets *packets, uint32_t number)
{
	struct packet **slot = &packets->ring[number % MAX_PACKETS], *packet;

	if (packets_is_gone(packets, number))
		return NULL;
	packet = packets_find_open(packets, number);
	if (packet)
		return packet;
	/* If MAX_PACKETS newer packets have come since, the packet was already passed to the output. */
	if ((*slot && (*slot)->number > number) ||
	    (packets->in_order && number < packets->highest &&
	     packets->highest - number >= MAX_PACKETS))
		return NULL;
	if (*slot)
		clear_slot(packets, slot);
	*slot = calloc(1, sizeof(**slot));
	if (!*slot)
		return NULL;
	(*slot)->number = number;
	if (number > packets->highest)
		packets->highest = number;
	return *slot;
}

const struct packet *packets_find(const struct packets *packets, uint32_t number)
{
	return packets_find_open((struct packets *)packets, number);
}

bool packets_come_live(struct packets *packets)
{
	packets->gone = calloc(MAX_PACKETS, sizeof(*packets->gone));
	packets->first = 1;
	return packets->gone;
}

static bool is_idle(const void *thing)
{
	return !((const struct old_packet *)thing)->packet;
}

bool packets_come_in_order(struct packets *packets)
{
	packets->in_order = packets_come_live(packets);
	packets->old.idle = is_idle;
	return packets->in_order;
}

static bool has_ended(const struct packet *packet)
{
	return !packet->open_graphs && copies_have_ended(packet);
}

/*
 * Return: true if no more rows of the packet are expected. After the end of a packet, rows of its call graph
 * can still come, so wait for some time after its last row.
 */
static bool can_be_handed_on(const struct packet *packet, uint64_t now)
{
	const uint64_t since = packet->last > packet->first ? packet->last : packet->first;

	return packet->first && now > since + (has_ended(packet) ? SETTLED_NS : PATIENCE_NS);
}

static void hand_on(struct packets *packets, uint32_t number)
{
	struct packet **slot = &packets->ring[number % MAX_PACKETS];

	finish_packet(packets, *slot);
	*slot = NULL;
	packets->gone[number % MAX_PACKETS] = number;
}

void packets_hand_on(struct packets *packets, uint64_t now)
{
	bool all = true;

	if (packets->highest >= packets->first + MAX_PACKETS)
		packets->first = packets->highest - MAX_PACKETS + 1;
	for (uint32_t number = packets->first; number <= packets->highest; number++) {
		struct packet *packet = packets_find_open(packets, number);

		if (packet && can_be_handed_on(packet, now)) {
			hand_on(packets, number);
			packet = NULL;
		}
		/* Stop at a packet that was not seen yet, because its first event may be in the next rows. */
		all &= !packet && packets_is_gone(packets, number);
		packets->first += all;
	}
	lost_events_forget(&packets->losses, now > FORGOTTEN_NS ? now - FORGOTTEN_NS : 0);
}

/* Return: time of the last event of the packet. */
static uint64_t end_of(const struct packet *packet)
{
	const uint64_t last = packet->last > packet->first ? packet->last : packet->first;

	return packet->told > last ? packet->told : last;
}

/*
 * Return: true if no later row can change the packet. Its skbs must have been freed, and its call graphs must
 * have ended. If a probe point has no graph entry, its return event may still come, so wait for LATE_NS.
 * Losses and missing calls that were not found yet must begin after the end of the packet.
 */
static bool is_final(const struct packet *packet, const struct read_state *state)
{
	const bool lacks_entries = packet->announced > packet->entered;
	const uint64_t end = end_of(packet);

	if (!has_ended(packet) || state->now <= end + (lacks_entries ? LATE_NS : SETTLED_NS))
		return false;
	/*
	 * If a loss during the life of the packet may still be found, the packet is not final, because this
	 * loss would make it incomplete.
	 */
	return packet->incomplete ||
	       (end < state->losses_from && (!lacks_entries || end < state->calls_from));
}

/*
 * Return: the lowest number of a packet in memory. 0 if memory has no packet, or if a packet with a lower
 * number may still come.
 */
static uint32_t next_number(const struct packets *packets, const struct read_state *state)
{
	uint32_t number = packets->first;
	const struct packet *packet;

	while (number <= packets->highest && packets_is_gone(packets, number))
		number++;
	packet = packets->ring[number % MAX_PACKETS];
	if (packet && packet->number == number)
		return number;
	for (; number <= packets->highest; number++) {
		packet = packets->ring[number % MAX_PACKETS];
		if (packet && packet->number == number)
			return state->now > end_of(packet) + LATE_NS ? number : 0;
	}
	return 0;
}

static void pass_old_packets(struct packets *packets, const struct read_state *state)
{
	struct old_packet *old;
	size_t i = 0;

	while (packets->old.nr && (old = table_next(&packets->old, &i))) {
		if (!old->packet || !is_final(old->packet, state))
			continue;
		finish_packet(packets, old->packet);
		old->packet = NULL;
	}
}

void packets_pass_final(struct packets *packets, const struct read_state *state)
{
	uint32_t number;

	if (packets->highest >= MAX_PACKETS && packets->first <= packets->highest - MAX_PACKETS)
		packets->first = packets->highest - MAX_PACKETS + 1;
	pass_old_packets(packets, state);
	while ((number = next_number(packets, state))) {
		packets->first = number;
		if (!is_final(packets->ring[number % MAX_PACKETS], state))
			return;
		hand_on(packets, number);
		packets->first++;
	}
}

bool packets_is_final(const struct packets *packets, uint32_t number,
		      const struct read_state *state)
{
	const struct packet *packet = packets_find(packets, number);

	return packet ? is_final(packet, state) : packets_is_gone(packets, number);
}

bool packets_has_before(const struct packets *packets, uint64_t ts)
{
	const struct packet *packet;
	struct old_packet *old;
	size_t i = 0;

	while ((old = table_next(&packets->old, &i))) {
		if (old->packet && old->packet->first <= ts)
			return true;
	}
	for (uint32_t number = packets->first; number && number <= packets->highest; number++) {
		packet = packets->ring[number % MAX_PACKETS];
		if (packet && packet->number == number && packet->first <= ts)
			return true;
	}
	return false;
}

void packets_choose(struct packets *packets, uint32_t number)
{
	struct packet *packet = packets_find_open(packets, number);

	if (packet)
		packet->chosen = true;
}

static int by_number(const void *a, const void *b)
{
	const struct packet *const *x = a, *const *y = b;

	return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

static int by_number_of_old(const void *a, const void *b)
{
	const struct old_packet *const *x = a, *const *y = b;

	return by_number(&(*x)->packet, &(*y)->packet);
}

/* Pass on the packets that were removed from the ring before they were complete. */
static void end_old_packets(struct packets *packets)
{
	struct old_packet **sorted = calloc(packets->old.nr + 1, sizeof(*sorted)), *old;
	size_t i = 0, n = 0;

	while ((old = table_next(&packets->old, &i))) {
		if (old->packet && sorted)
			sorted[n++] = old;
	}
	if (n)
		qsort(sorted, n, sizeof(*sorted), by_number_of_old);
	for (i = 0; i < n; i++) {
		finish_packet(packets, sorted[i]->packet);
		sorted[i]->packet = NULL;
	}
	free(sorted);
}

void packets_end(struct packets *packets)
{
	size_t n = 0;

	for (size_t i = 0; i < MAX_PACKETS; i++) {
		struct packet *packet = packets->ring[i];

		packets->ring[i] = NULL;
		if (packet)
			packets->ring[n++] = packet;
	}
	end_old_packets(packets);
	qsort(packets->ring, n, sizeof(*packets->ring), by_number);
	for (size_t i = 0; i < n; i++) {
		finish_packet(packets, packets->ring[i]);
		packets->ring[i] = NULL;
	}
}
