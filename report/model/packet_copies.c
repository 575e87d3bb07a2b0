// SPDX-License-Identifier: GPL-2.0
/* packet_copies.c - the copies (skbs) of a packet, and the choice of the copy that decides its outcome */
#include <stdlib.h>
#include <string.h>

#include "model/packet_copies.h"

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

static bool grow_copies(struct packet *packet)
{
	unsigned int capacity = packet->capacity ? packet->capacity * 2 : 1;
	struct copy **copies;

	if (packet->nr_copies < packet->capacity)
		return true;
	copies = realloc(packet->copies, capacity * sizeof(*copies));
	if (!copies)
		return false;
	packet->copies = copies;
	packet->capacity = capacity;
	return true;
}

struct copy *copies_find_or_add(struct packet *packet, uint32_t number)
{
	unsigned int i = place_of(packet, number);
	struct copy *copy;

	if (i < packet->nr_copies && packet->copies[i]->number == number)
		return packet->copies[i];
	copy = grow_copies(packet) ? calloc(1, sizeof(*copy)) : NULL;
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
	copy->outcome.reason = "";
	return copy;
}

/*
 * Maximum number of devices in a path. Packets of real networks pass fewer devices, but a forged file may
 * contain more.
 */
#define MAX_DEVICES 1024

/*
 * Insert a device before the device with the index @at. Decisions that were made after this device still come
 * after it.
 */
static bool path_insert(struct path *path, unsigned int at, const struct hop *hop)
{
	unsigned int capacity = path->capacity ? path->capacity * 2 : 4;
	struct hop *hops;

	if (path->n == MAX_DEVICES)
		return false;
	if (path->n == path->capacity) {
		hops = realloc(path->hops, capacity * sizeof(*hops));
		if (!hops)
			return false;
		path->hops = hops;
		path->capacity = capacity;
	}
	memmove(path->hops + at + 1, path->hops + at, (path->n - at) * sizeof(*path->hops));
	path->hops[at] = *hop;
	path->n++;
	for (unsigned int i = 0; i < path->decisions.n; i++)
		path->decisions.v[i].hop += path->decisions.v[i].hop > at;
	return true;
}

unsigned int path_end_of_host(const struct path *path, unsigned int hosts_before)
{
	unsigned int n = path->n;

	while (n && path->hops[n - 1].hosts_before > hosts_before)
		n--;
	return n;
}

bool copy_crosses(struct copy *copy, const struct hop *hop)
{
	struct path *path = &copy->path;
	const unsigned int end = path_end_of_host(path, hop->hosts_before);
	struct hop *last = end ? &path->hops[end - 1] : NULL;

	if (hop->device == NO_DEVICE)
		return false;
	if (last && last->device == hop->device) {
		last->is_route &= hop->is_route;
		return false;
	}
	if (!last || !last->is_route)
		return path_insert(path, end, hop);
	*last = *hop;
	return true;
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
	/*
	 * The clocks of two hosts differ a little. So the next host may already have seen the copy when this
	 * event tells that the copy was made. In this case, the copy keeps its fate.
	 */
	if (!copy->seen && !copy->programs.n && !copy->fate.ended)
		fate_born(&copy->fate, from ? &from->fate : NULL, event->copy_kind);
	for (unsigned int i = 0; from && i < from->path.n; i++) {
		struct hop hop = from->path.hops[i];

		hop.was_sent = false;
		path_insert(&copy->path, path_end_of_host(&copy->path, hop.hosts_before), &hop);
	}
	if (from)
		decisions_take(&copy->path.decisions, &from->path.decisions, false);
	/* A clone or copy of an skb has the same bytes as the original skb. */
	if (from && !copy->seen && event->copy_kind <= RECORD_SKB_COPY_COPY)
		copy->payload = copy->payload_now = from->payload_now;
}

bool copies_have_ended(const struct packet *packet)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		if (!packet->copies[i]->fate.ended)
			return false;
	}
	return packet->nr_copies;
}

static enum verdict verdict_of(const struct fate *fate, bool incomplete)
{
	/* If rows are missing, a verdict that follows from the absence of events may be wrong. */
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

static void judge_copy(struct copy *copy, bool incomplete)
{
	struct outcome *outcome = &copy->outcome;

	/*
	 * An untracked skb gets another copy number at each probe point. So its later events belong to other
	 * copies, and the outcome of this copy is not known.
	 */
	outcome->verdict = verdict_of(&copy->fate, incomplete || !copy->tracked);
	if (copy->missed &&
	    (outcome->verdict == VERDICT_SENT || outcome->verdict == VERDICT_FORWARDED))
		outcome->verdict = VERDICT_LOST;
	outcome->where = copy->fate.where.id;
	if (outcome->verdict != VERDICT_DROPPED)
		outcome->reason = "";
	if (outcome->verdict != VERDICT_DROPPED && outcome->verdict != VERDICT_UNKNOWN)
		outcome->program = NULL;
	if (copy->path.n &&
	    (outcome->verdict == VERDICT_SENT || outcome->verdict == VERDICT_FORWARDED ||
	     outcome->verdict == VERDICT_LOST || outcome->verdict == VERDICT_QUEUED))
		outcome->device = copy->path.hops[copy->path.n - 1].device;
}

/*
 * Return: the weight of a copy. The copy with the highest weight decides the outcome of the packet; with
 * equal weights, the first of these copies decides. A copy that reached a socket or a device outweighs a copy
 * that the kernel consumed. Copies for packet sockets only observe the packet and have the weight 0.
 */
static int verdict_weight(const struct copy *copy)
{
	static const int weights[VERDICTS] = {
		[VERDICT_TAPPED] = 0,  [VERDICT_COPIED] = 1,	[VERDICT_UNKNOWN] = 2,
		[VERDICT_QUEUED] = 3,  [VERDICT_FREED] = 4,	[VERDICT_CONSUMED] = 5,
		[VERDICT_DROPPED] = 7, [VERDICT_SENT] = 7,	[VERDICT_FORWARDED] = 7,
		[VERDICT_LOST] = 7,    [VERDICT_DELIVERED] = 8,
	};

	/*
	 * A copy for a packet socket has no weight, not even if it was dropped because the buffer of the
	 * socket was full.
	 */
	return (copy->fate.is_tap ? 0 : weights[copy->outcome.verdict] * 2) + !copy->number;
}

static void free_copy(struct copy *copy)
{
	free(copy->path.hops);
	decisions_free(&copy->path.decisions);
	programs_free(&copy->programs);
	free(copy->frames);
	free(copy);
}

/*
 * Return: true if this copy was made from an skb that has ended, and the packet continues only as copies of
 * that skb. Such copies must be shown.
 */
static bool replaces_another(const struct packet *packet, const struct copy *copy)
{
	const struct copy *from = copies_find(packet, copy->from);

	return from && from != copy && from->outcome.verdict == VERDICT_COPIED;
}

/*
 * Return: true if the copy should be shown. The first skb is shown, and each copy that reached a probe point.
 * Any other copy is shown if it was dropped, or delivered to a packet socket. It is also shown if the
 * function that made it has kept it, if it replaces another skb, or if it is for the XDP program of the peer
 * device.
 */
static bool is_worth_showing(const struct packet *packet, const struct copy *copy)
{
	/* Hide a copy that was consumed because the filter of its packet socket rejected it. */
	if (copy->fate.is_tap && copy->outcome.verdict == VERDICT_CONSUMED)
		return false;
	return !copy->number || copy->seen || copy->fate.for_program || copy->fate.kept ||
	       copy->outcome.verdict == VERDICT_TAPPED ||
	       copy->outcome.verdict == VERDICT_DROPPED || replaces_another(packet, copy);
}

static bool is_echo_reply(const struct flow *flow)
{
	return flow->has_icmp && ((flow->proto == FLOW_ICMP && flow->icmp_type == 0) ||
				  (flow->proto == FLOW_ICMPV6 && flow->icmp_type == 129));
}

static bool has_delivered_clone(const struct packet *packet, const struct copy *of)
{
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];

		if (copy != of && copy->number && copy->from == of->number && !copy->fate.is_tap &&
		    copy->kind == RECORD_SKB_COPY_CLONE &&
		    copy->outcome.verdict == VERDICT_DELIVERED)
			return true;
	}
	return false;
}

/*
 * A ping or raw socket gets a clone of an echo reply. Many kernels then free the original with the reason
 * NO_SOCKET. This is not a drop, because no other socket could receive the reply. For UDP and other
 * protocols, NO_SOCKET means a drop, even if a socket got a clone.
 */
static void judge_echo_reply(const struct packet *packet, struct copy *copy)
{
	if (copy->outcome.verdict != VERDICT_DROPPED || strcmp(copy->outcome.reason, "NO_SOCKET") ||
	    !is_echo_reply(&copy->flow_now) || !has_delivered_clone(packet, copy))
		return;
	copy->outcome.verdict = VERDICT_CONSUMED;
	copy->outcome.reason = "";
}

void copies_judge(struct packet *packet)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < packet->nr_copies; i++)
		judge_copy(packet->copies[i], packet->incomplete);
	for (unsigned int i = 0; i < packet->nr_copies; i++)
		judge_echo_reply(packet, packet->copies[i]);
	for (unsigned int i = 0; i < packet->nr_copies; i++)
		packet->copies[i]->shown = is_worth_showing(packet, packet->copies[i]);
	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		struct copy *copy = packet->copies[i];

		if (!copy->shown) {
			free_copy(copy);
			continue;
		}
		packet->copies[n++] = copy;
		if (!packet->decided || verdict_weight(copy) > verdict_weight(packet->decided))
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
