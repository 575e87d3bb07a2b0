// SPDX-License-Identifier: GPL-2.0
/*
 * relay.c - a link between two namespaces. It copies frames from one TAP device to another, so that each end
 * has its own skb, as on two hosts. It can lose, duplicate and delay IP packets. See usage_text.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *const usage_text =
	"usage: relay NAMESPACE DEVICE NAMESPACE DEVICE [LOST [DOUBLED [LATE [SEED]]]]\n"
	"Make both devices. LOST, DOUBLED and LATE are rates per 1000 packets. A late packet follows the next\n"
	"packet. At SIGTERM, print the number of packets that went through, were lost, doubled and late.\n";

struct end {
	int fd;
	unsigned char held[2048];
	ssize_t held_len; /* length of the delayed frame; 0 for none */
};

static volatile sig_atomic_t ended;
static unsigned int lost, doubled, late, seed = 1;
static unsigned long nr_through, nr_lost, nr_doubled, nr_late;

static void die(const char *what)
{
	fprintf(stderr, "relay: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static int make(const char *ns, const char *name)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	char path[128];
	int fd, in;

	snprintf(path, sizeof(path), "/run/netns/%s", ns);
	in = open(path, O_RDONLY | O_CLOEXEC);
	if (in < 0 || setns(in, CLONE_NEWNET))
		die(ns);
	close(in);
	fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
	strncpy(ifr.ifr_name, name, sizeof(ifr.ifr_name) - 1);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr))
		die(name);
	return fd;
}

static int happens(unsigned int of_1000)
{
	return of_1000 && (unsigned int)rand_r(&seed) % 1000 < of_1000;
}

static int is_ip(const unsigned char *frame, ssize_t n)
{
	return n >= 34 && ((frame[12] == 0x08 && frame[13] == 0x00) ||
			   (frame[12] == 0x86 && frame[13] == 0xdd));
}

/* Write a frame. If the device is down, the frame is lost, and this is not an error. */
static void put(int fd, const unsigned char *frame, ssize_t n)
{
	if (write(fd, frame, n) != n && errno != EIO)
		die("write");
}

static void pass(struct end *from, int to)
{
	unsigned char frame[2048];
	ssize_t n;

	while ((n = read(from->fd, frame, sizeof(frame))) > 0) {
		nr_through++;
		if (is_ip(frame, n) && happens(lost)) {
			nr_lost++;
			continue;
		}
		if (is_ip(frame, n) && !from->held_len && happens(late)) {
			memcpy(from->held, frame, n);
			from->held_len = n;
			nr_late++;
			continue;
		}
		put(to, frame, n);
		if (is_ip(frame, n) && happens(doubled)) {
			put(to, frame, n);
			nr_doubled++;
		}
		if (from->held_len)
			put(to, from->held, from->held_len);
		from->held_len = 0;
	}
}

int main(int argc, char **argv)
{
	static struct end a, b;
	struct sigaction action = { .sa_handler = end };

	if (argc < 5) {
		fputs(usage_text, stderr);
		return 2;
	}
	lost = argc > 5 ? atoi(argv[5]) : 0;
	doubled = argc > 6 ? atoi(argv[6]) : 0;
	late = argc > 7 ? atoi(argv[7]) : 0;
	seed = argc > 8 ? atoi(argv[8]) : 1;
	sigaction(SIGTERM, &action, NULL);
	a.fd = make(argv[1], argv[2]);
	b.fd = make(argv[3], argv[4]);
	while (!ended) {
		struct pollfd fds[] = { { a.fd, POLLIN, 0 }, { b.fd, POLLIN, 0 } };

		if (poll(fds, 2, -1) > 0) {
			pass(&a, b.fd);
			pass(&b, a.fd);
		}
	}
	printf("%lu %lu %lu %lu\n", nr_through, nr_lost, nr_doubled, nr_late);
	return 0;
}
