// SPDX-License-Identifier: GPL-2.0
/*
 * control.c - messages between the recorder on a host of --on, which is this program, and the program that
 * started it
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "hosts/control.h"
#include "text.h"

/**
 * struct control - the connection to the program that was called with --on
 * @in, @out: file descriptors of the messages from that program and to it; -1 if there is no connection
 * @file: name of the recording's file
 * @line, @len: a line that has not been read completely yet
 * @heard_msec: time of the last message
 */
static struct control {
	int in, out;
	char *file;
	char line[64];
	size_t len;
	long long heard_msec;
} control = { .in = -1, .out = -1 };

static long long now_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Write all @size bytes to @fd. Returns 0 or -1. */
static int write_all(int fd, const char *bytes, size_t size)
{
	ssize_t n;

	for (; size; bytes += n, size -= n) {
		n = write(fd, bytes, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return -1;
	}
	return 0;
}

/*
 * Move a standard stream to a file descriptor that is closed on exec, so that other programs do not inherit
 * it. Put @instead in the place of the stream.
 */
static int move_stream(int stream, int instead)
{
	const int fd = fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	return fd < 0 || instead < 0 || dup2(instead, stream) < 0 ? -1 : fd;
}

int control_begin(struct options *o, const char *name, struct err *err)
{
	int null;

	signal(SIGPIPE, SIG_IGN);
	if (!*name || name[strspn(name, "0123456789-")])
		return err_set(err, CONTROL_ARG " is only for --on of another record-skb");
	if (geteuid())
		return err_set(err, "needs root: log in as root, or allow sudo without a password");
	if (mkdir(CONTROL_DIRECTORY, 0700) && errno != EEXIST)
		return err_set(err, "cannot create %s: %s", CONTROL_DIRECTORY, strerror(errno));
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	control.in = move_stream(STDIN_FILENO, null);
	control.out = move_stream(STDOUT_FILENO, STDERR_FILENO);
	close(null);
	if (control.in < 0 || control.out < 0)
		return err_set(err, "cannot use the standard streams: %s", strerror(errno));
	control.file = xasprintf(CONTROL_DIRECTORY "/%s.dat", name);
	control.heard_msec = now_msec();
	o->output = control.file;
	return 0;
}

int control_fd(void)
{
	return control.in;
}

static void end_input(void)
{
	close(control.in);
	control.in = -1;
}

/*
 * Read the messages that have arrived. Return true if one of them is @wanted. If the input has ended, set
 * *@ended to true.
 */
static bool read_line(const char *wanted, bool *ended)
{
	char bytes[256];
	const ssize_t n = read(control.in, bytes, sizeof(bytes));
	bool has = false;

	if (n <= 0) {
		*ended = n == 0 || (errno != EINTR && errno != EAGAIN);
		return false;
	}
	control.heard_msec = now_msec();
	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			if (control.len + 1 < sizeof(control.line))
				control.line[control.len++] = bytes[i];
			continue;
		}
		control.line[control.len] = '\0';
		control.len = 0;
		has |= !strcmp(control.line, wanted);
	}
	return has;
}

bool control_read(void)
{
	bool ended = false;
	const bool stop = read_line("stop", &ended);

	if (ended)
		end_input();
	return stop || ended;
}

bool control_is_broken(void)
{
	return control.in >= 0 && now_msec() - control.heard_msec > CONTROL_BROKEN_MSEC;
}

/*
 * Write a message to the program with --on. Ignore errors: if the connection is broken, the input ends, too.
 */
static void say(const char *line)
{
	if (control.out >= 0 && write_all(control.out, line, strlen(line)))
		control.out = -1;
}

void control_armed(void)
{
	say("armed\n");
}

void control_ended(unsigned long long usec_ago)
{
	char *line = xasprintf("ended %llu\n", usec_ago);

	say(line);
	free(line);
}

void control_stopped(void)
{
	say("stopped\n");
}

/* Send the bytes of the recording's file. Returns 0 or -1. */
static int send_bytes(int fd)
{
	static char bytes[1 << 16];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		if (write_all(control.out, bytes, n))
			return -1;
	return n ? -1 : 0;
}

/* Wait until the program with --on has written the file. Return true if it has said so in time. */
static bool wait_until_received(void)
{
	struct pollfd fd = { .fd = control.in, .events = POLLIN };
	bool ended = false;

	while (!ended && poll(&fd, 1, CONTROL_BROKEN_MSEC) == 1)
		if (read_line("have", &ended))
			return true;
	return false;
}

void control_send_file(void)
{
	char *line;
	struct stat st;
	int fd;

	if (!control.file)
		return;
	fd = open(control.file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		say("nofile\n");
	} else if (control.in >= 0 && control.out >= 0) {
		line = xasprintf("file %lld\n", (long long)st.st_size);
		say(line);
		free(line);
		if (control.out >= 0 && !send_bytes(fd) && wait_until_received())
			unlink(control.file);
	}
	if (fd >= 0)
		close(fd);
	free(control.file);
	control.file = NULL;
}
