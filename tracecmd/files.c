// SPDX-License-Identifier: GPL-2.0
/* files.c - read and write small files of tracefs, /proc and /sys */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "files.h"
#include "text.h"

/* A value of @dir that means: open the file by its path. It is neither a file descriptor nor -1. */
#define BY_PATH INT_MIN

static int open_file(const char *file, int flags)
{
	return *file == '/' ? open(file, flags | O_CLOEXEC) :
			      tracefs_instance_file_open(NULL, file, flags | O_CLOEXEC);
}

/* Read a file without trying again after an error. Returns the content, or NULL with errno. */
static char *read_once(const char *file)
{
	const int fd = open_file(file, O_RDONLY);
	size_t size = 0, room = 0;
	char *text = NULL;
	ssize_t n;
	int error;

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
	error = errno;
	close(fd);
	if (n < 0) {
		free(text);
		errno = error;
		return NULL;
	}
	while (size && strchr(" \t\n", text[size - 1]))
		size--;
	text[size] = '\0';
	return text;
}

char *file_read(const char *file)
{
	char *text;

	for (int i = 1; !(text = read_once(file)) && errno == ENOMEM && i < FILE_TRIES; i++)
		usleep(FILE_TRY_MSEC * 1000);
	return text;
}

/*
 * Write a text, with several calls of write() if necessary: a tracefs file with a list of functions accepts
 * one function per call. Returns 0 or a negative errno.
 */
static int write_to(int fd, const char *text)
{
	ssize_t n = 1;
	int ret = 0;

	if (fd < 0)
		return -errno;
	for (; *text && n > 0; text += n) {
		n = write(fd, text, strlen(text));
		if (n < 0) {
			ret = -errno;
			break;
		}
	}
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

/*
 * Open and write a file. @dir is the directory of a relative path, or BY_PATH. Returns 0 or a negative errno.
 */
static int write_with(int dir, const char *file, const char *text, int flags)
{
	int fd, ret;

	for (int i = 0; i < FILE_TRIES; i++) {
		if (i)
			usleep(FILE_TRY_MSEC * 1000);
		fd = dir == BY_PATH ? open_file(file, O_WRONLY | flags) :
				      openat(dir, file, O_WRONLY | O_CLOEXEC | flags);
		ret = write_to(fd, text);
		if (ret != -ENOMEM)
			break;
	}
	return ret;
}

int file_write(const char *file, const char *text)
{
	return write_with(BY_PATH, file, text, O_TRUNC);
}

int file_append(const char *file, const char *text)
{
	return write_with(BY_PATH, file, text, 0);
}

int file_write_at(int dir, const char *file, const char *text)
{
	return write_with(dir, file, text, O_TRUNC);
}
