// SPDX-License-Identifier: GPL-2.0
/* fault.c - calls of /dev/record_skb with memory that is not present until this program provides it */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ioctl.h"

#define OTHER_MSEC 20000 /* time limit for the other call; a call takes milliseconds */

static int fault;
static unsigned long page, page_size;

static unsigned long create_page(int flags)
{
	page_size = sysconf(_SC_PAGESIZE);
	return (unsigned long)mmap(NULL, page_size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS,
				   -1, 0);
}

/* If a task accesses this page, the task will sleep until the page is provided with UFFDIO_ZEROPAGE. */
static void take_page(unsigned long address)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	area.range.start = address;
	area.range.len = page_size;
	fault = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (fault < 0 || ioctl(fault, UFFDIO_API, &api) || ioctl(fault, UFFDIO_REGISTER, &area)) {
		perror("userfaultfd");
		exit(1);
	}
}

/* Call GET_INFO in another process. Return: 0 if the call succeeds within OTHER_MSEC. */
static int call_in_time(int fd)
{
	struct record_skb_info info;
	int status = 0, msec = OTHER_MSEC, ended = 0;
	const pid_t other = fork();

	if (!other)
		_exit(!!ioctl(fd, RECORD_SKB_GET_INFO, &info));
	while (other > 0 && !(ended = waitpid(other, &status, WNOHANG)) && msec--)
		usleep(1000);
	return ended <= 0 || status;
}

/*
 * Run in a child process: wait until the parent sleeps in its call because of the page. Then make another
 * call of the device, and provide the page. The exit status is 0 if the other call did not wait for the page.
 */
static void call_meanwhile(int fd)
{
	struct uffdio_zeropage zero = { .range = { .start = page, .len = page_size } };
	struct uffd_msg message;
	int waits;

	if (read(fault, &message, sizeof(message)) != sizeof(message))
		_exit(2);
	signal(SIGALRM, SIG_IGN);
	waits = call_in_time(fd);
	ioctl(fault, UFFDIO_ZEROPAGE, &zero);
	_exit(waits);
}

static void try_call(int fd, int second, const char *what, unsigned long request, void *argument)
{
	int status;
	pid_t child = fork();

	if (!child)
		call_meanwhile(second);
	ioctl(fd, request, argument);
	/* If the call has not accessed the page, the child is still waiting. */
	kill(child, SIGALRM);
	if (waitpid(child, &status, 0) != child || status) {
		printf("%s: %s\n", what,
		       WIFSIGNALED(status) ? "it has not accessed the page" :
					     "another call waits until the page is present");
		failed = 1;
	}
	/* The next call must not find the page. */
	madvise((void *)page, page_size, MADV_DONTNEED);
}

/*
 * Close the device with a setting to be restored from memory that is not present any more. The module
 * restores the setting later, and other calls first wait for that.
 */
static void restore_without_page(int second)
{
	const int fd = open_device(), file = open("/sys/kernel/tracing/tracing_on", O_PATH);
	struct uffdio_zeropage zero = { .range.len = page_size };
	struct record_skb_setting setting = { .fd = file, .text = (unsigned long)"1", .length = 1 };
	struct record_skb_restore restore = {
		.settings = (unsigned long)&setting,
		.nr_settings = 1,
		.memory = create_page(MAP_SHARED),
		.memory_size = page_size,
	};

	expect("CLAIM", ioctl(fd, RECORD_SKB_CLAIM), 0);
	expect("SET_RESTORE", ioctl(fd, RECORD_SKB_SET_RESTORE, &restore), 0);
	take_page(restore.memory);
	expect("memory of userfaultfd", ioctl(fd, RECORD_SKB_SET_RESTORE, &restore), EINVAL);
	close(fd);
	close(file);
	if (call_in_time(second)) {
		printf("another call waits for the memory of a closed session\n");
		failed = 1;
	}
	zero.range.start = restore.memory;
	ioctl(fault, UFFDIO_ZEROPAGE, &zero);
}

/*
 * Close the device with a setting to be restored from memory that cannot be read for a moment, as if memory
 * were too short to read a page from the swap space. The module must restore the setting when the memory can
 * be read again.
 */
static void restore_without_memory(int second)
{
	const int fd = open_device(), file = open("/sys/kernel/tracing/tracing_on", O_PATH);
	const int memory = memfd_create("memory", 0);
	struct record_skb_setting setting = { .fd = file, .text = (unsigned long)"1", .length = 1 };
	struct record_skb_restore restore = {
		.settings = (unsigned long)&setting,
		.nr_settings = 1,
		.memory_size = page_size,
	};
	struct record_skb_info info;
	int msec = OTHER_MSEC;

	expect("a file", ftruncate(memory, page_size), 0);
	restore.memory =
		(unsigned long)mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	expect("CLAIM", ioctl(fd, RECORD_SKB_CLAIM), 0);
	expect("SET_RESTORE", ioctl(fd, RECORD_SKB_SET_RESTORE, &restore), 0);
	expect("no page", ftruncate(memory, 0), 0);
	close(fd);
	close(file);
	if (ioctl(second, RECORD_SKB_GET_INFO, &info) ||
	    !(info.flags & RECORD_SKB_INFO_RESTORING)) {
		printf("a setting is given up because its memory cannot be read\n");
		failed = 1;
	}
	expect("a page", ftruncate(memory, page_size), 0);
	while (!ioctl(second, RECORD_SKB_GET_INFO, &info) &&
	       info.flags & RECORD_SKB_INFO_RESTORING && msec--)
		usleep(1000);
	if (info.flags & RECORD_SKB_INFO_RESTORING) {
		printf("a setting is not restored although its memory can be read again\n");
		failed = 1;
	}
	close(memory);
}

void call_without_page(void)
{
	int fd = open_device(), second = open_device();
	struct record_skb_filter program, terms;
	struct record_skb_ring ring;
	struct record_skb_restore restore;
	struct record_skb_graph graph;
	struct record_skb_addresses addresses;

	page = create_page(MAP_PRIVATE);
	take_page(page);
	program = (struct record_skb_filter){ .raw = page, .raw_len = 2 };
	terms = (struct record_skb_filter){ .terms = page, .nr_terms = 1 };
	ring = (struct record_skb_ring){ .on = 1 << RECORD_SKB_BY_MATCH, .match = program };
	restore = (struct record_skb_restore){
		.settings = page,
		.nr_settings = 1,
		.memory = page,
		.memory_size = page_size,
	};
	graph = (struct record_skb_graph){ .functions = page, .nr_functions = 1 };
	addresses = (struct record_skb_addresses){ .functions = page, .nr_functions = 1 };

	set_up(fd);
	try_call(fd, second, "GET_INFO", RECORD_SKB_GET_INFO, (void *)page);
	try_call(fd, second, "ADD_POINT", RECORD_SKB_ADD_POINT, (void *)page);
	try_call(fd, second, "the program of SET_FILTER", RECORD_SKB_SET_FILTER, &program);
	try_call(fd, second, "the terms of SET_FILTER", RECORD_SKB_SET_FILTER, &terms);
	try_call(fd, second, "SET_RING", RECORD_SKB_SET_RING, &ring);
	try_call(fd, second, "SET_RESTORE", RECORD_SKB_SET_RESTORE, &restore);
	try_call(fd, second, "SET_GRAPH", RECORD_SKB_SET_GRAPH, &graph);
	try_call(fd, second, "SET_ADDRESSES", RECORD_SKB_SET_ADDRESSES, &addresses);
	close(fd);
	restore_without_page(second);
	restore_without_memory(second);
	close(second);
}
