/* SPDX-License-Identifier: GPL-2.0 */
/*
 * requests.h - divide the bytes of TCP connections and UDP flows into requests and responses
 *
 * A request begins when the direction of the data changes from the server to the client. The data are not
 * parsed. So pipelined requests count as one request, and requests from the server to the client do not
 * count. With some protocols, such as HTTP/2, the server sends data while a request is on its way. These data
 * do not answer the request. So responses cannot be assigned to requests any more, and the rest of the
 * connection is not divided.
 */
#ifndef _RECORD_SKB_REQUESTS_H
#define _RECORD_SKB_REQUESTS_H

#include "model/byte_streams.h"

/* The parts into which the time of a request is divided. */
enum request_part {
	REQUEST_CLIENT,	     /* the client's call, and the way through its network stack */
	REQUEST_TRANSIT,     /* between the drivers of both hosts, in both directions */
	REQUEST_SERVER,	     /* the way through the server's network stack to the socket */
	REQUEST_QUEUE,	     /* the server's receive queue */
	REQUEST_APPLICATION, /* the server's program */
	REQUEST_RESPONSE, /* the server's call, and the way of the response through both stacks */
	REQUEST_PARTS,
};

/* Return: name of the part, such as "application". */
const char *request_part_name(enum request_part part);

/**
 * struct request - a request and its response
 * @flow_number: number of the flow
 * @flow: addresses from the client to the server
 * @begun: time when the client's call began; if the client is not recorded, time when the request arrived
 * @ended: time when the client's last call returned; if the client is not recorded, time when the response
 * was sent
 * @request_bytes: number of bytes of the request
 * @response_bytes: number of bytes of the response
 * @packet: number of the packet that brought the last byte of the request, 0 if not known
 * @again: number of pieces of the request that were sent again: by TCP, or for UDP by the client
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
	uint64_t begun, ended;
	uint64_t request_bytes, response_bytes;
	uint32_t packet, again;
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

/*
 * Return: the part with the longest time. Return REQUEST_PARTS if less than half of the time is known,
 * because an unknown part may then be the longest.
 */
enum request_part request_longest_part(const struct request *request);

struct requests;

struct requests *requests_create(request_fn *request, void *data);
void requests_free(struct requests *requests);
/* This piece_fn is for byte_streams_create(). @data is a struct requests. */
void requests_handle_piece(void *data, const struct byte_stream *stream,
			   const struct byte_piece *piece);
/* Pass on the last request of each connection. */
void requests_end(struct requests *requests);
/*
 * Return: the number of connections in which the client's last data had no response before the end of the
 * recording.
 */
uint64_t requests_unanswered(const struct requests *requests);
/* Return: the number of connections that were not divided into requests up to their end. */
uint64_t requests_mixed(const struct requests *requests);
/* Return: the number of connections that were not divided, because their client is not known. */
uint64_t requests_clientless(const struct requests *requests);
/* Return: true if requests are missing because there was not enough memory. */
bool requests_failed(const struct requests *requests);

#endif
