// SPDX-License-Identifier: GPL-2.0
/* Small files of tracefs, /proc and /sys, read and written whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "files.h"
#include "strlist.h"

static int open_file(const char *file, int flags)
{
	return *file == '/' ? open(file, flags | O_CLOEXEC) :
			      tracefs_instance_file_open(NULL, file, flags | O_CLOEXEC);
}

char *file_read(const char *file)
{
	const int fd = open_file(file, O_RDONLY);
	size_t size = 0, room = 0;
	char *text = NULL;
	ssize_t n;

	if (fd < 0)
		return NULL;
	do {
		if (size + 1 >= room) {
			room = room ? 2 * room : 4096;
			text = xrealloc(text, room);
		}
		n = read(fd, text + size, room - size - 1);
		if (n > 0)
			size += n;
	} while (n > 0);
	close(fd);
	if (n < 0) {
		free(text);
		return NULL;
	}
	while (size && strchr(" \t\n", text[size - 1]))
		size--;
	text[size] = '\0';
	return text;
}

static int write_to(int fd, const char *text)
{
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (*text && write(fd, text, strlen(text)) < 0)
		ret = -errno;
	/* set_ftrace_filter and its like take effect, and fail, on closing. */
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

int file_write(const char *file, const char *text)
{
	return write_to(open_file(file, O_WRONLY | O_TRUNC), text);
}

int file_append(const char *file, const char *text)
{
	return write_to(open_file(file, O_WRONLY), text);
}

int file_write_at(int dir, const char *file, const char *text)
{
	return write_to(openat(dir, file, O_WRONLY | O_TRUNC | O_CLOEXEC), text);
}
