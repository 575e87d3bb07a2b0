/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unsent.h - data that TCP's sockets had and had not sent yet: since when, and what let it go
 *
 * Bytes are counted from the SYN on: what calls wrote, what segments carried. Where the two do not fit
 * together (a connection that was there before, calls that are not in the recording, kTLS), nothing is
 * known from then on.
 */
#ifndef _REPORT_SKB_UNSENT_H
#define _REPORT_SKB_UNSENT_H

#include "reader.h"

enum released {
	RELEASED_AT_ONCE, /* or nothing is known */
	RELEASED_WINDOW,  /* the other end's window had no room for it before */
	RELEASED_ACK,	  /* something came in that acknowledged what was sent before */
	RELEASED_TIMER,	  /* nothing came in, and no call was made */
	RELEASED_CALL,	  /* another call than that which wrote it */
	RELEASED_ROOM,	  /* the call that writes it had written before, and goes on */
};

/**
 * struct held - a segment that is sent now: how it came that it was not sent before
 * @released: what let it go
 * @written: when the call began that wrote its first byte; 0: not known
 * @since: from when on it could have been sent, for all that the socket had
 * @by: the packet that let it go, 0 if none did
 * @partial: less than a segment, and the socket had nothing more to send when the call began that goes on,
 *           if one does
 * @unacked: other data was sent and not acknowledged
 */
struct held {
	enum released released;
	uint64_t written, since;
	uint32_t by;
	bool partial, unacked;
};

struct unsent;

struct unsent *unsent_new(void);
void unsent_free(struct unsent *unsent);

void unsent_called(struct unsent *unsent, const struct moment *at, const struct skb_event *call);
void unsent_returned(struct unsent *unsent, const struct moment *at, const struct skb_event *call);
/* Rows are lost: of no socket anything is known. */
void unsent_lost(struct unsent *unsent);

/* A packet stands where TCP gets it. */
void unsent_received(struct unsent *unsent, const struct packet_seen *seen);
/* The packet that came in last for the socket which sends this one; 0 if none is known. */
uint32_t unsent_came(struct unsent *unsent, const struct packet_seen *seen);
/*
 * A packet is seen for the first time, on its way out. @within: that last one, if somebody is at work for
 * it, or else 0.
 */
struct held unsent_sends(struct unsent *unsent, const struct moment *at,
			 const struct packet_seen *seen, uint32_t within);

#endif
