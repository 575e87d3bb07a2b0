// SPDX-License-Identifier: GPL-2.0
/* requests.c - divide the bytes of TCP connections and UDP flows into requests and responses */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "input/lost_events.h"
#include "model/packet_headers.h"
#include "model/request_parts.h"

/*
 * Maximum number of datagrams of a flow that wait for datagrams that may still be read, and of pieces of a
 * TCP connection that wait for the pieces of the other direction. If there are more, the older half of them
 * is handled.
 */
#define MAX_DATAGRAMS 512
#define MAX_PIECES    8192

/*
 * The current request of a connection. @is_several is set if it consists of datagrams with different bytes,
 * so each of them may be a request. @ignored is the number of answers that were ignored, because they answer
 * a repetition of the request. @may_have_answer is set if a datagram was ignored that is a duplicate of the
 * previous answer, or an answer with the same bytes.
 */
struct current {
	bool has_answer, is_several, may_have_answer;
	uint32_t ignored;
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
	/* for each direction: too many pieces waited, so those up to this time were handled too early */
	uint64_t early[2];
	bool is_unsorted;  /* the order of the pieces is not known: they are not divided any more */
	bool has_answered; /* the server has answered at least one request */
	bool is_mixed;	   /* data go both ways at the same time: responses cannot be assigned */
	bool is_overlapping; /* different datagrams waited for an answer: it cannot be assigned */
	bool owes_answer; /* the previous request was repeated, and had fewer answers than datagrams */
	bool has_other_data;	 /* the server has sent data that came in no piece */
	struct current *current; /* NULL if there is no open request */
};

struct requests {
	request_fn *request;
	void *data;
	struct table connections; /* table of struct connection, by the client's stream */
	struct table clientless;  /* table of the streams of connections without a known client */
	const struct lost_events *losses; /* NULL if not known */
	bool expects_answers;		  /* the recording certainly has answers */
	struct requests_counts counts;
	bool failed;
};

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

void requests_set_losses(struct requests *requests, const struct lost_events *losses)
{
	requests->losses = losses;
}

void requests_expect_answers(struct requests *requests)
{
	requests->expects_answers = true;
}

const struct requests_counts *requests_counts(const struct requests *requests)
{
	return &requests->counts;
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
	requests->counts.clientless += !is_clientless(requests, stream);
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
		requests->counts.clientless -= is_clientless(requests, stream);
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
	request.response_again = answered->again;
	request.has_client = asked->first.write.begun && answered->first.read.ended;
	request.has_server = asked->last.read.ended && answered->first.write.begun;
	request.client_pid = asked->last.write.pid;
	request.server_pid = asked->last.read.pid;
	memcpy(request.client, asked->last.write.comm, sizeof(request.client));
	memcpy(request.server, asked->last.read.comm, sizeof(request.server));
	request_set_times(&request, asked, answered);
	requests->request(requests->data, &request);
}

static void close_request(struct connection *connection)
{
	free(connection->current);
	connection->current = NULL;
}

/*
 * Return: true if the recording may lack an answer to the current request. Entries may be lost. If the
 * request has no answer, the filter may match no answers, or the calls that have sent the answer are not
 * recorded.
 */
static bool may_lack_answer(const struct requests *requests, const struct connection *connection)
{
	const struct current *current = connection->current;
	const uint64_t until = current->has_answer ? half_ended(&current->response) : UINT64_MAX;

	if (!current->has_answer &&
	    (!requests->expects_answers || connection->has_other_data || current->may_have_answer))
		return true;
	return requests->losses &&
	       lost_events_touch(requests->losses, current->request.first.at, until);
}

/* End the current request. */
static void pass_request(struct requests *requests, struct connection *connection)
{
	const struct current *current = connection->current;

	if (!current)
		return;
	if (may_lack_answer(requests, connection))
		requests->counts.unknown++;
	else if (current->has_answer)
		pass_answered(requests, connection);
	else
		requests->counts.unanswered++;
	connection->owes_answer = current->request.again > current->ignored;
	close_request(connection);
}

/*
 * Return: true if an end sent data before it had the bytes before @end. Larger differences than any window
 * come from a middlebox that changes the sequence numbers, and show nothing.
 */
static bool sent_without(uint64_t acked, uint64_t end)
{
	return acked && acked < end && end - acked < 1u << 24;
}

/*
 * Return: true if the server's data cannot be the answer to the current request. Either they were written
 * before the server had read the request, or sent before it had arrived, or they arrived before the request
 * was sent.
 */
static bool is_too_early(const struct half *request, const struct kept_piece *kept)
{
	const struct kept_piece *first = &request->first;
	const uint64_t arrived = kept->times[BYTE_ARRIVED];

	return (kept->write.begun && !first->is_peeked &&
		kept->write.begun < first->times[BYTE_READ]) ||
	       sent_without(kept->acked, first->from + first->bytes) ||
	       (arrived && arrived < first->times[BYTE_SENT]);
}

/* Handle data of the server, for a TCP connection. Return: false if the data are no response. */
static bool handle_data(struct requests *requests, struct connection *connection,
			const struct kept_piece *kept)
{
	if (!is_too_early(&connection->current->request, kept))
		return true;
	/* Ignore a greeting of the server. It can be on its way at the same time as the first request. */
	if (!connection->has_answered)
		return false;
	connection->is_mixed = true;
	close_request(connection);
	requests->counts.mixed++;
	return false;
}

/*
 * Handle a datagram of the server. If it may answer several datagrams, the rest of the flow is not divided.
 *
 * Return: false if the datagram does not answer a certain request.
 */
static bool handle_datagram(struct requests *requests, struct connection *connection,
			    const struct kept_piece *kept)
{
	struct current *current = connection->current;

	/*
	 * Ignore a datagram of the server with the same bytes as its previous datagram: it answers a
	 * repeated request.
	 */
	if (current->has_answer && kept->resent) {
		current->ignored++;
		return false;
	}
	if (current->has_answer)
		return true;
	if (!current->is_several && !(kept->resent && connection->owes_answer) &&
	    !is_too_early(&current->request, kept)) {
		/* Another question with the same answer: the network may have duplicated the answer. */
		current->may_have_answer = kept->resent && !current->request.first.resent;
		return !current->may_have_answer;
	}
	connection->is_overlapping = true;
	requests->counts.overlapping++;
	requests->counts.overlapping_sent += current->request.nr;
	requests->counts.overlapping_answers++;
	close_request(connection);
	return false;
}

/* Handle data of the server. Data that come without a request, such as a greeting, are not a response. */
static void handle_answer(struct requests *requests, struct connection *connection,
			  const struct kept_piece *kept)
{
	struct current *current = connection->current;

	if (!current || !(kept->is_datagram ? handle_datagram(requests, connection, kept) :
					      handle_data(requests, connection, kept)))
		return;
	current->has_answer = connection->has_answered = true;
	half_add(&current->response, kept);
}

static void handle_kept(struct requests *requests, struct connection *connection,
			const struct kept_piece *kept)
{
	if (connection->is_overlapping) {
		requests->counts.overlapping_sent += kept->asks;
		requests->counts.overlapping_answers += !kept->asks;
		return;
	}
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
	else if (kept->is_datagram && !half_repeats(&connection->current->request, kept))
		connection->current->is_several = true;
	if (connection->current)
		half_add(&connection->current->request, kept);
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

/* Give up dividing a connection, because its pieces cannot be handled in the order of time. */
static void give_up(struct requests *requests, struct connection *connection)
{
	connection->is_unsorted = true;
	connection->nr = 0;
	close_request(connection);
	requests->counts.unsorted++;
}

/*
 * Handle the oldest pieces of a full array. In a TCP connection, all pieces that wait are from one direction.
 * Handling them is correct if no older piece of the other direction follows: the server sends nothing during
 * a long upload, and the client sends nothing during a long download. is_disordered() finds other cases. If
 * the pieces begin a new request, the response before it must be complete, and this is not certain.
 */
static void handle_early(struct requests *requests, struct connection *connection)
{
	const struct kept_piece *first = &connection->pieces[0];
	const uint64_t until = connection->pieces[connection->nr / 2].at;

	if (!first->is_datagram && first->asks && connection->current &&
	    connection->current->has_answer) {
		give_up(requests, connection);
		return;
	}
	connection->early[first->asks] = until;
	handle_pieces(requests, connection, until);
}

/* Return: true if later pieces of the other direction of a TCP connection have already been handled. */
static bool is_disordered(const struct connection *connection, const struct byte_stream *stream,
			  const struct byte_piece *piece)
{
	const bool asks = stream->number == connection->client;

	return !stream->has_datagrams && first_time(piece) < connection->early[!asks];
}

/*
 * Make room for a piece. Before the array grows, handle the pieces that no older piece can follow, and if
 * these are too few, the oldest ones of a full array.
 *
 * Return: false if there is not enough memory, or if the connection is not divided any more.
 */
static bool make_room(struct requests *requests, struct connection *connection, size_t max_waiting)
{
	const uint64_t *latest = connection->latest;
	const size_t max = connection->max ? connection->max * 2 : 1;
	struct kept_piece *pieces;

	if (connection->nr < connection->max)
		return true;
	if (connection->nr)
		handle_pieces(requests, connection, latest[0] < latest[1] ? latest[0] : latest[1]);
	if (connection->nr >= max_waiting)
		handle_early(requests, connection);
	if (connection->is_unsorted)
		return false;
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
		.again = piece->again,
		.acked = piece->acked,
		.is_peeked = piece->peeks,
	};
	memcpy(kept->times, piece->times, sizeof(kept->times));
	keep_call(&kept->write, piece->write);
	keep_call(&kept->read, piece->read);
}

/* Note that the stream has data that come in no piece. They matter only if the server has sent them. */
static void note_other_data(struct requests *requests, const struct byte_stream *stream)
{
	struct connection *connection =
		table_find(&requests->connections, stream_key(stream->peer));

	if (connection)
		connection->has_other_data = true;
}

void requests_handle_piece(void *data, const struct byte_stream *stream,
			   const struct byte_piece *piece)
{
	struct requests *requests = data;
	struct connection *connection;
	bool asks;

	if (piece->is_unknown) {
		note_other_data(requests, stream);
		return;
	}
	connection = connection_of(requests, stream);
	if (!connection || connection->is_unsorted || connection->is_mixed)
		return;
	if (is_disordered(connection, stream, piece)) {
		give_up(requests, connection);
		return;
	}
	if (!make_room(requests, connection, stream->has_datagrams ? MAX_DATAGRAMS : MAX_PIECES))
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
