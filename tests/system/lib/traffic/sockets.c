// SPDX-License-Identifier: GPL-2.0
/* sockets.c - functions for addresses and sockets, and for data that the receiver checks */
#include "traffic.h"

#define PATIENCE_MSEC 60000

void die(const char *what)
{
	fprintf(stderr, "traffic: %s: %s\n", what, strerror(errno));
	exit(1);
}

int family = AF_INET;

/* The option -c multiplies the pauses of streams by this factor. */
unsigned int calm = 1;

union address address(const char *host, const char *port)
{
	union address a = { .sa.sa_family = strchr(host, ':') ? AF_INET6 : AF_INET };
	bool v6 = a.sa.sa_family == AF_INET6;

	a.in.sin_port = htons(atoi(port)); /* sin6_port has the same offset */
	if (inet_pton(a.sa.sa_family, host, v6 ? (void *)&a.in6.sin6_addr : &a.in.sin_addr) != 1 ||
	    !a.in.sin_port) {
		fprintf(stderr, "traffic: %s port %s is not an address\n", host, port);
		exit(1);
	}
	return a;
}

int bound(int type, const char *port)
{
	union address a = address(family == AF_INET6 ? "::" : "0.0.0.0", port);
	int s = socket(family, type, 0), one = 1;

	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(s, &a.sa, sizeof(a)))
		die(port);
	return s;
}

int connected(int type, const char *host, const char *port)
{
	union address a = address(host, port);
	int s = socket(a.sa.sa_family, type, 0), one = 1;

	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_BROADCAST, &one, sizeof(one)) ||
	    connect(s, &a.sa, sizeof(a)))
		die(port);
	return s;
}

void wait_for(int s, short events)
{
	struct pollfd fd = { .fd = s, .events = events };

	if (poll(&fd, 1, PATIENCE_MSEC))
		return;
	fprintf(stderr, "traffic: no data for %d seconds\n", PATIENCE_MSEC / 1000);
	exit(1);
}

void send_all(int s, const char *data, size_t n)
{
	ssize_t done;

	while (n) {
		done = send(s, data, n, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (done < 0 && errno != EAGAIN)
			die("send");
		if (done < 0)
			wait_for(s, POLLOUT);
		else
			data += done, n -= done;
	}
}

/* Return: the number of received bytes; 0 at the end of the connection. */
size_t receive(int s, void *data, size_t n)
{
	ssize_t got;

	while ((got = recv(s, data, n, MSG_DONTWAIT)) < 0) {
		if (errno != EAGAIN)
			die("recv");
		wait_for(s, POLLIN);
	}
	return got;
}

volatile sig_atomic_t told_to_end;

static void tell_to_end(int signal)
{
	(void)signal;
	told_to_end = 1;
}

void end_when_told(void)
{
	signal(SIGTERM, tell_to_end);
}

char byte_at(uint64_t i)
{
	return (i * 0x9e3779b97f4a7c15) >> 56;
}

void check(const char *data, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i++) {
		if (data[i] == byte_at(at + i))
			continue;
		fprintf(stderr, "traffic: byte %llu is wrong\n", (unsigned long long)(at + i));
		exit(1);
	}
}
