// SPDX-License-Identifier: GPL-2.0
/*
 * traffic.c - what the system tests send and receive; see usage_text
 *
 * One process for many connections, because starting one takes an emulated guest a tenth of a second. Only
 * "read" sleeps in a call on a socket: a task asleep in a gate has an open graph when the recording ends.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <poll.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_SOCKETS	   256
#define BLOCK		   1024
#define WINDOW		   (32 * BLOCK) /* bytes of a stream on their way */
#define STREAM_PACE_NSEC   5000000	/* for a block of a stream */
#define CHAT_PACE_NSEC	   100000000	/* between rounds */
#define DATAGRAM_PACE_NSEC 20000000	/* between datagrams of a stream */
#define NUMBER_PACE_NSEC   200000	/* for a numbered packet */
#define PATIENCE_MSEC	   60000
#define LAST_MSEC	   2000 /* that the last may take behind the one before */
#define MAX_NUMBERS	   100000
#define END_NUMBER	   UINT32_MAX
#define NR_ENDS		   5

union address {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

static const char *const usage_text =
	"usage: traffic echo PORT..                  TCP echo server on all these ports\n"
	"       traffic talk ADDRESS ROUNDS PORT..   in each round, a connection to each port: a line there and back\n"
	"       traffic chat ADDRESS PORT..          the same for ever, with pauses\n"
	"       traffic answer PORT MS               TCP server for one after the other: what it reads it sends back so much\n"
	"                                            later; prints how many us it waited\n"
	"       traffic knock ADDRESS PORT           begin a connection with one packet, and leave\n"
	"       traffic stream ADDRESS PORT [BYTES]  to an echo server and back until SIGTERM, or as fast as it\n"
	"                                            goes; each byte is checked; prints how many\n"
	"       traffic datagrams ADDRESS PORT       UDP to a reflector and back until SIGTERM; each byte is checked;\n"
	"                                            prints how many\n"
	"       traffic reflect PORT                 UDP echo server\n"
	"       traffic read ADDRESS PORT            connect, and sleep in recv() until something comes\n"
	"       traffic number ADDRESS PORT COUNT [SIZE]  send so many numbered UDP packets\n"
	"       traffic burst ADDRESS COUNT PORT..   the same to all these ports in turn, as fast as it goes\n"
	"       traffic crowd ADDRESS PORT COUNT [FIRST]  one UDP packet each from so many ports\n"
	"       traffic collect PORT                 receive these; prints how they came\n"
	"       traffic hoard PORT BYTES             a UDP socket with a small buffer that nobody reads\n"
	"       traffic refuse PORT                  a UDP socket whose filter lets nothing in\n"
	"       traffic listen PORT ROOM             a TCP socket that accepts nobody\n"
	"       traffic spoil tcp|udp ADDRESS PORT [BYTES]  send a packet whose checksum is wrong, with so much UDP data\n"
	"traffic -6 ...: what listens does so for IPv6.\n"
	"traffic -c ...: streams have pauses ten times as long.\n";

static void die(const char *what)
{
	fprintf(stderr, "traffic: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int family = AF_INET;
/* How many times as long the pauses of streams are. */
static unsigned int calm = 1;

static union address address(const char *host, const char *port)
{
	union address a = { .sa.sa_family = strchr(host, ':') ? AF_INET6 : AF_INET };
	bool v6 = a.sa.sa_family == AF_INET6;

	a.in.sin_port = htons(atoi(port)); /* IPv6 has it at the same place */
	if (inet_pton(a.sa.sa_family, host, v6 ? (void *)&a.in6.sin6_addr : &a.in.sin_addr) != 1 ||
	    !a.in.sin_port) {
		fprintf(stderr, "traffic: %s port %s is no address\n", host, port);
		exit(1);
	}
	return a;
}

static int bound(int type, const char *port)
{
	union address a = address(family == AF_INET6 ? "::" : "0.0.0.0", port);
	int s = socket(family, type, 0), one = 1;

	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(s, &a.sa, sizeof(a)))
		die(port);
	return s;
}

static int connected(int type, const char *host, const char *port)
{
	union address a = address(host, port);
	int s = socket(a.sa.sa_family, type, 0), one = 1;

	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_BROADCAST, &one, sizeof(one)) ||
	    connect(s, &a.sa, sizeof(a)))
		die(port);
	return s;
}

static void wait_for(int s, short events)
{
	struct pollfd fd = { .fd = s, .events = events };

	if (poll(&fd, 1, PATIENCE_MSEC))
		return;
	fprintf(stderr, "traffic: nothing came for %d seconds\n", PATIENCE_MSEC / 1000);
	exit(1);
}

static void send_all(int s, const char *data, size_t n)
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

/* Returns 0 at the end of the connection. */
static size_t receive(int s, void *data, size_t n)
{
	ssize_t got;

	while ((got = recv(s, data, n, MSG_DONTWAIT)) < 0) {
		if (errno != EAGAIN)
			die("recv");
		wait_for(s, POLLIN);
	}
	return got;
}

/* Send what came on to where it came from; false at its end. */
static bool echo_some(int s)
{
	char data[BLOCK];
	ssize_t n = recv(s, data, sizeof(data), MSG_DONTWAIT);

	if (n > 0)
		send_all(s, data, n);
	return n > 0 || (n < 0 && errno == EAGAIN);
}

static int __attribute__((noreturn)) echo(int argc, char **argv)
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
		fprintf(stderr, "traffic: port %s did not say what it was told\n", port);
		exit(1);
	}
	shutdown(s, SHUT_WR);
	if (receive(s, back, sizeof(back))) {
		fprintf(stderr, "traffic: port %s has more to say\n", port);
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

static int __attribute__((noreturn)) answer(int argc, char **argv)
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

static int talk(int argc, char **argv)
{
	for (int round = atoi(argv[1]); round > 0; round--)
		for (int i = 2; i < argc; i++)
			talk_once(argv[0], argv[i]);
	return 0;
}

static int __attribute__((noreturn)) chat(int argc, char **argv)
{
	const struct timespec pace = { .tv_nsec = CHAT_PACE_NSEC };

	for (;;) {
		for (int i = 1; i < argc; i++)
			talk_once(argv[0], argv[i]);
		nanosleep(&pace, NULL);
	}
}

static int knock(int argc, char **argv)
{
	union address a = address(argv[0], argv[1]);
	int s = socket(a.sa.sa_family, SOCK_STREAM | SOCK_NONBLOCK, 0);

	(void)argc;
	if (s < 0 || (connect(s, &a.sa, sizeof(a)) && errno != EINPROGRESS))
		die(argv[1]);
	/* Closed before there was an answer, it is not sent again. */
	return close(s);
}

static volatile sig_atomic_t told_to_end;

static void tell_to_end(int signal)
{
	(void)signal;
	told_to_end = 1;
}

static char byte_at(uint64_t i)
{
	return (i * 0x9e3779b97f4a7c15) >> 56;
}

static void check(const char *data, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i++) {
		if (data[i] == byte_at(at + i))
			continue;
		fprintf(stderr, "traffic: byte %llu is wrong\n", (unsigned long long)(at + i));
		exit(1);
	}
}

static int stream(int argc, char **argv)
{
	int s = connected(SOCK_STREAM, argv[0], argv[1]);
	uint64_t sent = 0, received = 0;
	char data[BLOCK];
	const struct timespec pace = { .tv_nsec = calm * STREAM_PACE_NSEC };
	uint64_t end = argc > 2 ? strtoull(argv[2], NULL, 0) : UINT64_MAX;
	ssize_t n;

	signal(SIGTERM, tell_to_end);
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

static int read_asleep(int argc, char **argv)
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

/* A number, and bytes that follow from it. */
static void fill(char *data, size_t size, uint32_t n)
{
	uint32_t order = htonl(n);

	memcpy(data, &order, sizeof(order));
	for (size_t i = sizeof(n); i < size; i++)
		data[i] = byte_at(n + i);
}

static int number(int argc, char **argv)
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
		/* The collector may have left. */
		if (send(s, data, i < count ? size : sizeof(count), 0) < 0 && i <= count)
			die("send");
		nanosleep(&pace, NULL);
	}
	return 0;
}

/* As many flows as there are numbers, one socket after the other. */
static int crowd(int argc, char **argv)
{
	const union address peer = address(argv[0], argv[1]);
	uint32_t n, count = atoi(argv[2]), first = argc > 3 ? atoi(argv[3]) : 1024;

	for (n = 0; n < count; n++) {
		union address own = { .in = { .sin_family = AF_INET,
					      .sin_port = htons(first + n) } };
		int s = socket(AF_INET, SOCK_DGRAM, 0);

		if (s < 0)
			die("socket");
		/* Somebody may have this port. */
		if (!bind(s, &own.sa, sizeof(own.in)))
			sendto(s, &n, sizeof(n), 0, &peer.sa, sizeof(peer.in));
		close(s);
	}
	return 0;
}

static int burst(int argc, char **argv)
{
	uint32_t n, count = atoi(argv[1]);
	int s[MAX_SOCKETS];

	for (int i = 2; i < argc && i < MAX_SOCKETS; i++)
		s[i] = connected(SOCK_DGRAM, argv[0], argv[i]);
	for (uint32_t round = 0; round < count + NR_ENDS; round++) {
		n = htonl(round < count ? round : END_NUMBER);
		/* Where nobody listens, an error comes back. */
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

/* Of the last numbers that were sent: has an answer come? */
static bool answered[MAX_NUMBERS];

/* Answers that have come to @s, each for the first time. */
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

static int datagrams(int argc, char **argv)
{
	const struct timespec pace = { .tv_nsec = calm * DATAGRAM_PACE_NSEC };
	int s = connected(SOCK_DGRAM, argv[0], argv[1]);
	uint32_t sent = 0, came = 0;
	char data[BLOCK];

	(void)argc;
	signal(SIGTERM, tell_to_end);
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
		fprintf(stderr, "traffic: %u of %u datagrams did not come back\n", sent - came,
			sent);
		return 1;
	}
	printf("%u\n", came);
	return 0;
}

static int __attribute__((noreturn)) reflect(int argc, char **argv)
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

static int collect(int argc, char **argv)
{
	static bool seen[MAX_NUMBERS];
	uint32_t n, highest = 0, received = 0, late = 0, twice = 0, ends = 0;
	static char data[UINT16_MAX];
	int room = 64 << 20;
	int s = bound(SOCK_DGRAM, argv[0]);
	size_t size;

	(void)argc;
	if (setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		die("SO_RCVBUFFORCE");
	/* With the last end it is over; some may be lost. */
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

/* Until somebody ends it. */
static int hoard(int argc, char **argv)
{
	int s = bound(SOCK_DGRAM, argv[0]), room = atoi(argv[1]);

	(void)argc;
	if (setsockopt(s, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room)))
		die("SO_RCVBUF");
	return pause();
}

static int refuse(int argc, char **argv)
{
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	const struct sock_fprog program = { .len = 1, .filter = &nothing };
	int s = bound(SOCK_DGRAM, argv[0]);

	(void)argc;
	if (setsockopt(s, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)))
		die("SO_ATTACH_FILTER");
	return pause();
}

static int listen_only(int argc, char **argv)
{
	(void)argc;
	if (listen(bound(SOCK_STREAM, argv[0]), atoi(argv[1])))
		die("listen");
	return pause();
}

static int spoil(int argc, char **argv)
{
	union address a = address(argv[1], argv[2]);
	bool tcp = !strcmp(argv[0], "tcp");
	size_t size = argc > 3 ? atoi(argv[3]) : 0;
	/* What is right but for the checksum. */
	struct udphdr udp = { .source = htons(9),
			      .dest = a.in.sin_port,
			      .len = htons(sizeof(udp) + size),
			      .check = htons(0x4711) };
	char datagram[BLOCK] = "";
	struct tcphdr syn = { .source = htons(9),
			      .dest = a.in.sin_port,
			      .seq = htonl(1),
			      .doff = 5,
			      .syn = 1,
			      .window = htons(1000),
			      .check = htons(0x4711) };
	int s = socket(AF_INET, SOCK_RAW, tcp ? IPPROTO_TCP : IPPROTO_UDP);

	if (size > sizeof(datagram) - sizeof(udp))
		size = sizeof(datagram) - sizeof(udp);
	memcpy(datagram, &udp, sizeof(udp));
	a.in.sin_port = 0;
	if (s < 0 || sendto(s, tcp ? (void *)&syn : datagram,
			    tcp ? sizeof(syn) : sizeof(udp) + size, 0, &a.sa, sizeof(a.in)) < 0)
		die(argv[0]);
	return 0;
}

static const struct {
	const char *name;
	int args;
	int (*run)(int argc, char **argv);
} modes[] = {
	{ "echo", 1, echo },	       { "talk", 3, talk },	  { "chat", 2, chat },
	{ "knock", 2, knock },	       { "stream", 2, stream },	  { "read", 2, read_asleep },
	{ "datagrams", 2, datagrams }, { "reflect", 1, reflect }, { "number", 3, number },
	{ "burst", 3, burst },	       { "crowd", 3, crowd },	  { "collect", 1, collect },
	{ "hoard", 2, hoard },	       { "refuse", 1, refuse },	  { "listen", 2, listen_only },
	{ "spoil", 3, spoil },	       { "answer", 2, answer },
};

int main(int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "+6c")) != -1;) {
		if (c == '6')
			family = AF_INET6;
		else if (c == 'c')
			calm = 10;
		else
			return 2;
	}
	argc -= optind - 1, argv += optind - 1;
	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name) && argc - 2 >= modes[i].args)
			return modes[i].run(argc - 2, argv + 2);
	fputs(usage_text, stderr);
	return 2;
}
