/* SPDX-License-Identifier: GPL-2.0 */
/*
 * conversation.h - invented packets of a client and a server, which are the input for
 * report/model/conversation_delays.c
 */
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/conversation_delays.h"

#define MS 1000000ull

#define SYN 0x02
#define ACK 0x10

enum { CLIENT, SERVER };

/**
 * struct said - a packet of the conversation
 * @by: the sender of the packet, CLIENT or SERVER
 * @at: time of sending, in ms
 * @last: time of the last event of the packet; 0 means one ms after @at
 * @called: time when the call that sent the packet began, 0 for no call
 * @delivered: time when the receiving socket got the packet, 0 for never
 * @read: time when the packet was read, 0 if unknown
 */
struct said {
	int by;
	unsigned int at, last, called, delivered, read;
	uint8_t flags;
	uint32_t seq, ack;
	int32_t payload;
	bool same_ports; /* client and server use the same port number, which is an ephemeral port */
	bool udp, incomplete;
	bool is_unordered;	 /* earlier bytes may be missing when the socket gets the packet */
	enum record_skb_dir dir; /* RECORD_SKB_DIR_NONE means TX */
};

/* The delays of the conversation, which the tests check. begins() creates a new object for each test. */
extern struct delays *delays;

/*
 * Results of report/model/stages.c for the next packets: where a packet waited, and when its reader got it.
 */
extern struct way way;
extern struct visit visit;
/* The lost rows of the recording. ends() removes them. */
extern struct lost_events losses;
extern const struct name *dropped_in;
extern struct worked {
	const struct name *in;
	unsigned int ms, no_cpu;
} worked;

/* cmocka calls begins() before each test, and ends() after it. */
int begins(void **state);
int ends(void **state);

void says(const struct said *said);
/* Add the client's SYN at 1 ms and the server's SYN-ACK at 3 ms. */
void connects(void);
/* Add a request at 10 ms, which is delivered at 12 ms and read at @read ms. */
void asks(unsigned int read);
/* Add the answer at @at ms, sent by a call that began at @called ms. */
void answers(unsigned int called, unsigned int at);

/*
 * Check the longest delay: its kind, its duration in ms, and the numbers of the packets before and after it.
 */
void longest_is(enum delay_kind kind, unsigned int ms, uint32_t first, uint32_t next);

#endif
