// SPDX-License-Identifier: GPL-2.0
/* servers.c - group the flows by the address and port of their server, and find requests without an answer */
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/packet_headers.h"
#include "model/pings.h"
#include "model/request_packets.h"
#include "model/servers.h"

/*
 * A flow in both directions. @opener has the headers of the first packet of the flow. @asked is the time of
 * the last request; it is 0 before the first request and after an answer. @packet is the number of the
 * request's packet. @begun and @first are the same for the first request since the last answer: the client
 * may repeat a request, send it in several packets, or send the next one at once. @end and @first_end are
 * the TCP sequence numbers after the last request and after this first one. @number is the number of
 * the flow. @sent tells which ends have sent packets: the client [0] and the server [1]. @has_closed is
 * true after a FIN of the server: no answer follows. @is_freed is true if the last SYN was freed, and no
 * answer was seen at this place. @is_overlapping is true after different datagrams waited for an answer: it
 * is not known which one an answer belongs to. @message identifies the last datagram of the client, 0 if not
 * known. For echo requests, note_pings() sets @asked and @packet, and @refused is the time of the last ICMP
 * error.
 */
struct flow_ends {
	struct server *server;
	struct flow opener;
	bool opener_asks;
	bool is_connect;
	bool sent[2];
	bool has_closed;
	bool is_freed, is_overlapping;
	uint32_t packet, first, number, end, first_end;
	uint64_t asked, begun, refused, message;
};

/* The first packet of a flow that was not selected. */
struct other {
	struct flow first;
};

/*
 * Groups of protocols. A filter such as "tcp[tcpflags] == tcp-syn or udp" matches both directions of one
 * group, but only one direction of another.
 */
enum group {
	GROUP_TCP,
	GROUP_ICMP,
	GROUP_OTHER,
	GROUPS,
};

/*
 * @both_ways: the recording has packets of both ends of a flow of this group. If it has none, the filter may
 * match only one direction, such as "dst port 80"
 * @expects_answers: the recording certainly has answers
 * @doubts_answers: the recording may lack the answers of some servers
 * @loses_flows: a flow may have several numbers
 */
struct servers {
	struct table by_address; /* table of struct server, by a hash of its address */
	struct table by_flow;	 /* table of struct flow_ends, by the number of the flow */
	struct table others;	 /* table of struct other, by flow; not used if @both_ways is set */
	struct table pings;
	struct server all;
	const struct lost_events *losses; /* NULL if not known */
	bool both_ways[GROUPS];
	bool expects_answers, doubts_answers;
	bool loses_flows;
};

struct servers *servers_new(void)
{
	struct servers *servers = calloc(1, sizeof(*servers));

	if (servers)
		servers->pings = pings_table();
	return servers;
}

void servers_free(struct servers *servers)
{
	struct server *server;
	size_t i = 0;

	if (!servers)
		return;
	while ((server = table_next(&servers->by_address, &i)))
		histogram_free(&server->answers);
	histogram_free(&servers->all.answers);
	table_free(&servers->by_address);
	table_free(&servers->by_flow);
	table_free(&servers->others);
	table_free(&servers->pings);
	free(servers);
}

void servers_set_losses(struct servers *servers, const struct lost_events *losses)
{
	servers->losses = losses;
}

/* Servers */

static bool is_same(const struct server *a, const struct server *b)
{
	return a->is_known == b->is_known && a->family == b->family && a->proto == b->proto &&
	       a->port == b->port && !memcmp(a->address, b->address, sizeof(a->address));
}

/* Return: a hash (FNV-1a) of the server's address and port. */
static uint64_t hash_of(const struct server *server)
{
	uint64_t hash = 0xcbf29ce484222325ull;
	const uint8_t head[] = {
		server->is_known, server->family, server->proto, server->port >> 8, server->port,
	};

	for (size_t i = 0; i < sizeof(head); i++)
		hash = (hash ^ head[i]) * 0x100000001b3ull;
	for (size_t i = 0; i < sizeof(server->address); i++)
		hash = (hash ^ server->address[i]) * 0x100000001b3ull;
	return hash;
}

/*
 * Return: the server with the same address and port as @like; NULL if there is not enough memory. The
 * function adds the server if necessary.
 */
static struct server *find_or_add(struct servers *servers, const struct server *like)
{
	struct table_key key = { .number = hash_of(like) };
	struct server *server;

	/* If another server has the same hash, try the next numbers. */
	for (; (server = table_find(&servers->by_address, key)); key.number++) {
		if (is_same(server, like))
			return server;
	}
	server = malloc(sizeof(*server));
	if (server)
		*server = *like;
	return table_add(&servers->by_address, key, server);
}

static enum group group_of(const struct flow *flow)
{
	if (is_tcp(flow))
		return GROUP_TCP;
	return flow->has_icmp ? GROUP_ICMP : GROUP_OTHER;
}

/* Return: true if the first packet of a flow shows which end is the server. */
static bool shows_server(const struct copy *first)
{
	const struct flow *flow = &first->flow;

	if (!flow->family || flow->arp || is_icmp_error(flow))
		return false;
	return !is_tcp(flow) || first->tcp_flags & TCP_SYN || flow_ports_tell(flow);
}

static bool source_asks(const struct copy *first)
{
	const struct flow *flow = &first->flow;

	if (is_tcp(flow) && first->tcp_flags & TCP_SYN)
		return !(first->tcp_flags & TCP_ACK);
	if (flow->has_icmp)
		return is_request(flow) || flow->icmp_type != (flow->family == FLOW_INET ? 0 : 129);
	return flow_source_asks(flow);
}

bool first_shows_client(const struct copy *first, bool *asks)
{
	*asks = source_asks(first);
	return shows_server(first);
}

static struct flow_ends *add_flow(struct servers *servers, const struct packet *packet)
{
	const struct copy *first = packet->copies[0];
	struct server like = { .family = first->flow.family, .proto = first->flow.proto };
	struct flow_ends *ends = calloc(1, sizeof(*ends));

	if (!ends)
		return NULL;
	ends->number = packet->flow_number;
	ends->opener = first->flow;
	ends->opener_asks = source_asks(first);
	if (packet->flow_number && shows_server(first)) {
		like.is_known = true;
		like.port = ends->opener_asks ? first->flow.dport : first->flow.sport;
		memcpy(like.address, ends->opener_asks ? first->flow.daddr : first->flow.saddr,
		       sizeof(like.address));
	}
	ends->server = find_or_add(servers, &like);
	if (!ends->server) {
		free(ends);
		return NULL;
	}
	ends->server->flows += packet->flow_number != 0;
	servers->all.flows += packet->flow_number != 0;
	return table_add(&servers->by_flow, (struct table_key){ .number = packet->flow_number },
			 ends);
}

/* Requests and answers */

/*
 * Return: true if the packet comes from the server of its flow. An ICMP error counts as an answer of the
 * server even if a router has sent it. An ICMP error from the client does not answer a request.
 */
static bool is_from_server(const struct flow_ends *ends, const struct flow *flow)
{
	const uint8_t *client = ends->opener_asks ? ends->opener.saddr : ends->opener.daddr;
	const uint8_t *server = ends->opener_asks ? ends->opener.daddr : ends->opener.saddr;
	const size_t len = sizeof(ends->opener.saddr);

	if (is_icmp_error(flow))
		return memcmp(flow->saddr, client, len) || !memcmp(client, server, len);
	return goes_back(&ends->opener, flow) == ends->opener_asks;
}

/*
 * Return: true if the direction of the packet is known. NAT may have changed both of its ends; then it may be
 * an answer.
 */
static bool has_direction(struct flow_ends *ends, const struct flow *flow)
{
	if (is_icmp_error(flow) || flow_way(&ends->opener, flow) != WAY_UNKNOWN)
		return true;
	ends->server->is_partial = true;
	return false;
}

/*
 * Return: true if the client acknowledges the answer to its SYN. If the recording does not have this answer,
 * it lacks packets of the server: the filter does not match them, or they take another way.
 */
static bool acknowledges_answer(const struct flow_ends *ends, const struct copy *first)
{
	return ends->asked && ends->is_connect && is_tcp(&first->flow) &&
	       (first->tcp_flags & (TCP_SYN | TCP_ACK)) == TCP_ACK;
}

/* Handle a packet of the client that ends its wait for an answer: an acknowledgement or a reset. */
static void end_wait(struct flow_ends *ends, const struct copy *first)
{
	ends->server->is_partial |= acknowledges_answer(ends, first);
	if (acknowledges_answer(ends, first) || resets_connection(first))
		ends->asked = 0;
}

/* Add the time from the request at @begun, in packet @number, to its answer. */
static void add_answer(struct servers *servers, struct flow_ends *ends, uint64_t begun,
		       uint32_t number, const struct packet *answer)
{
	/* The lost rows may have been another request, or the real answer. */
	if (servers->losses && lost_events_touch(servers->losses, begun, answer->first))
		return;
	histogram_add(&ends->server->answers, answer->first - begun, number);
	histogram_add(&servers->all.answers, answer->first - begun, number);
}

/* Handle an echo message. A reply belongs to the request with the same number. */
static void hear_ping(struct servers *servers, struct flow_ends *ends, const struct packet *packet)
{
	const struct copy *first = packet->copies[0];
	const struct ping *ping;

	ends->server->is_partial |= !first->message;
	if (!first->message)
		return;
	/* The server does not have what still waits in a queue. */
	if (is_echo(first)) {
		if (may_ask(packet) && packet->decided->outcome.verdict != VERDICT_QUEUED)
			pings_ask(&servers->pings, packet);
		return;
	}
	ping = pings_reply(&servers->pings, packet);
	if (ping && !ping->is_repeated)
		add_answer(servers, ends, ping->asked, ping->packet, packet);
}

static void hear_client(struct servers *servers, struct flow_ends *ends,
			const struct packet *packet)
{
	const struct copy *first = packet->copies[0];

	if (is_echo(first)) {
		hear_ping(servers, ends, packet);
		return;
	}
	end_wait(ends, first);
	if (opens_connection(first)) {
		ends->has_closed = false;
		ends->is_freed = packet->decided->outcome.verdict == VERDICT_FREED;
	}
	/*
	 * A retransmission is not another request. After the FIN of the server, data of the client need no
	 * answer: TLS ends a connection with such data. The server does not have what still waits in a queue.
	 */
	if (may_ask(packet) && !first->again && !ends->has_closed && !resets_connection(first) &&
	    packet->decided->outcome.verdict != VERDICT_QUEUED) {
		ends->end = first->seq + (packet_payload(packet) > 0 ? packet_payload(packet) : 0) +
			    opens_connection(first);
		if (!ends->asked || ends->is_connect) {
			ends->first_end = ends->end;
			ends->begun = packet->first;
			ends->first = packet->number;
		} else if (first->flow.proto == PROTO_UDP) {
			ends->is_overlapping |= !first->message || first->message != ends->message;
		}
		ends->message = first->message;
		ends->asked = packet->first;
		ends->packet = packet->number;
		ends->is_connect = opens_connection(first);
	}
}

static void hear_server(struct servers *servers, struct flow_ends *ends,
			const struct packet *packet)
{
	const struct copy *first = packet->copies[0];

	if (ends->opener.has_icmp && is_icmp_error(&first->flow))
		ends->refused = packet->first;
	if (is_echo_reply(&first->flow)) {
		hear_ping(servers, ends, packet);
		return;
	}
	ends->has_closed |= is_tcp(&first->flow) && first->tcp_flags & TCP_FIN;
	if (!ends->asked || !may_answer(packet) || sent_data_before(packet, ends->first_end))
		return;
	/* The answer exists, but the filter does not match it where it is sent. */
	if (ends->is_connect && ends->is_freed)
		ends->server->is_partial = true;
	if (!ends->is_connect && !ends->is_overlapping && answers_with_data(packet) &&
	    packet->first >= ends->begun)
		add_answer(servers, ends, ends->begun, ends->first, packet);
	if (!sent_data_before(packet, ends->end)) {
		ends->asked = 0;
		return;
	}
	/* The server did not have the last request yet, so this one waits. */
	ends->begun = ends->asked;
	ends->first = ends->packet;
	ends->first_end = ends->end;
}

/* Note which end of the flow has sent the packet. A router can send an ICMP error for either end. */
static void note_sender(struct servers *servers, struct flow_ends *ends, const struct flow *flow,
			bool from_server)
{
	if (!is_icmp_error(flow))
		ends->sent[from_server] = true;
	servers->both_ways[group_of(flow)] |= ends->sent[0] && ends->sent[1];
}

static void count_packet(struct server *server, const struct packet *packet, bool from_server)
{
	const struct copy *first = packet->copies[0];

	if (!server->example) {
		server->example = packet->number;
		server->first = packet->first;
	}
	if (packet->last > server->last)
		server->last = packet->last;
	server->packets[from_server]++;
	server->bytes[from_server] += first->len;
	server->dropped += packet->decided->outcome.verdict == VERDICT_DROPPED;
	server->again += first->again;
	server->resets += resets_connection(first);
}

struct server *servers_add(struct servers *servers, const struct packet *packet)
{
	const struct table_key key = { .number = packet->flow_number };
	const struct copy *first = packet->copies[0];
	struct flow_ends *ends = table_find(&servers->by_flow, key);
	bool from_server;

	if (!ends)
		ends = add_flow(servers, packet);
	if (!ends)
		return NULL;
	from_server = is_from_server(ends, &first->flow);
	count_packet(ends->server, packet, from_server);
	count_packet(&servers->all, packet, from_server);
	if (!ends->server->is_known || !has_direction(ends, &first->flow))
		return ends->server;
	note_sender(servers, ends, &first->flow, from_server);
	if (from_server)
		hear_server(servers, ends, packet);
	else
		hear_client(servers, ends, packet);
	return ends->server;
}

/* Note the direction of a packet of a flow without selected packets. */
static void hear_other(struct servers *servers, const struct packet *packet)
{
	const struct table_key key = { .number = packet->flow_number };
	const struct flow *flow = &packet->copies[0]->flow;
	struct other *other;

	if (servers->both_ways[group_of(flow)] || !packet->flow_number || !flow->family ||
	    flow->arp || is_icmp_error(flow))
		return;
	other = table_find(&servers->others, key);
	if (other) {
		servers->both_ways[group_of(flow)] = goes_back(&other->first, flow);
		return;
	}
	other = table_add(&servers->others, key, malloc(sizeof(*other)));
	if (other)
		other->first = *flow;
}

void servers_hear(struct servers *servers, const struct packet *packet)
{
	const struct copy *first = packet->copies[0];
	struct flow_ends *ends =
		packet->flow_number ?
			table_find(&servers->by_flow,
				   (struct table_key){ .number = packet->flow_number }) :
			NULL;
	bool from_server;

	if (!ends) {
		hear_other(servers, packet);
		return;
	}
	if (!ends->server->is_known || !has_direction(ends, &first->flow))
		return;
	from_server = is_from_server(ends, &first->flow);
	note_sender(servers, ends, &first->flow, from_server);
	if (from_server)
		hear_server(servers, ends, packet);
	else
		end_wait(ends, first);
}

/* Return: true if an answer of this server to a request of this group would be in the recording. */
static bool shows_answers(const struct servers *servers, const struct server *server,
			  enum group group)
{
	if (server->is_partial)
		return false;
	return servers->expects_answers ||
	       (servers->doubts_answers ? server->packets[1] : servers->both_ways[group]);
}

bool servers_show_answers(const struct servers *servers, const struct server *server)
{
	return shows_answers(servers, server, server->proto == PROTO_TCP ? GROUP_TCP : GROUP_ICMP);
}

void servers_lose_flows(struct servers *servers)
{
	servers->loses_flows = true;
}

void servers_doubt_answers(struct servers *servers)
{
	servers->doubts_answers = true;
}

void servers_expect_answers(struct servers *servers)
{
	servers->expects_answers = true;
}

struct server *servers_of_flow(const struct servers *servers, uint32_t flow)
{
	const struct flow_ends *ends =
		table_find(&servers->by_flow, (struct table_key){ .number = flow });

	return ends ? ends->server : NULL;
}

bool server_is_destination(const struct server *server, const struct flow *flow)
{
	return server->is_known && server->port == flow->dport &&
	       !memcmp(server->address, flow->daddr, sizeof(server->address));
}

struct server *servers_total(struct servers *servers)
{
	return &servers->all;
}

uint64_t servers_flows(const struct servers *servers)
{
	return servers->all.flows;
}

struct server **servers_all(const struct servers *servers, size_t *n)
{
	struct server **all = calloc(servers->by_address.nr + 1, sizeof(*all));
	struct server *server;
	size_t i = 0;

	*n = 0;
	while (all && (server = table_next(&servers->by_address, &i)))
		all[(*n)++] = server;
	return all;
}

/*
 * Return: true if the recording shows that the client of the flow waits for an answer. Clients that only send
 * data, such as log messages, do not wait. Therefore data without an answer count only if the server has
 * answered other requests. A SYN or a ping counts only if the arguments of record-skb also match its answer.
 * If they may not match it, another packet of this server must be in the recording. If the arguments are not
 * known, the recording must have both directions of some flow of the same group of protocols. Otherwise, and
 * if packets of this server are known to be missing, it is not known which requests were answered.
 */
static bool is_waiting(const struct servers *servers, const struct flow_ends *ends)
{
	if (!ends->asked || ends->server->is_partial || servers->loses_flows)
		return false;
	return ends->server->answers.nr ||
	       ((ends->is_connect || ends->opener.has_icmp) &&
		shows_answers(servers, ends->server, group_of(&ends->opener)));
}

/* Note the first echo request of each flow that has no reply. */
static void note_pings(const struct servers *servers)
{
	const struct ping *ping;
	struct flow_ends *ends;
	size_t i = 0;

	while ((ends = table_next(&servers->by_flow, &i)))
		ends->asked = ends->opener.has_icmp ? 0 : ends->asked;
	i = 0;
	while ((ping = table_next(&servers->pings, &i))) {
		ends = table_find(&servers->by_flow, (struct table_key){ .number = ping->flow });
		if (!ends || ping->is_over || ping->asked <= ends->refused ||
		    (ends->asked && ends->asked <= ping->asked))
			continue;
		ends->asked = ping->asked;
		ends->packet = ping->packet;
	}
}

void servers_unanswered(const struct servers *servers, asked_sink *each, void *data)
{
	struct table groups = { NULL }; /* table of struct asked, by the server and @is_connect */
	const struct flow_ends *ends;
	struct asked *asked;
	size_t i = 0;

	note_pings(servers);
	while ((ends = table_next(&servers->by_flow, &i))) {
		const struct table_key key = { ends->is_connect, ends->server };

		if (!is_waiting(servers, ends))
			continue;
		asked = table_find(&groups, key);
		if (!asked)
			asked = table_add(&groups, key, calloc(1, sizeof(*asked)));
		if (!asked)
			continue;
		asked->server = ends->server;
		asked->is_connect = ends->is_connect;
		asked->nr++;
		if (!asked->since || ends->asked < asked->since) {
			asked->since = ends->asked;
			asked->packet = ends->packet;
			asked->flow = ends->number;
		}
	}
	i = 0;
	while ((asked = table_next(&groups, &i)))
		each(data, asked);
	table_free(&groups);
}
