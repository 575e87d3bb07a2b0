/* SPDX-License-Identifier: GPL-2.0 */
/*
 * servers.h - group the flows by the address and port of their server, and find requests without an answer
 *
 * The client of a flow is:
 * - for TCP, the sender of the SYN, if the flow begins with the SYN or SYN-ACK
 * - for ICMP, the sender of the first packet, or its receiver if this packet is an echo reply
 * - otherwise, the only end with an ephemeral port
 * - otherwise, except for TCP, the sender of the first packet
 *
 * If none of this applies to a TCP flow, its server is unknown. ARP packets and ICMP errors have no server.
 */
#ifndef _RECORD_SKB_SERVERS_H
#define _RECORD_SKB_SERVERS_H

#include "model/histogram.h"
#include "model/packets.h"

/**
 * struct server - the packets of all flows to one address and port
 * @is_known: the server is known. False for the group that contains all flows with an unknown server
 * @family: family of @address, as in struct flow; 0 for packets without addresses
 * @proto: IP protocol number
 * @port: port, 0 for protocols without ports
 * @address: address, as in struct flow
 * @example: number of the first packet
 * @flows: number of flows
 * @packets: number of packets to the server [0] and from the server [1]
 * @bytes: bytes of the packets to the server [0] and from the server [1], from the start of the network
 *	header
 * @first: time of the first packet
 * @last: time of the last event of a packet
 * @dropped: number of packets that were dropped
 * @again: number of retransmitted TCP segments
 * @resets: number of TCP packets with RST
 * @answers: times from each request to its answer
 * @is_partial: a client has acknowledged an answer of this server that the recording does not have, NAT hides
 *	the direction of a packet, or an echo message does not show its number
 */
struct server {
	bool is_known;
	uint8_t family, proto;
	uint16_t port;
	uint8_t address[16];
	uint32_t example;
	uint64_t flows, packets[2], bytes[2];
	uint64_t first, last;
	uint64_t dropped, again, resets;
	struct histogram answers;
	bool is_partial;
};

/**
 * struct asked - requests that had no answer when the recording ended
 * @server: the server
 * @is_connect: the requests are SYNs
 * @nr: number of flows with a request that has no answer
 * @since: time of the first request without an answer
 * @packet: number of the packet with this first request
 * @flow: number of its flow
 */
struct asked {
	const struct server *server;
	bool is_connect;
	uint64_t nr, since;
	uint32_t packet, flow;
};

struct servers;

struct servers *servers_new(void);
void servers_free(struct servers *servers);

/* Set the losses of the recording. Times of answers during which rows were lost are not measured. */
void servers_set_losses(struct servers *servers, const struct lost_events *losses);

/*
 * Add the next packet. Packets must be added in the order of their numbers. Return: the server of the
 * packet; NULL if there is not enough memory.
 */
struct server *servers_add(struct servers *servers, const struct packet *packet);

/* Note a packet that is not selected, because it may be the answer to a selected request. */
void servers_hear(struct servers *servers, const struct packet *packet);
/* Return: the server of a flow; NULL if the flow has no packet yet. */
struct server *servers_of_flow(const struct servers *servers, uint32_t flow);
/* Return: true if @flow goes to the server. @flow must have the headers of a packet of @server. */
bool server_is_destination(const struct server *server, const struct flow *flow);

/* Return: the sums of all servers, in a struct server without an address. */
struct server *servers_total(struct servers *servers);
/* Return: the number of flows. Packets without a flow number do not count. */
uint64_t servers_flows(const struct servers *servers);

/*
 * Return: all servers, in an array that the caller must free; NULL if there is not enough memory. The
 * function sets @n to their number.
 */
struct server **servers_all(const struct servers *servers, size_t *n);

/*
 * Return: true if the first packet of a flow shows which end is the client. If so, the function sets
 * @source_asks to true if the sender of this packet is the client.
 */
bool first_shows_client(const struct copy *first, bool *source_asks);

/* Note that the recording has the answers to all recorded requests, as far as there are any. */
void servers_expect_answers(struct servers *servers);

/*
 * Note that the recording may lack the answers of some servers, because of its filter. So answers of one
 * server do not show that answers of the others would be recorded.
 */
void servers_doubt_answers(struct servers *servers);

/* Note that a flow may have several numbers. So an answer may belong to another flow than its request. */
void servers_lose_flows(struct servers *servers);
/*
 * Return: false if the recording may lack answers of this server to connection requests and pings, because
 * the filter does not match them.
 */
bool servers_show_answers(const struct servers *servers, const struct server *server);

typedef void asked_sink(void *data, const struct asked *asked);
/* Call @each for the requests without an answer, grouped by server. */
void servers_unanswered(const struct servers *servers, asked_sink *each, void *data);

/*
 * Format a server: "tcp 10.0.0.2:443", "icmp 10.0.0.2", or "tcp, server unknown". @buf has FLOW_TEXT_LEN
 * bytes.
 */
const char *words_server(char *buf, const struct server *server);

#endif
