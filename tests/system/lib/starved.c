// SPDX-License-Identifier: GPL-2.0
/*
 * starved - an LD_PRELOAD library that lets kernel allocations fail in programs that use tracing and the
 * device (CONFIG_FAULT_INJECTION)
 *
 * The library counts three kinds of calls: calls on files in tracefs, calls on /dev/record_skb, and calls
 * that unload a module. With STARVE_FILE, it counts only calls on files with this name. All processes share
 * the counter, which is in the file STARVED.
 *
 * The first STARVE_AFTER calls never fail. In the next call, the kernel's first allocation fails. After
 * that, the same happens in one of STARVE_EVERY calls. A hash chooses these calls: with a regular interval,
 * the library could always choose the same call of a loop.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#define MAX_FILES 1024

/* Shared memory in the file STARVED: the number of counted calls, and the number of failed allocations. */
static unsigned int *counted;
static unsigned int after, every;
static const char *only;
static bool is_ours[MAX_FILES];

static void *next_of(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static __attribute__((constructor)) void begin(void)
{
	int (*next_open)(const char *path, int flags, ...) = next_of("open");
	int (*next_close)(int fd) = next_of("close");
	const char *path = getenv("STARVED");
	int file = path ? next_open(path, O_RDWR) : -1;

	if (file < 0)
		return;
	counted = mmap(NULL, 2 * sizeof(*counted), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (counted == MAP_FAILED)
		counted = NULL;
	next_close(file);
	after = strtoul(getenv("STARVE_AFTER") ?: "0", NULL, 0);
	every = strtoul(getenv("STARVE_EVERY") ?: "0", NULL, 0);
	only = getenv("STARVE_FILE");
}

/* Open the file of this thread that holds which of its next allocations fails; 0 stands for none. */
static int fail_nth(void)
{
	int (*next_open)(const char *path, int flags, ...) = next_of("open");

	return next_open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
}

/* Return: a hash of @n. The hashes of successive numbers have independent bits. The hash of 0 is 0. */
static unsigned int mixed(unsigned int n)
{
	n = (n ^ n >> 16) * 0x45d9f3b;
	n = (n ^ n >> 16) * 0x45d9f3b;
	return n ^ n >> 16;
}

/* Count a call. If the call is chosen, let its first allocation fail. Return: the argument for sated(). */
static int starve(void)
{
	ssize_t (*next_write)(int fd, const void *data, size_t size) = next_of("write");
	unsigned int call;
	int file;

	if (!counted)
		return -1;
	call = __atomic_fetch_add(counted, 1, __ATOMIC_RELAXED);
	if (!every || call < after || mixed(call - after) % every)
		return -1;
	file = fail_nth();
	if (file >= 0)
		next_write(file, "1", 1);
	return file;
}

static void sated(int file)
{
	ssize_t (*next_read)(int fd, void *data, size_t size) = next_of("read");
	ssize_t (*next_write)(int fd, const void *data, size_t size) = next_of("write");
	int (*next_close)(int fd) = next_of("close");
	const int error = errno;
	char left = '1';

	if (file < 0)
		return;
	if (next_read(file, &left, 1) == 1 && left == '0')
		__atomic_add_fetch(counted + 1, 1, __ATOMIC_RELAXED);
	next_write(file, "0", 1);
	next_close(file);
	errno = error;
}

static bool is_meant(const char *path)
{
	const char *name = strrchr(path, '/');

	if (only)
		return name && !strcmp(name + 1, only);
	return strstr(path, "/tracing/") || !strcmp(path, "/dev/record_skb");
}

static void note(int fd, bool ours)
{
	if (fd >= 0 && fd < MAX_FILES)
		is_ours[fd] = ours;
}

static bool ours(int fd)
{
	return fd >= 0 && fd < MAX_FILES && is_ours[fd];
}

static int open_next(const char *symbol, const char *path, int flags, mode_t mode)
{
	int (*next)(const char *path, int flags, ...) = next_of(symbol);
	const bool meant = is_meant(path);
	const int file = meant ? starve() : -1;
	const int fd = next(path, flags, mode);

	sated(file);
	note(fd, meant);
	return fd;
}

#include "open_calls.h"

ssize_t read(int fd, void *data, size_t size)
{
	ssize_t (*next)(int fd, void *data, size_t size) = next_of("read");
	const int file = ours(fd) ? starve() : -1;
	const ssize_t n = next(fd, data, size);

	sated(file);
	return n;
}

ssize_t write(int fd, const void *data, size_t size)
{
	ssize_t (*next)(int fd, const void *data, size_t size) = next_of("write");
	const int file = ours(fd) ? starve() : -1;
	const ssize_t n = next(fd, data, size);

	sated(file);
	return n;
}

int close(int fd)
{
	int (*next)(int fd) = next_of("close");
	const int file = ours(fd) ? starve() : -1;
	const int ret = next(fd);

	sated(file);
	note(fd, false);
	return ret;
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*next)(int fd, unsigned long request, ...) = next_of("ioctl");
	va_list args;
	void *arg;
	int file, ret;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	file = ours(fd) ? starve() : -1;
	ret = next(fd, request, arg);
	sated(file);
	return ret;
}

int delete_module(const char *name, unsigned int flags)
{
	int (*next)(const char *name, unsigned int flags) = next_of("delete_module");
	const int file = only ? -1 : starve();
	const int ret = next(name, flags);

	sated(file);
	return ret;
}
