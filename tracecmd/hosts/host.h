/* SPDX-License-Identifier: GPL-2.0 */
/*
 * host.h - a host of --on: its name, its file and the command for its shell; and the connection to it: its
 * messages, its file and its error output
 */
#ifndef _RECORD_SKB_HOST_H
#define _RECORD_SKB_HOST_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "err.h"
#include "text.h"

/**
 * hosts_parse - split the values of --on into names of hosts
 * @values: the values; each is a list of hosts with commas between them
 * @hosts: the names of the hosts are appended to this list
 * @err: set to the reason on failure
 *
 * Rejects a name that ssh could take for an option, a name with blanks or control characters, and a host that
 * is given twice. Returns 0 or -1.
 */
int hosts_parse(const struct strings *values, struct strings *hosts, struct err *err);

/*
 * Return the name of the file to which the recording of @host is written on this machine: from "trace.dat",
 * make "trace-HOST.dat". Characters that are unusual in the name of a file become "_".
 */
char *host_file(const char *output, const char *host);

/*
 * Return the command for the shell of a host: record with the options @args into the file @name. If the user
 * there is not root, the command uses sudo. The words of @args are quoted, so that a POSIX shell does not
 * interpret them.
 */
char *host_command(const struct strings *args, const char *name);

/*
 * Append the command line of ssh to @words: first @program, which can be several words, or "ssh" if @program
 * is NULL or empty; then the options of ssh that --on needs; then the host.
 */
void host_ssh(const char *program, const char *host, struct strings *words);

enum host_state {
	HOST_STARTING, /* the recorder on the host sets up tracing */
	HOST_RECORDING,
	HOST_STOPPING,	/* the recording was asked to end, or has ended */
	HOST_RECEIVING, /* the file is being received */
	HOST_DONE,	/* the file is complete on this machine */
	HOST_FAILED,
};

/**
 * struct host - one host of --on
 * @name: name of the host for ssh(1), as the user gave it
 * @label: name of the host for messages, which can be printed safely
 * @file: name of the recording's file on this machine
 * @remote: path of the recording's file on the host
 * @state: one of the values of enum host_state
 * @recorded: true if the recording has begun
 * @ended_usec: microseconds between an event of --until that ended the recording and the host's report
 *	about it; -1 if there was no event
 * @stopped_ns: time at which the host reported that the recording has ended; 0 before
 * @pid: PID of ssh(1); 0 after it has exited
 * @status: wait status of ssh(1)
 * @in, @out, @err: standard streams of ssh(1); -1 if closed
 * @line, @len: a message that has not been read completely yet
 * @text, @text_len: a line of the error output that has not been read completely yet
 * @fd, @left: file descriptor of the recording's file on this machine, and how many bytes are still
 *	missing
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

/* Return the time of CLOCK_MONOTONIC in nanoseconds. */
unsigned long long host_now(void);

/* Print a message that begins with the name of the host. */
void host_say(const struct host *host, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Start ssh(1). @ssh: the words of ssh's command line. @command: the command for the shell of the host.
 * @mask: the signal mask that this program had before it blocked signals. Returns 0 or -1.
 */
int host_start(struct host *host, const struct strings *ssh, const char *command,
	       const sigset_t *mask, struct err *err);

/* Ask the host to end its recording. */
void host_stop(struct host *host);

/* Send an empty message to the host, so that the recorder there knows that the connection works. */
void host_alive(struct host *host);

/* End the connection. The recording stays on the host. */
void host_leave(struct host *host);

/* Read and handle what the host has sent. */
void host_read(struct host *host);

/* Return true if ssh(1) has exited, and all its output was handled. */
bool host_is_over(struct host *host);

/* Return true if the file has arrived on this machine and the recording has not failed. */
bool host_has_succeeded(const struct host *host);

void host_free(struct host *host);

#endif /* _RECORD_SKB_HOST_H */
