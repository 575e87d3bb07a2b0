// SPDX-License-Identifier: GPL-2.0
/*
 * timeshift.c - add trace-cmd's options for time synchronization to two recordings
 *
 * "trace-cmd record -A" and "trace-cmd attach" write these options for a virtual machine and its host. This
 * program adds them to any two recordings.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_DONE = 0, OPTION_TRACEID = 11, OPTION_TIME_SHIFT = 12, OPTION_GUEST = 13 };
#define SECTION_HEADER 16

/*
 * struct recording - a trace.dat file of version 7
 * @fd: file descriptor of the file
 * @id: identification of the recording
 * @link: offset of the field for the offset of the next section of options; no next section exists yet
 */
struct recording {
	int fd;
	uint64_t id, link;
};

static void die(const char *text)
{
	fprintf(stderr, "timeshift: %s\n", text);
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

/* Go through the sections of options. */
static struct recording look_at(const char *path)
{
	struct recording recording = { .fd = open(path, O_RDWR) };
	uint64_t at = 10, next, size, end;
	uint32_t length;
	uint16_t option;

	if (recording.fd < 0)
		die(path);
	at = skip_text(recording.fd, at) +
	     6; /* version; endianness, size of long, size of a page */
	at = skip_text(recording.fd, skip_text(recording.fd, at)); /* compression and its version */
	for (get(recording.fd, at, &next, sizeof(next)); next;) {
		get(recording.fd, next + 8, &size, sizeof(size));
		at = next + SECTION_HEADER;
		end = at + size;
		for (next = 0; at < end; at += 6 + length) {
			get(recording.fd, at, &option, sizeof(option));
			get(recording.fd, at + 2, &length, sizeof(length));
			if (option == OPTION_TRACEID)
				get(recording.fd, at + 6, &recording.id, sizeof(recording.id));
			if (option != OPTION_DONE)
				continue;
			recording.link = at + 6;
			get(recording.fd, recording.link, &next, sizeof(next));
			break;
		}
	}
	if (!recording.id || !recording.link)
		die("the recording has no identification");
	return recording;
}

static void add(char **to, const void *data, size_t n)
{
	memcpy(*to, data, n);
	*to += n;
}

static void add_option(const struct recording *recording, uint16_t option, const char *data,
		       uint32_t n)
{
	char *section = calloc(1, SECTION_HEADER + n + 100), *to = section + SECTION_HEADER;
	const uint64_t at = lseek(recording->fd, 0, SEEK_END), none = 0;
	const uint16_t done = OPTION_DONE;
	const uint32_t length = sizeof(none);
	uint64_t size;

	add(&to, &option, sizeof(option));
	add(&to, &n, sizeof(n));
	add(&to, data, n);
	add(&to, &done, sizeof(done));
	add(&to, &length, sizeof(length));
	add(&to, &none, sizeof(none));
	size = to - section - SECTION_HEADER;
	memcpy(section + 8, &size, sizeof(size));
	if (pwrite(recording->fd, section, to - section, at) != to - section ||
	    pwrite(recording->fd, &at, sizeof(at), recording->link) != sizeof(at))
		die("cannot write");
	free(section);
}

int main(int argc, char **argv)
{
	const int64_t offset = argc == 5 ? strtoll(argv[3], NULL, 0) : 0;
	const uint32_t cpus = argc == 5 ? strtoul(argv[4], NULL, 0) : 0, flags = 0, one = 1;
	const uint64_t zero = 0, scaling = 1;
	struct recording host, guest;
	char data[4096], *to = data;

	if (!cpus || cpus > 64) {
		fputs("usage: timeshift HOST GUEST OFFSET CPUS: the times of GUEST become those of HOST by OFFSET\n",
		      stderr);
		return 2;
	}
	host = look_at(argv[1]);
	guest = look_at(argv[2]);
	add(&to, "", 1);
	add(&to, &guest.id, sizeof(guest.id));
	add(&to, &cpus, sizeof(cpus));
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		add(&to, &cpu, sizeof(cpu));
		add(&to, &one, sizeof(one));
	}
	add_option(&host, OPTION_GUEST, data, to - data);
	to = data;
	add(&to, &host.id, sizeof(host.id));
	add(&to, &flags, sizeof(flags));
	add(&to, &cpus, sizeof(cpus));
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		add(&to, &one, sizeof(one));
		add(&to, &zero, sizeof(zero));
		add(&to, &offset, sizeof(offset));
		add(&to, &scaling, sizeof(scaling));
	}
	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		add(&to, &zero, sizeof(zero));
	add_option(&guest, OPTION_TIME_SHIFT, data, to - data);
	return 0;
}
