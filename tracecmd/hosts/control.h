/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control.h - messages between the recorder on a host of --on and the program that started it, through
 * ssh(1).
 *
 * Messages are lines. The recorder writes to standard output, and reads standard input:
 *
 *	armed		the recording has begun
 *	ended USEC	an event of --until has ended it, so long ago
 *	stopped		the recording has ended
 *	file SIZE	this many bytes of the recording follow
 *	nofile		the recording has failed, and left no file
 *
 *	stop		end the recording
 *	have		the bytes have been written to a file, so the recording here can be removed
 *	(empty line)	the connection works
 *
 * The end of the input also ends the recording. The file then stays in CONTROL_DIRECTORY.
 */
#ifndef _RECORD_SKB_CONTROL_H
#define _RECORD_SKB_CONTROL_H

#include <stdbool.h>

#include "err.h"
#include "record_options.h"

/* The first argument of such a recorder. The second is the name of its file in CONTROL_DIRECTORY. */
#define CONTROL_ARG	  "--controlled"
#define CONTROL_DIRECTORY "/var/lib/record-skb"

/* Interval of the empty lines, and the time without any line after which the connection is broken. */
#define CONTROL_ALIVE_MSEC  5000
#define CONTROL_BROKEN_MSEC 60000

/* How often a ring is examined, so that its end is reported soon. */
#define CONTROL_RING_MSEC 10

/**
 * control_begin - use standard input and output for messages
 * @o: the options of the recording; the file is set
 * @name: the name of the file
 * @err: set to the reason on failure
 *
 * Programs that are started later do not inherit the descriptors of the messages. Returns 0 or -1.
 */
int control_begin(struct options *o, const char *name, struct err *err);

/* Return the file descriptor of the messages; -1 without --on, and after the last message. */
int control_fd(void);

/* Read messages when control_fd() is readable. Return true if the recording must end. */
bool control_read(void);

/* Return true if no message has come for CONTROL_BROKEN_MSEC. */
bool control_is_broken(void);

/* Report the state of the recording. Without --on, these functions do nothing. */
void control_armed(void);
void control_ended(unsigned long long usec_ago);
void control_stopped(void);

/* Send the recording, and remove it here when it has arrived. */
void control_send_file(void);

#endif /* _RECORD_SKB_CONTROL_H */
