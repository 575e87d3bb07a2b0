// SPDX-License-Identifier: GPL-2.0
/* requests.c - divide the bytes of TCP connections and UDP flows into requests and responses */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "model/packet_headers.h"
#include "model/requests.h"

/*
 * Maximum number of pieces of a connection that wait for the pieces of the other direction, or for datagrams
 * that may still be read. Then the older half of them is handled.
 */
#define MAX_WAITING 512

/* The members of struct byte_call that struct request reports; all 0 if the call is not known. */
struct kept_call {
	uint64_t begun, ended;
	int pid;
	char comm[TASK_NAME_LEN + 1];
};

/* A copy of struct byte_piece with fewer members, because many of these are kept. */
struct kept_piece {
	uint64_t at;		    /* earliest known time of the piece */
	uint64_t from, bytes;	    /* position in the stream, and length */
	uint64_t times[BYTE_TIMES]; /* as in struct byte_piece */
	struct kept_call write, read;
	uint32_t packet;
	bool asks; /* the piece goes from the client to the server */
	bool is_datagram, resent, is_peeked;
};

/* The data of a request or of a response. */
struct half {
	bool has_last;
	struct kept_piece last;
	uint64_t bytes;
	uint64_t first;	 /* earliest known time of the first piece */
	uint64_t begun;	 /* time when the first write began, 0 if not known */
	uint64_t pauses; /* total time between the end of a write and the next write */
	/* times of the first piece: when it was sent, and when a call had read it; 0 if not known */
	uint64_t first_sent, first_read;
	uint32_t again; /* number of pieces that were sent again */
};

/* The current request of a connection. */
struct current {
	bool has_answer;
	struct half request, response;
};

/*
 * A TCP connection or UDP flow. The pieces of one direction come in the order of time, but pieces of the two
 * directions do not come in a common order. So a piece is kept until the other direction has reached the same
 * time.
 */
struct connection {
	unsigned int client; /* number of the client's stream */
	uint32_t flow_number;
	struct flow flow; /* from the client to the server */
	struct kept_piece *pieces;
	size_t nr, max;
	/* for each direction: all pieces from before this time have been handled */
	uint64_t latest[2];
	bool has_answered; /* the server has answered at least one request */
	bool is_mixed;	   /* data go both ways at the same time: responses cannot be assigned */
	struct current *current; /* NULL if there is no open request */
};

struct requests {
	request_fn *request;
	void *data;
	struct table connections; /* table of struct connection, by the client's stream */
	struct table clientless;  /* table of the streams of connections without a known client */
	uint64_t unanswered;
	uint64_t mixed;		/* number of connections for which is_mixed is set */
	uint64_t nr_clientless; /* number of connections without a known client */
	bool failed;
};

const char *request_part_name(enum request_part part)
{
	static const char *const names[REQUEST_PARTS] = {
		[REQUEST_CLIENT] = "client",	       [REQUEST_TRANSIT] = "transit",
		[REQUEST_SERVER] = "server stack",     [REQUEST_QUEUE] = "receive queue",
		[REQUEST_APPLICATION] = "application", [REQUEST_RESPONSE] = "response",
	};

	return names[part];
}

enum request_part request_longest_part(const struct request *request)
{
	enum request_part longest = REQUEST_PARTS;
	uint64_t known = 0;

	for (enum request_part part = 0; part < REQUEST_PARTS; part++) {
		known += request->known[part] ? request->parts[part] : 0;
		if (request->known[part] &&
		    (longest == REQUEST_PARTS || request->parts[part] > request->parts[longest]))
			longest = part;
	}
	return known < (request->ended - request->begun) / 2 ? REQUEST_PARTS : longest;
}

struct requests *requests_create(request_fn *request, void *data)
{
	struct requests *requests = calloc(1, sizeof(*requests));

	if (!requests)
		return NULL;
	requests->request = request;
	requests->data = data;
	return requests;
}

void requests_free(struct requests *requests)
{
	struct connection *connection;
	size_t i = 0;

	if (!requests)
		return;
	while ((connection = table_next(&requests->connections, &i))) {
		free(connection->pieces);
		free(connection->current);
	}
	table_free(&requests->connections);
	table_free(&requests->clientless);
	free(requests);
}

uint64_t requests_unanswered(const struct requests *requests)
{
	return requests->unanswered;
}

uint64_t requests_mixed(const struct requests *requests)
{
	return requests->mixed;
}

uint64_t requests_clientless(const struct requests *requests)
{
	return requests->nr_clientless;
}

bool requests_failed(const struct requests *requests)
{
	return requests->failed;
}

/* Connections */

static struct table_key stream_key(unsigned int number)
{
	return (struct table_key){ .number = number };
}

static bool is_clientless(const struct requests *requests, const struct byte_stream *stream)
{
	return table_find(&requests->clientless, stream_key(stream->number)) ||
	       (stream->peer && table_find(&requests->clientless, stream_key(stream->peer)));
}

/*
 * Note that the client of a connection is not known. Both of its streams come here. The client may become
 * known when the first data come from the other end.
 */
static void add_clientless(struct requests *requests, const struct byte_stream *stream)
{
	const struct table_key key = stream_key(stream->number);

	if (table_find(&requests->clientless, key))
		return;
	requests->nr_clientless += !is_clientless(requests, stream);
	if (!table_add(&requests->clientless, key, calloc(1, 1)))
		requests->failed = true;
}

/*
 * Return: the number of the client's stream; 0 if it is not known. The client is the end that opened the
 * connection. If the recording does not show this, the ports show it, maybe only those of one direction if
 * they were translated. The end that writes first is not always the client, because the recording may begin
 * with an answer.
 */
static unsigned int client_of(struct requests *requests, const struct byte_stream *stream)
{
	if (stream->begins)
		return stream->is_client ? stream->number : stream->peer;
	if (flow_ports_tell(&stream->flow))
		return flow_source_asks(&stream->flow) ? stream->number : stream->peer;
	if (stream->peer && flow_ports_tell(&stream->peer_flow))
		return flow_source_asks(&stream->peer_flow) ? stream->peer : stream->number;
	add_clientless(requests, stream);
	return 0;
}

static struct connection *connection_of(struct requests *requests, const struct byte_stream *stream)
{
	const unsigned int client = client_of(requests, stream);
	struct connection *connection;

	if (!client)
		return NULL;
	connection = table_find(&requests->connections, stream_key(client));
	if (!connection) {
		requests->nr_clientless -= is_clientless(requests, stream);
		connection = table_add(&requests->connections, stream_key(client),
				       calloc(1, sizeof(*connection)));
	}
	if (connection)
		connection->client = client;
	else
		requests->failed = true;
	return connection;
}

/* Requests */

static uint64_t first_time(const struct byte_piece *piece)
{
	for (enum byte_time time = 0; time < BYTE_TIMES; time++) {
		if (piece->times[time])
			return piece->times[time];
	}
	return 0;
}

static uint64_t last_time(const uint64_t times[BYTE_TIMES])
{
	for (enum byte_time time = BYTE_TIMES; time-- > 0;) {
		if (times[time])
			return times[time];
	}
	return 0;
}

/* Add a piece. An older datagram may come after a newer one, if it was read or freed much later. */
static void add_piece(struct half *half, const struct kept_piece *kept)
{
	const struct kept_call *write = &half->last.write;
	const bool is_first = !half->has_last || kept->at < half->first;
	const bool is_last = !half->has_last || kept->at >= half->last.at;

	if (is_first) {
		half->first = kept->at;
		half->begun = kept->write.begun;
		half->first_sent = kept->times[BYTE_SENT];
		half->first_read = kept->is_peeked ? 0 : kept->times[BYTE_READ];
	}
	if (half->has_last && is_last && write->ended && kept->write.begun > write->ended)
		half->pauses += kept->write.begun - write->ended;
	half->again += kept->resent;
	half->bytes += kept->bytes;
	if (is_last)
		half->last = *kept;
	half->has_last = true;
}

static void set_part(struct request *request, enum request_part part, uint64_t from, uint64_t to)
{
	if (!from || !to || to < from)
		return;
	request->parts[part] += to - from;
	request->known[part] = true;
}

/*
 * Divide the time of a request into its parts. A part is not known if the time of its beginning or of its end
 * is not known.
 */
static void find_parts(struct request *request, const struct half *asked,
		       const struct half *answered)
{
	const uint64_t *in = asked->last.times, *out = answered->last.times;

	set_part(request, REQUEST_CLIENT, asked->begun, in[BYTE_DRIVEN]);
	set_part(request, REQUEST_SERVER, in[BYTE_RECEIVED], in[BYTE_IN_ORDER]);
	set_part(request, REQUEST_QUEUE, in[BYTE_IN_ORDER], in[BYTE_CALLED]);
	if (answered->begun > in[BYTE_CALLED])
		set_part(request, REQUEST_APPLICATION, in[BYTE_CALLED],
			 answered->begun + answered->pauses);
	set_part(request, REQUEST_TRANSIT, in[BYTE_DRIVEN], in[BYTE_RECEIVED]);
	set_part(request, REQUEST_TRANSIT, out[BYTE_DRIVEN], out[BYTE_RECEIVED]);
	set_part(request, REQUEST_RESPONSE, answered->begun + answered->pauses, out[BYTE_DRIVEN]);
	set_part(request, REQUEST_RESPONSE, out[BYTE_RECEIVED], out[BYTE_READ]);
}

static void pass_answered(struct requests *requests, const struct connection *connection)
{
	const struct half *asked = &connection->current->request;
	const struct half *answered = &connection->current->response;
	struct request request = {
		.flow_number = connection->flow_number,
		.flow = connection->flow,
		.request_bytes = asked->bytes,
		.response_bytes = answered->bytes,
	};

	request.packet = asked->last.packet;
	request.again = asked->again;
	request.has_client = asked->begun && answered->last.read.ended;
	request.has_server = asked->last.read.ended && answered->begun;
	request.client_pid = asked->last.write.pid;
	request.server_pid = asked->last.read.pid;
	memcpy(request.client, asked->last.write.comm, sizeof(request.client));
	memcpy(request.server, asked->last.read.comm, sizeof(request.server));
	request.begun = asked->first;
	request.ended = last_time(answered->last.times);
	find_parts(&request, asked, answered);
	requests->request(requests->data, &request);
}

static void close_request(struct connection *connection)
{
	free(connection->current);
	connection->current = NULL;
}

/* End the current request. */
static void pass_request(struct requests *requests, struct connection *connection)
{
	if (!connection->current)
		return;
	if (connection->current->has_answer)
		pass_answered(requests, connection);
	else
		requests->unanswered++;
	close_request(connection);
}

/*
 * Return: true if the server's data cannot be the answer to the current request. Either they were written
 * before the server had read the request, or they arrived before the request was sent.
 */
static bool is_too_early(const struct half *request, const struct kept_piece *kept)
{
	const uint64_t arrived = kept->times[BYTE_ARRIVED];

	return (kept->write.begun && kept->write.begun < request->first_read) ||
	       (arrived && arrived < request->first_sent);
}

/* Handle data of the server. Data that come without a request, such as a greeting, are not a response. */
static void handle_answer(struct requests *requests, struct connection *connection,
			  const struct kept_piece *kept)
{
	struct current *current = connection->current;

	if (!current)
		return;
	/*
	 * Ignore a datagram of the server with the same bytes as its previous datagram: it answers a
	 * repeated request.
	 */
	if (current->has_answer && kept->is_datagram && kept->resent)
		return;
	if (!kept->is_datagram && is_too_early(&current->request, kept)) {
		/*
		 * Ignore a greeting of the server. It can be on its way at the same time as the first
		 * request.
		 */
		if (!connection->has_answered)
			return;
		connection->is_mixed = true;
		close_request(connection);
		requests->mixed++;
		return;
	}
	current->has_answer = connection->has_answered = true;
	add_piece(&current->response, kept);
}

static void handle_kept(struct requests *requests, struct connection *connection,
			const struct kept_piece *kept)
{
	if (connection->is_mixed)
		return;
	if (!kept->asks) {
		handle_answer(requests, connection, kept);
		return;
	}
	if (connection->current && connection->current->has_answer)
		pass_request(requests, connection);
	if (!connection->current)
		connection->current = calloc(1, sizeof(*connection->current));
	if (connection->current)
		add_piece(&connection->current->request, kept);
	else
		requests->failed = true;
}

static int compare_times(const void *one, const void *two)
{
	const struct kept_piece *a = one, *b = two;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

/* Handle the pieces up to the time @until, in the order of time. */
static void handle_pieces(struct requests *requests, struct connection *connection, uint64_t until)
{
	size_t i = 0;

	if (!connection->nr)
		return;
	qsort(connection->pieces, connection->nr, sizeof(*connection->pieces), compare_times);
	for (; i < connection->nr && connection->pieces[i].at <= until; i++)
		handle_kept(requests, connection, &connection->pieces[i]);
	connection->nr -= i;
	memmove(connection->pieces, connection->pieces + i,
		connection->nr * sizeof(*connection->pieces));
}

/*
 * Make room for a piece. Before the array grows, handle the pieces that no older piece can follow, and if
 * these are too few, the oldest ones of a full array.
 *
 * Return: false if there is not enough memory.
 */
static bool make_room(struct requests *requests, struct connection *connection)
{
	const uint64_t *latest = connection->latest;
	const size_t max = connection->max ? connection->max * 2 : 1;
	struct kept_piece *pieces;

	if (connection->nr < connection->max)
		return true;
	if (connection->nr)
		handle_pieces(requests, connection, latest[0] < latest[1] ? latest[0] : latest[1]);
	if (connection->nr >= MAX_WAITING)
		handle_pieces(requests, connection, connection->pieces[MAX_WAITING / 2].at);
	if (connection->nr < connection->max / 2)
		return true;
	pieces = realloc(connection->pieces, max * sizeof(*pieces));
	if (!pieces) {
		requests->failed = true;
		return false;
	}
	connection->pieces = pieces;
	connection->max = max;
	return true;
}

static void keep_call(struct kept_call *kept, const struct byte_call *call)
{
	if (!call)
		return;
	kept->begun = call->begun;
	kept->ended = call->ended;
	kept->pid = call->pid;
	memcpy(kept->comm, call->comm, sizeof(kept->comm));
}

static void keep_piece(struct kept_piece *kept, const struct byte_stream *stream,
		       const struct byte_piece *piece, bool asks)
{
	*kept = (struct kept_piece){
		.at = first_time(piece),
		.from = piece->from,
		.bytes = piece->to - piece->from,
		.packet = piece->packet,
		.asks = asks,
		.is_datagram = stream->has_datagrams,
		.resent = piece->resent,
		.is_peeked = piece->peeks,
	};
	memcpy(kept->times, piece->times, sizeof(kept->times));
	keep_call(&kept->write, piece->write);
	keep_call(&kept->read, piece->read);
}

void requests_handle_piece(void *data, const struct byte_stream *stream,
			   const struct byte_piece *piece)
{
	struct requests *requests = data;
	struct connection *connection = connection_of(requests, stream);
	bool asks;

	if (!connection || !make_room(requests, connection))
		return;
	asks = stream->number == connection->client;
	keep_piece(&connection->pieces[connection->nr++], stream, piece, asks);
	/* Datagrams come when they have been read or freed, so they are not in the order of time. */
	if (stream->has_datagrams)
		connection->latest[0] = connection->latest[1] =
			piece->all_before ? piece->all_before - 1 : 0;
	else
		connection->latest[asks] = first_time(piece);
	if (!asks)
		return;
	connection->flow = stream->flow;
	connection->flow_number = stream->flow_number;
}

void requests_end(struct requests *requests)
{
	struct connection *connection;
	size_t i = 0;

	while ((connection = table_next(&requests->connections, &i))) {
		handle_pieces(requests, connection, UINT64_MAX);
		pass_request(requests, connection);
	}
}
