/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gap.h - a while in which nobody worked for a packet, or for a conversation, and whose it was
 *
 * What the recording does not know has the two events that it lay between, and nothing else.
 */
#ifndef _REPORT_SKB_GAP_H
#define _REPORT_SKB_GAP_H

#include "stations.h"

enum gap_kind {
	GAP_BETWEEN,   /* two functions: nothing is known */
	GAP_QUEUE,     /* a device's */
	GAP_NEIGHBOUR, /* its link-layer address was asked for */
	GAP_BACKLOG,   /* a CPU's, for its softirq */
	GAP_FRAGMENTS, /* others of the same packet */
	GAP_OTHER_QUEUE,
	GAP_CALL,   /* in the call that sent it, before there was a packet */
	GAP_ROOM,   /* in the call that sent it: TCP had no room */
	GAP_WINDOW, /* in the sending socket: the other end had no room */
	GAP_NAGLE,  /* in the sending socket: small, until what was before it was acknowledged */
	GAP_CONGESTION,	   /* in the sending socket: large, likewise */
	GAP_CORKED,	   /* in the sending socket, with nothing to wait for */
	GAP_PACED,	   /* in the sending socket: large, until a timer or the device let it go */
	GAP_HELD,	   /* in the sending socket: one of these */
	GAP_UNREAD,	   /* in the socket's queue */
	GAP_AWAITED,	   /* the same, and its reader was in the call */
	GAP_READER_ASLEEP, /* a part of these two: nobody had woken its reader */
	GAP_READER_NO_CPU, /* likewise: its reader would have gone on */
	GAP_CALL_ASLEEP,   /* in the call that sent it, which slept */
	GAP_CALL_NO_CPU,   /* in the call that sent it, which would have gone on */
	GAP_ANSWER,	   /* from the request that was read to its answer */
	GAP_ANSWER_UNREAD, /* the same; whether it was read is not known */
	GAP_REQUEST,	   /* from the answer to the next request */
	GAP_EITHER,	   /* one of them: who asks whom is not known */
	GAP_AWAY,	   /* from the request to its answer, that another machine made */
	GAP_ACK,	   /* from what was sent to its acknowledgement */
	GAP_RESENT,
	GAP_WORK, /* a function took it by itself: no gap, but as long */
	GAPS,
};

/* What --latency calls it; NULL for what it does not list, as the step from the call to what is behind it. */
const char *gap_name(enum gap_kind kind);

/**
 * struct gap - a while in which nothing went on
 * @ns: how long; 0 for none
 * @kind: whose it was
 * @number: the packet's, or that of the first of two
 * @next: of the second, 0 if it is about one
 * @by: of what lay in the sending socket: the packet that let it go, 0 if none did
 * @device: of GAP_QUEUE and GAP_NEIGHBOUR
 * @after: of GAP_BETWEEN and GAP_OTHER_QUEUE: the functions that it lay between; of GAP_RESENT: that
 *         dropped the first, NULL if none did that is known; of GAP_WORK: that worked
 * @before: likewise
 * @waited: what whoever had it did not work of this, as far as it is known
 */
struct gap {
	uint64_t ns;
	enum gap_kind kind;
	uint32_t number, next, by;
	uint16_t device;
	const struct name *after, *before;
	struct waited waited;
};

/* A part of another gap, which it is not added to. */
static inline bool gap_is_part(const struct gap *gap)
{
	return gap->kind == GAP_READER_ASLEEP || gap->kind == GAP_READER_NO_CPU ||
	       gap->kind == GAP_CALL_ASLEEP;
}

#define GAP_LEN 256
/* "#5 -> #6: the application had the request and had not answered" */
const char *words_gap(char *buf, const struct gap *gap, const struct devices *devices);
/* Of a gap that is one packet's: "it was in the queue of eth0 (qdisc)" */
const char *words_own_gap(char *buf, const struct gap *gap, const struct devices *devices);

typedef void own_gap_sink(void *data, const struct gap *gap);

/* Those that are about one packet and nothing else; with @ns = 0 where there was none. */
void own_gaps(const struct packet *packet, const struct way *way, own_gap_sink *each, void *data);
/* The longest of them. */
struct gap longest_own_gap(const struct packet *packet, const struct way *way);

#endif
