/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tcp_send_queue.h - find how long TCP data waited in the sending socket, and what ended the wait
 *
 * The code counts the bytes that calls write and the bytes that segments carry. Both counts begin with the
 * SYN. If they do not agree, the socket is ignored from then on. Possible causes are a connection that is
 * older than the recording, calls that are not in the recording, and kTLS.
 */
#ifndef _RECORD_SKB_TCP_SEND_QUEUE_H
#define _RECORD_SKB_TCP_SEND_QUEUE_H

#include "input/reader.h"

enum released {
	RELEASED_AT_ONCE, /* sent without a wait, or the wait is not known */
	RELEASED_WINDOW,  /* the peer has opened its window */
	RELEASED_ACK,	  /* a packet has acknowledged earlier data */
	/* probably a timer: the data were sent in a softirq, and no packet of the peer was being processed */
	RELEASED_TIMER,
	RELEASED_CALL, /* a call of the sender, but not the one that wrote the data */
	/* the call that wrote the data, after it had waited for space in the send buffer */
	RELEASED_SEND_BUFFER,
};

/**
 * struct held - the reason why a segment was not sent earlier
 * @released: event that ended the wait
 * @written: time when the call that wrote the first byte of the segment began; 0 if unknown
 * @since: time since which the data of this segment waited: the socket had the data, and all earlier data
 *	were sent
 * @by: number of the packet that ended the wait, 0 if no packet did
 * @partial: the segment is not full, and the socket has no data after it. Data of a call that has not
 *	returned do not count
 * @unacked: some data that were sent earlier were not acknowledged yet
 */
struct held {
	enum released released;
	uint64_t written, since;
	uint32_t by;
	bool partial, unacked;
};

struct tcp_send_queue;

struct tcp_send_queue *tcp_send_queue_new(void);
void tcp_send_queue_free(struct tcp_send_queue *queue);

void tcp_send_queue_handle_call(struct tcp_send_queue *queue, const struct moment *at,
				const struct skb_event *call);
void tcp_send_queue_handle_return(struct tcp_send_queue *queue, const struct moment *at,
				  const struct skb_event *call);
/* Handle lost rows: forget the state of all sockets. */
void tcp_send_queue_forget(struct tcp_send_queue *queue);

/* Handle a packet at the probe point where TCP receives it. */
void tcp_send_queue_handle_receive(struct tcp_send_queue *queue, const struct packet_seen *seen);
/* Return: the number of the last packet that the sending socket has received; 0 if it is not known. */
uint32_t tcp_send_queue_last_received(struct tcp_send_queue *queue, const struct packet_seen *seen);
/*
 * Handle a packet that is sent, when it is seen for the first time. @within is the number of the received
 * packet that the task is processing; 0 for none.
 */
struct held tcp_send_queue_handle_send(struct tcp_send_queue *queue, const struct moment *at,
				       const struct packet_seen *seen, uint32_t within);

#endif
