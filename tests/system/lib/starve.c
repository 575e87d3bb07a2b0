// SPDX-License-Identifier: GPL-2.0
/*
 * starve - make calls of /dev/record_skb while kernel allocations fail (CONFIG_FAULT_INJECTION)
 *
 * starve FIRST STRIDE
 *
 * Each round opens the device, makes all calls of a recording, and closes the device. In each round, one
 * allocation of one call fails. In the first round for a call, its allocation number FIRST fails, in the
 * next round FIRST + STRIDE, and so on, until the call makes no more allocations. The failing call must
 * return -ENOMEM or succeed. Then the same call must succeed when it is repeated, and so must all later
 * calls.
 *
 * Prints for each call how many of its allocations failed, and how often the call failed. The exit status
 * is 0 if everything went as described.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "record_skb.h"

static int failed;
/* A file in /proc. Writing N to it makes the Nth next allocation of this task fail; 0 makes none fail. */
static int nth_file;

static void die(const char *what)
{
	fprintf(stderr, "starve: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void set_nth(unsigned int nth)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(nth_file, text, n, 0) != n)
		die("fail-nth");
}

static unsigned int get_nth(void)
{
	char text[16] = "";

	if (pread(nth_file, text, sizeof(text) - 1, 0) < 0)
		die("fail-nth");
	return strtoul(text, NULL, 10);
}

/* This filter matches TCP and UDP. */
static struct sock_filter tcp_or_udp[] = {
	{ 0x30, 0, 0, 0xfff00000 + 9 }, { 0x15, 1, 0, 6 }, { 0x15, 0, 1, 17 },
	{ 0x06, 0, 0, 0xffff },		{ 0x06, 0, 0, 0 },
};

#define PROGRAM                                                        \
	{                                                              \
		.raw = (unsigned long)tcp_or_udp,                      \
		.raw_len = sizeof(tcp_or_udp) / sizeof(tcp_or_udp[0]), \
	}

static int device;
static unsigned long long known[RECORD_SKB_MAX_ADDRESSES];
static unsigned int nr_known;
static bool learnt;

static int call_open(void)
{
	device = open(RECORD_SKB_DEVICE, O_RDWR);
	return device < 0 ? -1 : 0;
}

static int call_claim(void)
{
	return ioctl(device, RECORD_SKB_CLAIM);
}

static int call_set_filter(void)
{
	const struct record_skb_filter filter = PROGRAM;

	return ioctl(device, RECORD_SKB_SET_FILTER, &filter);
}

static int call_set_options(void)
{
	const struct record_skb_options options = {
		.flags = RECORD_SKB_OPT_PAUSE | RECORD_SKB_OPT_SCHED | RECORD_SKB_OPT_RULES,
	};

	return ioctl(device, RECORD_SKB_SET_OPTIONS, &options);
}

static int call_set_ring(void)
{
	const struct record_skb_ring ring = {
		.on = 1 << RECORD_SKB_BY_DROP | 1 << RECORD_SKB_BY_MATCH |
		      1 << RECORD_SKB_BY_UNANSWERED,
		.unanswered_ns = 1,
		.match = PROGRAM,
	};

	return ioctl(device, RECORD_SKB_SET_RING, &ring);
}

/*
 * True if GET_FUNCTION is the call whose allocation fails. The program then passes no addresses to the
 * module, so that the module looks up functions by name.
 */
static bool by_name;

static int call_set_addresses(void)
{
	const struct record_skb_addresses addresses = {
		.functions = (unsigned long)known,
		.nr_functions = nr_known,
	};

	return nr_known && !by_name ? ioctl(device, RECORD_SKB_SET_ADDRESSES, &addresses) : 0;
}

static int add_point(const char *func, unsigned int arg, unsigned int kind)
{
	struct record_skb_point point = { .arg = arg, .kind = kind, .dir = RECORD_SKB_DIR_RX };
	int ret;

	strncpy(point.func, func, sizeof(point.func) - 1);
	ret = ioctl(device, RECORD_SKB_ADD_POINT, &point);
	return ret && errno == EEXIST ? 0 : ret;
}

static int call_add_points(void)
{
	return add_point("ip_rcv", 0, RECORD_SKB_KIND_SKB)		     ?:
		       add_point("__dev_queue_xmit", 0, RECORD_SKB_KIND_SKB) ?:
		       add_point("tcp_recvmsg", 0, RECORD_SKB_KIND_SOCK);
}

static int call_get_function(void)
{
	struct record_skb_function function = { .index = 0 };

	while (!ioctl(device, RECORD_SKB_GET_FUNCTION, &function)) {
		if (!learnt && function.index < RECORD_SKB_MAX_ADDRESSES)
			known[nr_known++] = function.address;
		function.index++;
	}
	if (errno != ERANGE)
		return -1;
	/* The list must have all functions, although an allocation has failed. */
	if (function.index != nr_known) {
		printf("%u functions instead of %u\n", function.index, nr_known);
		failed = 1;
	}
	learnt = true;
	return 0;
}

static int call_follow(void)
{
	const struct record_skb_follow follow = { .pid = 0 };

	return ioctl(device, RECORD_SKB_FOLLOW, &follow);
}

static int call_arm(void)
{
	return ioctl(device, RECORD_SKB_ARM);
}

static int call_get_symbol(void)
{
	struct record_skb_symbol symbol = { .address = known[0] };

	return ioctl(device, RECORD_SKB_GET_SYMBOL, &symbol);
}

static int call_get_stats(void)
{
	struct record_skb_stats stats = { 0 };
	int ret = ioctl(device, RECORD_SKB_GET_STATS, &stats);

	if (ret)
		return ret;
	/*
	 * The armed session must have all its functions. A failed allocation must not disable a part of it.
	 */
	if (!stats.armed || stats.untracked || stats.uncopied) {
		printf("armed %u untracked %llu uncopied %llu\n", stats.armed,
		       (unsigned long long)stats.untracked, (unsigned long long)stats.uncopied);
		failed = 1;
	}
	return 0;
}

static int call_disarm(void)
{
	return ioctl(device, RECORD_SKB_DISARM);
}

static int call_close(void)
{
	return close(device);
}

static struct call {
	const char *name;
	int (*call)(void);
	unsigned int starved, refused;
} calls[] = {
	{ "open", call_open },
	{ "CLAIM", call_claim },
	{ "SET_FILTER", call_set_filter },
	{ "SET_OPTIONS", call_set_options },
	{ "SET_RING", call_set_ring },
	{ "SET_ADDRESSES", call_set_addresses },
	{ "ADD_POINT", call_add_points },
	{ "GET_FUNCTION", call_get_function },
	{ "FOLLOW", call_follow },
	{ "ARM", call_arm },
	{ "GET_SYMBOL", call_get_symbol },
	{ "GET_STATS", call_get_stats },
	{ "DISARM", call_disarm },
	{ "close", call_close },
};

#define NR_CALLS (sizeof(calls) / sizeof(calls[0]))

static void expect(const struct call *call, const char *when, unsigned int nth)
{
	if (!call->call())
		return;
	printf("%s, %s (allocation %u): %s\n", call->name, when, nth, strerror(errno));
	failed = 1;
}

/*
 * Let allocation number @nth of @call fail. Return: true if the call made at least @nth allocations, so
 * that one of them failed.
 */
static bool starve(struct call *call, unsigned int nth)
{
	bool starved;
	int ret, error;

	set_nth(nth);
	ret = call->call();
	error = errno;
	starved = !get_nth();
	set_nth(0);
	if (!starved) {
		if (ret) {
			printf("%s, nothing failed: %s\n", call->name, strerror(error));
			failed = 1;
		}
		return false;
	}
	call->starved++;
	if (!ret)
		return true;
	call->refused++;
	if (error != ENOMEM) {
		printf("%s, without allocation %u: %s\n", call->name, nth, strerror(error));
		failed = 1;
	}
	expect(call, "a second time", nth);
	return true;
}

/* Make all calls of a session. Continue after the call whose allocation failed. */
static bool session(struct call *starving, unsigned int nth)
{
	bool more = false;

	by_name = starving && starving->call == call_get_function;

	for (struct call *call = calls; call < calls + NR_CALLS; call++)
		if (call == starving)
			more = starve(call, nth);
		else
			expect(call, call < starving ? "before" : "after", nth);
	return more;
}

int main(int argc, char **argv)
{
	unsigned int first, stride, nth;

	if (argc < 3)
		return 2;
	first = atoi(argv[1]);
	stride = atoi(argv[2]);
	nth_file = open("/proc/thread-self/fail-nth", O_RDWR);
	if (nth_file < 0)
		die("fail-nth");
	setbuf(stdout, NULL);
	session(NULL, 0);
	for (struct call *call = calls; call < calls + NR_CALLS && !failed; call++) {
		for (nth = first; session(call, nth) && !failed; nth += stride)
			;
		printf("%s: %u allocations failed, and %u calls\n", call->name, call->starved,
		       call->refused);
	}
	return failed;
}
