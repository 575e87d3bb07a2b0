// SPDX-License-Identifier: GPL-2.0
/*
 * work.c - repeat some work, and print the cost of one repetition in nanoseconds. With QEMU's -icount, a
 * nanosecond of the guest is one instruction. See usage() and tests/bench/measure.sh.
 *
 * The work never waits for time to pass: a veth delivers a packet while it is sent, and the CPU then runs the
 * task that the packet wakes. A batch has a hundred repetitions. The result is the median of the batches,
 * because other activity disturbs some of them.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BATCH 100
#define BULK  32768

/**
 * struct ends - both ends of a flow
 * @to: the server's address
 * @listener: the listening socket of TCP's server
 * @client, @server: both ends of the connection
 */
struct ends {
	struct sockaddr_in to;
	int listener;
	int client;
	int server;
};

static int must(int ret, const char *what)
{
	if (ret < 0)
		err(1, "%s", what);
	return ret;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/*
 * Return: a socket in the network namespace @netns, which ip-netns(8) made. If the environment variable
 * NETNS_PREFIX is set, its value is put before the name: tests/bench/host uses this to avoid the user's
 * namespaces.
 */
static int socket_in(const char *netns, int type)
{
	const char *prefix = getenv("NETNS_PREFIX");
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s%s", prefix ? prefix : "", netns);
	fd = must(open(path, O_RDONLY), path);
	must(setns(fd, CLONE_NEWNET), "setns");
	close(fd);
	return must(socket(AF_INET, type, 0), "socket");
}

static void server_open(struct ends *e, int type, const char *address, int port)
{
	const int on = 1;

	e->to = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port) };
	if (inet_pton(AF_INET, address, &e->to.sin_addr) != 1)
		errx(2, "%s is not an address", address);
	e->listener = socket_in("B", type);
	must(setsockopt(e->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)), "setsockopt");
	must(bind(e->listener, (void *)&e->to, sizeof(e->to)), "bind");
}

static void udp_open(struct ends *e, const char *address, int port)
{
	struct sockaddr_in from = {};
	socklen_t len = sizeof(from);

	server_open(e, SOCK_DGRAM, address, port);
	e->server = e->listener;
	e->client = socket_in("A", SOCK_DGRAM);
	must(connect(e->client, (void *)&e->to, sizeof(e->to)), "connect");
	must(getsockname(e->client, (void *)&from, &len), "getsockname");
	must(connect(e->server, (void *)&from, len), "connect");
}

static void tcp_listen(struct ends *e, const char *address, int port)
{
	server_open(e, SOCK_STREAM, address, port);
	must(listen(e->listener, 1), "listen");
	/* Enter the namespace of the client, in which tcp_connect() then makes its socket. */
	close(socket_in("A", SOCK_STREAM));
}

static void tcp_connect(struct ends *e)
{
	const int on = 1;

	e->client = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
	must(connect(e->client, (void *)&e->to, sizeof(e->to)), "connect");
	e->server = must(accept(e->listener, NULL, NULL), "accept");
	setsockopt(e->client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(e->server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static void tcp_open(struct ends *e, const char *address, int port)
{
	tcp_listen(e, address, port);
	tcp_connect(e);
}

/* A whole bulk fits into the buffers of both sockets, so sending it does not wait for the reader. */
static void bulk_open(struct ends *e, const char *address, int port)
{
	const int size = 4 * BULK;

	tcp_open(e, address, port);
	setsockopt(e->client, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	setsockopt(e->server, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
}

/* Start the server, a child process that is killed when this process exits. */
static void serve(const struct ends *e)
{
	char byte;

	if (must(fork(), "fork"))
		return;
	must(prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
	while (recv(e->server, &byte, 1, 0) == 1)
		must(send(e->server, &byte, 1, 0), "send");
	_exit(0);
}

static void udp_serve(struct ends *e, const char *address, int port)
{
	udp_open(e, address, port);
	serve(e);
}

static void tcp_serve(struct ends *e, const char *address, int port)
{
	tcp_open(e, address, port);
	serve(e);
}

static void round_trip(struct ends *e)
{
	char byte = 'x';

	must(send(e->client, &byte, 1, 0), "send");
	must(recv(e->client, &byte, 1, 0), "recv");
}

static void bulk(struct ends *e)
{
	static char bytes[BULK];

	must(send(e->client, bytes, sizeof(bytes), 0), "send");
	must(recv(e->server, bytes, sizeof(bytes), MSG_WAITALL), "recv");
}

static void connection(struct ends *e)
{
	tcp_connect(e);
	close(e->client);
	close(e->server);
}

/* Send frames to UDP port @port on @device in A, without a reader. */
static void frame_open(struct ends *e, const char *device, int port)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET };

	close(socket_in("A", SOCK_DGRAM));
	to.sll_ifindex = if_nametoindex(device);
	e->to.sin_port = htons(port);
	e->client = must(socket(AF_PACKET, SOCK_RAW, 0), "socket");
	must(bind(e->client, (void *)&to, sizeof(to)), device);
}

static void frame(struct ends *e)
{
	struct {
		struct ethhdr eth;
		struct iphdr ip;
		struct udphdr udp;
		char padding[18];
	} __attribute__((packed)) frame = {
		.eth = { .h_dest = { 2, 0, 0, 0, 0, 0x99 },
			 .h_source = { 2 },
			 .h_proto = htons(ETH_P_IP) },
		.ip = { .version = 4,
			.ihl = 5,
			.ttl = 64,
			.protocol = IPPROTO_UDP,
			.tot_len = htons(sizeof(frame) - sizeof(frame.eth)) },
		.udp = { .dest = e->to.sin_port,
			 .len = htons(sizeof(frame.udp) + sizeof(frame.padding)) },
	};

	must(send(e->client, &frame, sizeof(frame), 0), "send");
}

static void nothing_open(struct ends *e, const char *address, int port)
{
	(void)e, (void)address, (void)port;
}

/* Start another program in a child process, wait for its end, and write and read a temporary file. */
static void process(struct ends *e)
{
	char name[] = "/tmp/work.XXXXXX", bytes[4096] = "";
	const pid_t pid = must(fork(), "fork");
	int fd;

	(void)e;
	if (!pid) {
		execl("/proc/self/exe", "work", NULL);
		_exit(127);
	}
	must(waitpid(pid, NULL, 0), "waitpid");
	fd = must(mkstemp(name), name);
	must(write(fd, bytes, sizeof(bytes)), "write");
	must(pread(fd, bytes, sizeof(bytes), 0), "read");
	close(fd);
	unlink(name);
}

/* Open and stat a file. This work sends no packet. */
static void file(struct ends *e)
{
	const char *name = program_invocation_name;
	const int fd = must(open(name, O_RDONLY), name);
	struct stat about;

	(void)e;
	must(fstat(fd, &about), "fstat");
	close(fd);
	must(stat(name, &about), "stat");
}

static const struct work {
	const char *name;
	void (*open)(struct ends *e, const char *address, int port);
	void (*once)(struct ends *e);
} works[] = {
	{ "udp", udp_serve, round_trip },     { "tcp", tcp_serve, round_trip },
	{ "bulk", bulk_open, bulk },	      { "connect", tcp_listen, connection },
	{ "process", nothing_open, process }, { "file", nothing_open, file },
	{ "udp_p99", udp_serve, round_trip }, { "frame", frame_open, frame },
};

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Return: the 99th percentile (nearest rank) of the times of all repetitions. */
static uint64_t slowest_percent(const struct work *work, struct ends *usual, int batches)
{
	const size_t n = (size_t)batches * BATCH;
	uint64_t *took = calloc(n, sizeof(*took)), begin;

	for (size_t i = 0; i < n; i++) {
		begin = now();
		work->once(usual);
		took[i] = now() - begin;
	}
	qsort(took, n, sizeof(*took), compare);
	return took[(n * 99 + 99) / 100 - 1];
}

static uint64_t batch(const struct work *work, struct ends *usual, struct ends *other, int every)
{
	const uint64_t begin = now();

	for (int i = 0; i < BATCH; i++)
		work->once(every && i % every == 0 ? other : usual);
	return (now() - begin) / BATCH;
}

static int usage(void)
{
	fprintf(stderr,
		"usage: work udp|tcp|bulk|connect|process|file|udp_p99|frame ADDRESS BATCHES [EVERY]\n"
		"Traffic goes from the namespace A to ADDRESS in B on port 7001, each\n"
		"EVERY-th on port 9000. udp_p99 prints the 99th percentile. For\n"
		"frame, ADDRESS is a device of A. If the\n"
		"environment has UNTIL=FILE, the work goes on until FILE exists, and is then\n"
		"measured.\n");
	return 2;
}

int main(int argc, char **argv)
{
	const struct work *work = works;
	const int batches = argc > 3 ? atoi(argv[3]) : 0, every = argc > 4 ? atoi(argv[4]) : 0;
	struct ends usual, other;
	const char *until = getenv("UNTIL");
	uint64_t *took;

	/* Without arguments, this program is the child that process() started; its only task is to exit. */
	if (argc < 2)
		return 0;
	while (strcmp(work->name, argv[1]))
		if (++work == works + sizeof(works) / sizeof(works[0]))
			return usage();
	if (batches <= 0)
		return usage();
	took = calloc(batches, sizeof(*took));
	work->open(&usual, argv[2], 7001);
	if (every)
		work->open(&other, argv[2], 9000);
	/* With UNTIL=FILE, work without measuring until FILE exists: a recording starts in the meantime. */
	while (until && access(until, F_OK))
		work->once(&usual);
	batch(work, &usual, &other, every);
	if (!strcmp(work->name, "udp_p99")) {
		printf("%llu\n", (unsigned long long)slowest_percent(work, &usual, batches));
		return 0;
	}
	for (int i = 0; i < batches; i++)
		took[i] = batch(work, &usual, &other, every);
	qsort(took, batches, sizeof(*took), compare);
	printf("%llu\n", (unsigned long long)took[batches / 2]);
	return 0;
}
