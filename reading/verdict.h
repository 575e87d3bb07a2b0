/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * verdict.h - conclude the fate of an skb from the events of the recording
 *
 * The texts of verdicts are in report/model/packet_text.c.
 *
 * This is a state machine for each skb of a packet. It gets the events of the skb in order of time. The entry
 * of a function only sets ON_THE_WAY. The return of the function and the end of the skb decide the fate.
 *
 *   event                                                          state
 *   the skb is at a probe point                                    ON_THE_WAY, whatever the state was before;
 *                                                                  unchanged at a point that the user added
 *   a queueing function returns, and has not passed the skb on     QUEUED
 *   a driver returns or frees the skb                              SENT
 *   a driver with its other end in this machine returns            QUEUED, until the skb is seen there
 *   a function that puts the skb into a socket's queue returns     DELIVERED
 *   the same for a packet socket, if the skb is a copy for it      TAPPED
 *   a protocol handler returns, or the skb ends below it           HANDLED; DELIVERED for TCP with data;
 *                                                                  FREED for an unanswered SYN or ping
 *   GRO reports that it merged the skb into another                HANDLED
 *   the skb ends after copies were made of it                      COPIED
 *   a segment waits for its device, unseen by any probe point      QUEUED
 *   a clone of an ICMP error or of a SYN with data is kept         DELIVERED
 *   the skb is dropped                                             DROPPED or FREED
 *   an unseen copy is dropped later, without a reason              ON_THE_WAY: it may have reached a queue
 *
 * Drivers and closed sockets free their packets with a drop without a reason. After the packet was
 * processed, such a drop does not replace SENT, DELIVERED, TAPPED or HANDLED. There are two exceptions.
 * SENT is kept only if the function that drops is known to free sent packets. A drop by a reader always
 * replaces the state.
 */
#ifndef _RECORD_SKB_VERDICT_H
#define _RECORD_SKB_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "functions.h"
#include "record_skb.h"

enum fate_state {
	FATE_ON_THE_WAY, /* undecided: only the last function that saw the skb is known */
	FATE_QUEUED,
	FATE_SENT,
	FATE_DELIVERED,
	FATE_TAPPED,
	FATE_HANDLED,
	FATE_COPIED,
	FATE_DROPPED,
	FATE_FREED, /* dropped or handled: the recording does not tell which */
};

/**
 * struct fate_function - a function that gets the skb
 * @id: a pointer that identifies the function; it is only compared
 * @facts: properties of the function, NULL if unknown
 */
struct fate_function {
	const void *id;
	const struct function_facts *facts;
};

/**
 * struct fate - state of an skb
 * @state: enum fate_state
 * @sure: an event shows the state; if false, the state was concluded because other events are missing
 * @ended: the skb was freed
 * @says_why: the kernel gave a reason for the drop
 * @came_in: a device received the packet; if false, this machine created the packet
 * @where: the function that decided the state, or the last function that saw the skb
 */
struct fate {
	enum fate_state state;
	bool sure;
	bool ended;
	bool says_why;
	bool came_in;
	struct fate_function where;
	/* The following members are internal to the state machine. */
	struct fate_function at;      /* the last probe point */
	struct fate_function handler; /* the protocol handler that is processing the skb */
	bool seen;
	bool goes_out; /* the last probe point is on the transmit path */
	bool told;     /* the return value of the last probe point is known */
	bool refused;  /* the last driver refused the packet */
	bool copied;   /* the skb was copied since the last probe point */
	bool is_copy;
	bool is_tap;	  /* the skb is a copy for a packet socket */
	bool for_program; /* the skb is a copy for the XDP program of the receiving device */
	bool tap_left;	  /* the last packet socket function that saw the skb has returned */
	bool tap_lost; /* the skb is a copy for packet sockets, but no packet socket has got it */
	unsigned int taps,
		taps_lost; /* number of packet sockets, and number of those that did not get the skb */
	enum record_skb_copy_kind kind;
	/* the function that made the copy keeps it in a queue: see fate_maker_left() */
	bool kept;
};

/* Facts about the packet and the recording that the state machine needs. */
struct fate_packet {
	int32_t payload; /* bytes of TCP or SCTP data, -1 if not known */
	bool tracked;	 /* the recording contains the end of each skb */
	bool asks; /* a SYN without ACK, an echo request or an ARP request: usually answered at once */
	bool answered; /* another packet was sent as the answer */
	/* an ICMP error or a SYN with data: protocol handlers clone these only for a socket */
	bool for_socket;
	/* some probe points were not attached, so the packet may be at a function without a probe */
	bool lacks_points;
};

/**
 * fate_born - process the creation of a copy
 * @fate: state of the copy, filled in
 * @from: state of the skb that was copied, NULL if not known
 * @kind: kind of the copy
 */
void fate_born(struct fate *fate, struct fate *from, enum record_skb_copy_kind kind);

/**
 * fate_seen - process a packet event: the skb is at a probe point
 * @fate: state of the skb
 * @at: function of the probe point
 * @dir: direction of the probe point
 */
void fate_seen(struct fate *fate, const struct fate_function *at, enum record_skb_dir dir);

/**
 * fate_left - process the return of a probed function that got the skb
 * @fate: state of the skb
 * @function: the function
 * @ret: return value of the function, NULL if not known; a later call may supply the value
 * @packet: the packet of the skb
 */
void fate_left(struct fate *fate, const struct fate_function *function, const int64_t *ret,
	       const struct fate_packet *packet);

/**
 * fate_tap_lost - process the event that a packet socket does not get the skb
 * @fate: state of the skb
 *
 * Return: true if the skb is a copy for packet sockets, and no packet socket gets it. The skb is then
 * dropped.
 */
bool fate_tap_lost(struct fate *fate);

/**
 * fate_dropped - process a drop
 * @fate: state of the skb
 * @where: the function that drops the skb
 * @reason: the kernel gave a drop reason
 * @at_work: a recorded function is still processing the packet, so the drop belongs to this processing
 * @packet: the packet of the skb
 *
 * Return: true if the drop is the fate of the skb. False if the skb was already processed and is only freed,
 * or if the drop does not tell what happened to the skb.
 */
bool fate_dropped(struct fate *fate, const struct fate_function *where, bool reason, bool at_work,
		  const struct fate_packet *packet);

/**
 * fate_maker_left - process the return of the function that made a copy
 * @fate: state of the copy
 * @function: the function
 * @packet: the packet of the copy
 *
 * Has no effect on a copy that has ended, or that has reached a probe point in the meantime.
 */
void fate_maker_left(struct fate *fate, const struct fate_function *function,
		     const struct fate_packet *packet);

/* Process the end of an skb that was not dropped. @at_work and @packet are as for fate_dropped(). */
void fate_ended(struct fate *fate, bool at_work, const struct fate_packet *packet);

/* Return: true if the state cannot be wrong even if events are missing in the recording. */
bool fate_is_proved(const struct fate *fate);

#endif /* _RECORD_SKB_VERDICT_H */
