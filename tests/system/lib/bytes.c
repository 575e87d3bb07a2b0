// SPDX-License-Identifier: GPL-2.0
/*
 * bytes.c - write and read TCP streams, and log each call
 *
 * usage: bytes write ADDRESS PORT TOTAL SIZE PAUSE_US CALLS [CONNECTIONS]
 *        bytes read PORT SIZE PAUSE_US CALLS [CONNECTIONS]
 *
 * Each connection has a writing and a reading process. The bytes have the values of their offsets, and the
 * reader checks them. Each line of the log on standard output has these fields: "write" or "read", the local
 * port of the writer, the offset and the length in the stream, the times before and after the call in
 * nanoseconds, and the letter of the call.
 *
 * SIZE and PAUSE_US are limits: each call has a random size, and a random pause follows. CALLS are letters of
 * calls, from which the program chooses one at random each time:
 *
 *   writing: w write, s send, m sendmsg, v writev, f sendfile, x splice, z send with MSG_ZEROCOPY,
 *            o send with MSG_MORE, n send with MSG_DONTWAIT, k write after a TLS control record, u io_uring
 *   reading: r read, c recv, m recvmsg, p recv with MSG_PEEK before a read, x splice,
 *            k recvmsg with the type of the TLS record, u io_uring
 *
 * Other letters change the connection: with d, the reader begins after both ends have closed the connection;
 * with t, kTLS uses TLS 1.2, and with T, TLS 1.3; with R, the reader does not check the bytes; with M, the
 * connection is MPTCP.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/tls.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "byte_log.h"

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif
#ifndef SOL_TLS
#define SOL_TLS 282
#endif
#ifndef TCP_ULP
#define TCP_ULP 31
#endif

#define MAX_SIZE (4 << 20)

static unsigned char buffer[MAX_SIZE];

static unsigned char value_at(uint64_t offset)
{
	return offset ^ offset >> 8 ^ offset >> 16;
}

static void pause_up_to(long us)
{
	if (us)
		usleep(random() % us + 1);
}

static int port_by(int fd, int (*get)(int, struct sockaddr *, socklen_t *))
{
	struct sockaddr_storage at;
	socklen_t len = sizeof(at);

	if (get(fd, (struct sockaddr *)&at, &len))
		die("port");
	return ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&at)->sin6_port :
						((struct sockaddr_in *)&at)->sin_port);
}

/*
 * Wait until the kernel reports that it has released the buffer of all zero-copy sends. Then the buffer can
 * be used again.
 */
static void wait_for_zerocopy(int fd)
{
	char control[128];
	struct msghdr msg;

	do {
		msg = (struct msghdr){ .msg_control = control, .msg_controllen = sizeof(control) };
	} while (recvmsg(fd, &msg, MSG_ERRQUEUE) < 0 && (errno == EAGAIN || errno == EINTR) &&
		 !usleep(200));
}

/* An io_uring for one request at a time. */
static struct {
	int fd;
	unsigned int *tail, *index, *done, *ended;
	struct io_uring_sqe *entry;
	struct io_uring_cqe *results;
} ring = { .fd = -1 };

static void *map_ring(size_t size, off_t offset)
{
	void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, offset);

	if (mapped == MAP_FAILED)
		die("mmap of io_uring");
	return mapped;
}

static void open_ring(void)
{
	struct io_uring_params params = { 0 };
	char *submitted, *completed;

	ring.fd = syscall(SYS_io_uring_setup, 1, &params);
	if (ring.fd < 0)
		die("io_uring_setup");
	submitted = map_ring(4096, IORING_OFF_SQ_RING);
	completed = map_ring(4096, IORING_OFF_CQ_RING);
	ring.tail = (unsigned int *)(submitted + params.sq_off.tail);
	ring.index = (unsigned int *)(submitted + params.sq_off.array);
	ring.done = (unsigned int *)(completed + params.cq_off.head);
	ring.ended = (unsigned int *)(completed + params.cq_off.tail);
	ring.results = (struct io_uring_cqe *)(completed + params.cq_off.cqes);
	ring.entry = map_ring(4096, IORING_OFF_SQES);
}

/* Send or receive through io_uring, and wait for the result. */
static ssize_t by_ring(int op, int fd, size_t len)
{
	ssize_t ret;

	if (ring.fd < 0)
		open_ring();
	*ring.entry = (struct io_uring_sqe){
		.opcode = op,
		.fd = fd,
		.addr = (uintptr_t)buffer,
		.len = len,
	};
	*ring.index = 0;
	__atomic_store_n(ring.tail, *ring.tail + 1, __ATOMIC_RELEASE);
	while (syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) {
		if (errno != EINTR)
			die("io_uring_enter");
	}
	while (__atomic_load_n(ring.ended, __ATOMIC_ACQUIRE) == *ring.done)
		;
	/* The io_uring has room for two results. */
	ret = ring.results[*ring.done & 1].res;
	__atomic_store_n(ring.done, *ring.done + 1, __ATOMIC_RELEASE);
	if (ret < 0)
		errno = -ret;
	return ret < 0 ? -1 : ret;
}

/* Let the kernel encrypt with TLS, with the same key for both directions. */
static void set_tls(int fd, const char *calls)
{
	struct tls12_crypto_info_aes_gcm_128 key = {
		.info = { strchr(calls, 'T') ? TLS_1_3_VERSION : TLS_1_2_VERSION,
			  TLS_CIPHER_AES_GCM_128 },
	};

	if (!strpbrk(calls, "tT"))
		return;
	if (setsockopt(fd, IPPROTO_TCP, TCP_ULP, "tls", sizeof("tls")) ||
	    setsockopt(fd, SOL_TLS, TLS_TX, &key, sizeof(key)) ||
	    setsockopt(fd, SOL_TLS, TLS_RX, &key, sizeof(key)))
		die("kTLS");
}

/* Send an alert, which is a TLS record without data of the application. */
static void send_control(int fd)
{
	static char alert[] = { 1, 90 };
	char control[CMSG_SPACE(1)] = { 0 };
	struct iovec part = { alert, sizeof(alert) };
	struct msghdr msg = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_TLS;
	cmsg->cmsg_type = TLS_SET_RECORD_TYPE;
	cmsg->cmsg_len = CMSG_LEN(1);
	*CMSG_DATA(cmsg) = 21;
	if (sendmsg(fd, &msg, 0) != sizeof(alert))
		die("control record");
}

/* Read data of the application, and skip other TLS records. */
static ssize_t read_data(int fd, size_t size)
{
	char control[CMSG_SPACE(1)];
	struct iovec part = { buffer, size };
	struct msghdr msg;
	ssize_t len;

	do {
		msg = (struct msghdr){
			.msg_iov = &part,
			.msg_iovlen = 1,
			.msg_control = control,
			.msg_controllen = sizeof(control),
		};
		len = recvmsg(fd, &msg, 0);
	} while (len > 0 && msg.msg_controllen && *CMSG_DATA(CMSG_FIRSTHDR(&msg)) != 23);
	return len;
}

/* Send without sleeping inside the call. */
static ssize_t send_at_once(int fd, size_t len)
{
	ssize_t sent;

	while ((sent = send(fd, buffer, len, MSG_DONTWAIT)) < 0 && errno == EAGAIN)
		usleep(300);
	return sent;
}

/* Move the bytes through a pipe. splice() may move only some of them. */
static ssize_t splice_some(int fd, size_t len)
{
	ssize_t moved;
	int ends[2];

	if (pipe(ends) || write(ends[1], buffer, len) != (ssize_t)len)
		die("pipe");
	moved = splice(ends[0], NULL, fd, NULL, len, 0);
	close(ends[0]);
	close(ends[1]);
	return moved;
}

static ssize_t write_some(int fd, int file, uint64_t offset, size_t len, char call)
{
	struct iovec part = { buffer, len },
		     parts[] = { { buffer, len / 2 }, { buffer + len / 2, len - len / 2 } };
	struct msghdr msg = { .msg_iov = &part, .msg_iovlen = 1 };
	off_t start = offset;

	switch (call) {
	case 's':
		return send(fd, buffer, len, 0);
	case 'm':
		return sendmsg(fd, &msg, 0);
	case 'v':
		return writev(fd, parts, 2);
	case 'f':
		/*
		 * The socket only refers to pages of the file, so do not overwrite earlier bytes in the file.
		 */
		if (pwrite(file, buffer, len, start) != (ssize_t)len)
			die("file");
		return sendfile(fd, file, &start, len);
	case 'x':
		return splice_some(fd, len);
	case 'z':
		return send(fd, buffer, len, MSG_ZEROCOPY);
	case 'o':
		return send(fd, buffer, len, MSG_MORE);
	case 'n':
		return send_at_once(fd, len);
	case 'u':
		return by_ring(IORING_OP_SEND, fd, len);
	}
	return write(fd, buffer, len);
}

static int connect_to(const char *address, const char *port, bool mptcp)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *to;
	int fd, on = 1;

	if (getaddrinfo(address, port, &hints, &to))
		die("address");
	fd = socket(to->ai_family, SOCK_STREAM, mptcp ? IPPROTO_MPTCP : 0);
	setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof(on));
	if (connect(fd, to->ai_addr, to->ai_addrlen))
		die("connect");
	return fd;
}

static void write_stream(const char *address, const char *port, uint64_t total, long size,
			 long pause, const char *calls)
{
	int fd = connect_to(address, port, strchr(calls, 'M')), file = memfd_create("bytes", 0);
	const int own_port = port_by(fd, getsockname);
	uint64_t offset = 0, begun;
	ssize_t len;
	char call;

	set_tls(fd, calls);
	while (offset < total) {
		call = calls[random() % strlen(calls)];
		len = random() % size + 1;
		if ((uint64_t)len > total - offset)
			len = total - offset;
		if (call == 'o' && (uint64_t)len == total - offset)
			call = 'w';
		if (call == 'k')
			send_control(fd);
		for (ssize_t i = 0; i < len; i++)
			buffer[i] = value_at(offset + i);
		begun = now();
		len = write_some(fd, file, offset, len, call);
		if (len <= 0)
			die("write");
		log_line("write", own_port, offset, len, begun, now(), call);
		offset += len;
		if (call == 'z')
			wait_for_zerocopy(fd);
		pause_up_to(pause);
	}
	shutdown(fd, SHUT_WR);
	/* Wait until the reader has closed the connection. */
	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
	close(fd);
}

static ssize_t read_some(int fd, const int *pipe, size_t len, char call)
{
	struct iovec part = { buffer, len };
	struct msghdr msg = { .msg_iov = &part, .msg_iovlen = 1 };

	switch (call) {
	case 'c':
		return recv(fd, buffer, len, 0);
	case 'm':
		return recvmsg(fd, &msg, 0);
	case 'u':
		return by_ring(IORING_OP_RECV, fd, len);
	case 'k':
		return read_data(fd, len);
	case 'x':
		return splice(fd, NULL, pipe[1], NULL, len, 0);
	}
	return read(fd, buffer, len);
}

static void check_bytes(uint64_t offset, ssize_t len)
{
	for (ssize_t i = 0; i < len; i++) {
		if (buffer[i] == value_at(offset + i))
			continue;
		fprintf(stderr, "byte %llu is wrong\n", (unsigned long long)(offset + i));
		exit(1);
	}
}

/*
 * Close the writing direction of the connection, and wait until the other end has closed its direction, too.
 */
static void close_both(int fd)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);

	shutdown(fd, SHUT_WR);
	do {
		if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
			die("TCP_INFO");
		usleep(1000);
	} while (info.tcpi_state != TCP_CLOSE);
}

static void read_stream(int fd, long size, long pause, const char *calls)
{
	const int port = port_by(fd, getpeername);
	uint64_t offset = 0, begun;
	int pipes[2];
	ssize_t len;
	char call;

	if (pipe(pipes))
		die("pipe");
	if (strchr(calls, 'd'))
		close_both(fd);
	set_tls(fd, calls);
	for (;;) {
		/* Only the call "k" can receive control records, so use no other call with it. */
		call = strchr(calls, 'k') ? 'k' : calls[random() % strlen(calls)];
		if (call == 'p')
			recv(fd, buffer, random() % size + 1, MSG_PEEK);
		begun = now();
		len = read_some(fd, pipes, random() % size + 1, call);
		if (len < 0)
			die("read");
		if (!len)
			break;
		log_line("read", port, offset, len, begun, now(), call);
		for (ssize_t got = 0; call == 'x' && got < len;)
			got += read(pipes[0], buffer + got, len - got);
		if (!strchr(calls, 'R'))
			check_bytes(offset, len);
		offset += len;
		pause_up_to(pause);
	}
	close(fd);
}

static int listen_at(int port, bool mptcp)
{
	struct sockaddr_in6 at = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	int listener = socket(AF_INET6, SOCK_STREAM, mptcp ? IPPROTO_MPTCP : 0), on = 1;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(listener, (struct sockaddr *)&at, sizeof(at)) || listen(listener, 1000))
		die("listen");
	return listener;
}

/* Return: 0 if all child processes have succeeded. */
static int wait_for_children(void)
{
	int status, failed = 0;

	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

static int run_writers(char **argv, int connections)
{
	for (int i = 0; i < connections; i++) {
		if (fork())
			continue;
		srandom(i + 1);
		write_stream(argv[0], argv[1], strtoull(argv[2], NULL, 0), atol(argv[3]),
			     atol(argv[4]), argv[5]);
		exit(0);
	}
	return wait_for_children();
}

static int run_readers(char **argv, int connections)
{
	const int listener = listen_at(atoi(argv[0]), strchr(argv[3], 'M'));
	int fd;

	for (int i = 0; i < connections; i++) {
		fd = accept(listener, NULL, NULL);
		if (fd < 0)
			die("accept");
		if (!fork()) {
			srandom(i + 1);
			read_stream(fd, atol(argv[1]), atol(argv[2]), argv[3]);
			exit(0);
		}
		close(fd);
	}
	return wait_for_children();
}

int main(int argc, char **argv)
{
	if (argc >= 8 && !strcmp(argv[1], "write") && atol(argv[5]) <= MAX_SIZE)
		return run_writers(argv + 2, argc > 8 ? atoi(argv[8]) : 1);
	if (argc >= 6 && !strcmp(argv[1], "read") && atol(argv[3]) <= MAX_SIZE)
		return run_readers(argv + 2, argc > 6 ? atoi(argv[6]) : 1);
	return 2;
}
