// SPDX-License-Identifier: GPL-2.0
/*
 * datagrams.c - ask and answer by UDP, and log each request
 *
 * usage: datagrams ask ADDRESS PORT COUNT TIMEOUT_MS
 *        datagrams answer PORT DELAY_MS
 *
 * A request is the datagram "query N". If no answer comes in time, the client sends it again. The server
 * sleeps before each answer, and ignores the first datagram of every third request.
 *
 * A line of the client's log has the number of the request, the time until its answer in ns, and how often
 * the client sent it. A line of the server's log has the number of the request, and the time from reading to
 * answering it in ns.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

static int ask(const char *address, const char *port, int count, int timeout)
{
	struct addrinfo hints = { .ai_socktype = SOCK_DGRAM }, *to;
	struct pollfd answer = { .events = POLLIN };
	char text[512];
	uint64_t begun;
	int len, tries;

	if (getaddrinfo(address, port, &hints, &to))
		die("address");
	answer.fd = socket(to->ai_family, SOCK_DGRAM, 0);
	if (connect(answer.fd, to->ai_addr, to->ai_addrlen))
		die("connect");
	for (int n = 1; n <= count; n++) {
		len = snprintf(text, sizeof(text), "query %d", n);
		begun = now();
		tries = 0;
		do {
			if (send(answer.fd, text, len, 0) != len)
				die("send");
			tries++;
		} while (poll(&answer, 1, timeout) != 1);
		if (recv(answer.fd, text, sizeof(text), 0) <= 0)
			die("recv");
		printf("%d %llu %d\n", n, (unsigned long long)(now() - begun), tries);
	}
	return 0;
}

static void answer(int port, int delay)
{
	struct sockaddr_in6 at = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct pollfd query = { .fd = socket(AF_INET6, SOCK_DGRAM, 0), .events = POLLIN };
	const int fd = query.fd;
	struct sockaddr_storage from;
	int n, latest = 0;
	char text[512];
	socklen_t size;
	uint64_t begun;
	ssize_t len;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)))
		die("bind");
	for (;;) {
		/*
		 * Wait in poll() until a datagram has arrived, and only then call recvfrom(). Otherwise the
		 * call could begin before the recording.
		 */
		if (poll(&query, 1, -1) < 0)
			die("poll");
		size = sizeof(from);
		len = recvfrom(fd, text, sizeof(text) - 1, 0, (struct sockaddr *)&from, &size);
		if (len < 0)
			die("recvfrom");
		begun = now();
		text[len] = '\0';
		n = atoi(text + strlen("query "));
		if (n % 3 == 0 && n != latest) {
			latest = n;
			continue;
		}
		usleep(delay * 1000);
		len = snprintf(text, sizeof(text), "this is the answer to query %d", n);
		if (sendto(fd, text, len, 0, (struct sockaddr *)&from, size) != len)
			die("sendto");
		printf("%d %llu\n", n, (unsigned long long)(now() - begun));
	}
}

int main(int argc, char **argv)
{
	if (argc == 6 && !strcmp(argv[1], "ask"))
		return ask(argv[2], argv[3], atoi(argv[4]), atoi(argv[5]));
	if (argc == 4 && !strcmp(argv[1], "answer"))
		answer(atoi(argv[2]), atoi(argv[3]));
	return 2;
}
