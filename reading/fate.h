/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * fate.h - what becomes of one skb, from what happens to it
 *
 * A state machine for each copy of a packet, fed with what the recording says of this very skb, in the
 * order of time. Entering a function decides nothing: what counts is how the function was left, and how
 * the skb ended.
 *
 *   seen at a point      ON_THE_WAY, whatever it was before: it goes on.
 *                          One that the user has added says nothing
 *   then
 *     a function that queues is left, and nobody below saw it    QUEUED
 *     a driver is left, or frees it                              SENT
 *     one is left that hands it to a device of this machine      QUEUED, until it is seen there
 *     a function that puts it into a socket's queue is left      DELIVERED
 *     the same for a packet socket, of a copy made for that      TAPPED
 *     a protocol's function is left, or it ends below one        HANDLED, or DELIVERED if TCP's with data,
 *                                                                or FREED if a SYN or ping is not answered
 *     GRO says that it has put it into another one               HANDLED
 *     it ends, and copies were made of it                        COPIED
 *     it is dropped                                              DROPPED, FREED
 *     a copy that was seen nowhere is, later, without a reason   ON_THE_WAY: maybe it had reached a queue
 *
 * What is SENT, DELIVERED, TAPPED or HANDLED stays so when a drop comes that gives no reason, when nobody
 * works for the packet any more: that is how queues of sockets that are closed, and drivers, get rid of
 * what they have. SENT only if the place of the drop is known for that, and nothing of this where a reader
 * throws it away.
 */
#ifndef _RECORD_SKB_FATE_H
#define _RECORD_SKB_FATE_H

#include <stdbool.h>
#include <stdint.h>

#include "functions.h"
#include "record_skb.h"

enum fate_state {
	FATE_ON_THE_WAY, /* where it is now is not known but for where it was seen last */
	FATE_QUEUED,
	FATE_SENT,
	FATE_DELIVERED,
	FATE_TAPPED,
	FATE_HANDLED,
	FATE_COPIED,
	FATE_DROPPED,
	FATE_FREED, /* dropped or handled: where it ended, the kernel does not say */
};

/**
 * struct fate_function - a function that is given the skb
 * @id: tells functions apart; only compared
 * @facts: what is known of it, NULL for nothing
 */
struct fate_function {
	const void *id;
	const struct function_facts *facts;
};

/**
 * struct fate - what is known of an skb so far
 * @state: enum fate_state
 * @sure: something said so; if not, it is from nothing having said otherwise
 * @ended: it is no more
 * @says_why: of a drop: the kernel gives a reason
 * @came_in: it came from a device, and was not made here
 * @where: the function that decided, or that it was seen at last
 */
struct fate {
	enum fate_state state;
	bool sure;
	bool ended;
	bool says_why;
	bool came_in;
	struct fate_function where;
	/* The rest is the machine's own. */
	struct fate_function at;      /* the last point */
	struct fate_function handler; /* the protocol it is in */
	bool seen;
	bool goes_out; /* at the last point */
	bool told;     /* what its function returned */
	bool refused;  /* by the driver that it was seen at last */
	bool copied;   /* since the last point */
	bool is_copy;
	bool is_tap;	  /* made for a packet socket */
	bool for_program; /* made for the XDP program of the device that it came to */
	bool tap_left;	  /* the packet socket's function that it was seen at last */
};

/* What has to be known of the packet and of the recording. */
struct fate_packet {
	int32_t payload; /* bytes of data of TCP's or SCTP's, -1 if not known */
	bool tracked;	 /* the recording would say how it ended */
	bool asks; /* a SYN without ACK, an echo or ARP request: if all is well, it is answered at once */
	bool answered;	   /* another packet was sent back for it */
	bool lacks_points; /* somebody may have been given it, of whom the recording has nothing */
};

/**
 * fate_born - a copy is made
 * @fate: of the copy: filled in
 * @from: of the one it was made from, NULL if not known
 * @own_bytes: it shares none with that one
 */
void fate_born(struct fate *fate, struct fate *from, bool own_bytes);

/**
 * fate_seen - the skb stands at a probe point
 * @fate: of the skb
 * @at: the point's function
 * @dir: which way the point's path goes
 */
void fate_seen(struct fate *fate, const struct fate_function *at, enum record_skb_dir dir);

/**
 * fate_left - the function of a probe point that it stood at is left
 * @fate: of the skb
 * @function: which
 * @ret: what it returned, NULL if that is not known; may be told later, by another call
 * @packet: whose
 */
void fate_left(struct fate *fate, const struct fate_function *function, const int64_t *ret,
	       const struct fate_packet *packet);

/**
 * fate_dropped - the kernel throws it away
 * @fate: of the skb
 * @where: the function that does
 * @reason: it says why
 * @at_work: somebody is working for the packet now, so that this is part of its way
 * @packet: whose
 *
 * Returns whether that is what became of it.
 */
bool fate_dropped(struct fate *fate, const struct fate_function *where, bool reason, bool at_work,
		  const struct fate_packet *packet);

/* It ends without being thrown away; @at_work as above. */
void fate_ended(struct fate *fate, bool at_work, const struct fate_packet *packet);

/* Whether its state is true whatever else happened to it, of which the recording has nothing. */
bool fate_is_proved(const struct fate *fate);

#endif /* _RECORD_SKB_FATE_H */
