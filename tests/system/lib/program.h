/* SPDX-License-Identifier: GPL-2.0 */
/* program.h - functions that several test programs use */
#ifndef _PROGRAM_H
#define _PROGRAM_H

#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

/* Print an error with errno's text, and exit. */
static inline void die(const char *what)
{
	perror(what);
	exit(1);
}

/* Return: the monotonic time in ns. */
static inline uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* Return: the port to which an IPv4 socket is bound. */
static inline int port_of(int fd)
{
	struct sockaddr_in at;
	socklen_t len = sizeof(at);

	if (getsockname(fd, (struct sockaddr *)&at, &len))
		die("getsockname");
	return ntohs(at.sin_port);
}

#endif
