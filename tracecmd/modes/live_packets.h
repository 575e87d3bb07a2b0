/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_packets.h - --live: run trace-cmd-report-skb, which prints a line for each packet during the recording
 */
#ifndef _RECORD_SKB_LIVE_PACKETS_H
#define _RECORD_SKB_LIVE_PACKETS_H

#include <stdbool.h>
#include <sys/types.h>

#include "err.h"

/**
 * struct live_packets - the process of trace-cmd-report-skb that prints the lines of --live
 * @pid: PID of the process; 0 if it does not run
 * @pidfd: pidfd of the process; -1 if it does not run
 * @control: socket to the process; when this end is shut down, the process prints the remaining lines
 *	and exits
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

/* Check that trace-cmd-report-skb can be executed. Returns 0 or -1. */
int live_packets_check(struct err *err);

/**
 * live_packets_begin - start the process that prints a line for each packet
 * @live: filled in
 * @file: the file that trace-cmd record will write; the process reads its per-CPU parts, which exist
 *	already. If @file is NULL, the process reads the kernel's buffers
 * @err: set to the reason on failure
 *
 * Returns 0 when the process has opened its input, or -1.
 */
int live_packets_begin(struct live_packets *live, const char *file, struct err *err);

/*
 * Reap the process of --live, which has exited during the recording. Returns 0 if it has exited because the
 * reader of its output, such as head(1), has exited. Returns -1 if the process has failed.
 */
int live_packets_gone(struct live_packets *live, struct err *err);

/**
 * live_packets_end - let the process print the remaining lines, and wait for it
 * @live: from live_packets_begin(); may be zeroed
 * @signals: a signalfd; if a signal arrives, the process is killed before it has printed the remaining
 *	lines
 */
void live_packets_end(struct live_packets *live, int signals);

#endif
