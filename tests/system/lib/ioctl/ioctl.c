// SPDX-License-Identifier: GPL-2.0
/*
 * ioctl - make calls of /dev/record_skb that trace-cmd record-skb would never make
 *
 * ioctl cycle N [ring]
 *     claim, arm and disarm N times, and open the device again each time; with "ring", any packet ends a ring
 * ioctl misuse
 *     make calls that must fail, and check the error
 * ioctl fault
 *     make calls with memory that is not present, and check that other calls do not wait for this memory
 * ioctl fuzz N
 *     make N calls with random numbers and random memory
 * ioctl hold [FUNC ARG FLAGS]
 *     stay armed until the end of standard input, with FUNC as one more probe point; then print how many
 *     packets matched, and how many of them could not be tracked
 * ioctl wait
 *     wait until no session is being armed or disarmed; exit with status 0 if a process then holds the device
 * ioctl only PORT N
 *     arm and disarm N times, with a filter for IPv4 packets from or to PORT
 * ioctl follow PID
 *     follow the process PID and its children, without a filter; for each line of standard input, print how
 *     many packets matched, and how many flows were given up
 *
 * The exit status is 0 if everything went as described.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ioctl.h"

#define DEVICE_MSEC 10000 /* time limit for opening the device */

/* A BPF program that accepts TCP and UDP: ip[9] == 6 or 17, counted from the network header. */
static struct sock_filter tcp_or_udp[] = {
	{ 0x30, 0, 0, 0xfff00000 + 9 }, { 0x15, 1, 0, 6 }, { 0x15, 0, 1, 17 },
	{ 0x06, 0, 0, 0xffff },		{ 0x06, 0, 0, 0 },
};

const struct record_skb_filter filter = {
	.raw = (unsigned long)tcp_or_udp,
	.raw_len = sizeof(tcp_or_udp) / sizeof(tcp_or_udp[0]),
};

const struct record_skb_point points[NR_POINTS] = {
	{ .func = "ip_rcv", .dir = RECORD_SKB_DIR_RX },
	{ .func = "__ip_local_out", .arg = 2, .dir = RECORD_SKB_DIR_TX },
	{ .func = "__dev_queue_xmit", .dir = RECORD_SKB_DIR_TX },
	{ .func = "tcp_recvmsg", .kind = RECORD_SKB_KIND_SOCK, .dir = RECORD_SKB_DIR_RX },
};

int failed;

void expect(const char *what, int ret, int want)
{
	int got = ret < 0 ? errno : 0;

	if (got == want)
		return;
	printf("%s: %s, wanted: %s\n", what, strerror(got), strerror(want));
	failed = 1;
}

int open_device(void)
{
	int fd, tries = DEVICE_MSEC;

	while ((fd = open(RECORD_SKB_DEVICE, O_RDWR)) < 0 && tries-- &&
	       (errno == ENOENT || errno == ENODEV || errno == ENXIO))
		usleep(1000);
	if (fd < 0) {
		perror(RECORD_SKB_DEVICE);
		exit(1);
	}
	return fd;
}

/*
 * Function addresses, in the form that trace-cmd record-skb stores in /run. They make arming much faster,
 * because looking up functions takes most of the time.
 */
static unsigned long long known[RECORD_SKB_MAX_ADDRESSES];
static unsigned int nr_known;

static void learn(int fd)
{
	struct record_skb_function function = { 0 };

	for (;
	     nr_known < RECORD_SKB_MAX_ADDRESSES && !ioctl(fd, RECORD_SKB_GET_FUNCTION, &function);
	     function.index++)
		known[nr_known++] = function.address;
}

void set_up(int fd)
{
	const struct record_skb_options options = { .flags = RECORD_SKB_OPT_PAUSE };
	const struct record_skb_addresses addresses = {
		.functions = (unsigned long)known,
		.nr_functions = nr_known,
	};

	expect("CLAIM", ioctl(fd, RECORD_SKB_CLAIM), 0);
	if (nr_known)
		expect("SET_ADDRESSES", ioctl(fd, RECORD_SKB_SET_ADDRESSES, &addresses), 0);
	expect("SET_FILTER", ioctl(fd, RECORD_SKB_SET_FILTER, &filter), 0);
	expect("SET_OPTIONS", ioctl(fd, RECORD_SKB_SET_OPTIONS, &options), 0);
	for (size_t i = 0; i < NR_POINTS; i++)
		expect(points[i].func, ioctl(fd, RECORD_SKB_ADD_POINT, &points[i]), 0);
}

/* Set a ring that any packet ends: the time limit is so short that each packet exceeds it. */
static void set_ring(int fd)
{
	const struct record_skb_ring ring = {
		.on = 1 << RECORD_SKB_BY_DROP | 1 << RECORD_SKB_BY_SLOW | 1 << RECORD_SKB_BY_MATCH |
		      1 << RECORD_SKB_BY_UNANSWERED,
		.slower_ns = 1,
		.unanswered_ns = 1,
		.match = filter,
	};

	expect("SET_RING", ioctl(fd, RECORD_SKB_SET_RING, &ring), 0);
}

static void cycle(int n, bool ring)
{
	unsigned long long hits = 0, ended = 0;

	while (n-- && !failed) {
		struct record_skb_stats stats = { 0 };
		int fd = open_device();

		set_up(fd);
		if (!nr_known)
			learn(fd);
		if (ring)
			set_ring(fd);
		expect("ARM", ioctl(fd, RECORD_SKB_ARM), 0);
		usleep(20000);
		/* In rounds with an even number, close() has to disarm the session. */
		if (n & 1)
			expect("DISARM", ioctl(fd, RECORD_SKB_DISARM), 0);
		expect("GET_STATS", ioctl(fd, RECORD_SKB_GET_STATS, &stats), 0);
		hits += stats.hits;
		ended += stats.by != RECORD_SKB_BY_NOBODY;
		close(fd);
		/*
		 * Sometimes pause, with the device closed. The pause is so long that another process can
		 * unload the module even on a busy machine.
		 */
		if (n % 20 == 0)
			usleep(1000000);
	}
	printf("%llu matches\n", hits);
	if (ring)
		printf("%llu rings ended by a packet\n", ended);
}

static void fuzz(int n)
{
	static const unsigned int calls[] = {
		RECORD_SKB_GET_INFO,	RECORD_SKB_CLAIM,	RECORD_SKB_SET_FILTER,
		RECORD_SKB_ADD_POINT,	RECORD_SKB_SET_OPTIONS, RECORD_SKB_FOLLOW,
		RECORD_SKB_ARM,		RECORD_SKB_DISARM,	RECORD_SKB_GET_STATS,
		RECORD_SKB_SET_RING,	RECORD_SKB_SET_GRAPH,	RECORD_SKB_SET_ADDRESSES,
		RECORD_SKB_SET_RESTORE, RECORD_SKB_GET_SLOT0,
	};
	unsigned char memory[1024];
	int fd = open_device();

	set_up(fd);
	learn(fd);
	srandom(n);
	while (n--) {
		for (size_t i = 0; i < sizeof(memory); i++)
			memory[i] = random() & (random() & 1 ? 0xff : 0x03);
		/*
		 * Sometimes begin the memory with the address of a valid filter program. Everything after
		 * the address stays random.
		 */
		if (random() & 1)
			memcpy(memory, &filter, 8);
		ioctl(fd, random() % 8 ? calls[random() % 13] : (unsigned int)random(),
		      random() % 8 ? (void *)memory : (void *)(unsigned long)random());
		if (random() % 64)
			continue;
		close(fd);
		fd = open_device();
		set_up(fd);
	}
	close(fd);
}

static void hold(char **more)
{
	struct record_skb_stats stats = { 0 };
	int fd = open_device();
	char byte;

	set_up(fd);
	if (more[0] && more[1] && more[2]) {
		struct record_skb_point point = { .arg = atoi(more[1]), .flags = atoi(more[2]) };

		strncpy(point.func, more[0], sizeof(point.func) - 1);
		expect(more[0], ioctl(fd, RECORD_SKB_ADD_POINT, &point), 0);
	}
	expect("ARM", ioctl(fd, RECORD_SKB_ARM), 0);
	while (read(STDIN_FILENO, &byte, 1) == 1)
		;
	expect("GET_STATS", ioctl(fd, RECORD_SKB_GET_STATS, &stats), 0);
	printf("%llu %llu\n", (unsigned long long)stats.packets,
	       (unsigned long long)stats.lost_tracked);
}

/*
 * Wait until no session is being armed or disarmed. The ioctl below waits for this, because the module
 * handles one request at a time.
 */
static void wait_for_session(void)
{
	struct record_skb_info info = { 0 };
	int fd = open(RECORD_SKB_DEVICE, O_RDWR);

	failed = fd < 0 || ioctl(fd, RECORD_SKB_GET_INFO, &info) || !info.holder_pid;
}

static void only(unsigned int port, int n)
{
	struct sock_filter program[] = {
		{ 0x30, 0, 0, 0xfff00000 + 9 }, /* the protocol: TCP or UDP */
		{ 0x15, 1, 0, 6 },
		{ 0x15, 0, 8, 17 },
		{ 0x28, 0, 0, 0xfff00000 + 6 }, /* not a later fragment */
		{ 0x45, 6, 0, 0x1fff },
		{ 0xb1, 0, 0, 0xfff00000 }, /* after the IP header */
		{ 0x48, 0, 0, 0xfff00000 },
		{ 0x15, 2, 0, port },
		{ 0x48, 0, 0, 0xfff00000 + 2 },
		{ 0x15, 0, 1, port },
		{ 0x06, 0, 0, 0xffff },
		{ 0x06, 0, 0, 0 },
	};
	const struct record_skb_filter port_only = {
		.raw = (unsigned long)program,
		.raw_len = sizeof(program) / sizeof(program[0]),
	};
	const struct record_skb_point more[] = {
		{ .func = "tcp_v4_do_rcv", .arg = 1, .flags = RECORD_SKB_POINT_NO_DEV },
		{ .func = "udp_rcv" },
		{ .func = "dev_hard_start_xmit", .flags = RECORD_SKB_POINT_CARRIER },
	};

	while (n-- && !failed) {
		int fd = open_device();

		set_up(fd);
		expect("SET_FILTER", ioctl(fd, RECORD_SKB_SET_FILTER, &port_only), 0);
		for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
			expect(more[i].func, ioctl(fd, RECORD_SKB_ADD_POINT, &more[i]), 0);
		expect("ARM", ioctl(fd, RECORD_SKB_ARM), 0);
		usleep(100000);
		close(fd);
	}
}

static void follow(int pid)
{
	const struct record_skb_options options = { .flags = RECORD_SKB_OPT_FOLLOW };
	const struct record_skb_filter none = { 0 };
	const struct record_skb_follow task = { .pid = pid };
	struct record_skb_point sender = points[1];
	struct record_skb_stats stats;
	int fd = open_device(), c;

	sender.flags = RECORD_SKB_POINT_SENDER;
	expect("CLAIM", ioctl(fd, RECORD_SKB_CLAIM), 0);
	expect("ip_rcv", ioctl(fd, RECORD_SKB_ADD_POINT, &points[0]), 0);
	expect("__ip_local_out", ioctl(fd, RECORD_SKB_ADD_POINT, &sender), 0);
	expect("SET_FILTER", ioctl(fd, RECORD_SKB_SET_FILTER, &none), 0);
	expect("SET_OPTIONS", ioctl(fd, RECORD_SKB_SET_OPTIONS, &options), 0);
	expect("FOLLOW", ioctl(fd, RECORD_SKB_FOLLOW, &task), 0);
	expect("ARM", ioctl(fd, RECORD_SKB_ARM), 0);
	while ((c = getchar()) != EOF) {
		if (c != '\n')
			continue;
		expect("GET_STATS", ioctl(fd, RECORD_SKB_GET_STATS, &stats), 0);
		printf("%llu %llu\n", (unsigned long long)stats.packets,
		       (unsigned long long)stats.lost_flows);
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (!strcmp(what, "cycle"))
		cycle(n, argc > 3 && !strcmp(argv[3], "ring"));
	else if (!strcmp(what, "misuse"))
		misuse();
	else if (!strcmp(what, "fault"))
		call_without_page();
	else if (!strcmp(what, "fuzz"))
		fuzz(n);
	else if (!strcmp(what, "wait"))
		wait_for_session();
	else if (!strcmp(what, "only"))
		only(n, argc > 3 ? atoi(argv[3]) : 1);
	else if (!strcmp(what, "follow"))
		follow(n);
	else if (!strcmp(what, "hold"))
		hold(argv + 2);
	else
		return 2;
	return failed;
}
