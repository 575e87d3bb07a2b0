// SPDX-License-Identifier: GPL-2.0
/* misuse.c - calls of /dev/record_skb that must fail */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ioctl.h"

/*
 * Try to add probe points that the module must refuse. Either the function has no argument of this kind at
 * this position, or the module cannot call the function from a gate.
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
		 * The module must refuse these functions. The first one gets a socket that is not
		 * initialised yet. The second one never returns. The arguments of the others point to user
		 * memory.
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
		/* the list in this function's argument does not contain packets */
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

/* Call RESTORE with a single setting. The error is in @setting or in @flags. */
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
	void *const private_memory =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
	restore.memory = (unsigned long)private_memory;
	restore.settings = (unsigned long)&good;
	restore.nr_settings = 1;
	expect("memory that is not shared", ioctl(fd, RECORD_SKB_SET_RESTORE, &restore), EINVAL);
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
 * Try to set BPF programs that the module must refuse. They read the device of the packet through a pointer
 * that has another meaning at some probe points.
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

void misuse(void)
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
	expect("a call of another driver", ioctl(fd, _IO('T', 1)), ENOTTY);
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
