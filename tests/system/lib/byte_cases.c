// SPDX-License-Identifier: GPL-2.0
/*
 * byte_cases.c - unusual ways to write and read a TCP stream, with a log of each call
 *
 * usage: byte_cases CASE ADDRESS PORT, or byte_cases list
 *
 * The program is the writer and the reader of a connection to ADDRESS. The log on standard output has the
 * same lines as that of bytes.c. The bytes of the stream are random, so the bytes of a call show its position
 * in the stream. If the bytes of a call are not consecutive, the log leaves out the call, and report-skb
 * --bytes must not name it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf_insn.h"
#include "call_log.h"

static const char *address;
static int port;

/* Random bytes, which the writer sends. */
static unsigned char source[TOTAL];

static void fill_source(void)
{
	for (size_t i = 0; i < sizeof(source); i++)
		source[i] = random() >> 8;
}

/* Connections */

static struct sockaddr_in at_port(const char *host, int number_of_port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(number_of_port) };

	inet_pton(AF_INET, host, &at.sin_addr);
	return at;
}

static int listen_at(int number_of_port)
{
	struct sockaddr_in at = at_port(address, number_of_port);
	int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1, queue = 16;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	setsockopt(listener, IPPROTO_TCP, TCP_FASTOPEN, &queue, sizeof(queue));
	if (bind(listener, (struct sockaddr *)&at, sizeof(at)) || listen(listener, 10))
		die("listen");
	return listener;
}

static int connect_from(int own_port)
{
	struct sockaddr_in at = at_port(address, port), own = at_port(address, own_port);
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (own_port && bind(fd, (struct sockaddr *)&own, sizeof(own)))
		die("bind");
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)))
		die("connect");
	return fd;
}

/* A connection, with the listening socket and the sockets of both ends. */
struct pair {
	int listener, reader, writer;
};

static struct pair open_pair(int own_port)
{
	struct pair pair = { .listener = listen_at(port) };

	pair.writer = connect_from(own_port);
	pair.reader = accept(pair.listener, NULL, NULL);
	if (pair.reader < 0)
		die("accept");
	return pair;
}

/* Functions that write and read. */

static ssize_t write_some(int fd, size_t at, size_t len, int flags)
{
	const uint64_t begun = now();
	ssize_t sent = send(fd, source + at, len, flags);

	if (sent < 0)
		die("send");
	note(true, source + at, sent, begun);
	return sent;
}

/*
 * Write the bytes of the source from @from to @to. Each call writes at most @size bytes. Afterwards, the
 * stream that the reader must receive is the source up to @to.
 */
static void write_range(int fd, size_t from, size_t to, size_t size)
{
	while (from < to)
		from += write_some(fd, from, to - from < size ? to - from : size, 0);
	memcpy(shared->stream, source, to);
	shared->stream_len = to;
}

static ssize_t read_some(int fd, size_t size, int flags)
{
	static __thread unsigned char buffer[TOTAL];
	const uint64_t begun = now();
	ssize_t len = recv(fd, buffer, size, flags);

	note(false, buffer, len, begun);
	return len;
}

static void read_all(int fd, size_t size, int flags)
{
	while (read_some(fd, size, flags) > 0)
		;
}

/* Run @reader in a process of its own. */
static void in_child(void (*reader)(const struct pair *), const struct pair *pair)
{
	if (!fork()) {
		close(pair->writer);
		reader(pair);
		_exit(0);
	}
}

static void wait_for_children(void)
{
	int status;

	while (wait(&status) > 0) {
		if (status)
			exit(1);
	}
}

/* The cases. Each function gets an open connection, or opens its own connections. */

static void read_waitall(const struct pair *pair)
{
	read_all(pair->reader, 5000, MSG_WAITALL);
}

static void read_rcvlowat(const struct pair *pair)
{
	int least = 3000;

	setsockopt(pair->reader, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof(least));
	read_all(pair->reader, 7000, 0);
}

/* MSG_TRUNC removes bytes from the socket without copying them. */
static void read_trunc(const struct pair *pair)
{
	uint64_t begun;
	ssize_t len;
	size_t at = 0;

	do {
		len = read_some(pair->reader, 3000, 0);
		at += len > 0 ? len : 0;
		begun = now();
		len = recv(pair->reader, NULL, 2000, MSG_TRUNC);
		if (len > 0)
			note(false, source + at, len, begun);
		at += len > 0 ? len : 0;
	} while (len > 0);
}

static void write_and_wait(const struct pair *pair, size_t size)
{
	write_range(pair->writer, 0, 60000, size);
	shutdown(pair->writer, SHUT_WR);
	wait_for_children();
}

/* The writer closes its direction before the reader reads anything. */
static void run_half_open(const struct pair *pair)
{
	write_range(pair->writer, 0, 30000, 7000);
	shutdown(pair->writer, SHUT_WR);
	read_all(pair->reader, 4000, 0);
}

/* The reader closes its receiving direction while bytes are unread. */
static void run_shut_reader(const struct pair *pair)
{
	write_range(pair->writer, 0, 30000, 7000);
	read_some(pair->reader, 9000, 0);
	shutdown(pair->reader, SHUT_RD);
	read_all(pair->reader, 8000, 0);
}

static void run_waitall(const struct pair *pair)
{
	in_child(read_waitall, pair);
	write_and_wait(pair, 1300);
}

static void run_rcvlowat(const struct pair *pair)
{
	in_child(read_rcvlowat, pair);
	write_and_wait(pair, 900);
}

static void run_trunc(const struct pair *pair)
{
	in_child(read_trunc, pair);
	write_and_wait(pair, 2100);
}

/* Another process receives the socket by SCM_RIGHTS. */
static void run_passed(const struct pair *pair)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec part = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		die("socketpair");
	if (!fork()) {
		close(pair->reader);
		close(pair->writer);
		if (recvmsg(ends[1], &msg, 0) != 1)
			die("recvmsg");
		read_all(*(int *)CMSG_DATA(cmsg), 4000, 0);
		_exit(0);
	}
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	*(int *)CMSG_DATA(cmsg) = pair->reader;
	if (sendmsg(ends[0], &msg, 0) != 1)
		die("sendmsg");
	close(pair->reader);
	write_and_wait(pair, 3000);
}

static void read_shared(const struct pair *pair)
{
	read_all(pair->reader, 3000, 0);
}

/* Three processes read from one socket at the same time. */
static void run_shared_readers(const struct pair *pair)
{
	for (int i = 0; i < 3; i++)
		in_child(read_shared, pair);
	write_and_wait(pair, 2000);
}

struct thread {
	pthread_t id;
	int fd;
	size_t from, to;
};

static void *write_thread(void *data)
{
	const struct thread *thread = data;

	for (size_t at = thread->from; at < thread->to; at += 700)
		write_some(thread->fd, at, thread->to - at < 700 ? thread->to - at : 700, 0);
	return NULL;
}

/* Two threads write to one socket. The reader knows the order of the bytes. */
static void run_shared_writers(const struct pair *pair)
{
	struct thread threads[] = { { .fd = pair->writer, .from = 0, .to = 70000 },
				    { .fd = pair->writer, .from = 70000, .to = 140000 } };
	unsigned char *stream = shared->stream;
	uint64_t begun;
	ssize_t len;

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i].id, NULL, write_thread, &threads[i]);
	while (shared->stream_len < 140000) {
		begun = now();
		len = read(pair->reader, stream + shared->stream_len, 5000);
		if (len <= 0)
			die("read");
		note(false, stream + shared->stream_len, len, begun);
		shared->stream_len += len;
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i].id, NULL);
}

/* Urgent data: a normal read leaves out the urgent byte, and another call returns only this byte. */
static void run_urgent(const struct pair *pair)
{
	struct pollfd wait = { .fd = pair->reader, .events = POLLPRI };
	char urgent;

	write_range(pair->writer, 0, 3000, 1000);
	write_some(pair->writer, 3000, 500, MSG_OOB);
	write_range(pair->writer, 3500, 6000, 1000);
	poll(&wait, 1, 5000);
	if (recv(pair->reader, &urgent, 1, MSG_OOB) != 1)
		die("urgent byte");
	shutdown(pair->writer, SHUT_WR);
	read_all(pair->reader, 800, 0);
}

/* The reader maps the pages of the socket (TCP_ZEROCOPY_RECEIVE), so that no call copies the bytes. */
static void run_zerocopy_receive(const struct pair *pair)
{
	const size_t size = 16 * 4096;
	void *area = mmap(NULL, size, PROT_READ, MAP_SHARED, pair->reader, 0);
	struct tcp_zerocopy_receive map = { .address = (uintptr_t)area, .length = size };
	socklen_t len = sizeof(map);
	int file = memfd_create("pages", 0), waiting = 0;
	off_t offset = 0;

	if (area == MAP_FAILED)
		die("mmap");
	if (write(file, source, size) != (ssize_t)size)
		die("file");
	memcpy(shared->stream, source, size);
	shared->stream_len = size;
	letter = 'f';
	while (offset < (off_t)size) {
		const uint64_t begun = now();
		const off_t at = offset;
		ssize_t len = sendfile(pair->writer, file, &offset, size - offset);

		if (len < 0)
			die("sendfile");
		note(true, source + at, len, begun);
	}
	shutdown(pair->writer, SHUT_WR);
	while (!ioctl(pair->reader, FIONREAD, &waiting) && waiting < (int)size / 2)
		usleep(1000);
	while (getsockopt(pair->reader, IPPROTO_TCP, TCP_ZEROCOPY_RECEIVE, &map, &len))
		die("TCP_ZEROCOPY_RECEIVE");
	fprintf(stderr, "mapped %u bytes\n", map.length);
	read_all(pair->reader, 3000, 0);
}

/* vmsplice() and splice() move user memory through a pipe to the socket, and through another pipe back. */
static void run_vmsplice(const struct pair *pair)
{
	unsigned char buffer[4096];
	struct iovec part;
	uint64_t begun;
	int ends[2];
	ssize_t len;

	letter = 'x';
	if (pipe(ends))
		die("pipe");
	for (size_t at = 0; at < 40960; at += len) {
		part = (struct iovec){ source + at, 4096 };
		if (vmsplice(ends[1], &part, 1, 0) != 4096)
			die("vmsplice");
		begun = now();
		len = splice(ends[0], NULL, pair->writer, NULL, 4096, 0);
		if (len != 4096)
			die("splice");
		note(true, source + at, len, begun);
	}
	memcpy(shared->stream, source, 40960);
	shared->stream_len = 40960;
	shutdown(pair->writer, SHUT_WR);
	for (;;) {
		begun = now();
		len = splice(pair->reader, NULL, ends[1], NULL, 3000, 0);
		if (len <= 0)
			break;
		if (read(ends[0], buffer, len) != len)
			die("pipe");
		note(false, buffer, len, begun);
	}
}

/*
 * The kernel redirects the bytes of a socket to another socket, and no call reads them from the first socket.
 */
static void run_sockmap(const struct pair *pair)
{
	union bpf_attr attr = { 0 };
	struct bpf_insn insns[] = {
		INSN(BPF_LD | BPF_IMM | BPF_DW, 2, BPF_PSEUDO_MAP_FD, 0, 0),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, 0),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_sk_redirect_map),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	struct sockaddr_in sink_at = at_port(address, port + 1);
	int sink = listen_at(port + 1), out = socket(AF_INET, SOCK_STREAM, 0), end, map, program;
	int key = 0;

	if (connect(out, (struct sockaddr *)&sink_at, sizeof(sink_at)))
		die("connect");
	end = accept(sink, NULL, NULL);
	attr.map_type = BPF_MAP_TYPE_SOCKMAP;
	attr.key_size = attr.value_size = sizeof(int);
	attr.max_entries = 2;
	map = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
	insns[0].imm = map;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SK_SKB;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = sizeof(insns) / sizeof(insns[0]);
	attr.license = (uintptr_t) "GPL";
	program = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	if (map < 0 || program < 0)
		die("BPF program");
	memset(&attr, 0, sizeof(attr));
	attr.target_fd = map;
	attr.attach_bpf_fd = program;
	attr.attach_type = BPF_SK_SKB_STREAM_VERDICT;
	if (syscall(SYS_bpf, BPF_PROG_ATTACH, &attr, sizeof(attr)))
		die("BPF_PROG_ATTACH");
	for (key = 0; key < 2; key++) {
		memset(&attr, 0, sizeof(attr));
		attr.map_fd = map;
		attr.key = (uintptr_t)&key;
		attr.value = (uintptr_t)(key ? &pair->reader : &out);
		if (syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr)))
			die("BPF_MAP_UPDATE_ELEM");
	}
	write_range(pair->writer, 0, 20000, 3000);
	for (size_t got = 0; got < 20000;) {
		static unsigned char buffer[4000];
		ssize_t len = read(end, buffer, sizeof(buffer));

		if (len <= 0)
			die("sink");
		got += len;
	}
}

/*
 * Make two connections, one after the other, with the same addresses and ports. If @resets is true, a reset
 * ends the first connection. Otherwise the first connection is in TIME_WAIT while the second one begins.
 */
static void run_again(bool resets)
{
	const struct linger at_once = { .l_onoff = 1 };
	struct pair pair;

	for (number = 1; number <= 2; number++) {
		fill_source();
		pair = open_pair(40000);
		write_range(pair.writer, 0, 20000, 3000);
		read_some(pair.reader, 12000, 0);
		if (resets)
			setsockopt(pair.writer, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		else
			read_all(pair.reader, 8000, MSG_DONTWAIT);
		if (!resets) {
			shutdown(pair.writer, SHUT_WR);
			read_all(pair.reader, 8000, 0);
			close(pair.reader);
		}
		close(pair.writer);
		/* If the reader closes its socket with unread bytes, the kernel sends a reset. */
		if (resets)
			close(pair.reader);
		close(pair.listener);
		print_log(40000);
	}
}

/* The SYN of a connection carries data. */
static void run_fast_open(void)
{
	struct sockaddr_in at = at_port(address, port);
	int listener = listen_at(port), fd, reader, first_port;
	uint64_t begun;

	/* With TCP Fast Open, the first connection gets a cookie. The second one sends data in its SYN. */
	for (number = 1; number <= 2; number++) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		begun = now();
		if (sendto(fd, source, 900, MSG_FASTOPEN, (struct sockaddr *)&at, sizeof(at)) !=
		    900)
			die("sendto");
		note(true, source, 900, begun);
		write_range(fd, 900, 5000, 1000);
		shutdown(fd, SHUT_WR);
		first_port = port_of(fd);
		reader = accept(listener, NULL, NULL);
		read_all(reader, 700, 0);
		close(reader);
		close(fd);
		const int second = number;

		number = 1;
		print_log(first_port);
		number = second;
	}
}

/* clang-format off */
static const struct {
	const char *name;
	void (*run)(const struct pair *);
} cases[] = {
	{ "half-open", run_half_open },
	{ "shut-reader", run_shut_reader },
	{ "waitall", run_waitall },
	{ "rcvlowat", run_rcvlowat },
	{ "trunc", run_trunc },
	{ "passed", run_passed },
	{ "shared-readers", run_shared_readers },
	{ "shared-writers", run_shared_writers },
	{ "urgent", run_urgent },
	{ "zerocopy-receive", run_zerocopy_receive },
	{ "vmsplice", run_vmsplice },
	{ "sockmap", run_sockmap },
};
/* clang-format on */

static void run_case(const char *name)
{
	struct pair pair;

	number = 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strcmp(cases[i].name, name))
			continue;
		pair = open_pair(0);
		cases[i].run(&pair);
		print_log(port_of(pair.writer));
		exit(0);
	}
	if (!strcmp(name, "fast-open"))
		run_fast_open();
	else if (!strcmp(name, "reset-again") || !strcmp(name, "wait-again"))
		run_again(!strcmp(name, "reset-again"));
	else
		exit(2);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	address = argv[2];
	port = atoi(argv[3]);
	share_log();
	fill_source();
	run_case(argv[1]);
	return 0;
}
