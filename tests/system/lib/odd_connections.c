// SPDX-License-Identifier: GPL-2.0
/*
 * odd_connections.c - TCP connections with unusual sequence numbers or unusual beginnings, and a log of each
 * call
 *
 * usage: odd_connections CASE PORT
 *
 * The program is the writer and the reader of a connection from 127.0.0.1 to port PORT of 127.0.0.1. The log
 * is the same as in byte_cases.c. The cases are:
 *
 * wrap          the sequence numbers of the writer pass 2^32
 * wrap-signed   the sequence numbers of the writer pass 2^31
 * repair        both sockets begin in the middle of a connection (TCP_REPAIR), and the numbers pass 2^32
 * garbage       keepalive probes with a garbage byte arrive, before and between the data
 * duplicate     a copy of the first data arrives again, with other bytes
 * self          the socket is connected to itself
 * simultaneous  both ends send a SYN at the same time
 * dup           the reader uses two descriptors of its socket, and a child reads from a third descriptor
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "call_log.h"

#define LEN 60000

static int port;
static unsigned char source[LEN];

static struct sockaddr_in at_port(int number_of_port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(number_of_port),
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
}

static int new_socket(int own_port)
{
	struct sockaddr_in at = at_port(own_port);
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)))
		die("bind");
	return fd;
}

static void connect_to(int fd, int number_of_port)
{
	struct sockaddr_in at = at_port(number_of_port);

	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) && errno != EINPROGRESS)
		die("connect");
}

static void set_tcp(int fd, int option, uint32_t value)
{
	if (setsockopt(fd, IPPROTO_TCP, option, &value, sizeof(value)))
		die("setsockopt");
}

/* Set the next sequence number for one direction of a socket that is in the mode TCP_REPAIR. */
static void set_seq(int fd, int queue, uint32_t seq)
{
	set_tcp(fd, TCP_REPAIR_QUEUE, queue);
	set_tcp(fd, TCP_QUEUE_SEQ, seq);
}

static uint32_t get_seq(int fd, int queue)
{
	socklen_t len = sizeof(uint32_t);
	uint32_t seq;

	set_tcp(fd, TCP_REPAIR, TCP_REPAIR_ON);
	set_tcp(fd, TCP_REPAIR_QUEUE, queue);
	if (getsockopt(fd, IPPROTO_TCP, TCP_QUEUE_SEQ, &seq, &len))
		die("TCP_QUEUE_SEQ");
	set_tcp(fd, TCP_REPAIR, TCP_REPAIR_OFF_NO_WP);
	return seq;
}

/* A connection, with the sockets of both ends. */
struct pair {
	int reader, writer;
};

/* Make a connection. @seq is the sequence number of the writer's SYN, or 0 for a random number. */
static struct pair open_pair(uint32_t seq)
{
	int listener = new_socket(port);
	struct pair pair = { .writer = new_socket(0) };

	if (seq) {
		set_tcp(pair.writer, TCP_REPAIR, TCP_REPAIR_ON);
		set_seq(pair.writer, TCP_SEND_QUEUE, seq);
		set_tcp(pair.writer, TCP_REPAIR, TCP_REPAIR_OFF_NO_WP);
	}
	if (listen(listener, 10))
		die("listen");
	connect_to(pair.writer, port);
	pair.reader = accept(listener, NULL, NULL);
	if (pair.reader < 0)
		die("accept");
	close(listener);
	return pair;
}

static void write_range(int fd, size_t from, size_t to, size_t size)
{
	while (from < to) {
		const uint64_t begun = now();
		ssize_t sent = send(fd, source + from, to - from < size ? to - from : size, 0);

		if (sent <= 0)
			die("send");
		note(true, source + from, sent, begun);
		from += sent;
	}
	memcpy(shared->stream, source, to);
	shared->stream_len = to;
}

static ssize_t read_some(int fd, size_t size)
{
	unsigned char buffer[8000];
	const uint64_t begun = now();
	ssize_t len = recv(fd, buffer, size, 0);

	if (len < 0)
		die("recv");
	note(false, buffer, len, begun);
	return len;
}

static void read_bytes(int fd, size_t total, size_t size)
{
	while (total)
		total -= read_some(fd, total < size ? total : size);
}

/*
 * Write and read in turns. The same process writes and reads. If it wrote everything first, the writing
 * call would block forever.
 */
static void move_all(const struct pair *pair)
{
	for (size_t at = 0; at < LEN; at += 12000) {
		write_range(pair->writer, at, at + 12000, 3500);
		read_bytes(pair->reader, 12000, 2700);
	}
	shutdown(pair->writer, SHUT_WR);
	read_some(pair->reader, 1);
}

/* Segments that the program makes itself and sends through a raw socket. */

static uint32_t add_words(uint32_t sum, const void *data, size_t len)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < len; i++)
		sum += i & 1 ? bytes[i] : bytes[i] << 8;
	return sum;
}

/* Send a segment from the writer's address with these bytes. */
static void inject(const struct pair *pair, uint32_t seq, uint32_t ack, const void *data,
		   size_t len)
{
	const int fd = socket(AF_INET, SOCK_RAW, IPPROTO_TCP);
	struct sockaddr_in to = at_port(0);
	const uint32_t loopback = htonl(INADDR_LOOPBACK);
	struct {
		struct tcphdr header;
		uint8_t data[2000];
	} segment = {
		.header = {
			.source = htons(port_of(pair->writer)),
			.dest = htons(port_of(pair->reader)),
			.seq = htonl(seq),
			.ack_seq = htonl(ack),
			.doff = sizeof(struct tcphdr) / 4,
			.ack = 1,
			.window = htons(500),
		},
	};
	const size_t total = sizeof(segment.header) + len;
	uint32_t sum = IPPROTO_TCP + total;

	memcpy(segment.data, data, len);
	sum = add_words(add_words(sum, &loopback, 4), &loopback, 4);
	sum = add_words(sum, &segment, total);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	segment.header.check = htons(~sum);
	if (fd < 0 ||
	    sendto(fd, &segment, total, 0, (struct sockaddr *)&to, sizeof(to)) != (ssize_t)total)
		die("raw socket");
	close(fd);
}

/*
 * Send the last @bytes bytes before the current position of the writer once more, with other contents. The
 * reader has already received them.
 */
static void inject_old(const struct pair *pair, uint32_t bytes)
{
	static const uint8_t garbage[2000] = { 'X' };

	inject(pair, get_seq(pair->writer, TCP_SEND_QUEUE) - bytes,
	       get_seq(pair->writer, TCP_RECV_QUEUE), garbage, bytes);
}

/* The cases */

/* Set the windows and the segment size of a socket that is in the mode TCP_REPAIR. */
static void set_window(int fd, uint32_t received)
{
	/* The segment size, and the window scales of both directions. */
	const struct tcp_repair_opt options[] = { { 2, 1460 }, { 3, 7 | 7 << 16 } };
	const struct tcp_repair_window window = {
		.snd_wl1 = received,
		.snd_wnd = 30000,
		.max_window = 30000,
		.rcv_wnd = 30000,
		.rcv_wup = received,
	};

	if (setsockopt(fd, IPPROTO_TCP, TCP_REPAIR_OPTIONS, options, sizeof(options)))
		die("TCP_REPAIR_OPTIONS");
	if (setsockopt(fd, IPPROTO_TCP, TCP_REPAIR_WINDOW, &window, sizeof(window)))
		die("TCP_REPAIR_WINDOW");
}

static struct pair run_repair(void)
{
	struct pair pair = { new_socket(port), new_socket(0) };
	const int ports[] = { port, port_of(pair.writer) }, ends[] = { pair.reader, pair.writer };
	const uint32_t seqs[] = { 1000000, -20000 };

	for (int i = 0; i < 2; i++) {
		set_tcp(ends[i], TCP_REPAIR, TCP_REPAIR_ON);
		set_seq(ends[i], TCP_SEND_QUEUE, seqs[i]);
		set_seq(ends[i], TCP_RECV_QUEUE, seqs[!i]);
		connect_to(ends[i], ports[!i]);
		set_window(ends[i], seqs[!i]);
	}
	for (int i = 0; i < 2; i++)
		set_tcp(ends[i], TCP_REPAIR, TCP_REPAIR_OFF_NO_WP);
	return pair;
}

static void run_garbage(const struct pair *pair)
{
	inject_old(pair, 1);
	write_range(pair->writer, 0, 9000, 2000);
	inject_old(pair, 1);
	read_bytes(pair->reader, 9000, 4000);
	inject_old(pair, 1);
	write_range(pair->writer, 9000, 20000, 2500);
	read_bytes(pair->reader, 11000, 2000);
}

static void run_duplicate(const struct pair *pair)
{
	write_range(pair->writer, 0, 1500, 1500);
	/*
	 * Inject old data twice: while the original is still in the receive queue, and after it has been
	 * read.
	 */
	inject_old(pair, 1500);
	read_bytes(pair->reader, 1500, 700);
	inject_old(pair, 900);
	write_range(pair->writer, 1500, 20000, 2500);
	read_bytes(pair->reader, 18500, 2000);
}

static struct pair run_self(void)
{
	const int fd = new_socket(port);

	connect_to(fd, port);
	return (struct pair){ fd, fd };
}

/* The test delays the packets of this case, so that the SYNs cross. */
static struct pair run_simultaneous(void)
{
	struct pair pair = { new_socket(port), new_socket(0) };
	const int ends[] = { pair.reader, pair.writer }, ports[] = { port, port_of(pair.writer) };

	for (int i = 0; i < 2; i++) {
		fcntl(ends[i], F_SETFL, O_NONBLOCK);
		connect_to(ends[i], ports[!i]);
	}
	for (int i = 0; i < 2; i++) {
		struct pollfd wait = { .fd = ends[i], .events = POLLOUT };
		int failed;
		socklen_t len = sizeof(failed);

		if (poll(&wait, 1, 10000) != 1 ||
		    getsockopt(ends[i], SOL_SOCKET, SO_ERROR, &failed, &len) || failed)
			die("simultaneous open");
		fcntl(ends[i], F_SETFL, 0);
	}
	return pair;
}

static void run_dup(const struct pair *pair)
{
	const int other = dup(pair->reader), third = fcntl(pair->reader, F_DUPFD, 100);
	int status;

	for (size_t at = 0; at < LEN; at += 6000) {
		write_range(pair->writer, at, at + 6000, 1700);
		read_bytes(pair->reader, 1000, 600);
		read_bytes(other, 2000, 900);
		if (!fork()) {
			read_bytes(third, 3000, 1300);
			_exit(0);
		}
		if (wait(&status) < 0 || status)
			exit(1);
	}
}

static struct pair run_case(const char *name)
{
	struct pair pair;

	if (!strcmp(name, "repair"))
		pair = run_repair();
	else if (!strcmp(name, "self"))
		pair = run_self();
	else if (!strcmp(name, "simultaneous"))
		pair = run_simultaneous();
	else if (!strcmp(name, "wrap"))
		pair = open_pair(-20000);
	else if (!strcmp(name, "wrap-signed"))
		pair = open_pair(0x7fffffff - 20000);
	else
		pair = open_pair(0);
	if (!strcmp(name, "garbage"))
		run_garbage(&pair);
	else if (!strcmp(name, "duplicate"))
		run_duplicate(&pair);
	else if (!strcmp(name, "dup"))
		run_dup(&pair);
	else
		move_all(&pair);
	return pair;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	port = atoi(argv[2]);
	number = 1;
	share_log();
	for (size_t i = 0; i < sizeof(source); i++)
		source[i] = random() >> 8;
	print_log(port_of(run_case(argv[1]).writer));
	return 0;
}
