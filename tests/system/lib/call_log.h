/* SPDX-License-Identifier: GPL-2.0 */
/*
 * call_log.h - collect the calls of several processes that write and read one stream. The log leaves out
 * calls if their bytes are not consecutive in the stream.
 */
#ifndef _CALL_LOG_H
#define _CALL_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "byte_log.h"

#define TOTAL	  (1 << 18)
#define MAX_CALLS 4096

/*
 * A call of the writer or of the reader. Its position in the stream is known only at the end, when the
 * bytes of the call are found in the stream.
 */
struct call {
	bool writes;
	char letter;	  /* letter of the call in the log; see bytes.c */
	size_t at, len;	  /* offset and length of the bytes in @data of struct shared */
	ssize_t position; /* offset in the stream; -1 if the bytes are not consecutive */
	uint64_t begun, ended;
};

/* Data that all processes of the program share. */
static struct shared {
	unsigned char stream[TOTAL]; /* all bytes in the order of the stream */
	size_t stream_len;
	unsigned char data[4 * TOTAL];
	size_t data_len;
	struct call calls[MAX_CALLS];
	int nr_calls;
} * shared;

static char letter = 'w';
static int number; /* 1 for the first connection with these ports, 2 for the second */

/* Allocate the data that the processes share. Call this function before fork(). */
static void share_log(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		die("mmap");
}

/* Log a call of this process that has just ended. */
static void note(bool writes, const void *data, ssize_t len, uint64_t begun)
{
	const uint64_t ended = now();
	size_t at;
	int i;

	if (len <= 0)
		return;
	at = __atomic_fetch_add(&shared->data_len, len, __ATOMIC_RELAXED);
	i = __atomic_fetch_add(&shared->nr_calls, 1, __ATOMIC_RELAXED);
	if (i >= MAX_CALLS || at + len > sizeof(shared->data)) {
		fprintf(stderr, "too many calls\n");
		exit(1);
	}
	memcpy(shared->data + at, data, len);
	shared->calls[i] = (struct call){ writes, letter, at, len, 0, begun, ended };
}

static int compare_calls(const void *one, const void *two)
{
	const struct call *a = one, *b = two;

	return a->position < b->position ? -1 : a->position > b->position;
}

/*
 * Print the calls in the order of the stream. Leave out calls if their bytes are not consecutive in the
 * stream.
 */
static void print_log(int own_port)
{
	for (int i = 0; i < shared->nr_calls; i++) {
		struct call *call = &shared->calls[i];
		const unsigned char *found = memmem(shared->stream, shared->stream_len,
						    shared->data + call->at, call->len);

		/* A sequence of fewer than 8 bytes may be in the stream more than once. */
		if (found && (call->len >= 8 || shared->stream_len <= 8))
			call->position = found - shared->stream;
		else
			call->position = -1;
	}
	qsort(shared->calls, shared->nr_calls, sizeof(*shared->calls), compare_calls);
	for (int i = 0; i < shared->nr_calls; i++) {
		const struct call *call = &shared->calls[i];

		if (call->position < 0)
			continue;
		log_line(call->writes ? "write" : "read", own_port * 10 + number, call->position,
			 call->len, call->begun, call->ended, call->letter);
	}
	shared->nr_calls = 0;
	shared->data_len = 0;
}

#endif
