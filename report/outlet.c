// SPDX-License-Identifier: GPL-2.0
/* outlet.c - standard output, for lines that must not wait until somebody reads them */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "outlet.h"

#define ROOM	       (1 << 20)
#define FINISH_SECONDS 3

struct outlet {
	FILE *was;
	char *bytes; /* ROOM of them */
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

/* stdio hands on whole lines. */
static ssize_t put(void *cookie, const char *bytes, size_t n)
{
	struct outlet *outlet = cookie;

	if (outlet->closed)
		return n;
	if (n > ROOM - outlet->n) {
		outlet->left_out += lines_of(bytes, n);
		return n;
	}
	memcpy(outlet->bytes + outlet->n, bytes, n);
	outlet->n += n;
	return n;
}

struct outlet *outlet_open(struct err *err)
{
	struct outlet *outlet = calloc(1, sizeof(*outlet));
	const cookie_io_functions_t functions = { .write = put };
	FILE *file = NULL;

	if (outlet)
		outlet->bytes = malloc(ROOM);
	if (outlet && outlet->bytes)
		file = fopencookie(outlet, "w", functions);
	if (!file || setvbuf(file, NULL, _IOLBF, 1 << 16)) {
		err_set(err, "out of memory");
		if (file)
			fclose(file);
		if (outlet)
			free(outlet->bytes);
		free(outlet);
		return NULL;
	}
	outlet->was = stdout;
	stdout = file;
	return outlet;
}

void outlet_close(struct outlet *outlet)
{
	if (!outlet)
		return;
	fclose(stdout);
	stdout = outlet->was;
	free(outlet->bytes);
	free(outlet);
}

/* A pipe that can be written to takes so much without waiting. */
static bool write_some(struct outlet *outlet, int msec)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };
	ssize_t n;

	if (outlet->closed || poll(&fd, 1, msec) != 1)
		return false;
	if (fd.revents & (POLLERR | POLLHUP | POLLNVAL))
		outlet->closed = true;
	if (outlet->closed || !outlet->n)
		return false;
	n = write(STDOUT_FILENO, outlet->bytes, outlet->n < PIPE_BUF ? outlet->n : PIPE_BUF);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		outlet->closed = true;
	if (n <= 0)
		return false;
	outlet->n -= n;
	memmove(outlet->bytes, outlet->bytes + n, outlet->n);
	return true;
}

void outlet_write(struct outlet *outlet)
{
	while (write_some(outlet, 0))
		;
}

void outlet_finish(struct outlet *outlet)
{
	const time_t end = time(NULL) + FINISH_SECONDS;

	while (outlet->n && time(NULL) < end && write_some(outlet, FINISH_SECONDS * 1000))
		;
	outlet->left_out += lines_of(outlet->bytes, outlet->n);
	outlet->n = 0;
}

bool outlet_has_lines(const struct outlet *outlet)
{
	return outlet->n;
}

bool outlet_is_closed(const struct outlet *outlet)
{
	return outlet->closed;
}

uint64_t outlet_left_out(const struct outlet *outlet)
{
	return outlet->left_out;
}
