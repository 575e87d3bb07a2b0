// SPDX-License-Identifier: GPL-2.0
/*
 * steps.c - a program with one socket. It runs the steps in its arguments one after the other. See
 * usage_text.
 *
 * For each pause, it prints the real duration in microseconds.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char *const usage_text =
	"usage: steps STEP…\n"
	"       connect ADDRESS PORT | listen PORT | accept      TCP\n"
	"       open ADDRESS PORT | bind PORT                    UDP\n"
	"       send BYTES | timed BYTES | more BYTES | recv BYTES | wait BYTES | poll\n"
	"                         timed: as a pause; more: with MSG_MORE; recv: until it has so many; wait: in one call (MSG_WAITALL); poll: until there is\n"
	"                         something to receive\n"
	"       set OPTION VALUE  sndbuf, rcvbuf, lowat, rate, nodelay, cork, quickack\n"
	"       sleep MS | spin MS | fifo PRIORITY | signal NUMBER PID (0: itself) | write FILE TEXT\n"
	"       delayed           print how many microseconds it has waited for a CPU so far, as the kernel counts it\n";

static int listener = -1, s = -1;

static void die(const char *what)
{
	fprintf(stderr, "steps: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct sockaddr_in address(const char *host, const char *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(atoi(port)) };

	if (inet_pton(AF_INET, host, &a.sin_addr) != 1)
		die(host);
	return a;
}

static int new_socket(int type)
{
	int fd = socket(AF_INET, type, 0), one = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)))
		die("socket");
	return fd;
}

/* Connect the socket. If an earlier step has set an option, use that socket; otherwise make a new one. */
static void do_connect(int type, char **argv)
{
	struct sockaddr_in a = address(argv[0], argv[1]);

	if (s < 0)
		s = new_socket(type);
	if (connect(s, (struct sockaddr *)&a, sizeof(a)))
		die("connect");
}

static void step_connect(char **argv)
{
	do_connect(SOCK_STREAM, argv);
}

static void step_open(char **argv)
{
	do_connect(SOCK_DGRAM, argv);
}

static int bound(int type, const char *port)
{
	struct sockaddr_in a = address("0.0.0.0", port);
	int fd = s >= 0 ? s : new_socket(type);

	if (bind(fd, (struct sockaddr *)&a, sizeof(a)))
		die("bind");
	s = -1;
	return fd;
}

static void step_listen(char **argv)
{
	listener = bound(SOCK_STREAM, argv[0]);
	if (listen(listener, 8))
		die("listen");
}

static void step_bind(char **argv)
{
	s = bound(SOCK_DGRAM, argv[0]);
}

static void step_accept(char **argv)
{
	(void)argv;
	s = accept(listener, NULL, NULL);
	if (s < 0)
		die("accept");
}

static char data[1 << 20];

static void do_send(const char *bytes, int flags)
{
	size_t left = atoi(bytes);
	ssize_t n;

	for (; left; left -= n) {
		n = send(s, data, left < sizeof(data) ? left : sizeof(data), flags | MSG_NOSIGNAL);
		if (n < 0)
			die("send");
	}
}

static void step_send(char **argv)
{
	do_send(argv[0], 0);
}

static void step_more(char **argv)
{
	do_send(argv[0], MSG_MORE);
}

static void do_recv(const char *bytes, int flags)
{
	size_t left = atoi(bytes);
	ssize_t n;

	for (; left; left -= n) {
		n = recv(s, data, left < sizeof(data) ? left : sizeof(data), flags);
		if (n <= 0)
			die("recv");
	}
}

static void step_recv(char **argv)
{
	do_recv(argv[0], 0);
}

static void step_wait(char **argv)
{
	do_recv(argv[0], MSG_WAITALL);
}

static void step_poll(char **argv)
{
	struct pollfd fd = { .fd = s, .events = POLLIN };

	(void)argv;
	if (poll(&fd, 1, -1) != 1)
		die("poll");
}

static void step_set(char **argv)
{
	static const struct {
		const char *name;
		int level, option;
	} options[] = {
		{ "sndbuf", SOL_SOCKET, SO_SNDBUF },
		{ "rcvbuf", SOL_SOCKET, SO_RCVBUF },
		{ "lowat", SOL_SOCKET, SO_RCVLOWAT },
		{ "rate", SOL_SOCKET, SO_MAX_PACING_RATE },
		{ "nodelay", IPPROTO_TCP, TCP_NODELAY },
		{ "cork", IPPROTO_TCP, TCP_CORK },
		{ "quickack", IPPROTO_TCP, TCP_QUICKACK },
	};
	int value = atoi(argv[1]);

	if (s < 0)
		s = new_socket(SOCK_STREAM);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(argv[0], options[i].name))
			continue;
		if (setsockopt(s, options[i].level, options[i].option, &value, sizeof(value)))
			die(argv[0]);
		return;
	}
	die(argv[0]);
}

static uint64_t microseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void paused_since(uint64_t from)
{
	printf("%llu\n", (unsigned long long)(microseconds() - from));
	fflush(stdout);
}

static void step_sleep(char **argv)
{
	const int ms = atoi(argv[0]);
	const struct timespec wait = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	const uint64_t from = microseconds();

	nanosleep(&wait, NULL);
	paused_since(from);
}

static void step_spin(char **argv)
{
	const uint64_t from = microseconds();

	while (microseconds() - from < strtoull(argv[0], NULL, 10) * 1000)
		;
	paused_since(from);
}

static void step_fifo(char **argv)
{
	const struct sched_param param = { .sched_priority = atoi(argv[0]) };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("fifo");
}

static void step_signal(char **argv)
{
	const int pid = atoi(argv[1]);

	if (kill(pid ? pid : getpid(), atoi(argv[0])))
		die("signal");
}

static void step_write(char **argv)
{
	FILE *file = fopen(argv[0], "w");

	if (!file || fprintf(file, "%s\n", argv[1]) < 0 || fclose(file))
		die(argv[0]);
}

static void step_delayed(char **argv)
{
	FILE *file = fopen("/proc/self/schedstat", "r");
	unsigned long long delay;

	(void)argv;
	if (!file || fscanf(file, "%*u %llu", &delay) != 1)
		die("schedstat");
	fclose(file);
	printf("%llu\n", delay / 1000);
	fflush(stdout);
}

static void step_timed(char **argv)
{
	const uint64_t from = microseconds();

	do_send(argv[0], 0);
	paused_since(from);
}

static const struct {
	const char *name;
	int values;
	void (*run)(char **argv);
} steps[] = {
	{ "connect", 2, step_connect }, { "listen", 1, step_listen },
	{ "accept", 0, step_accept },	{ "open", 2, step_open },
	{ "bind", 1, step_bind },	{ "send", 1, step_send },
	{ "more", 1, step_more },	{ "recv", 1, step_recv },
	{ "wait", 1, step_wait },	{ "set", 2, step_set },
	{ "sleep", 1, step_sleep },	{ "spin", 1, step_spin },
	{ "fifo", 1, step_fifo },	{ "signal", 2, step_signal },
	{ "write", 2, step_write },	{ "timed", 1, step_timed },
	{ "delayed", 0, step_delayed }, { "poll", 0, step_poll },
};

#define NR_STEPS (sizeof(steps) / sizeof(steps[0]))

int main(int argc, char **argv)
{
	for (int i = 1; i < argc;) {
		size_t n = 0;

		while (n < NR_STEPS && strcmp(steps[n].name, argv[i]))
			n++;
		if (n == NR_STEPS || i + steps[n].values >= argc) {
			fputs(usage_text, stderr);
			return 2;
		}
		steps[n].run(argv + i + 1);
		i += steps[n].values + 1;
	}
	return 0;
}
