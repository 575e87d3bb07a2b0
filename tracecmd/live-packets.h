/* SPDX-License-Identifier: GPL-2.0 */
/* --live: the process that prints a line for each packet, which is trace-cmd-report-skb. */
#ifndef _RECORD_SKB_LIVE_PACKETS_H
#define _RECORD_SKB_LIVE_PACKETS_H

#include <stdbool.h>
#include <sys/types.h>

#include "err.h"

/**
 * struct live_packets - it
 * @pid: 0 if there is none
 * @pidfd: -1 likewise
 * @control: of which it sees the end
 */
struct live_packets {
	pid_t pid;
	int pidfd;
	int control;
};

#define NO_LIVE_PACKETS                    \
	{                                  \
		.pidfd = -1, .control = -1 \
	}

/* See that it can be run. Returns 0 or -1. */
int live_packets_check(struct err *err);

/**
 * live_packets_begin - start it
 * @live: filled in
 * @file: that trace-cmd record writes, its parts are there; NULL to read the buffers
 * @err: why not
 *
 * Returns 0 when it has opened what it reads, or -1.
 */
int live_packets_begin(struct live_packets *live, const char *file, struct err *err);

/* It has ended while the recording goes on. Returns 0 if nobody reads its lines any more, -1 if it failed. */
int live_packets_gone(struct live_packets *live, struct err *err);

/**
 * live_packets_end - let it print what is left, and wait for it
 * @live: may have none
 * @signals: a signal here ends it
 */
void live_packets_end(struct live_packets *live, int signals);

#endif
