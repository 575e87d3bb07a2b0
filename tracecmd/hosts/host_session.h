/* SPDX-License-Identifier: GPL-2.0 */
/* host_session.h - the connection to one host of --on: its messages, its file and its error output */
#ifndef _RECORD_SKB_HOST_SESSION_H
#define _RECORD_SKB_HOST_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "err.h"
#include "text.h"

enum host_state {
	HOST_STARTING, /* the recorder sets up tracing */
	HOST_RECORDING,
	HOST_STOPPING,	/* the recording was asked to end, or has ended */
	HOST_RECEIVING, /* the file is on its way */
	HOST_DONE,	/* the file is here */
	HOST_FAILED,
};

/**
 * struct host - one host of --on
 * @name: the name for ssh(1), as the user gave it
 * @label: the name as it can be printed
 * @file: the file to write here
 * @remote: the file of the recording on the host
 * @state: one of the values above
 * @recorded: true once the recording has begun
 * @ended_usec: microseconds since an event of --until has ended the recording, as the host reported it; -1 if
 *	none has
 * @stopped_ns: time when the host reported that nothing is recorded; 0 before
 * @pid: PID of ssh(1); 0 once it has exited
 * @status: wait status of ssh(1)
 * @in, @out, @err: standard streams of ssh(1); -1 if closed
 * @line, @len: a message that has been read in part
 * @text, @text_len: a line of the error output that has been read in part
 * @fd, @left: the file here, and how many bytes are still to come
 */
struct host {
	const char *name;
	char *label;
	char *file;
	char *remote;
	enum host_state state;
	bool recorded;
	long long ended_usec;
	unsigned long long stopped_ns;
	pid_t pid;
	int status;
	int in, out, err;
	char line[128];
	size_t len;
	char text[1024];
	size_t text_len;
	int fd;
	unsigned long long left;
};

/* Return the monotonic time in nanoseconds. */
unsigned long long host_now(void);

/* Print a message about a host. */
void host_say(const struct host *host, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Start ssh(1) with the words @ssh and @command. @mask: the signal mask of this program before it blocked
 * signals. Returns 0 or -1.
 */
int host_start(struct host *host, const struct strings *ssh, const char *command,
	       const sigset_t *mask, struct err *err);

/* Ask the host to end its recording. */
void host_stop(struct host *host);

/* Tell the host that the connection works. */
void host_alive(struct host *host);

/* End the connection. The recording stays on the host. */
void host_leave(struct host *host);

/* Handle what can be read from the host. */
void host_read(struct host *host);

/* Return true if ssh(1) has exited, and everything that it has written was handled. */
bool host_is_over(struct host *host);

/* Return true if the file is here and the recording has not failed. */
bool host_has_succeeded(const struct host *host);

void host_free(struct host *host);

#endif /* _RECORD_SKB_HOST_SESSION_H */
