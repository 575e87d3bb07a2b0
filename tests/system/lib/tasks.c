// SPDX-License-Identifier: GPL-2.0
/*
 * tasks.c - programs for the tests of following tasks. Each one is another kind of task; see usage_text.
 *
 * The tasks sleep in system calls, as most programs do.
 */
#define _GNU_SOURCE /* sendmmsg() */
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_TASKS     64
#define PATIENCE_SEC  30
#define PACE_NSEC     100000000
#define MAX_SLEEPERS  10000
#define SLEEPER_STACK 131072 /* what glibc needs on arm64 */

union address {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

static const char *const usage_text =
	"usage: tasks answers PORT                 UDP echo server, forever\n"
	"       tasks query ADDRESS PORT           query it from an unconnected socket, as a resolver does\n"
	"       tasks short ADDRESS PORT           send to it, and then to an address that is too short, which fails\n"
	"       tasks queries ADDRESS PORT         query it forever, with pauses\n"
	"       tasks ask ADDRESS PORT             talk through a UNIX socket; then ask it from a connected one\n"
	"       tasks calls ADDRESS PORT           query it three times: by sendmsg(), sendmmsg() and write()\n"
	"       tasks fetch ADDRESS PORT           ask a TCP echo server\n"
	"       tasks abort ADDRESS PORT SOURCE    query it from this port, and leave the port free\n"
	"       tasks serve PORT COUNT             TCP echo server for COUNT clients, one after the other\n"
	"       tasks threads ADDRESS PORT COUNT   fetch in COUNT threads at once\n"
	"       tasks asleep ADDRESS PORT COUNT    sleep in recv() in COUNT threads, each with a UDP socket\n"
	"       tasks orphan ADDRESS PORT          fork a child that forks another, and exit when that has\n"
	"                                          fetched; the one between exits earlier\n"
	"       tasks leave ADDRESS PORT           fetch, fork, and exit; the child queries forever\n"
	"       tasks die ADDRESS PORT SIGNAL      fetch, and die by this signal\n"
	"       tasks accept PORT                  sleep in accept()\n"
	"       tasks listen ADDRESS PORT          connect, and sleep in recv()\n"
	"tasks -6 ...: servers use IPv6.\n";

static void die(const char *what)
{
	fprintf(stderr, "tasks: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int family = AF_INET;

static union address address(const char *host, const char *port)
{
	union address a = { .sa.sa_family = strchr(host, ':') ? AF_INET6 : AF_INET };
	void *addr = a.sa.sa_family == AF_INET6 ? (void *)&a.in6.sin6_addr : &a.in.sin_addr;

	a.in.sin_port = htons(atoi(port)); /* sin6_port has the same offset */
	if (inet_pton(a.sa.sa_family, host, addr) != 1 || !a.in.sin_port)
		die(host);
	return a;
}

static union address any_address(const char *port)
{
	return address(family == AF_INET6 ? "::" : "0.0.0.0", port);
}

static int new_socket(const union address *peer, int type)
{
	const struct timeval patience = { .tv_sec = PATIENCE_SEC };
	int s = socket(peer->sa.sa_family, type, 0);

	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		die("socket");
	return s;
}

static int bound(int type, const char *port)
{
	union address own = any_address(port);
	int s = socket(family, type, 0), one = 1;

	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(s, &own.sa, sizeof(own)) || (type == SOCK_STREAM && listen(s, MAX_TASKS)))
		die(port);
	return s;
}

static int connected(int type, char **argv)
{
	union address server = address(argv[0], argv[1]);
	int s = new_socket(&server, type);

	if (connect(s, &server.sa, sizeof(server)))
		die("connect");
	return s;
}

static void expect_word(ssize_t n, const char *word)
{
	if (n == 5 && !memcmp(word, "hello", 5))
		return;
	fprintf(stderr, "tasks: the echo differs from the sent data\n");
	exit(1);
}

static void exchange(int s)
{
	char word[16];

	if (send(s, "hello", 5, 0) != 5)
		die("send");
	expect_word(recv(s, word, sizeof(word), 0), word);
}

static int __attribute__((noreturn)) answers(int argc, char **argv)
{
	int s = bound(SOCK_DGRAM, argv[0]);
	union address peer;
	socklen_t len;
	char data[512];
	ssize_t n;

	(void)argc;
	for (;;) {
		len = sizeof(peer);
		n = recvfrom(s, data, sizeof(data), 0, &peer.sa, &len);
		if (n >= 0)
			sendto(s, data, n, 0, &peer.sa, len);
	}
}

static int query(int argc, char **argv)
{
	union address server = address(argv[0], argv[1]), peer;
	socklen_t len = sizeof(peer);
	int s = new_socket(&server, SOCK_DGRAM);
	char word[16];

	(void)argc;
	if (sendto(s, "hello", 5, 0, &server.sa, sizeof(server)) != 5)
		die("sendto");
	expect_word(recvfrom(s, word, sizeof(word), 0, &peer.sa, &len), word);
	return close(s);
}

static int send_to_short(int argc, char **argv)
{
	union address server = address(argv[0], argv[1]);
	const socklen_t too_short = offsetof(struct sockaddr_in, sin_addr);
	int s = new_socket(&server, SOCK_DGRAM);

	(void)argc;
	if (sendto(s, "hello", 5, 0, &server.sa, sizeof(server)) != 5)
		die("sendto");
	if (sendto(s, "hello", 5, 0, &server.sa, too_short) >= 0 || errno != EINVAL)
		die("a short address");
	return close(s);
}

static int __attribute__((noreturn)) queries(int argc, char **argv)
{
	const struct timespec pace = { .tv_nsec = PACE_NSEC };

	for (;;) {
		query(argc, argv);
		nanosleep(&pace, NULL);
	}
}

/*
 * Exchange data over a Unix socket. Recordings must not have these calls, because a Unix socket sends no
 * packets.
 */
static void exchange_at_home(void)
{
	char word[16];
	int s[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, s) || send(s[0], "hello", 5, 0) != 5)
		die("socketpair");
	expect_word(recv(s[1], word, sizeof(word), 0), word);
	close(s[0]);
	close(s[1]);
}

static int ask(int argc, char **argv)
{
	int s;

	(void)argc;
	exchange_at_home();
	s = connected(SOCK_DGRAM, argv);
	exchange(s);
	return close(s);
}

static int calls(int argc, char **argv)
{
	int s = connected(SOCK_DGRAM, argv);
	char word[16];
	struct iovec iov = { .iov_base = "hello", .iov_len = 5 };
	struct iovec into = { .iov_base = word, .iov_len = sizeof(word) };
	struct mmsghdr send = { .msg_hdr = { .msg_iov = &iov, .msg_iovlen = 1 } };
	struct mmsghdr receive = { .msg_hdr = { .msg_iov = &into, .msg_iovlen = 1 } };

	(void)argc;
	if (sendmsg(s, &send.msg_hdr, 0) != 5)
		die("sendmsg");
	expect_word(recvmsg(s, &receive.msg_hdr, 0), word);
	if (sendmmsg(s, &send, 1, 0) != 1)
		die("sendmmsg");
	if (recvmmsg(s, &receive, 1, 0, NULL) != 1)
		die("recvmmsg");
	expect_word(receive.msg_len, word);
	if (write(s, "hello", 5) != 5)
		die("write");
	expect_word(read(s, word, sizeof(word)), word);
	return close(s);
}

static int fetch(int argc, char **argv)
{
	int s = connected(SOCK_STREAM, argv);
	char word[16];

	(void)argc;
	exchange(s);
	shutdown(s, SHUT_WR);
	if (recv(s, word, sizeof(word), 0))
		die("the end of the connection");
	return close(s);
}

static int abort_it(int argc, char **argv)
{
	union address server = address(argv[0], argv[1]), own = any_address(argv[2]);
	const struct linger none = { .l_onoff = 1 };
	int s = new_socket(&server, SOCK_STREAM), one = 1;

	(void)argc;
	if (setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    setsockopt(s, SOL_SOCKET, SO_LINGER, &none, sizeof(none)) ||
	    bind(s, &own.sa, sizeof(own)) || connect(s, &server.sa, sizeof(server)))
		die("connect");
	exchange(s);
	return close(s);
}

static int serve(int argc, char **argv)
{
	int listener = bound(SOCK_STREAM, argv[0]), s;
	char data[512];
	ssize_t n;

	(void)argc;
	for (int count = atoi(argv[1]); count > 0; count--) {
		s = accept(listener, NULL, NULL);
		if (s < 0)
			die("accept");
		while ((n = recv(s, data, sizeof(data), 0)) > 0)
			if (send(s, data, n, 0) != n)
				die("send");
		close(s);
	}
	return 0;
}

static void *fetch_thread(void *argv)
{
	fetch(2, argv);
	return NULL;
}

static int threads(int argc, char **argv)
{
	pthread_t thread[MAX_TASKS];
	int count = atoi(argv[2]);

	(void)argc;
	for (int i = 0; i < count && i < MAX_TASKS; i++)
		if (pthread_create(&thread[i], NULL, fetch_thread, argv))
			die("pthread_create");
	for (int i = 0; i < count && i < MAX_TASKS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

static void *sleep_on_socket(void *argv)
{
	const struct timeval for_ever = { 0 };
	int s = connected(SOCK_DGRAM, argv);
	char byte;

	if (setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof(for_ever)))
		die("setsockopt");
	return recv(s, &byte, 1, 0) < 0 ? argv : NULL;
}

/* Start threads that sleep until the process is killed. */
static int asleep(int argc, char **argv)
{
	const struct rlimit room = { MAX_SLEEPERS + 100, MAX_SLEEPERS + 100 };
	int count = atoi(argv[2]);
	pthread_attr_t small;
	pthread_t thread;

	(void)argc;
	if (count > MAX_SLEEPERS || setrlimit(RLIMIT_NOFILE, &room) || pthread_attr_init(&small) ||
	    pthread_attr_setstacksize(&small, SLEEPER_STACK))
		die(argv[2]);
	while (count--)
		if (pthread_create(&thread, &small, sleep_on_socket, argv))
			die("pthread_create");
	return pause();
}

static int orphan(int argc, char **argv)
{
	int done[2], gone[2];
	char byte;

	if (pipe(done) || pipe(gone))
		die("pipe");
	if (!fork()) {
		if (fork())
			_exit(0);
		/* Wait until the parent of this process has exited and has been reaped. */
		close(gone[1]);
		if (read(gone[0], &byte, 1))
			_exit(1);
		_exit(fetch(argc, argv) || write(done[1], "", 1) != 1);
	}
	close(done[1]);
	wait(NULL);
	close(gone[1]);
	if (read(done[0], &byte, 1) != 1)
		die("the orphan");
	return 0;
}

static int leave(int argc, char **argv)
{
	fetch(argc, argv);
	switch (fork()) {
	case -1:
		die("fork");
		break;
	case 0:
		/* Close the standard files, as a daemon does. */
		close(0);
		close(1);
		close(2);
		queries(argc, argv);
	}
	return 0;
}

static int die_by(int argc, char **argv)
{
	fetch(argc, argv);
	return kill(getpid(), atoi(argv[2]));
}

static int sleep_in_accept(int argc, char **argv)
{
	(void)argc;
	return accept(bound(SOCK_STREAM, argv[0]), NULL, NULL) < 0;
}

static int sleep_in_recv(int argc, char **argv)
{
	union address server = address(argv[0], argv[1]);
	int s = socket(server.sa.sa_family, SOCK_STREAM, 0);
	char byte;

	(void)argc;
	if (s < 0 || connect(s, &server.sa, sizeof(server)))
		die("connect");
	return recv(s, &byte, 1, 0) < 0;
}

static const struct {
	const char *name;
	int args;
	int (*run)(int argc, char **argv);
} shapes[] = {
	{ "answers", 1, answers },	{ "query", 2, query },	  { "short", 2, send_to_short },
	{ "queries", 2, queries },	{ "ask", 2, ask },	  { "calls", 2, calls },
	{ "fetch", 2, fetch },		{ "abort", 3, abort_it }, { "serve", 2, serve },
	{ "threads", 3, threads },	{ "asleep", 3, asleep },  { "orphan", 2, orphan },
	{ "leave", 2, leave },		{ "die", 3, die_by },	  { "accept", 1, sleep_in_accept },
	{ "listen", 2, sleep_in_recv },
};

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "-6")) {
		family = AF_INET6;
		argc--, argv++;
	}
	for (size_t i = 0; argc > 1 && i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (!strcmp(argv[1], shapes[i].name) && argc - 2 >= shapes[i].args)
			return shapes[i].run(argc - 2, argv + 2);
	fputs(usage_text, stderr);
	return 2;
}
