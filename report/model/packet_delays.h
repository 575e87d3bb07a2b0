/* SPDX-License-Identifier: GPL-2.0 */
/*
 * packet_delays.h - find the cause of each delay. In a delay, no task processes the packet or its flow
 *
 * If the recording does not show the cause, only the events before and after the delay are reported.
 */
#ifndef _RECORD_SKB_DELAY_H
#define _RECORD_SKB_DELAY_H

#include "model/socket_reads.h"
#include "model/stages.h"

enum delay_kind {
	DELAY_BETWEEN,	 /* between two functions; the cause is unknown */
	DELAY_QUEUE,	 /* in the queue of a device */
	DELAY_NEIGHBOUR, /* waiting for the neighbour's link-layer address */
	DELAY_BACKLOG,	 /* in the backlog of a CPU, waiting for its softirq */
	DELAY_FRAGMENTS, /* waiting for the other fragments */
	DELAY_OTHER_QUEUE,
	DELAY_CALL,	   /* in the sending call, before the packet existed */
	DELAY_SEND_BUFFER, /* in the sending call: the socket's send buffer was full */
	DELAY_WINDOW,	   /* in the sending socket: the receive window of the peer was full */
	/* in the sending socket: a small segment waited until earlier data were acknowledged */
	DELAY_NAGLE,
	/* in the sending socket: a full segment waited until earlier data were acknowledged */
	DELAY_CONGESTION,
	DELAY_CORKED, /* in the sending socket: the socket was corked */
	/* in the sending socket: a full segment waited until a timer or the device released it */
	DELAY_PACED,
	/* in the sending socket: one of the causes above; it is not known which one */
	DELAY_HELD,
	DELAY_UNREAD, /* in the receive queue of the socket */
	/* in the receive queue, although the reader was already waiting in the receiving call */
	DELAY_AWAITED,
	/* part of DELAY_UNREAD or DELAY_AWAITED: the reader was still asleep */
	DELAY_READER_ASLEEP,
	/* part of DELAY_UNREAD or DELAY_AWAITED: the reader was runnable and had no CPU */
	DELAY_READER_NO_CPU,
	DELAY_CALL_ASLEEP, /* in the sending call: the task was asleep */
	DELAY_CALL_NO_CPU, /* in the sending call: the task was runnable and had no CPU */
	DELAY_ANSWER,	   /* from the reading of a request to its answer */
	DELAY_ANSWER_UNREAD, /* from a request to its answer; the time when the request was read is unknown */
	DELAY_REQUEST, /* from an answer to the next request */
	DELAY_EITHER,  /* before an answer or a request; the client is not known */
	DELAY_AWAY,    /* from a request to its answer, if another machine sent the answer */
	DELAY_ACK,     /* from a segment to its acknowledgement */
	DELAY_RESENT,
	/* time in one function: not a delay, but shown if it is longer than all delays */
	DELAY_WORK,
	DELAYS,
};

/* Return: the name of the delay in the output of --latency; NULL for kinds that --latency does not list. */
const char *delay_name(enum delay_kind kind);

/**
 * struct delay - a time in which no task processed the packet
 * @ns: duration in nanoseconds; 0 for no delay
 * @clock_error: error of @ns, if the delay began and ended on different hosts; otherwise 0
 * @kind: cause
 * @number: number of the packet, or of the first of two packets
 * @next: number of the second packet, 0 if the delay concerns one packet
 * @by: for delays in the sending socket: number of the packet that ended the delay, 0 for none
 * @is_partly_read: for DELAY_UNREAD and DELAY_AWAITED: a call may have read a part of the packet earlier
 * @device: for DELAY_QUEUE and DELAY_NEIGHBOUR: the device
 * @after: for DELAY_BETWEEN and DELAY_OTHER_QUEUE: the function before the delay. For DELAY_RESENT: the
 *	function that dropped the first packet, NULL if unknown. For DELAY_WORK: the function that took the
 *	time
 * @before: for DELAY_BETWEEN and DELAY_OTHER_QUEUE: the function after the delay
 * @waited: time in which the task that processed the packet next was asleep or without a CPU, as far as known
 */
struct delay {
	uint64_t ns, clock_error;
	enum delay_kind kind;
	uint32_t number, next, by;
	bool is_partly_read;
	uint16_t device;
	const struct name *after, *before;
	struct waited waited;
};

/* Return: true if the delay is a part of another delay, so that the durations of both must not be added. */
static inline bool delay_is_part(const struct delay *delay)
{
	return delay->kind == DELAY_READER_ASLEEP || delay->kind == DELAY_READER_NO_CPU ||
	       delay->kind == DELAY_CALL_ASLEEP;
}

#define DELAY_LEN 256
/* Describe a delay, as in "#5 -> #6: the application had the client's data and had sent nothing". */
const char *words_delay(char *buf, const struct delay *delay, const struct devices *devices);
/* Describe a delay of one packet, as in "it was in the queue of eth0 (qdisc)". */
const char *words_own_delay(char *buf, const struct delay *delay, const struct devices *devices);

typedef void own_delay_callback(void *data, const struct delay *delay);

/*
 * Report all delays of a single packet, without delays between two packets. For a kind of delay that did not
 * occur, or in which rows were lost, @ns is 0.
 */
void own_delays(const struct packet *packet, const struct way *way,
		const struct lost_events *losses, own_delay_callback *each, void *data);
/* Return: the longest delay of the packet. */
struct delay longest_own_delay(const struct packet *packet, const struct way *way,
			       const struct lost_events *losses);

/*
 * Return: true if a copy was still in a queue or in the receive queue of a socket at the end of the
 * recording. @way may be NULL.
 */
bool is_still_queued(const struct packet *packet, const struct copy *copy, const struct way *way);
/*
 * Return: the time since which such a copy has been in its queue, or since which a program could have read
 * it; 0 if it has ended, or if that is not known. @way may be NULL.
 */
uint64_t waits_since(const struct packet *packet, const struct copy *copy, const struct way *way,
		     const struct socket_reads *reads);

#endif
