// SPDX-License-Identifier: GPL-2.0
/* udp.c - numbered packets, and datagrams that a server sends back */
#include <linux/filter.h>

#include "traffic.h"

#define DATAGRAM_PACE_NSEC 20000000 /* pause between datagrams of a stream */
#define NUMBER_PACE_NSEC   200000   /* pause after a numbered packet */
#define LAST_MSEC	   2000	    /* longest wait for another packet */
#define MAX_NUMBERS	   100000
#define END_NUMBER	   UINT32_MAX
#define NR_ENDS		   5
#define NR_ASKED	   16 /* number of polls for each datagram */

/* Fill a datagram with its number @n, and with bytes that are computed from the number. */
static void fill(char *data, size_t size, uint32_t n)
{
	uint32_t order = htonl(n);

	memcpy(data, &order, sizeof(order));
	for (size_t i = sizeof(n); i < size; i++)
		data[i] = byte_at(n + i);
}

int number(int argc, char **argv)
{
	const struct timespec pace = { .tv_nsec = NUMBER_PACE_NSEC };
	int s = connected(SOCK_DGRAM, argv[0], argv[1]);
	uint32_t count = atoi(argv[2]);
	size_t size = argc > 3 ? (size_t)atoi(argv[3]) : sizeof(count);
	static char data[UINT16_MAX];

	if (size < sizeof(count) || size > sizeof(data))
		die(argv[3]);
	for (uint32_t i = 0; i < count + NR_ENDS; i++) {
		fill(data, i < count ? size : sizeof(count), i < count ? i : END_NUMBER);
		/* The receiver may exit after an end mark, so sending another end mark may fail. */
		if (send(s, data, i < count ? size : sizeof(count), 0) < 0 && i <= count)
			die("send");
		nanosleep(&pace, NULL);
	}
	return 0;
}

int ask(int argc, char **argv)
{
	int s = connected(SOCK_DGRAM, argv[0], argv[1]);
	uint32_t i, came = 0, count = atoi(argv[2]);
	char data[BLOCK];

	(void)argc;
	for (i = 0; i < count * NR_ASKED; i++) {
		if (i % NR_ASKED == 0 && send(s, &i, sizeof(i), 0) < 0)
			die("send");
		came += recv(s, data, sizeof(data), MSG_DONTWAIT) >= 0;
	}
	while (came < count) {
		if (recv(s, data, sizeof(data), 0) < 0)
			die("recv");
		came++;
	}
	return 0;
}

/* Send one packet in each of COUNT flows, with a new socket for each. */
int crowd(int argc, char **argv)
{
	const union address peer = address(argv[0], argv[1]);
	uint32_t n, count = atoi(argv[2]), first = argc > 3 ? atoi(argv[3]) : 1024;

	for (n = 0; n < count; n++) {
		union address own = { .in = { .sin_family = AF_INET,
					      .sin_port = htons(first + n) } };
		int s = socket(AF_INET, SOCK_DGRAM, 0);

		if (s < 0)
			die("socket");
		/* Skip the port if another process uses it. */
		if (!bind(s, &own.sa, sizeof(own.in)))
			sendto(s, &n, sizeof(n), 0, &peer.sa, sizeof(peer.in));
		close(s);
	}
	return 0;
}

int burst(int argc, char **argv)
{
	uint32_t n, count = atoi(argv[1]);
	int s[MAX_SOCKETS];

	for (int i = 2; i < argc && i < MAX_SOCKETS; i++)
		s[i] = connected(SOCK_DGRAM, argv[0], argv[i]);
	for (uint32_t round = 0; round < count + NR_ENDS; round++) {
		n = htonl(round < count ? round : END_NUMBER);
		/* If no server runs, an ICMP error comes back. Ignore it. */
		for (int i = 2; i < argc && i < MAX_SOCKETS; i++)
			if (send(s[i], &n, sizeof(n), 0) < 0 && errno != ECONNREFUSED)
				die("send");
	}
	return 0;
}

static bool more_comes(int s)
{
	struct pollfd fd = { .fd = s, .events = POLLIN };

	return poll(&fd, 1, LAST_MSEC);
}

/* answered[N % MAX_NUMBERS] is true if the number N was answered. */
static bool answered[MAX_NUMBERS];

/*
 * Read the answers at the socket @s. Each answer contains the number of its datagram. Return: how many
 * datagrams were answered.
 */
static uint32_t answers(int s, uint32_t sent)
{
	static char data[UINT16_MAX];
	uint32_t n, came = 0;
	ssize_t size;

	while ((size = recv(s, data, sizeof(data), MSG_DONTWAIT)) >= 0) {
		memcpy(&n, data, sizeof(n));
		n = ntohl(n);
		if (size != BLOCK || n >= sent || sent - n > MAX_NUMBERS ||
		    answered[n % MAX_NUMBERS]) {
			fprintf(stderr, "traffic: datagram %u came twice, or was never sent\n", n);
			exit(1);
		}
		check(data + sizeof(n), size - sizeof(n), n + sizeof(n));
		answered[n % MAX_NUMBERS] = true;
		came++;
	}
	if (errno != EAGAIN)
		die("recv");
	return came;
}

int datagrams(int argc, char **argv)
{
	const struct timespec pace = { .tv_nsec = calm * DATAGRAM_PACE_NSEC };
	int s = connected(SOCK_DGRAM, argv[0], argv[1]);
	uint32_t sent = 0, came = 0;
	char data[BLOCK];

	(void)argc;
	end_when_told();
	while (!told_to_end) {
		answered[sent % MAX_NUMBERS] = false;
		fill(data, sizeof(data), sent++);
		if (send(s, data, sizeof(data), 0) < 0)
			die("send");
		nanosleep(&pace, NULL);
		came += answers(s, sent);
	}
	while (came < sent && more_comes(s))
		came += answers(s, sent);
	if (came != sent) {
		fprintf(stderr, "traffic: %u of %u datagrams were not echoed\n", sent - came, sent);
		return 1;
	}
	printf("%u\n", came);
	return 0;
}

int reflect(int argc, char **argv)
{
	int s = bound(SOCK_DGRAM, argv[0]);
	struct pollfd fd = { .fd = s, .events = POLLIN };
	static char data[UINT16_MAX];
	union address peer;
	socklen_t len;
	ssize_t size;

	(void)argc;
	for (;;) {
		if (poll(&fd, 1, -1) < 0)
			die("poll");
		len = sizeof(peer);
		size = recvfrom(s, data, sizeof(data), MSG_DONTWAIT, &peer.sa, &len);
		if (size >= 0 && sendto(s, data, size, 0, &peer.sa, len) < 0)
			die("send");
	}
}

int collect(int argc, char **argv)
{
	static bool seen[MAX_NUMBERS];
	uint32_t n, highest = 0, received = 0, late = 0, twice = 0, ends = 0;
	static char data[UINT16_MAX];
	int room = 64 << 20;
	int s = bound(SOCK_DGRAM, argv[0]);
	struct pollfd first = { .fd = s, .events = POLLIN };
	size_t size;

	(void)argc;
	if (setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		die("SO_RCVBUFFORCE");
	/*
	 * Wait for the first packet without a time limit. The sender may start only after a recording has
	 * begun, which takes a minute on a busy machine.
	 */
	if (poll(&first, 1, -1) < 0)
		die("poll");
	/*
	 * The sender sends several end marks, because some of them may be lost. Receive until the last end
	 * mark has arrived, or until no packet arrives for some time after an end mark.
	 */
	while (ends < NR_ENDS && (!ends || more_comes(s))) {
		size = receive(s, data, sizeof(data));
		if (size < sizeof(n))
			continue;
		memcpy(&n, data, sizeof(n));
		n = ntohl(n);
		ends += n == END_NUMBER;
		if (n >= MAX_NUMBERS)
			continue;
		check(data + sizeof(n), size - sizeof(n), n + sizeof(n));
		twice += seen[n];
		seen[n] = true;
		late += n < highest;
		highest = n > highest ? n : highest;
		received++;
	}
	printf("received %u, late %u, twice %u\n", received, late, twice);
	return 0;
}

/* Receive nothing, until the process is killed. */
int hoard(int argc, char **argv)
{
	int s = bound(SOCK_DGRAM, argv[0]), room = atoi(argv[1]);

	(void)argc;
	if (setsockopt(s, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room)))
		die("SO_RCVBUF");
	return pause();
}

int refuse(int argc, char **argv)
{
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	const struct sock_fprog program = { .len = 1, .filter = &nothing };
	int s = bound(SOCK_DGRAM, argv[0]);

	(void)argc;
	if (setsockopt(s, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)))
		die("SO_ATTACH_FILTER");
	return pause();
}
