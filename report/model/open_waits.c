// SPDX-License-Identifier: GPL-2.0
/* open_waits.c - find waits that were still going on at the end of the recording */
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/explanations.h"
#include "model/open_waits.h"
#include "model/packet_headers.h"
#include "model/packet_text.h"

struct open_waits {
	struct packets **packets;
	const struct socket_reads *reads;
	struct table open;   /* table of struct open_wait, by kind and by server or @where */
	struct table places; /* table of struct place, by number of the flow */
	struct table closed; /* table of struct closed, by flow and by the end that has closed */
	struct open_wait **sorted;
	size_t n;
	bool no_memory;
};

/* Where the server of a flow got the last request: headers of the packet there, and network namespace. */
struct place {
	struct flow flow;
	uint32_t netns;
};

/* The time of the first FIN or RST from one end of a connection. */
struct closed {
	uint64_t at;
};

struct open_waits *open_waits_new(struct packets **packets, const struct socket_reads *reads)
{
	struct open_waits *waits = calloc(1, sizeof(*waits));

	if (!waits)
		return NULL;
	waits->packets = packets;
	waits->reads = reads;
	return waits;
}

void open_waits_free(struct open_waits *waits)
{
	struct open_wait *open;
	size_t i = 0;

	if (!waits)
		return;
	while ((open = table_next(&waits->open, &i)))
		free(open->where);
	table_free(&waits->open);
	table_free(&waits->places);
	table_free(&waits->closed);
	free(waits->sorted);
	free(waits);
}

/* Return: a hash (FNV-1a) of the kind of wait and the name of the queue. */
static uint64_t hash_wait(const struct open_wait *wait)
{
	uint64_t hash = (wait->kind ^ 0xcbf29ce484222325ull) * 0x100000001b3ull;

	for (const char *c = wait->where ? wait->where : ""; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 0x100000001b3ull;
	return hash;
}

static void add_open(struct open_waits *waits, const struct open_wait *wait)
{
	const struct table_key key = {
		.number = hash_wait(wait),
		.owner = wait->server,
	};
	struct open_wait *open = table_find(&waits->open, key);

	if (!open) {
		open = table_add(&waits->open, key, calloc(1, sizeof(*open)));
		if (!open || (wait->where && !(open->where = strdup(wait->where)))) {
			waits->no_memory = true;
			return;
		}
		open->kind = wait->kind;
		open->server = wait->server;
	}
	open->nr += wait->nr;
	if (!open->since || wait->since < open->since) {
		open->since = wait->since;
		open->packet = wait->packet;
		open->sender = wait->sender;
		open->flow = wait->flow;
		open->netns = wait->netns;
		memcpy(open->device, wait->device, sizeof(open->device));
	}
}

/* Set the headers, the device and the namespace of a wait to those of a copy of the packet. */
static void set_place(const struct open_waits *waits, const struct copy *copy,
		      struct open_wait *wait)
{
	const struct device *device =
		copy->path.n ? devices_get(packets_devices(*waits->packets),
					   copy->path.hops[copy->path.n - 1].device) :
			       NULL;

	wait->flow = copy->flow_now;
	wait->netns = device ? device->netns : 0;
	snprintf(wait->device, sizeof(wait->device), "%s", device ? device->name : "");
}

/* Note where the server got a request. */
static void note_place(struct open_waits *waits, const struct packet *packet,
		       const struct server *server)
{
	const struct table_key key = { .number = packet->flow_number };
	const struct copy *copy = packet->decided;
	struct open_wait at = { 0 };
	struct place *place;

	if (!packet->flow_number || copy->outcome.verdict != VERDICT_DELIVERED ||
	    !server_is_destination(server, &packet->copies[0]->flow))
		return;
	set_place(waits, copy, &at);
	place = table_find(&waits->places, key);
	if (!place)
		place = table_add(&waits->places, key, calloc(1, sizeof(*place)));
	if (place)
		*place = (struct place){ at.flow, at.netns };
	else
		waits->no_memory = true;
}

/* Return: a key made from the connection and from the end of the connection that sent the packet. */
static struct table_key sender_key(const struct packet *packet, const struct flow *flow)
{
	uint64_t hash = (packet->flow_number ^ 0xcbf29ce484222325ull) * 0x100000001b3ull ^
			flow->sport;

	for (size_t i = 0; i < sizeof(flow->saddr); i++)
		hash = (hash ^ flow->saddr[i]) * 0x100000001b3ull;
	return (struct table_key){ .number = hash };
}

/* Note the time of a FIN or RST. */
static void note_close(struct open_waits *waits, const struct packet *packet)
{
	const struct copy *first = packet->copies[0];
	const struct table_key key = sender_key(packet, &first->flow);
	struct closed *closed;

	if (!packet->flow_number || first->flow.proto != PROTO_TCP ||
	    !(first->tcp_flags & (TCP_FIN | TCP_RST)))
		return;
	closed = table_find(&waits->closed, key);
	if (!closed)
		closed = table_add(&waits->closed, key, calloc(1, sizeof(*closed)));
	if (!closed)
		waits->no_memory = true;
	else if (!closed->at || packet->first < closed->at)
		closed->at = packet->first;
}

/* Return: the path of the copy with this number; NULL if it is not known. */
static const struct visit *visit_of(const struct way *way, uint32_t copy)
{
	for (unsigned int i = 0; way && i < way->nr_visits; i++) {
		if (way->visits[i].copy == copy)
			return &way->visits[i];
	}
	return NULL;
}

/*
 * Note a packet that was not read: a socket has the packet, and its skb was not freed before the end of the
 * recording. Bytes that earlier bytes of the stream must precede cannot be read, so the wait begins when they
 * are in order. The packet must be complete. If events were lost, the end event of the skb may be among
 * them, so open_waits_add() does not call this function for incomplete packets.
 */
static void look_for_unread(struct open_waits *waits, const struct packet *packet,
			    const struct way *way, const struct server *server)
{
	struct open_wait wait = { .server = server, .packet = packet->number, .nr = 1 };

	for (unsigned int i = 0; i < packet->nr_copies; i++) {
		const struct copy *copy = packet->copies[i];
		const struct visit *visit = visit_of(way, copy->number);

		if (copy->outcome.verdict != VERDICT_DELIVERED || copy->fate.ended ||
		    !copy->tracked || !visit || !visit->in_order || visit->read ||
		    socket_reads_since(waits->reads, packet->flow_number, &copy->flow_now,
				       visit->in_order))
			continue;
		wait.kind = !server->is_known				   ? OPEN_UNREAD :
			    server_is_destination(server, &copy->flow_now) ? OPEN_UNREAD_BY_SERVER :
									     OPEN_UNREAD_BY_CLIENT;
		wait.since = visit->in_order;
		wait.sender = sender_key(packet, &packet->copies[0]->flow).number;
		set_place(waits, copy, &wait);
		add_open(waits, &wait);
		return;
	}
}

/*
 * Return: the time since which the packet has been in its queue. A queueing discipline can divide a packet
 * into segments, and these may have reached no probe point. In this case, use the last event of the original
 * skb, because the segments began to wait before this event.
 */
static uint64_t queued_since(const struct packet *packet)
{
	const struct copy *seen = last_seen_copy(packet, packet->decided);

	return seen->last > seen->first ? seen->last : seen->first;
}

void open_waits_add(struct open_waits *waits, const struct packet *packet, const struct way *way,
		    const struct server *server)
{
	char text[VERDICT_LEN];
	struct open_wait wait = {
		.kind = OPEN_QUEUED,
		.where = text,
		.nr = 1,
		.since = queued_since(packet),
		.packet = packet->number,
	};

	note_close(waits, packet);
	if (packet->incomplete)
		return;
	if (packet->decided->outcome.verdict == VERDICT_QUEUED) {
		set_place(waits, last_seen_copy(packet, packet->decided), &wait);
		words_outcome(text, &packet->decided->outcome, packets_devices(*waits->packets));
		add_open(waits, &wait);
	} else if (server) {
		note_place(waits, packet, server);
		look_for_unread(waits, packet, way, server);
	}
}

static void add_asked(void *data, const struct asked *asked)
{
	struct open_waits *waits = data;
	const struct lost_events *losses = packets_losses(*waits->packets);
	const struct table_key flow = { .number = asked->flow };
	const struct place *place = asked->is_connect ? NULL : table_find(&waits->places, flow);
	struct open_wait wait = {
		.kind = asked->is_connect ? OPEN_CONNECT : OPEN_REQUEST,
		.server = asked->server,
		.nr = asked->nr,
		.since = asked->since,
		.packet = asked->packet,
	};

	if (place) {
		wait.flow = place->flow;
		wait.netns = place->netns;
	}
	/*
	 * If events were lost after the request, do not report a missing answer: a lost event may be the
	 * answer. It is not known when the module has not recorded something.
	 */
	if (!lost_events_touch(losses, asked->since, UINT64_MAX) &&
	    !module_losses_entries(&losses->module))
		add_open(waits, &wait);
}

static int by_since(const void *a, const void *b)
{
	const struct open_wait *const *x = a, *const *y = b;

	return ((*x)->since > (*y)->since) - ((*x)->since < (*y)->since);
}

void open_waits_finish(struct open_waits *waits, const struct servers *servers)
{
	const struct closed *closed;
	struct open_wait *open;
	size_t i = 0;

	servers_unanswered(servers, add_asked, waits);
	waits->sorted = calloc(waits->open.nr + 1, sizeof(*waits->sorted));
	waits->no_memory |= !waits->sorted;
	while (waits->sorted && (open = table_next(&waits->open, &i))) {
		waits->sorted[waits->n++] = open;
		closed = table_find(&waits->closed, (struct table_key){ .number = open->sender });
		if (open->sender && closed && closed->at > open->since)
			open->closed = closed->at;
	}
	if (waits->n)
		qsort(waits->sorted, waits->n, sizeof(*waits->sorted), by_since);
}

bool open_waits_lack_memory(const struct open_waits *waits)
{
	return waits->no_memory;
}

struct open_wait *const *open_waits_all(const struct open_waits *waits, size_t *n)
{
	*n = waits->n;
	return waits->sorted;
}

const char *words_open_wait(char *buf, const struct open_wait *wait)
{
	static const char *const texts[OPEN_KINDS] = {
		[OPEN_UNREAD_BY_SERVER] = "not read by the server:",
		[OPEN_UNREAD_BY_CLIENT] = "not read by the client of",
		[OPEN_UNREAD] = "not read:",
		[OPEN_CONNECT] = "connection request not answered:",
		[OPEN_REQUEST] = "request not answered:",
	};
	char server[FLOW_TEXT_LEN];

	if (wait->kind == OPEN_QUEUED)
		snprintf(buf, OPEN_WAIT_LEN, "%s", wait->where);
	else if (wait->kind == OPEN_REQUEST &&
		 (wait->server->proto == PROTO_TCP || wait->server->proto == PROTO_UDP))
		/* The recording does not show if the client waits for an answer. */
		snprintf(buf, OPEN_WAIT_LEN, "last data not answered: %s",
			 words_server(server, wait->server));
	else
		snprintf(buf, OPEN_WAIT_LEN, "%s %s", texts[wait->kind],
			 words_server(server, wait->server));
	return buf;
}

const char *open_wait_command(char *buf, const struct open_wait *wait)
{
	/*
	 * "-a" includes listeners. A connection in the accept queue of a listener has no process yet.
	 */
	static const struct cause socket = { .shows = "ss -%uanp 'sport = :%l'" };
	static const struct cause neighbours = { .shows = "ip neighbour show dev %d" };
	static const struct cause qdisc = { .shows = "tc -s qdisc show dev %d" };
	const struct about about = {
		.flow = &wait->flow,
		.device = *wait->device ? wait->device : NULL,
		.receives = true,
	};

	if (wait->kind != OPEN_QUEUED)
		return cause_command(buf, &socket, &about);
	if (strstr(wait->where, "neigh_"))
		return cause_command(buf, &neighbours, &about);
	return strstr(wait->where, "__dev_queue_xmit") ? cause_command(buf, &qdisc, &about) : NULL;
}

const char *words_open_closed(char *buf, const struct open_wait *wait)
{
	char ns[DURATION_LEN];

	*buf = '\0';
	if (wait->closed)
		snprintf(buf, CLOSED_LEN, "; the %s closed after %s",
			 wait->kind == OPEN_UNREAD_BY_SERVER ? "client" :
			 wait->kind == OPEN_UNREAD_BY_CLIENT ? "server" :
							       "sender",
			 words_duration(ns, wait->closed - wait->since));
	return buf;
}
