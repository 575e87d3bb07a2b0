// SPDX-License-Identifier: GPL-2.0
/*
 * packet_delays.c - find the cause of each delay of a packet. A delay is a time in which no task processed
 * the packet
 */
#include <string.h>

#include "model/packet_delays.h"
#include "model/packet_headers.h"

static enum delay_kind kind_of_queue(const struct name *queue)
{
	if (!queue)
		return DELAY_BETWEEN;
	if (!strcmp(queue->text, "__dev_queue_xmit"))
		return DELAY_QUEUE;
	if (!strcmp(queue->text, "neigh_resolve_output"))
		return DELAY_NEIGHBOUR;
	if (!strcmp(queue->text, "netif_rx_internal"))
		return DELAY_BACKLOG;
	if (!strcmp(queue->text, "ip_defrag") || !strcmp(queue->text, "ipv6_frag_rcv"))
		return DELAY_FRAGMENTS;
	return DELAY_OTHER_QUEUE;
}

/*
 * Return: true if the driver refused the packet, so that it stayed in the qdisc. This happens if the queue of
 * the driver was stopped or locked.
 */
static bool was_put_back(const struct rest *rest)
{
	return rest->after && rest->before && !strcmp(rest->after->text, "sch_direct_xmit") &&
	       !strcmp(rest->before->text, "sch_direct_xmit");
}

static enum delay_kind kind_of_rest(const struct packet *packet, const struct rest *rest)
{
	/* If rows were lost, it is not known where the packet was during the delay. */
	if (packet->incomplete)
		return DELAY_BETWEEN;
	if (was_put_back(rest))
		return DELAY_QUEUE;
	return rest->state == FATE_QUEUED ? kind_of_queue(rest->after) : DELAY_BETWEEN;
}

static struct delay rest_as_delay(const struct packet *packet, const struct rest *rest)
{
	return (struct delay){
		.ns = rest->after && rest->before ? rest->ns : 0,
		.clock_error = rest_clock_error(rest),
		.kind = kind_of_rest(packet, rest),
		.number = packet->number,
		.device = rest->device,
		.after = rest->after,
		.before = rest->before,
		.waited = rest->waited,
	};
}

/*
 * Return: the time between two moments; 0 if rows were lost in between. The lost rows may show that the delay
 * ended earlier.
 */
static uint64_t time_between(const struct lost_events *losses, uint64_t from, uint64_t to)
{
	return to > from && !lost_events_touch(losses, from, to) ? to - from : 0;
}

static struct delay unread_delay(const struct packet *packet, const struct visit *visit,
				 const struct lost_events *losses)
{
	return (struct delay){
		.ns = visit->in_order ? time_between(losses, visit->in_order, visit->read) : 0,
		.kind = visit->awaited ? DELAY_AWAITED : DELAY_UNREAD,
		.number = packet->number,
		.is_partly_read = visit->partly,
		.device = NO_DEVICE,
		.waited = visit->waited,
	};
}

/* Delays in the sending socket */

static enum delay_kind kind_of_held(const struct held *held)
{
	switch (held->released) {
	case RELEASED_WINDOW:
		return DELAY_WINDOW;
	case RELEASED_SEND_BUFFER:
		return held->unacked ? DELAY_SEND_BUFFER : DELAY_CALL;
	case RELEASED_ACK:
		return held->partial ? DELAY_NAGLE : DELAY_CONGESTION;
	case RELEASED_TIMER:
		/*
		 * The timers of pacing, of a cork and of a tail loss probe look alike. But a cork holds back
		 * only small segments, and a probe comes only if data are not acknowledged.
		 */
		return held->partial || held->unacked ? DELAY_HELD : DELAY_PACED;
	case RELEASED_CALL:
		return held->partial && !held->unacked ? DELAY_CORKED : DELAY_HELD;
	case RELEASED_AT_ONCE:
		break;
	}
	return DELAY_BETWEEN;
}

static struct delay unsent_as_delay(const struct packet *packet, const struct way *way,
				    const struct lost_events *losses)
{
	const struct held *held = &way->held;
	const bool waited = held->released != RELEASED_AT_ONCE && !packet->incomplete;

	return (struct delay){
		.ns = waited ? time_between(losses, held->since, packet->first) : 0,
		.kind = kind_of_held(held),
		.number = packet->number,
		.by = held->by,
		.device = NO_DEVICE,
	};
}

/* Return: the delay from the beginning of the sending call until the packet was created. */
static struct delay in_its_call(const struct packet *packet, const struct way *way,
				const struct lost_events *losses)
{
	return (struct delay){
		.ns = way->called && way->first_of_call ?
			      time_between(losses, way->called, packet->first) :
			      0,
		.kind = DELAY_CALL,
		.number = packet->number,
		.device = NO_DEVICE,
		.waited = way->waited,
	};
}

/*
 * Report two parts of a delay: the time in which the task was asleep, and the time in which it had to wait
 * for a CPU.
 */
static void each_waited(const struct packet *packet, const struct waited *waited,
			enum delay_kind asleep, enum delay_kind no_cpu, own_delay_callback *each,
			void *data)
{
	struct delay delay = { .number = packet->number, .device = NO_DEVICE, .waited = *waited };

	delay.kind = asleep;
	delay.ns = waited->asleep;
	each(data, &delay);
	delay.kind = no_cpu;
	delay.ns = waited->no_cpu;
	each(data, &delay);
}

void own_delays(const struct packet *packet, const struct way *way,
		const struct lost_events *losses, own_delay_callback *each, void *data)
{
	const struct delay own[] = {
		rest_as_delay(packet, &way->longest),
		unsent_as_delay(packet, way, losses),
		in_its_call(packet, way, losses),
	};

	for (unsigned int i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		each(data, &own[i]);
	each_waited(packet, &way->waited, DELAY_CALL_ASLEEP, DELAY_CALL_NO_CPU, each, data);
	for (unsigned int i = 0; i < way->nr_visits; i++) {
		const struct delay delay = unread_delay(packet, &way->visits[i], losses);

		each(data, &delay);
		each_waited(packet, &way->visits[i].waited, DELAY_READER_ASLEEP,
			    DELAY_READER_NO_CPU, each, data);
	}
}

static void keep_longer(void *data, const struct delay *delay)
{
	struct delay *longest = data;

	if (delay->ns > longest->ns && !delay_is_part(delay))
		*longest = *delay;
}

struct delay longest_own_delay(const struct packet *packet, const struct way *way,
			       const struct lost_events *losses)
{
	struct delay longest = { .number = packet->number, .device = NO_DEVICE };

	own_delays(packet, way, losses, keep_longer, &longest);
	return longest;
}

/* Return: the path of a copy; NULL if it is not known. */
static const struct visit *visit_of(const struct way *way, uint32_t copy)
{
	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].copy == copy)
			return &way->visits[i];
	}
	return NULL;
}

bool is_still_queued(const struct packet *packet, const struct copy *copy, const struct way *way)
{
	const struct visit *visit = visit_of(way, copy->number);

	if (packet->incomplete || copy->fate.ended || !copy->tracked)
		return false;
	return copy->outcome.verdict == VERDICT_QUEUED ||
	       (copy->outcome.verdict == VERDICT_DELIVERED && visit && visit->delivered &&
		!visit->read);
}

uint64_t waits_since(const struct packet *packet, const struct copy *copy, const struct way *way,
		     const struct socket_reads *reads)
{
	uint64_t since;

	if (!is_still_queued(packet, copy, way))
		return 0;
	if (copy->outcome.verdict == VERDICT_QUEUED)
		return copy->last;
	since = visit_of(way, copy->number)->in_order;
	return since && !socket_reads_since(reads, packet->flow_number, &copy->flow_now, since) ?
		       since :
		       0;
}
