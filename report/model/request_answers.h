/* SPDX-License-Identifier: GPL-2.0 */
/*
 * request_answers.h - find the answer to each request of a client, for --assert
 *
 * No protocol is parsed. So the recording does not show which data of the server are the answer: some may
 * be session tickets or window updates. Only an interval is certain: the answer does not end before the
 * first data that the server has sent with the request in hand, and not after its last data before the
 * client's next data.
 *
 * A SYN and an echo request are requests, too. An echo reply answers the request with the same number.
 */
#ifndef _RECORD_SKB_REQUEST_ANSWERS_H
#define _RECORD_SKB_REQUEST_ANSWERS_H

#include "model/packets.h"

/**
 * struct answered - the time from a request to the end of its answer
 * @request: number of the first packet of the request
 * @answer: number of the first packet of the answer; 0 if there is no answer
 * @least: the time is at least as long as this, in nanoseconds
 * @most: the time is at most as long as this; not valid if @may_go_on is set
 * @may_go_on: the connection was open when the recording ended, so the answer may go on
 */
struct answered {
	uint32_t request, answer;
	uint64_t least, most;
	bool may_go_on;
};

/**
 * struct request_counts - what the recording shows about requests
 * @flows: number of flows with selected packets
 * @requests: number of requests
 * @unanswered: number of requests without an answer
 * @first_unanswered: number of the first of these packets
 * @unknown: number of flows with unknown requests or answers: a TCP connection has data of which the client
 *	is not known, or packets of the server are missing; different datagrams waited for an answer; or echo
 *	messages do not show their number
 * @heard: a packet shows that it comes from a server
 */
struct request_counts {
	uint64_t flows, requests, unanswered, unknown;
	uint32_t first_unanswered;
	bool heard;
};

typedef void answered_callback(void *data, const struct answered *answered);

struct request_answers;

/* @each is called for each request but a SYN with an answer, and for requests that ended without one. */
struct request_answers *request_answers_new(answered_callback *each, void *data);
void request_answers_free(struct request_answers *answers);
/*
 * Set the losses of the recording. A request that lost rows may have changed has no upper limit, and a lower
 * limit of 0.
 */
void request_answers_set_losses(struct request_answers *answers, const struct lost_events *losses);
/* Add the next packet. @is_chosen is false for a packet that may be an answer, but is not selected. */
void request_answers_add(struct request_answers *answers, const struct packet *packet,
			 bool is_chosen);
/* End the recording. Return: the counts. */
const struct request_counts *request_answers_end(struct request_answers *answers);

#endif
