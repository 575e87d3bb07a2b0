// SPDX-License-Identifier: GPL-2.0
/*
 * hostile - two threads make random calls of /dev/record_skb on the same two files. They use any kernel
 * function as a probe point.
 *
 * hostile COUNT SEED FUNCTIONS: make COUNT calls. FUNCTIONS is a file with one function name on each line.
 *
 * Prints how many probe points were accepted, and how often the device was armed. The return values do not
 * matter, but the kernel must not crash.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record_skb.h"

#define MAX_NAMES 100000
#define PAGE	  4096

static char *names[MAX_NAMES];
static size_t nr_names;
static int files[2];
static unsigned int points_taken, times_armed;
/*
 * The end of the mapped memory. The page that begins here is not mapped, so a call fails if the kernel
 * reads across this address.
 */
static char *edge;

static void die(const char *what)
{
	fprintf(stderr, "hostile: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void read_names(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256];

	if (!file)
		die(path);
	while (nr_names < MAX_NAMES && fgets(line, sizeof(line), file)) {
		line[strcspn(line, " \n")] = '\0';
		names[nr_names++] = strdup(line);
	}
	fclose(file);
	if (!nr_names)
		die("no functions");
}

static void noise(void *to, size_t size, unsigned int *seed)
{
	unsigned char *byte = to;

	for (size_t i = 0; i < size; i++)
		byte[i] = rand_r(seed) & (rand_r(seed) & 1 ? 0xff : 0x03);
}

static int add_point(int fd, unsigned int *seed)
{
	struct record_skb_point point = {
		.kind = rand_r(seed) % 8,
		.arg = rand_r(seed) % 7,
		.dir = rand_r(seed) % 3,
	};
	int ret;

	/* Most kernel functions with a packet or socket argument have it among their first arguments. */
	if (rand_r(seed) % 4) {
		point.kind = rand_r(seed) & 1 ? RECORD_SKB_KIND_SKB : RECORD_SKB_KIND_SOCK;
		point.arg %= 2;
	}
	if (rand_r(seed) & 1)
		point.flags = rand_r(seed) & rand_r(seed) & 0xff;
	strncpy(point.func, names[rand_r(seed) % nr_names], sizeof(point.func) - 1);
	ret = ioctl(fd, RECORD_SKB_ADD_POINT, &point);
	if (!ret)
		__atomic_add_fetch(&points_taken, 1, __ATOMIC_RELAXED);
	return ret;
}

static int set_filter(int fd, unsigned int *seed)
{
	struct sock_filter program[8];
	struct sock_filter all = { 0x06, 0, 0, 0xffff };
	struct record_skb_filter filter = {
		.raw = (unsigned long)program,
		.ll = (unsigned long)program,
		.raw_len = rand_r(seed) % 10,
		.ll_len = rand_r(seed) % 10,
	};

	noise(program, sizeof(program), seed);
	if (rand_r(seed) & 1)
		filter.raw = (unsigned long)edge - rand_r(seed) % sizeof(program);
	if (rand_r(seed) % 4) {
		filter.raw = filter.ll = filter.at_data = (unsigned long)&all;
		filter.raw_len = filter.ll_len = filter.at_data_len = 1;
	}
	return ioctl(fd, RECORD_SKB_SET_FILTER, &filter);
}

static int set_options(int fd, unsigned int *seed)
{
	struct record_skb_options options;

	noise(&options, sizeof(options), seed);
	options.flags &= 0x23f;
	options.dirs &= 0x6;
	options.nr_where = 0;
	options.nr_marks = 0;
	return ioctl(fd, RECORD_SKB_SET_OPTIONS, &options);
}

static int follow(int fd, unsigned int *seed)
{
	struct record_skb_follow task = { .pid = rand_r(seed) & 1 ? 0 : rand_r(seed) % 1000 };

	return ioctl(fd, RECORD_SKB_FOLLOW, &task);
}

static int arm(int fd)
{
	const int ret = ioctl(fd, RECORD_SKB_ARM);

	if (!ret)
		__atomic_add_fetch(&times_armed, 1, __ATOMIC_RELAXED);
	return ret;
}

static int anything(int fd, unsigned int *seed)
{
	static const unsigned int calls[] = {
		RECORD_SKB_GET_INFO,	RECORD_SKB_SET_FILTER,	  RECORD_SKB_ADD_POINT,
		RECORD_SKB_SET_OPTIONS, RECORD_SKB_FOLLOW,	  RECORD_SKB_GET_STATS,
		RECORD_SKB_GET_SYMBOL,	RECORD_SKB_SET_RING,	  RECORD_SKB_GET_FUNCTION,
		RECORD_SKB_SET_GRAPH,	RECORD_SKB_SET_ADDRESSES, RECORD_SKB_SET_RESTORE,
		RECORD_SKB_ADD_PROCESS, RECORD_SKB_GET_SLOT0,
	};
	unsigned int call = calls[rand_r(seed) % (sizeof(calls) / sizeof(calls[0]))];
	char memory[1024];
	void *at[] = { memory, edge - rand_r(seed) % 64, NULL, (void *)~0UL,
		       (void *)0xffff888000000000UL };

	noise(memory, sizeof(memory), seed);
	if (!(rand_r(seed) % 8))
		call = rand_r(seed);
	return ioctl(fd, call, at[rand_r(seed) % (sizeof(at) / sizeof(at[0]))]);
}

static int reopen(int *file, unsigned int *seed)
{
	int old = *file;

	if (rand_r(seed) % 4)
		return ioctl(old, RECORD_SKB_DISARM);
	*file = open(RECORD_SKB_DEVICE, O_RDWR);
	if (*file < 0)
		die(RECORD_SKB_DEVICE);
	return close(old);
}

/*
 * A thread that makes random calls. Each thread needs its own seed: with equal seeds, both threads would
 * arm at the same time, and the device would refuse most calls.
 */
struct caller {
	unsigned int seed;
	int calls;
};

static void *calls(void *arg)
{
	const struct caller *caller = arg;
	unsigned int seed = caller->seed;

	for (int i = 0; i < caller->calls; i++) {
		int *file = &files[rand_r(&seed) % 2];

		/*
		 * Arming and disarming takes a second in the emulator. So do both rarely, because most calls
		 * should be made while the device is armed.
		 */
		switch (rand_r(&seed) % 256) {
		case 0:
			reopen(file, &seed);
			break;
		case 1:
			arm(*file);
			break;
		case 2 ... 17:
			ioctl(*file, RECORD_SKB_CLAIM);
			break;
		case 18 ... 33:
			set_filter(*file, &seed);
			break;
		case 34 ... 49:
			set_options(*file, &seed);
			break;
		case 50 ... 65:
			follow(*file, &seed);
			break;
		case 66 ... 97:
			add_point(*file, &seed);
			break;
		default:
			anything(*file, &seed);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct caller callers[2];
	pthread_t other;
	char *two;

	if (argc < 4)
		return 2;
	read_names(argv[3]);
	two = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (two == MAP_FAILED || mprotect(two + PAGE, PAGE, PROT_NONE))
		die("mmap");
	edge = two + PAGE;
	for (int i = 0; i < 2; i++) {
		files[i] = open(RECORD_SKB_DEVICE, O_RDWR);
		if (files[i] < 0)
			die(RECORD_SKB_DEVICE);
		callers[i].seed = strtoul(argv[2], NULL, 0) + i;
		callers[i].calls = atoi(argv[1]) / 2;
	}
	if (pthread_create(&other, NULL, calls, &callers[0]))
		die("pthread_create");
	calls(&callers[1]);
	pthread_join(other, NULL);
	printf("%u points, armed %u times\n", points_taken, times_armed);
	return 0;
}
