// SPDX-License-Identifier: GPL-2.0
/*
 * wire.c - an Ethernet cable between the network cards of two guests. The cable can lose, duplicate and delay
 * IP packets. As a witness for tests, it writes the last four bytes of each lost packet to a file. See
 * usage_text.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char *const usage_text =
	"usage: wire SOCKET SOCKET SETTINGS DONE LOST\n"
	"Listen at two UNIX sockets for QEMU's netdev \"stream\". The file SETTINGS has LOST DOUBLED LATE SEED;\n"
	"the first three are rates per 1000 packets. A late packet follows the next packet. When SETTINGS is\n"
	"written, the wire writes its words and the numbers of packets that went through, were lost, doubled and\n"
	"late to DONE. It appends a line to the file LOST for each lost packet: its last four bytes.\n";

#define FRAME_MAX 65536
/* Time after which the file SETTINGS is read again. */
#define LOOK_MSEC 50

struct frame {
	uint32_t len; /* in network byte order, as QEMU sends it */
	unsigned char data[FRAME_MAX];
};

struct end {
	int fd;
	struct frame held; /* a late frame: it will follow the next frame; len is 0 for none */
};

static const char *settings, *done, *lost_file;
static char words[128];
static unsigned int lost, doubled, late, seed;
static unsigned long nr_through, nr_lost, nr_doubled, nr_late;

static void die(const char *what)
{
	fprintf(stderr, "wire: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int s = socket(AF_UNIX, SOCK_STREAM, 0);

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	if (s < 0 || bind(s, (struct sockaddr *)&address, sizeof(address)) || listen(s, 1))
		die(path);
	return s;
}

static int happens(unsigned int of_1000)
{
	return of_1000 && (unsigned int)rand_r(&seed) % 1000 < of_1000;
}

static int is_ip(const struct frame *frame)
{
	const unsigned char *type = frame->data + 12;

	return ntohl(frame->len) >= 34 &&
	       ((type[0] == 0x08 && type[1] == 0x00) || (type[0] == 0x86 && type[1] == 0xdd));
}

/* Read @n bytes. Return: 0 at the end of the input. */
static int get(int fd, void *data, size_t n)
{
	for (ssize_t got; n; n -= got, data = (char *)data + got) {
		got = read(fd, data, n);
		if (got <= 0)
			return 0;
	}
	return 1;
}

static void put(int fd, const struct frame *frame)
{
	const char *data = (const char *)frame;
	size_t n = sizeof(frame->len) + ntohl(frame->len);

	for (ssize_t wrote; fd >= 0 && n; n -= wrote, data += wrote) {
		wrote = write(fd, data, n);
		if (wrote < 0)
			return;
	}
}

static void note_lost(const struct frame *frame)
{
	const unsigned char *last = frame->data + ntohl(frame->len) - 4;
	FILE *file = fopen(lost_file, "a");

	if (!file)
		die(lost_file);
	fprintf(file, "%02x%02x%02x%02x\n", last[0], last[1], last[2], last[3]);
	fclose(file);
}

static void pass(struct end *from, int to)
{
	static struct frame frame;

	if (!get(from->fd, &frame.len, sizeof(frame.len)) || ntohl(frame.len) > FRAME_MAX ||
	    !get(from->fd, frame.data, ntohl(frame.len))) {
		close(from->fd);
		from->fd = -1;
		return;
	}
	nr_through++;
	if (is_ip(&frame) && happens(lost)) {
		nr_lost++;
		note_lost(&frame);
		return;
	}
	if (is_ip(&frame) && !from->held.len && happens(late)) {
		from->held = frame;
		nr_late++;
		return;
	}
	put(to, &frame);
	if (is_ip(&frame) && happens(doubled)) {
		put(to, &frame);
		nr_doubled++;
	}
	if (from->held.len)
		put(to, &from->held);
	from->held.len = 0;
}

/*
 * Read the file SETTINGS. If the settings are new, answer in the file DONE. The program that writes
 * SETTINGS creates the file with rename(), so it is always complete.
 */
static void look(void)
{
	char now[sizeof(words)] = "", path[4096];
	FILE *file = fopen(settings, "r");
	char *line = file ? fgets(now, sizeof(now), file) : NULL;

	if (file)
		fclose(file);
	if (!line || !strcmp(now, words))
		return;
	strcpy(words, now);
	if (sscanf(now, "%u %u %u %u", &lost, &doubled, &late, &seed) != 4)
		die(settings);
	snprintf(path, sizeof(path), "%s.new", done);
	file = fopen(path, "w");
	if (!file)
		die(path);
	fprintf(file, "%u %u %u %u %lu %lu %lu %lu\n", lost, doubled, late, seed, nr_through,
		nr_lost, nr_doubled, nr_late);
	fclose(file);
	if (rename(path, done))
		die(done);
}

int main(int argc, char **argv)
{
	static struct end a, b;
	int at_a, at_b;

	if (argc != 6) {
		fputs(usage_text, stderr);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	settings = argv[3];
	done = argv[4];
	lost_file = argv[5];
	at_a = listen_at(argv[1]);
	at_b = listen_at(argv[2]);
	a.fd = accept(at_a, NULL, NULL);
	b.fd = accept(at_b, NULL, NULL);
	if (a.fd < 0 || b.fd < 0)
		die("accept");
	while (a.fd >= 0 || b.fd >= 0) {
		struct pollfd fds[] = { { a.fd, POLLIN, 0 }, { b.fd, POLLIN, 0 } };

		if (poll(fds, 2, LOOK_MSEC) < 0)
			die("poll");
		if (fds[0].revents)
			pass(&a, b.fd);
		if (fds[1].revents)
			pass(&b, a.fd);
		look();
	}
	return 0;
}
