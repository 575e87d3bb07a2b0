// SPDX-License-Identifier: GPL-2.0
/*
 * arguments.c - add the arguments of record-skb to recordings that were made before it wrote them
 *
 * The arguments are a line of trace_marker. This program writes the line behind the last row of the first CPU
 * whose last page has room. The file must have version 7, and must not be compressed.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_DONE = 0, OPTION_BUFFER = 3, SECTION_HEADER = 16, PAGE_HEADER = 16, PAGE = 4096 };
#define EVENT_PRINT 5 /* TRACE_PRINT of the kernel */

/* A row of the event "print", as a page of the ring buffer has it. */
struct row {
	uint32_t type_and_delta, size; /* the type 0 means that @size has the size of the row */
	uint16_t event;
	uint8_t flags, preempt_count;
	int32_t pid;
	uint64_t ip;
	char text[256];
};

static void die(const char *text)
{
	fprintf(stderr, "arguments: %s\n", text);
	exit(1);
}

static void get(int fd, uint64_t at, void *data, size_t n)
{
	if (pread(fd, data, n, at) != (ssize_t)n)
		die("the file is too short");
}

/* Return: the offset after the next zero byte. */
static uint64_t skip_text(int fd, uint64_t at)
{
	char c;

	do
		get(fd, at++, &c, 1);
	while (c);
	return at;
}

/* Return: the offset of the option with the buffer. */
static uint64_t find_buffer(int fd)
{
	uint64_t at = skip_text(fd, 10) + 6, next, size, end;
	uint32_t length;
	uint16_t option;

	at = skip_text(fd, skip_text(fd, at));
	for (get(fd, at, &next, sizeof(next)); next;) {
		get(fd, next + 8, &size, sizeof(size));
		at = next + SECTION_HEADER;
		end = at + size;
		for (next = 0; at < end; at += 6 + length) {
			get(fd, at, &option, sizeof(option));
			get(fd, at + 2, &length, sizeof(length));
			if (option == OPTION_BUFFER)
				return at + 6;
			if (option == OPTION_DONE)
				get(fd, at + 6, &next, sizeof(next));
		}
	}
	die("no buffer");
	return 0;
}

/* Return: true if the row was written into the page at this offset. */
static int append(int fd, uint64_t page, const struct row *row, size_t size)
{
	uint64_t commit;

	get(fd, page + 8, &commit, sizeof(commit));
	if (commit + size > PAGE - PAGE_HEADER)
		return 0;
	if (pwrite(fd, row, size, page + PAGE_HEADER + commit) != (ssize_t)size)
		die("cannot write");
	commit += size;
	return pwrite(fd, &commit, sizeof(commit), page + 8) == sizeof(commit);
}

int main(int argc, char **argv)
{
	struct row row = { .type_and_delta = 1 << 5, .event = EVENT_PRINT };
	int fd = argc == 3 ? open(argv[1], O_RDWR) : -1;
	uint32_t cpus;
	uint64_t at, range[2];
	size_t size;

	if (fd < 0)
		die("usage: arguments FILE TEXT");
	snprintf(row.text, sizeof(row.text), "record_skb arguments: %s\n", argv[2]);
	size = (offsetof(struct row, text) + strlen(row.text) + 1 + 3) & ~3u;
	row.size = size - sizeof(row.type_and_delta);
	at = skip_text(fd, skip_text(fd, find_buffer(fd) + 8)) + 4;
	get(fd, at, &cpus, sizeof(cpus));
	for (at += 4; cpus--; at += 20) {
		get(fd, at + 4, range, sizeof(range));
		if (range[1] && append(fd, range[0] + range[1] - PAGE, &row, size))
			return 0;
	}
	die("no page has room");
}
