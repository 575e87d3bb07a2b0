// SPDX-License-Identifier: GPL-2.0
/*
 * ioctl - make calls of /dev/record_skb that trace-cmd record-skb would never make
 *
 * ioctl cycle N [ring]
 *     claim, arm and disarm N times, and open the device again each time; with "ring", any packet ends a ring
 * ioctl misuse
 *     make calls that must fail, and check the error
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
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record_skb.h"

#define DEVICE_MSEC 10000 /* time limit for opening the device */

/* A BPF program that accepts TCP and UDP: ip[9] == 6 or 17, counted from the network header. */
static struct sock_filter tcp_or_udp[] = {
	{ 0x30, 0, 0, 0xfff00000 + 9 }, { 0x15, 1, 0, 6 }, { 0x15, 0, 1, 17 },
	{ 0x06, 0, 0, 0xffff },		{ 0x06, 0, 0, 0 },
};

static const struct record_skb_filter filter = {
	.raw = (unsigned long)tcp_or_udp,
	.raw_len = sizeof(tcp_or_udp) / sizeof(tcp_or_udp[0]),
};

static const struct record_skb_point points[] = {
	{ .func = "ip_rcv", .dir = RECORD_SKB_DIR_RX },
	{ .func = "__ip_local_out", .arg = 2, .dir = RECORD_SKB_DIR_TX },
	{ .func = "__dev_queue_xmit", .dir = RECORD_SKB_DIR_TX },
	{ .func = "tcp_recvmsg", .kind = RECORD_SKB_KIND_SOCK, .dir = RECORD_SKB_DIR_RX },
};

static int failed;

static void expect(const char *what, int ret, int want)
{
	int got = ret < 0 ? errno : 0;

	if (got == want)
		return;
	printf("%s: %s, wanted: %s\n", what, strerror(got), strerror(want));
	failed = 1;
}

/* Open the device. If another process is just reloading the module, wait until the device exists. */
static int open_device(void)
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

static void set_up(int fd)
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
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
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
		 * Sometimes leave the module unused. The pause must be so long that another process can
		 * unload it on a busy machine.
		 */
		if (n % 20 == 0)
			usleep(1000000);
	}
	printf("%llu matches\n", hits);
	if (ring)
		printf("%llu rings ended by a packet\n", ended);
}

/*
 * Add probe points that the module must refuse: the function has no such argument, or a gate cannot replace
 * it.
 */
static void misuse_points(int fd)
{
	static const struct record_skb_point wrong[] = {
		{ .func = "ksys_read" },
		{ .func = "ksys_read", .kind = RECORD_SKB_KIND_SOCK, .arg = 1 },
		{ .func = "tcp_v4_rcv", .kind = RECORD_SKB_KIND_SOCK },
		{ .func = "ip_output", .arg = 1 },
		{ .func = "tcp_sendmsg", .arg = 5, .kind = RECORD_SKB_KIND_SOCK },
		/* these flags ask for a message or an address, which the function does not have */
		{ .func = "tcp_close", .kind = RECORD_SKB_KIND_SOCK, .flags = RECORD_SKB_POINT_MSG },
		{ .func = "tcp_close",
		  .kind = RECORD_SKB_KIND_SOCK,
		  .flags = RECORD_SKB_POINT_PEER },
		{ .func = "__sys_bind", .kind = RECORD_SKB_KIND_FAMILY },
		/* nine arguments */
		{ .func = "ip_append_data", .kind = RECORD_SKB_KIND_SOCK },
		/*
		 * The module must refuse these functions. Their socket is not initialised yet, or they never
		 * return, or their argument is a pointer to user space.
		 */
		{ .func = "security_sk_alloc", .kind = RECORD_SKB_KIND_SOCK },
		{ .func = "do_group_exit", .kind = RECORD_SKB_KIND_FD },
		{ .func = "__sys_connect",
		  .kind = RECORD_SKB_KIND_FD,
		  .flags = RECORD_SKB_POINT_PEER },
		{ .func = "____sys_recvmsg",
		  .kind = RECORD_SKB_KIND_SOCKET,
		  .flags = RECORD_SKB_POINT_MSG },
		/* a BPF program can make the kernel skip this function */
		{ .func = "security_socket_sendmsg", .kind = RECORD_SKB_KIND_SOCKET },
		/* this function's list has no packets */
		{ .func = "dev_deactivate_many", .kind = RECORD_SKB_KIND_LIST },
		/* these functions get a packet that is already freed */
		{ .func = "kfree_skbmem" },
		{ .func = "skb_release_head_state" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		expect(wrong[i].func, ioctl(fd, RECORD_SKB_ADD_POINT, &wrong[i]), EPROTOTYPE);
}

static void misuse_rings(int fd)
{
	const __u32 drop = 1 << RECORD_SKB_BY_DROP, slow = 1 << RECORD_SKB_BY_SLOW;
	struct record_skb_ring unended = { .on = drop, .nr_reasons = 1 };
	const struct {
		const char *what;
		struct record_skb_ring ring;
		int error;
	} wrong[] = {
		{ "an unknown trigger", { .on = 1 << 7 }, EINVAL },
		{ "no trigger", { .on = 1 << RECORD_SKB_BY_NOBODY }, EINVAL },
		{ "a limit of zero", { .on = slow }, EINVAL },
		{ "a limit without its trigger", { .on = drop, .slower_ns = 1 }, EINVAL },
		{ "an answer time of zero", { .on = 1 << RECORD_SKB_BY_UNANSWERED }, EINVAL },
		{ "an answer time without its trigger",
		  { .on = slow, .slower_ns = 1, .unanswered_ns = 1 },
		  EINVAL },
		{ "too slow", { .on = slow, .slower_ns = RECORD_SKB_MAX_SLOWER_NS + 1 }, EINVAL },
		{ "too long a time after the trigger",
		  { .on = drop, .after_ns = RECORD_SKB_MAX_AFTER_NS + 1 },
		  EINVAL },
		{ "too many reasons",
		  { .on = drop, .nr_reasons = RECORD_SKB_MAX_REASONS + 1 },
		  EINVAL },
		{ "an unknown reason",
		  { .on = drop, .nr_reasons = 1, .reasons = { "NONE_SUCH" } },
		  ENOENT },
		{ "too many terms in a match",
		  { .match.nr_terms = RECORD_SKB_MAX_TERMS + 1 },
		  EINVAL },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		expect(wrong[i].what, ioctl(fd, RECORD_SKB_SET_RING, &wrong[i].ring),
		       wrong[i].error);
	memset(unended.reasons[0], 0x78, sizeof(unended.reasons[0]));
	expect("an unterminated reason", ioctl(fd, RECORD_SKB_SET_RING, &unended), EINVAL);
}

static void misuse_terms(int fd)
{
	const struct record_skb_term wrong[] = {
		{ .kind = 9, .ends = RECORD_SKB_END_SRC },
		{ .hi = 1 },
		{ .ends = 4 },
		{ .ends = RECORD_SKB_END_DST, .more = 1 },
		{ .ends = RECORD_SKB_END_DST, .family = 1 },
		{ .ends = RECORD_SKB_END_DST, .lo = 2, .hi = 1 },
		{ .kind = RECORD_SKB_TERM_IPV4, .ends = RECORD_SKB_END_DST, .address = { 1 } },
	};
	struct record_skb_filter bad = filter;

	bad.nr_terms = 1;
	bad.terms = 8;
	expect("terms nowhere", ioctl(fd, RECORD_SKB_SET_FILTER, &bad), EFAULT);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		bad.terms = (unsigned long)&wrong[i];
		expect("a wrong term", ioctl(fd, RECORD_SKB_SET_FILTER, &bad), EINVAL);
	}
	bad.nr_terms = RECORD_SKB_MAX_TERMS + 1;
	expect("too many terms", ioctl(fd, RECORD_SKB_SET_FILTER, &bad), EINVAL);
}

/* Test calls that work only on some kernels: the module must be able to call function_graph. */
static void misuse_functions(int fd)
{
	struct record_skb_function function = { .flags = 2 };

	expect("an unknown flag", ioctl(fd, RECORD_SKB_GET_FUNCTION, &function), EINVAL);
	function.flags = 0;
	expect("the first function", ioctl(fd, RECORD_SKB_GET_FUNCTION, &function), 0);
	if (!function.address) {
		printf("the first function has no address\n");
		failed = 1;
	}
	function.flags = RECORD_SKB_FUNCTION_ALONE;
	function.address++;
	if (!ioctl(fd, RECORD_SKB_GET_FUNCTION, &function) || errno != EOPNOTSUPP)
		expect("a function that is not at this index",
		       ioctl(fd, RECORD_SKB_GET_FUNCTION, &function), EAGAIN);
	function.flags = 0;
	function.index = 1 << 30;
	expect("a function beyond the last", ioctl(fd, RECORD_SKB_GET_FUNCTION, &function), ERANGE);
}

static void misuse_addresses(int fd)
{
	const unsigned long long wrong[] = { 8, ~0ULL };
	struct record_skb_addresses addresses = { .functions = (unsigned long)wrong };

	expect("no addresses", ioctl(fd, RECORD_SKB_SET_ADDRESSES, &addresses), EINVAL);
	addresses.nr_functions = 2;
	expect("addresses of no function", ioctl(fd, RECORD_SKB_SET_ADDRESSES, &addresses), EINVAL);
	addresses.reserved = 1;
	expect("addresses and more", ioctl(fd, RECORD_SKB_SET_ADDRESSES, &addresses), EINVAL);
	addresses.reserved = 0;
	addresses.functions = 8;
	expect("addresses nowhere", ioctl(fd, RECORD_SKB_SET_ADDRESSES, &addresses), EFAULT);
	addresses.nr_functions = RECORD_SKB_MAX_ADDRESSES + 1;
	expect("too many addresses", ioctl(fd, RECORD_SKB_SET_ADDRESSES, &addresses), EINVAL);
}

static void misuse_graph(int fd)
{
	const unsigned long long one = 8;
	struct record_skb_graph graph = { .functions = (unsigned long)&one, .nr_functions = 1 };

	if (ioctl(fd, RECORD_SKB_SET_GRAPH, &graph) && errno == EOPNOTSUPP)
		return;
	expect("a function without ftrace site", ioctl(fd, RECORD_SKB_SET_GRAPH, &graph), EINVAL);
	graph.functions = 8;
	expect("functions nowhere", ioctl(fd, RECORD_SKB_SET_GRAPH, &graph), EFAULT);
	graph.flags = 2;
	expect("an unknown flag of a graph", ioctl(fd, RECORD_SKB_SET_GRAPH, &graph), EINVAL);
	graph = (struct record_skb_graph){ .flags = RECORD_SKB_GRAPH_LATER };
	expect("a graph without functions", ioctl(fd, RECORD_SKB_SET_GRAPH, &graph), EINVAL);
}

/* Pass one setting for RESTORE, with an error in @setting or @flags. */
static int set_restore(int fd, struct record_skb_setting setting, unsigned int flags)
{
	static void *memory;
	struct record_skb_restore restore = {
		.settings = (unsigned long)&setting,
		.nr_settings = 1,
		.memory_size = 4096,
		.flags = flags,
	};

	if (!memory)
		memory =
			mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	restore.memory = (unsigned long)memory;
	return ioctl(fd, RECORD_SKB_SET_RESTORE, &restore);
}

static int add_process(int fd, int pid, int signal)
{
	const struct record_skb_process process = { .pid = pid, .signal = signal };

	return ioctl(fd, RECORD_SKB_ADD_PROCESS, &process);
}

static void misuse_restore(int fd)
{
	const int null = open("/dev/null", O_PATH), dir = open("/sys/kernel/tracing", O_PATH);
	const int file = open("/sys/kernel/tracing/tracing_on", O_PATH);
	struct record_skb_restore restore = { 0 };
	struct record_skb_setting good = { .fd = file, .text = (unsigned long)"1", .length = 1 };
	struct record_skb_setting bad = good;
	const struct record_skb_setting name = { .flags = RECORD_SKB_SETTING_INSTANCE,
						 .text = (unsigned long)"a/b",
						 .length = 4 };
	struct record_skb_setting open_end = name;

	expect("nothing to restore", ioctl(fd, RECORD_SKB_SET_RESTORE, &restore), 0);
	expect("a process and no settings", add_process(fd, 0, 0), ENOENT);
	restore.nr_settings = 1;
	expect("no memory", ioctl(fd, RECORD_SKB_SET_RESTORE, &restore), EINVAL);
	restore.memory_size = 4096;
	expect("settings nowhere", ioctl(fd, RECORD_SKB_SET_RESTORE, &restore), EFAULT);
	restore.nr_settings = RECORD_SKB_MAX_SETTINGS + 1;
	expect("too many settings", ioctl(fd, RECORD_SKB_SET_RESTORE, &restore), EINVAL);
	expect("settings of those that share", set_restore(fd, good, RECORD_SKB_RESTORE_SHARED),
	       EINVAL);
	expect("settings with another flag", set_restore(fd, good, 2), EINVAL);
	bad.fd = -1;
	expect("a setting without a file", set_restore(fd, bad, 0), EBADF);
	bad.fd = null;
	expect("a file that is not of tracefs", set_restore(fd, bad, 0), EINVAL);
	bad.fd = dir;
	expect("a directory", set_restore(fd, bad, 0), EINVAL);
	bad = good;
	bad.flags = 1 << 4;
	expect("a setting with another flag", set_restore(fd, bad, 0), EINVAL);
	bad = good;
	bad.text = 8;
	expect("a text nowhere", set_restore(fd, bad, 0), EFAULT);
	bad.length = 1 << 30;
	expect("a long text", set_restore(fd, bad, 0), EINVAL);
	expect("a name with a slash", set_restore(fd, name, 0), EINVAL);
	open_end.length = 1;
	expect("a name without an end", set_restore(fd, open_end, 0), EINVAL);
	expect("a setting", set_restore(fd, good, 0), 0);
	expect("a process", add_process(fd, 0, 0), 0);
	expect("a process that is not there", add_process(fd, 1 << 30, 0), ESRCH);
	expect("a process below 0", add_process(fd, -1, 0), EINVAL);
	expect("no signal", add_process(fd, 0, 1000), EINVAL);
	restore.nr_settings = 0;
	expect("forgotten", ioctl(fd, RECORD_SKB_SET_RESTORE, &restore), 0);
	close(file);
	close(dir);
	close(null);
}

/*
 * The module must refuse these BPF programs. They read the device through a pointer that has another meaning
 * at some probe points.
 */
static void misuse_programs(int fd)
{
	static const int beside[] = {
		SKF_AD_IFINDEX, SKF_AD_HATYPE, SKF_AD_NLATTR, SKF_AD_NLATTR_NEST, SKF_AD_PAY_OFFSET,
	};
	struct sock_filter program[] = {
		{ BPF_LD | BPF_W | BPF_ABS, 0, 0, 0 },
		{ BPF_RET | BPF_A, 0, 0, 0 },
	};
	struct record_skb_filter bad = { .raw = (unsigned long)program, .raw_len = 2 };

	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		program[0].k = SKF_AD_OFF + beside[i];
		expect("a program that reads the device", ioctl(fd, RECORD_SKB_SET_FILTER, &bad),
		       EINVAL);
	}
}

static void misuse(void)
{
	struct record_skb_point point = { .func = "no_such_function" };
	struct record_skb_options options = { 0 };
	struct record_skb_follow follow = { .pid = 1 << 30 };
	struct record_skb_filter bad = filter;
	struct record_skb_ring ring = { 0 };
	unsigned int slot0;
	struct record_skb_info info;
	int fd = open_device(), second = open_device();

	expect("ARM without CLAIM", ioctl(fd, RECORD_SKB_ARM), ENOLCK);
	expect("DISARM without CLAIM", ioctl(fd, RECORD_SKB_DISARM), ENOLCK);
	expect("ADD_POINT without CLAIM", ioctl(fd, RECORD_SKB_ADD_POINT, &points[0]), ENOLCK);
	expect("FOLLOW without CLAIM", ioctl(fd, RECORD_SKB_FOLLOW, &follow), ENOLCK);
	expect("GET_SLOT0 without CLAIM", ioctl(fd, RECORD_SKB_GET_SLOT0, &slot0), ENOLCK);
	set_up(fd);
	expect("second CLAIM", ioctl(second, RECORD_SKB_CLAIM), EBUSY);
	expect("GET_INFO", ioctl(second, RECORD_SKB_GET_INFO, &info), 0);
	expect("GET_SLOT0", ioctl(fd, RECORD_SKB_GET_SLOT0, &slot0), 0);
	if (info.abi != RECORD_SKB_ABI || info.holder_pid != getpid() ||
	    strcmp(info.holder_comm, "ioctl")) {
		printf("the device is held by %s, pid %d\n", info.holder_comm, info.holder_pid);
		failed = 1;
	}
	expect("the same probe point twice", ioctl(fd, RECORD_SKB_ADD_POINT, &points[0]), EEXIST);
	expect("no such function", ioctl(fd, RECORD_SKB_ADD_POINT, &point), ENOENT);
	strcpy(point.func, "schedule_timeout");
	point.arg = 6;
	expect("the seventh argument", ioctl(fd, RECORD_SKB_ADD_POINT, &point), EINVAL);
	point.arg = 0;
	memset(point.func, 'x', sizeof(point.func));
	expect("an unterminated name", ioctl(fd, RECORD_SKB_ADD_POINT, &point), EINVAL);
	misuse_points(fd);
	misuse_rings(fd);
	strcpy(point.func, "trace_graph_entry");
	expect("the tracer itself", ioctl(fd, RECORD_SKB_ADD_POINT, &point), EOPNOTSUPP);
	options.flags = 1u << 31;
	expect("an unknown option", ioctl(fd, RECORD_SKB_SET_OPTIONS, &options), EINVAL);
	options.flags = 0;
	options.nr_marks = 1;
	options.marks[0].value = 1;
	options.marks[0].mask = 2;
	expect("a mark outside its mask", ioctl(fd, RECORD_SKB_SET_OPTIONS, &options), EINVAL);
	options.nr_marks = RECORD_SKB_MAX_MARKS + 1;
	expect("too many marks", ioctl(fd, RECORD_SKB_SET_OPTIONS, &options), EINVAL);
	options.nr_marks = 0;
	options.nr_where = RECORD_SKB_MAX_WHERE + 1;
	expect("too many places", ioctl(fd, RECORD_SKB_SET_OPTIONS, &options), EINVAL);
	misuse_terms(fd);
	bad.raw = 8;
	expect("a program at an unmapped address", ioctl(fd, RECORD_SKB_SET_FILTER, &bad), EFAULT);
	bad.raw = filter.raw;
	bad.raw_len = 2;
	expect("a program that does not return", ioctl(fd, RECORD_SKB_SET_FILTER, &bad), EINVAL);
	misuse_programs(fd);
	misuse_restore(fd);
	misuse_functions(fd);
	misuse_addresses(fd);
	misuse_graph(fd);
	expect("no such process", ioctl(fd, RECORD_SKB_FOLLOW, &follow), ESRCH);
	expect("an unknown call", ioctl(fd, _IO(RECORD_SKB_IOC, 99)), ENOTTY);
	expect("somebody else's call", ioctl(fd, _IO('T', 1)), ENOTTY);
	expect("ARM", ioctl(fd, RECORD_SKB_ARM), 0);
	expect("ARM twice", ioctl(fd, RECORD_SKB_ARM), EALREADY);
	expect("SET_FILTER while armed", ioctl(fd, RECORD_SKB_SET_FILTER, &filter), EBUSY);
	expect("SET_RING while armed", ioctl(fd, RECORD_SKB_SET_RING, &ring), EBUSY);
	expect("SET_GRAPH while armed",
	       ioctl(fd, RECORD_SKB_SET_GRAPH, &(struct record_skb_graph){}), EBUSY);
	expect("ADD_POINT while armed", ioctl(fd, RECORD_SKB_ADD_POINT, &points[0]), EBUSY);
	expect("DISARM", ioctl(fd, RECORD_SKB_DISARM), 0);
	expect("DISARM twice", ioctl(fd, RECORD_SKB_DISARM), 0);
	close(fd);
	expect("CLAIM after it was released", ioctl(second, RECORD_SKB_CLAIM), 0);
	expect("ARM without a point", ioctl(second, RECORD_SKB_ARM), EINVAL);
	close(second);
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
		/* Sometimes pass a valid address of a filter with a meaningless program. */
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
