// SPDX-License-Identifier: GPL-2.0
/*
 * odd_datagrams.c - send and receive UDP datagrams in unusual ways
 *
 * usage: odd_datagrams CASE PORT
 *
 * The program sends datagrams to PORT of the loopback address, and a child receives them. All datagrams have
 * different lengths, from 101 on. Those with an odd length come from a socket that is not connected. The
 * cases are:
 *
 * plain    send() and sendto(), and recv()
 * batch    sendmmsg() and recvmmsg()
 * peek     recv() with MSG_PEEK before each recv()
 * short    recv() with a buffer of ten bytes
 * shared   two processes receive from one socket
 * options  IPv6 packets with a header for destination options
 * lite     UDP-Lite
 * gso      one call sends five datagrams of 200 bytes, and five calls receive them
 * gro      one call sends five datagrams of 200 bytes, and one call receives them
 * unix     datagrams and a stream through Unix sockets, and a datagram to PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#define COUNT 20
#define FIRST 101

static const char *name;
static char buffer[70000];

static int is_case(const char *other)
{
	return !strcmp(name, other);
}

/* Receive datagrams until an empty one comes. */
static void receive(int fd)
{
	struct mmsghdr messages[8];
	struct iovec parts[8];
	ssize_t len;
	int n;

	do {
		if (is_case("batch")) {
			memset(messages, 0, sizeof(messages));
			for (int i = 0; i < 8; i++) {
				parts[i] = (struct iovec){ buffer + 500 * i, 500 };
				messages[i].msg_hdr.msg_iov = &parts[i];
				messages[i].msg_hdr.msg_iovlen = 1;
			}
			n = recvmmsg(fd, messages, 8, MSG_WAITFORONE, NULL);
			if (n < 0)
				die("recvmmsg");
			len = messages[n - 1].msg_len;
			continue;
		}
		if (is_case("peek") && recv(fd, buffer, 50, MSG_PEEK) < 0)
			die("MSG_PEEK");
		len = recv(fd, buffer, is_case("short") ? 10 : sizeof(buffer), 0);
		if (len < 0)
			die("recv");
	} while (len);
}

static void send_batch(int fd)
{
	struct mmsghdr messages[COUNT] = { 0 };
	struct iovec parts[COUNT];

	for (int i = 0; i < COUNT; i++) {
		parts[i] = (struct iovec){ buffer, FIRST + i };
		messages[i].msg_hdr.msg_iov = &parts[i];
		messages[i].msg_hdr.msg_iovlen = 1;
	}
	if (sendmmsg(fd, messages, COUNT, 0) != COUNT)
		die("sendmmsg");
}

static void send_all(int fd, int unconnected, const struct sockaddr *to, socklen_t size)
{
	for (int i = 0; i < COUNT; i++) {
		const int len = FIRST + i;
		const ssize_t sent = i & 1 ? sendto(unconnected, buffer, len, 0, to, size) :
					     send(fd, buffer, len, 0);

		if (sent != len)
			die("send");
	}
}

/* Exchange data through Unix sockets, which are local to the machine. */
static void use_local_sockets(void)
{
	static const int types[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET };
	int ends[2];

	for (int i = 0; i < 3; i++) {
		if (socketpair(AF_UNIX, types[i], 0, ends) || write(ends[0], buffer, 77) != 77 ||
		    read(ends[1], buffer, sizeof(buffer)) != 77)
			die("socketpair");
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_in6 at = { .sin6_family = AF_INET6 };
	int fd, unconnected, sink, size = 200, on = 1, protocol, status, receivers;

	if (argc != 3)
		return 2;
	name = argv[1];
	at.sin6_port = htons(atoi(argv[2]));
	/* Only the case "options" uses addresses of IPv6. */
	inet_pton(AF_INET6, is_case("options") ? "::1" : "::ffff:127.0.0.1", &at.sin6_addr);
	protocol = is_case("lite") ? IPPROTO_UDPLITE : 0;
	receivers = is_case("shared") ? 2 : 1;
	sink = socket(AF_INET6, SOCK_DGRAM, protocol);
	fd = socket(AF_INET6, SOCK_DGRAM, protocol);
	unconnected = socket(AF_INET6, SOCK_DGRAM, protocol);
	if (sink < 0 || bind(sink, (struct sockaddr *)&at, sizeof(at)) ||
	    connect(fd, (struct sockaddr *)&at, sizeof(at)))
		die("socket");
	if (is_case("gro") && setsockopt(sink, SOL_UDP, UDP_GRO, &on, sizeof(on)))
		die("UDP_GRO");
	if (is_case("options")) {
		/* A header with destination options: next header, length, and a PadN option of six bytes. */
		static const char options[8] = { 0, 0, 1, 4 };

		if (setsockopt(fd, IPPROTO_IPV6, IPV6_DSTOPTS, options, sizeof(options)) ||
		    setsockopt(unconnected, IPPROTO_IPV6, IPV6_DSTOPTS, options, sizeof(options)))
			die("IPV6_DSTOPTS");
	}
	for (int i = 0; i < receivers; i++) {
		if (!fork()) {
			receive(sink);
			_exit(0);
		}
	}
	if (is_case("gso") || is_case("gro")) {
		if (setsockopt(fd, SOL_UDP, UDP_SEGMENT, &size, sizeof(size)) ||
		    send(fd, buffer, 1000, 0) != 1000)
			die("UDP_SEGMENT");
		size = 0;
		setsockopt(fd, SOL_UDP, UDP_SEGMENT, &size, sizeof(size));
	} else if (is_case("unix")) {
		use_local_sockets();
		if (send(fd, buffer, FIRST, 0) != FIRST)
			die("send");
	} else if (is_case("batch")) {
		send_batch(fd);
	} else {
		send_all(fd, unconnected, (struct sockaddr *)&at, sizeof(at));
	}
	for (int i = 0; i < receivers; i++) {
		if (send(fd, buffer, 0, 0))
			die("send");
	}
	while (wait(&status) > 0) {
		if (status)
			return 1;
	}
	return 0;
}
