// SPDX-License-Identifier: GPL-2.0
/* tcp.c - TCP connections: servers, clients, streams */
#include "traffic.h"

#define WINDOW		 (32 * BLOCK) /* bytes of a stream in flight */
#define STREAM_PACE_NSEC 5000000      /* pause after each block of a stream */
#define CHAT_PACE_NSEC	 100000000    /* between rounds */

/* Send received data back. Return: false at the end of the connection. */
static bool echo_some(int s)
{
	char data[BLOCK];
	ssize_t n = recv(s, data, sizeof(data), MSG_DONTWAIT);

	if (n > 0)
		send_all(s, data, n);
	return n > 0 || (n < 0 && errno == EAGAIN);
}

int echo(int argc, char **argv)
{
	struct pollfd fds[MAX_SOCKETS];
	int nr = 0, ports = argc;

	for (; nr < ports; nr++) {
		fds[nr] = (struct pollfd){ .fd = bound(SOCK_STREAM, argv[nr]), .events = POLLIN };
		if (listen(fds[nr].fd, MAX_SOCKETS))
			die("listen");
	}
	for (;;) {
		if (poll(fds, nr, -1) < 0)
			die("poll");
		for (int i = nr - 1; i >= ports; i--) {
			if (!fds[i].revents || echo_some(fds[i].fd))
				continue;
			close(fds[i].fd);
			fds[i] = fds[--nr];
		}
		for (int i = 0; i < ports && nr < MAX_SOCKETS; i++) {
			if (!fds[i].revents)
				continue;
			fds[nr] = (struct pollfd){ .fd = accept(fds[i].fd, NULL, NULL),
						   .events = POLLIN };
			if (fds[nr++].fd < 0)
				die("accept");
		}
	}
}

static void talk_once(const char *host, const char *port)
{
	char there[32], back[sizeof(there)];
	size_t n = 0, want, got;
	int s = connected(SOCK_STREAM, host, port);

	want = snprintf(there, sizeof(there), "hello %s\n", port);
	send_all(s, there, want);
	while (n < want && (got = receive(s, back + n, want - n)))
		n += got;
	if (n < want || memcmp(there, back, want)) {
		fprintf(stderr, "traffic: port %s sent other data back\n", port);
		exit(1);
	}
	shutdown(s, SHUT_WR);
	if (receive(s, back, sizeof(back))) {
		fprintf(stderr, "traffic: port %s sent more data than expected\n", port);
		exit(1);
	}
	close(s);
}

static uint64_t microseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int answer(int argc, char **argv)
{
	const unsigned int ms = atoi(argv[1]);
	const struct timespec wait = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	int listener = bound(SOCK_STREAM, argv[0]), s;
	char data[256];
	ssize_t n;

	(void)argc;
	if (listen(listener, MAX_SOCKETS))
		die("listen");
	for (;;) {
		s = accept(listener, NULL, NULL);
		if (s < 0)
			die("accept");
		while ((n = recv(s, data, sizeof(data), 0)) > 0) {
			uint64_t from = microseconds();

			nanosleep(&wait, NULL);
			printf("%llu\n", (unsigned long long)(microseconds() - from));
			fflush(stdout);
			send_all(s, data, n);
		}
		close(s);
	}
}

int talk(int argc, char **argv)
{
	for (int round = atoi(argv[1]); round > 0; round--)
		for (int i = 2; i < argc; i++)
			talk_once(argv[0], argv[i]);
	return 0;
}

int chat(int argc, char **argv)
{
	const struct timespec pace = { .tv_nsec = CHAT_PACE_NSEC };

	for (;;) {
		for (int i = 1; i < argc; i++)
			talk_once(argv[0], argv[i]);
		nanosleep(&pace, NULL);
	}
}

int knock(int argc, char **argv)
{
	union address a = address(argv[0], argv[1]);
	int s = socket(a.sa.sa_family, SOCK_STREAM | SOCK_NONBLOCK, 0);

	(void)argc;
	if (s < 0 || (connect(s, &a.sa, sizeof(a)) && errno != EINPROGRESS))
		die(argv[1]);
	/* Close the connection before the kernel repeats the SYN. */
	return close(s);
}

int stream(int argc, char **argv)
{
	int s = connected(SOCK_STREAM, argv[0], argv[1]);
	uint64_t sent = 0, received = 0;
	char data[BLOCK];
	const struct timespec pace = { .tv_nsec = calm * STREAM_PACE_NSEC };
	uint64_t end = argc > 2 ? strtoull(argv[2], NULL, 0) : UINT64_MAX;
	ssize_t n;

	end_when_told();
	while (!told_to_end && sent < end) {
		if (sent - received < WINDOW) {
			for (size_t i = 0; i < BLOCK; i++)
				data[i] = byte_at(sent + i);
			send_all(s, data, BLOCK);
			sent += BLOCK;
		}
		if (argc <= 2)
			nanosleep(&pace, NULL);
		else if (sent - received >= WINDOW)
			wait_for(s, POLLIN);
		while ((n = recv(s, data, BLOCK, MSG_DONTWAIT)) > 0) {
			check(data, n, received);
			received += n;
		}
		if (!n || errno != EAGAIN)
			die("the stream broke");
	}
	shutdown(s, SHUT_WR);
	while ((n = receive(s, data, BLOCK))) {
		check(data, n, received);
		received += n;
	}
	if (received != sent) {
		fprintf(stderr, "traffic: %llu bytes did not come back\n",
			(unsigned long long)(sent - received));
		return 1;
	}
	printf("%llu\n", (unsigned long long)received);
	return 0;
}

int read_asleep(int argc, char **argv)
{
	int s = connected(SOCK_STREAM, argv[0], argv[1]);
	char data[BLOCK];
	ssize_t n;

	(void)argc;
	n = recv(s, data, sizeof(data), 0);
	if (n < 0)
		die("recv");
	return fwrite(data, 1, n, stdout) != (size_t)n;
}

int listen_only(int argc, char **argv)
{
	(void)argc;
	if (listen(bound(SOCK_STREAM, argv[0]), atoi(argv[1])))
		die("listen");
	return pause();
}
