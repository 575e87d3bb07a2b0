/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control.h - messages between the recorder on a host of --on and the program that started it through ssh(1)
 *
 * A message is a line. The recorder writes messages to standard output, and reads messages from standard
 * input. Messages of the recorder:
 *
 *     armed		the recording has begun
 *     ended USEC	an event of --until has ended the recording, this many microseconds ago
 *     stopped		the recording has ended
 *     file SIZE	this many bytes of the recording's file follow
 *     nofile		the recording has failed, and left no file
 *
 * Messages to the recorder:
 *
 *     stop		end the recording
 *     have		the file has arrived, so the recorder can remove its own
 *     (empty line)	the connection works
 *
 * The recording also ends if the input ends. The file then stays in CONTROL_DIRECTORY.
 */
#ifndef _RECORD_SKB_CONTROL_H
#define _RECORD_SKB_CONTROL_H

#include <stdbool.h>

#include "err.h"
#include "record_options.h"

/*
 * First argument with which the program on a host of --on is started. The second argument is the name of its
 * file in CONTROL_DIRECTORY.
 */
#define CONTROL_ARG	  "--controlled"
#define CONTROL_DIRECTORY "/var/lib/record-skb"

/*
 * Interval of the empty lines, and the time without any message after which the connection counts as broken.
 */
#define CONTROL_ALIVE_MSEC  5000
#define CONTROL_BROKEN_MSEC 60000

/*
 * How often the recorder checks if its ring has stopped. The interval is short, so that the other hosts stop
 * soon, too.
 */
#define CONTROL_RING_MSEC 10

/**
 * control_begin - use standard input and output for messages to the program with --on
 * @o: options of the recording; the output file is set
 * @name: name of the output file in CONTROL_DIRECTORY, without ".dat"
 * @err: set to the reason on failure
 *
 * Programs that are started later do not inherit the streams with the messages. Returns 0 or -1.
 */
int control_begin(struct options *o, const char *name, struct err *err);

/*
 * Return the file descriptor from which messages are read; -1 if this is not a recorder of --on, or if the
 * input has ended.
 */
int control_fd(void);

/* Read messages. Return true if the recording must end. Call this function when control_fd() is readable. */
bool control_read(void);

/* Return true if the connection is broken: no message has come for CONTROL_BROKEN_MSEC. */
bool control_is_broken(void);

/*
 * Report the state of the recording to the program with --on. If this is not a recorder of --on, the
 * functions do nothing.
 */
void control_armed(void);
void control_ended(unsigned long long usec_ago);
void control_stopped(void);

/* Send the recording's file to the program with --on. When it has arrived there, remove it here. */
void control_send_file(void);

#endif /* _RECORD_SKB_CONTROL_H */
