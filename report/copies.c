// SPDX-License-Identifier: GPL-2.0
/* copies.c - the skbs of a packet, and which of them says what became of it */
#include <stdlib.h>
#include <string.h>

#include "copies.h"

static unsigned int place_of(const struct packet *packet, uint32_t number)
{
	unsigned int low = 0, high = packet->nr_copies, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (packet->copies[middle]->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct copy *copies_find(const struct packet *packet, uint32_t number)
{
	unsigned int i = place_of(packet, number);

	return i < packet->nr_copies && packet->copies[i]->number == number ? packet->copies[i] :
									      NULL;
}

static bool make_room(struct packet *packet)
{
	unsigned int room = packet->room ? packet->room * 2 : 1;
	struct copy **copies;

	if (packet->nr_copies < packet->room)
		return true;
	copies = realloc(packet->copies, room * sizeof(*copies));
	if (!copies)
		return false;
	packet->copies = copies;
	packet->room = room;
	return true;
}

struct copy *copies_find_or_add(struct packet *packet, uint32_t number)
{
	unsigned int i = place_of(packet, number);
	struct copy *copy;

	if (i < packet->nr_copies && packet->copies[i]->number == number)
		return packet->copies[i];
	copy = make_room(packet) ? calloc(1, sizeof(*copy)) : NULL;
	if (!copy)
		return NULL;
	memmove(packet->copies + i + 1, packet->copies + i,
		(packet->nr_copies - i) * sizeof(*packet->copies));
	packet->copies[i] = copy;
	packet->nr_copies++;
	copy->number = number;
	copy->payload = copy->payload_now = -1;
	copy->tracked = true;
	copy->outcome.device = NO_DEVICE;
	return copy;
}

static bool path_add(struct path *path, uint16_t device)
{
	unsigned int room = path->room ? path->room * 2 : 4;
	uint16_t *hops;

	if (path->n == path->room) {
		hops = realloc(path->hops, room * sizeof(*hops));
		if (!hops)
			return false;
		path->hops = hops;
		path->room = room;
	}
	path->hops[path->n++] = device;
	return true;
}

bool copy_crosses(struct copy *copy, uint16_t device, bool is_route)
{
	struct path *path = &copy->path;

	if (device == NO_DEVICE)
		return false;
	if (path->n && path->hops[path->n - 1] == device) {
		copy->has_route &= is_route;
		return false;
	}
	path->n -= copy->has_route;
	copy->has_route = is_route;
	return path_add(path, device);
}

void copies_made(struct packet *packet, const struct skb_event *event)
{
	struct copy *copy = copies_find_or_add(packet, event->copy);
	struct copy *from = copy ? copies_find(packet, event->from) : NULL;

	if (!copy || from == copy)
		return;
	copy->from = event->from;
	copy->kind = event->copy_kind;
	copy->skb = event->skb;
	fate_born(&copy->fate, from ? &from->fate : NULL, event->copy_kind == RECORD_SKB_COPY_COPY);
	for (unsigned int i = 0; from && i < from->path.n; i++)
		path_add(&copy->path, from->path.hops[i]);
	copy->has_route = from && from->has_route;
	/* A clone's bytes are those of the first. */
	if (from && event->copy_kind <= RECORD_SKB_COPY_COPY)
		copy->payload = copy->payload_now = from->payload_now;
}

static enum verdict verdict_of(const struct fate *fate, bool incomplete)
{
	/* What follows from nothing else having been seen does not follow when something is missing. */
	if (incomplete && !fate_is_proved(fate))
		return VERDICT_UNKNOWN;
	switch (fate->state) {
	case FATE_QUEUED:
		return VERDICT_QUEUED;
	case FATE_SENT:
		return fate->came_in ? VERDICT_FORWARDED : VERDICT_SENT;
	case FATE_DELIVERED:
		return VERDICT_DELIVERED;
	case FATE_TAPPED:
		return VERDICT_TAPPED;
	case FATE_HANDLED:
		return VERDICT_CONSUMED;
	case FATE_COPIED:
		return VERDICT_COPIED;
	case FATE_DROPPED:
		return VERDICT_DROPPED;
	case FATE_FREED:
		return VERDICT_FREED;
	case FATE_ON_THE_WAY:
		break;
	}
	return VERDICT_UNKNOWN;
}

static void judge(struct copy *copy, bool incomplete)
{
	struct outcome *outcome = &copy->outcome;

	/* What is not remembered has a number at each point, and where it went from there has another. */
	outcome->verdict = verdict_of(&copy->fate, incomplete || !copy->tracked);
	outcome->where = copy->fate.where.id;
	if (outcome->verdict != VERDICT_DROPPED)
		outcome->reason[0] = '\0';
	if (copy->path.n &&
	    (outcome->verdict == VERDICT_SENT || outcome->verdict == VERDICT_FORWARDED ||
	     outcome->verdict == VERDICT_QUEUED))
		outcome->device = copy->path.hops[copy->path.n - 1];
}

/*
 * Which copy's outcome is the packet's: what reached somebody is stronger than what the kernel did
 * with another for itself. Copies made for packet sockets only look on. Of equal ones it is the first.
 */
static int weight(const struct copy *copy)
{
	static const int weights[VERDICTS] = {
		[VERDICT_TAPPED] = 0,	 [VERDICT_COPIED] = 1, [VERDICT_UNKNOWN] = 2,
		[VERDICT_QUEUED] = 3,	 [VERDICT_FREED] = 4,  [VERDICT_CONSUMED] = 5,
		[VERDICT_DROPPED] = 7,	 [VERDICT_SENT] = 7,   [VERDICT_FORWARDED] = 7,
		[VERDICT_DELIVERED] = 8,
	};

	/* Nor does it matter that one of those had no room for it. */
	return (copy->fate.is_tap ? 0 : weights[copy->outcome.verdict] * 2) + !copy->number;
}

static void free_copy(struct copy *copy)
{
	free(copy->path.hops);
	free(copy->frames);
	free(copy);
}

/*
 * A copy that nobody ever saw at a probe point, and that nothing is known of, is not worth a line. But one
 * that was made for the other device's program is the packet: the first is left behind.
 */
static bool is_worth_showing(const struct copy *copy)
{
	/* A packet socket that it was made for did not want it. */
	if (copy->fate.is_tap && copy->outcome.verdict == VERDICT_CONSUMED)
		return false;
	return !copy->number || copy->seen || copy->fate.for_program ||
	       copy->outcome.verdict == VERDICT_TAPPED || copy->outcome.verdict == VERDICT_DROPPED;
}

void copies_judge(struct packet *packet)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		struct copy *copy = packet->copies[i];

		judge(copy, packet->incomplete);
		if (!is_worth_showing(copy)) {
			free_copy(copy);
			continue;
		}
		packet->copies[n++] = copy;
		if (!packet->decided || weight(copy) > weight(packet->decided))
			packet->decided = copy;
	}
	packet->nr_copies = n;
}

void copies_free(struct packet *packet)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++)
		free_copy(packet->copies[i]);
	free(packet->copies);
}
