/* SPDX-License-Identifier: GPL-2.0 */
/*
 * requests.h - divide the bytes of TCP connections and UDP flows into requests and responses
 *
 * A request begins when the direction of the data changes from the server to the client. The data are not
 * parsed. So pipelined requests count as one request, and requests from the server to the client do not
 * count. A datagram that differs from the one before it is a request of its own, so several of them may wait
 * for an answer. Then it is not known which one an answer belongs to. With some protocols, such as HTTP/2,
 * the server sends data while a request is on its way. These data do not answer the request. So responses
 * cannot be assigned to requests any more, and the rest of the connection is not divided.
 */
#ifndef _RECORD_SKB_REQUESTS_H
#define _RECORD_SKB_REQUESTS_H

#include "model/byte_streams.h"

/* The parts into which the time of a request is divided. */
enum request_part {
	REQUEST_CLIENT, /* the client's calls and socket, and the way through its network stack */
	REQUEST_AGAIN, /* from the first packet with the data to the packet that arrived, both ways */
	REQUEST_TRANSIT, /* between the drivers of both hosts, in both directions */
	REQUEST_SERVER,	 /* the way through the server's network stack to TCP or to the socket */
	REQUEST_MISSING, /* the data had arrived, but not all bytes before them; in both directions */
	REQUEST_QUEUE,	 /* the server's receive queue */
	REQUEST_APPLICATION, /* the server's program, up to the call that writes the first response data */
	/* the server's call and socket, the way of the response through both stacks, and the client's call */
	REQUEST_RESPONSE,
	REQUEST_CLIENT_QUEUE, /* the client's receive queue */
	REQUEST_PARTS,
};

/* Return: name of the part, such as "application". */
const char *request_part_name(enum request_part part);

/**
 * struct request - a request and its response
 *
 * The time of a request ends with the first data of its response, because the end of a response is not known.
 *
 * @flow_number: number of the flow
 * @flow: addresses from the client to the server
 * @begun: time when the client's call began; if the client is not recorded, time when the request arrived
 * @ended: time when the client's call that read the first data of the response returned; if the client is
 *	not recorded, time when these data were sent
 * @rest: time from @ended to the last data of the server before the next request. The response lasted at most
 *	as long
 * @request_bytes: number of bytes of the request
 * @response_bytes: number of bytes of the response
 * @packet: number of the packet that brought the last byte of the request, 0 if not known
 * @again: number of pieces of the request that were sent again: by TCP, or for UDP by the client
 * @response_again: number of pieces of the response that TCP has sent again
 * @parts: duration of each part; 0 if not known
 * @known: the parts that are known
 * @has_client: the client is recorded
 * @has_server: the server is recorded
 * @client: name of the client's task, empty if not known
 * @server: name of the server's task, empty if not known
 * @client_pid: the client's task, 0 if not known
 * @server_pid: the server's task, 0 if not known
 */
struct request {
	uint32_t flow_number;
	struct flow flow;
	uint64_t begun, ended, rest;
	uint64_t request_bytes, response_bytes;
	uint32_t packet, again, response_again;
	uint64_t parts[REQUEST_PARTS];
	bool known[REQUEST_PARTS];
	bool has_client, has_server;
	char client[TASK_NAME_LEN + 1], server[TASK_NAME_LEN + 1];
	int client_pid, server_pid;
};

/*
 * A function that gets each complete request. The requests of a connection come in the order in which their
 * responses end.
 */
typedef void request_fn(void *data, const struct request *request);

/* Return: the part with the longest time; REQUEST_PARTS if an unknown part may be longer than it. */
enum request_part request_longest_part(const struct request *request);

/**
 * struct requests_counts - numbers of requests that are not passed on
 * @unanswered: connections in which the client's last data had no response before the end of the recording
 * @unknown: requests with a response that the recording may not contain, or not completely
 * @mixed: connections that were not divided into requests up to their end
 * @unsorted: connections that were not divided up to their end, because too many pieces of one direction
 *	came before those of the other direction
 * @clientless: connections that were not divided, because their client is not known
 * @overlapping: flows of datagrams that were not divided up to their end, because several different datagrams
 *	waited for an answer
 * @overlapping_sent: datagrams of the client that were not assigned in these flows
 * @overlapping_answers: datagrams of the server that were not assigned in these flows
 */
struct requests_counts {
	uint64_t unanswered, unknown, mixed, unsorted, clientless;
	uint64_t overlapping, overlapping_sent, overlapping_answers;
};

struct requests;

struct requests *requests_create(request_fn *request, void *data);
void requests_free(struct requests *requests);
/* This piece_fn is for byte_streams_create(). @data is a struct requests. */
void requests_handle_piece(void *data, const struct byte_stream *stream,
			   const struct byte_piece *piece);
/* Pass on the last request of each connection. */
void requests_end(struct requests *requests);
/* Note that the filter of the recording certainly matches the answers to each packet that it matches. */
void requests_expect_answers(struct requests *requests);
/* Set the losses of the recording. A request is not passed on if its answer may be among the lost entries. */
void requests_set_losses(struct requests *requests, const struct lost_events *losses);
const struct requests_counts *requests_counts(const struct requests *requests);
/* Return: true if requests are missing because there was not enough memory. */
bool requests_failed(const struct requests *requests);

#endif
