/* SPDX-License-Identifier: GPL-2.0 */
/* conversation.h - packets of a client and its server, made up, with what report/gaps.c is told of them */
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gaps.h"

#define MS 1000000ull

#define SYN 0x02
#define ACK 0x10

enum { CLIENT, SERVER };

/**
 * struct said - a packet of the conversation
 * @by: who sends it
 * @at: when, in ms
 * @last: when something happened to it last, 0 for a ms later
 * @called: when the call began that sent it, 0 for none
 * @delivered: when the other's socket got it, 0 for not
 * @read: when it was taken out, 0 for not known
 */
struct said {
	int by;
	unsigned int at, last, called, delivered, read;
	uint8_t flags;
	uint32_t seq, ack;
	int32_t payload;
	bool udp, incomplete;
	enum record_skb_dir dir; /* RECORD_SKB_DIR_NONE: TX */
};

/* What a test looks at, anew for each by begins(). */
extern struct gaps *gaps;

/* What the packets to come have; their ways are as report/stations.c would have them. */
extern struct way way;
extern struct visit visit;
extern const struct name *dropped_in;
extern struct worked {
	const struct name *in;
	unsigned int ms, no_cpu;
} worked;

/* Around each test: for cmocka. */
int begins(void **state);
int ends(void **state);

void says(const struct said *said);
/* A handshake, at 1 and 3 ms. */
void connects(void);
/* A request at 10 ms, delivered at 12, and taken out at @read ms. */
void asks(unsigned int read);
/* Its answer at @at ms, by a call that began at @called. */
void answers(unsigned int called, unsigned int at);

/* The longest gap: its kind, and the numbers of the packets before and behind it. */
void longest_is(enum gap_kind kind, unsigned int ms, uint32_t first, uint32_t next);

#endif
