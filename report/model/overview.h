/* SPDX-License-Identifier: GPL-2.0 */
/*
 * overview.h - add up what a recording shows about all its packets, for the summary
 *
 * The memory in use grows with the number of flows, servers and different causes, but not with the number
 * of packets.
 */
#ifndef _RECORD_SKB_OVERVIEW_H
#define _RECORD_SKB_OVERVIEW_H

#include "model/conversation_delays.h"
#include "model/explanations.h"
#include "model/histogram.h"
#include "model/open_waits.h"
#include "model/resets.h"
#include "model/servers.h"
#include "model/socket_reads.h"

/*
 * Kinds of rows of the section "what happened". Their order is the order of the rows, so problems come first.
 */
enum happened_rank {
	HAPPENED_DROPPED,
	HAPPENED_MAYBE_DROPPED,
	HAPPENED_COPY_DROPPED, /* only a copy of the packet was dropped */
	HAPPENED_LOST,	       /* left a host, and did not arrive at the next host */
	HAPPENED_REFUSED,      /* a socket call failed */
	HAPPENED_NOT_TAPPED,   /* a packet socket did not get the packet */
	HAPPENED_RESET,	       /* TCP packets with RST */
	HAPPENED_ICMP_ERROR,
	HAPPENED_AGAIN, /* retransmissions */
	HAPPENED_UNKNOWN,
	HAPPENED_QUEUED,
	HAPPENED_REDIRECTED, /* the data of a socket call were redirected and did not become a packet */
	HAPPENED_DELIVERED,
	HAPPENED_TAPPED, /* delivered to a packet socket only */
	HAPPENED_CONSUMED,
	HAPPENED_FORWARDED,
	HAPPENED_SENT,
	HAPPENED_COPIED,
	HAPPENED_FREED,
	HAPPENED_RANKS,
};

/**
 * struct happened - number of packets with the same end, or with the same property
 * @rank: the kind of end
 * @explanation: the cause; empty if no cause is known
 * @is_extra: the row counts calls, or it counts packets that are also in another row
 * @text: description of the end, with escaped names
 * @nr: number of packets
 * @example: number of the first packet; 0 for calls
 * @newest: number of the packet that was added last. A packet with several copies with this end counts once
 * @ts: time of the first packet or call
 * @server: server of the first packet; NULL if it is not known
 * @nr_server: number of packets with the same server as the first packet
 * @nr_mtu: number of packets that are ICMP errors about the MTU of the way
 * @unread: for HAPPENED_RESET: total number of bytes that were not read before close(); see struct reset
 * @nr_unread: for HAPPENED_RESET: number of resets that contributed to @unread
 */
struct happened {
	enum happened_rank rank;
	struct explanation explanation;
	bool is_extra;
	char *text;
	uint64_t nr;
	uint32_t example, newest;
	uint64_t ts;
	const struct server *server;
	uint64_t nr_server, nr_mtu;
	uint64_t unread, nr_unread;
};

/**
 * struct stage_time - the times from one stage to the next, or of one kind of delay, for all flows
 * @name: name of the stages or of the delay, as in --latency
 * @times: the times
 */
struct stage_time {
	char name[40];
	struct histogram times;
};

struct overview;

/**
 * overview_create - begin an overview
 * @stages: stages of the packets
 * @packets: address of a pointer to struct packets, which knows the devices and losses. The pointer must be
 *	set before the first packet
 * @reads: the calls that read sockets
 * @explanations: the causes of drops and failed calls
 * @resets: origins of resets and ICMP errors
 *
 * Return: the overview; NULL if there is not enough memory.
 */
struct overview *overview_create(struct stages *stages, struct packets **packets,
				 const struct socket_reads *reads,
				 struct explanations *explanations, const struct resets *resets);
void overview_free(struct overview *overview);

/* Return: the number of failed calls that are in no row, because their errors have no explanation. */
uint64_t overview_other_calls(const struct overview *overview);

/* Add the next packet. Packets must be added in the order of their numbers. */
void overview_add(struct overview *overview, const struct packet *packet);
/* Note a packet that is not selected, because it may be the answer to a selected request. */
void overview_add_other(struct overview *overview, const struct packet *packet);
/* Note that the recording has the answers to all recorded requests, as far as there are any. */
void overview_expect_answers(struct overview *overview);
/* Note that the recording may lack the answers of some servers, even if it has those of others. */
void overview_doubt_answers(struct overview *overview);
/* Note that a flow may have several numbers. So an answer may belong to another flow than its request. */
void overview_lose_flows(struct overview *overview);
/*
 * Finish after the last packet. @end is the time of the last row of the recording. If @with_calls is true,
 * add rows for failed calls.
 */
void overview_finish(struct overview *overview, uint64_t end, bool with_calls);

uint64_t overview_packets(const struct overview *overview);
uint64_t overview_flows(const struct overview *overview);
/* Return: the time of the first packet. */
uint64_t overview_first(const struct overview *overview);
/* Return: the time of the last row of the recording. */
uint64_t overview_last(const struct overview *overview);
/* Return: the time of the last event of the packets. The reading of a packet counts as an event. */
uint64_t overview_last_packet(const struct overview *overview);
/*
 * Return: true if the packets of a row were possibly dropped, and the only sign of it is an answer that is
 * not in the recording, although the filter may not match this answer.
 */
bool overview_may_lack_answers(const struct overview *overview, const struct happened *row);
/* Return: true if the counts are too low because there was not enough memory. */
bool overview_lacks_memory(const struct overview *overview);

/*
 * The functions below are valid after overview_finish(). Return: the sorted elements. The function sets @n to
 * their number.
 */
struct happened *const *overview_happened(const struct overview *overview, size_t *n);
struct stage_time *const *overview_times(const struct overview *overview, size_t *n);
struct server *const *overview_servers(const struct overview *overview, size_t *n);
/* Return: the sums of all servers. */
struct server *overview_total(const struct overview *overview);
struct open_wait *const *overview_open(const struct overview *overview, size_t *n);
const struct delays *overview_delays(const struct overview *overview);

#endif
