// SPDX-License-Identifier: GPL-2.0
/* gap.c - whose the time was in which nobody worked for a packet */
#include <string.h>

#include "gap.h"
#include "headers.h"

static enum gap_kind kind_of_queue(const struct name *queue)
{
	if (!queue)
		return GAP_BETWEEN;
	if (!strcmp(queue->text, "__dev_queue_xmit"))
		return GAP_QUEUE;
	if (!strcmp(queue->text, "neigh_resolve_output"))
		return GAP_NEIGHBOUR;
	if (!strcmp(queue->text, "netif_rx_internal"))
		return GAP_BACKLOG;
	if (!strcmp(queue->text, "ip_defrag") || !strcmp(queue->text, "ipv6_frag_rcv"))
		return GAP_FRAGMENTS;
	return GAP_OTHER_QUEUE;
}

/* The driver had stopped its queue, or was at another packet: what was handed to it is put back. */
static bool was_put_back(const struct rest *rest)
{
	return rest->after && rest->before && !strcmp(rest->after->text, "sch_direct_xmit") &&
	       !strcmp(rest->before->text, "sch_direct_xmit");
}

static enum gap_kind kind_of_rest(const struct packet *packet, const struct rest *rest)
{
	/* Where rows are lost, it may have been anywhere. */
	if (packet->incomplete)
		return GAP_BETWEEN;
	if (was_put_back(rest))
		return GAP_QUEUE;
	return rest->state == FATE_QUEUED ? kind_of_queue(rest->after) : GAP_BETWEEN;
}

static struct gap rest_as_gap(const struct packet *packet, const struct rest *rest)
{
	return (struct gap){
		.ns = rest->after && rest->before ? rest->ns : 0,
		.kind = kind_of_rest(packet, rest),
		.number = packet->number,
		.device = rest->device,
		.after = rest->after,
		.before = rest->before,
		.waited = rest->waited,
	};
}

static struct gap unread(const struct packet *packet, const struct visit *visit)
{
	return (struct gap){
		.ns = visit->delivered && visit->read ? visit->read - visit->delivered : 0,
		.kind = visit->awaited ? GAP_AWAITED : GAP_UNREAD,
		.number = packet->number,
		.device = NO_DEVICE,
		.waited = visit->waited,
	};
}

/* What lay in the socket that sends it. */

static enum gap_kind kind_of_held(const struct held *held)
{
	switch (held->released) {
	case RELEASED_WINDOW:
		return GAP_WINDOW;
	case RELEASED_ROOM:
		return held->unacked ? GAP_ROOM : GAP_CALL;
	case RELEASED_ACK:
		return held->partial ? GAP_NAGLE : GAP_CONGESTION;
	case RELEASED_TIMER:
		if (!held->partial)
			return GAP_PACED;
		/* fall through */
	case RELEASED_CALL:
		return held->partial && !held->unacked ? GAP_CORKED : GAP_HELD;
	case RELEASED_AT_ONCE:
		break;
	}
	return GAP_BETWEEN;
}

static struct gap unsent_as_gap(const struct packet *packet, const struct way *way)
{
	const struct held *held = &way->held;
	const bool waited = held->released != RELEASED_AT_ONCE && packet->first > held->since;

	return (struct gap){
		.ns = waited && !packet->incomplete ? packet->first - held->since : 0,
		.kind = kind_of_held(held),
		.number = packet->number,
		.by = held->by,
		.device = NO_DEVICE,
	};
}

/* Its call had begun, and there was no packet. */
static struct gap in_its_call(const struct packet *packet, const struct way *way)
{
	return (struct gap){
		.ns = way->called && way->first_of_call ? packet->first - way->called : 0,
		.kind = GAP_CALL,
		.number = packet->number,
		.device = NO_DEVICE,
		.waited = way->waited,
	};
}

/* Those that are of a task, which did not work. */
static void each_waited(const struct packet *packet, const struct waited *waited,
			enum gap_kind asleep, enum gap_kind no_cpu, own_gap_sink *each, void *data)
{
	struct gap gap = { .number = packet->number, .device = NO_DEVICE, .waited = *waited };

	gap.kind = asleep;
	gap.ns = waited->asleep;
	each(data, &gap);
	gap.kind = no_cpu;
	gap.ns = waited->no_cpu;
	each(data, &gap);
}

void own_gaps(const struct packet *packet, const struct way *way, own_gap_sink *each, void *data)
{
	const struct gap own[] = {
		rest_as_gap(packet, &way->longest),
		unsent_as_gap(packet, way),
		in_its_call(packet, way),
	};

	for (unsigned int i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		each(data, &own[i]);
	each_waited(packet, &way->waited, GAP_CALL_ASLEEP, GAP_CALL_NO_CPU, each, data);
	for (unsigned int i = 0; i < way->nr_visits; i++) {
		const struct gap gap = unread(packet, &way->visits[i]);

		each(data, &gap);
		each_waited(packet, &way->visits[i].waited, GAP_READER_ASLEEP, GAP_READER_NO_CPU,
			    each, data);
	}
}

static void keep_longer(void *data, const struct gap *gap)
{
	struct gap *longest = data;

	if (gap->ns > longest->ns && !gap_is_part(gap))
		*longest = *gap;
}

struct gap longest_own_gap(const struct packet *packet, const struct way *way)
{
	struct gap longest = { .number = packet->number, .device = NO_DEVICE };

	own_gaps(packet, way, keep_longer, &longest);
	return longest;
}
