// SPDX-License-Identifier: GPL-2.0
/* nonblocking_stdout.c - write lines to standard output without waiting for the process that reads them */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "output/nonblocking_stdout.h"

#define BUFFER_SIZE    (1 << 20)
#define FINISH_SECONDS 3

struct nonblocking_stdout {
	FILE *was;
	char *bytes; /* buffer of BUFFER_SIZE bytes */
	size_t n;
	uint64_t left_out;
	bool closed;
};

static uint64_t lines_of(const char *bytes, size_t n)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += bytes[i] == '\n';
	return lines;
}

/*
 * Store a line in the buffer; leave it out if the buffer is full. stdout is line buffered, so this function
 * gets only whole lines.
 */
static ssize_t put_line(void *cookie, const char *bytes, size_t n)
{
	struct nonblocking_stdout *out = cookie;

	if (out->closed)
		return n;
	if (n > BUFFER_SIZE - out->n) {
		out->left_out += lines_of(bytes, n);
		return n;
	}
	memcpy(out->bytes + out->n, bytes, n);
	out->n += n;
	return n;
}

struct nonblocking_stdout *nonblocking_stdout_open(struct err *err)
{
	struct nonblocking_stdout *out = calloc(1, sizeof(*out));
	const cookie_io_functions_t functions = { .write = put_line };
	FILE *file = NULL;

	if (out)
		out->bytes = malloc(BUFFER_SIZE);
	if (out && out->bytes)
		file = fopencookie(out, "w", functions);
	if (!file || setvbuf(file, NULL, _IOLBF, 1 << 16)) {
		err_set(err, "out of memory");
		if (file)
			fclose(file);
		if (out)
			free(out->bytes);
		free(out);
		return NULL;
	}
	out->was = stdout;
	stdout = file;
	return out;
}

void nonblocking_stdout_close(struct nonblocking_stdout *out)
{
	if (!out)
		return;
	fclose(stdout);
	stdout = out->was;
	free(out->bytes);
	free(out);
}

/* Write as many bytes as the pipe accepts without blocking. */
static bool write_some(struct nonblocking_stdout *out, int msec)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };
	ssize_t n;

	if (out->closed || poll(&fd, 1, msec) != 1)
		return false;
	if (fd.revents & (POLLERR | POLLHUP | POLLNVAL))
		out->closed = true;
	if (out->closed || !out->n)
		return false;
	n = write(STDOUT_FILENO, out->bytes, out->n < PIPE_BUF ? out->n : PIPE_BUF);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		out->closed = true;
	if (n <= 0)
		return false;
	out->n -= n;
	memmove(out->bytes, out->bytes + n, out->n);
	return true;
}

void nonblocking_stdout_write(struct nonblocking_stdout *out)
{
	while (write_some(out, 0))
		;
}

void nonblocking_stdout_finish(struct nonblocking_stdout *out)
{
	const time_t end = time(NULL) + FINISH_SECONDS;

	while (out->n && time(NULL) < end && write_some(out, FINISH_SECONDS * 1000))
		;
	out->left_out += lines_of(out->bytes, out->n);
	out->n = 0;
}

bool nonblocking_stdout_has_lines(const struct nonblocking_stdout *out)
{
	return out->n;
}

bool nonblocking_stdout_is_closed(const struct nonblocking_stdout *out)
{
	return out->closed;
}

uint64_t nonblocking_stdout_left_out(const struct nonblocking_stdout *out)
{
	return out->left_out;
}
