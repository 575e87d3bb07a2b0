// SPDX-License-Identifier: GPL-2.0
/*
 * meanwhile.c - run a command at the worst moment of a recording's start, by LD_PRELOAD
 *
 * MEANWHILE is the command; it is run once, before trace-cmd-record-skb opens set_ftrace_filter to write what
 * it has chosen by what it read, or before it tells the module (RECORD_SKB_SET_GRAPH), whichever comes first.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#include "record_skb.h"

static void meanwhile(void)
{
	const char *command = getenv("MEANWHILE");

	if (!command || strcmp(program_invocation_short_name, "trace-cmd-record-skb"))
		return;
	unsetenv("LD_PRELOAD");
	if (system(command))
		abort();
	unsetenv("MEANWHILE");
}

static int open_next(const char *symbol, const char *path, int flags, mode_t mode)
{
	int (*next)(const char *path, int flags, ...) = dlsym(RTLD_NEXT, symbol);

	if ((flags & O_ACCMODE) != O_RDONLY && strstr(path, "set_ftrace_filter"))
		meanwhile();
	return next(path, flags, mode);
}

#define OPEN(name)                                          \
	int name(const char *path, int flags, ...)          \
	{                                                   \
		va_list args;                               \
		mode_t mode;                                \
                                                            \
		va_start(args, flags);                      \
		mode = va_arg(args, mode_t);                \
		va_end(args);                               \
		return open_next(#name, path, flags, mode); \
	}

OPEN(open)
OPEN(open64)
/* What fortified programs call. */
OPEN(__open_2)
OPEN(__open64_2)

int ioctl(int fd, unsigned long request, ...)
{
	int (*next)(int fd, unsigned long request, ...) = dlsym(RTLD_NEXT, "ioctl");
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (request == RECORD_SKB_SET_GRAPH)
		meanwhile();
	return next(fd, request, arg);
}
