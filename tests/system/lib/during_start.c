// SPDX-License-Identifier: GPL-2.0
/*
 * during_start.c - an LD_PRELOAD library that runs a command at the worst moment during the start of a
 * recording
 *
 * The variable DURING_START has the command. The library runs it once, at the first of two events:
 * trace-cmd-record-skb opens set_ftrace_filter to write the selected functions, or passes them to the module
 * (RECORD_SKB_SET_GRAPH).
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

static void run_command(void)
{
	const char *command = getenv("DURING_START");

	if (!command || strcmp(program_invocation_short_name, "trace-cmd-record-skb"))
		return;
	unsetenv("LD_PRELOAD");
	if (system(command))
		abort();
	unsetenv("DURING_START");
}

static int open_next(const char *symbol, const char *path, int flags, mode_t mode)
{
	int (*next)(const char *path, int flags, ...) = dlsym(RTLD_NEXT, symbol);

	if ((flags & O_ACCMODE) != O_RDONLY && strstr(path, "set_ftrace_filter"))
		run_command();
	return next(path, flags, mode);
}

#include "open_calls.h"

int ioctl(int fd, unsigned long request, ...)
{
	int (*next)(int fd, unsigned long request, ...) = dlsym(RTLD_NEXT, "ioctl");
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (request == RECORD_SKB_SET_GRAPH)
		run_command();
	return next(fd, request, arg);
}
