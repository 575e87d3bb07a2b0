/* SPDX-License-Identifier: GPL-2.0 */
/* byte_log.h - the log of bytes.c and byte_cases.c, with a line for each call that writes or reads a stream */
#ifndef _BYTE_LOG_H
#define _BYTE_LOG_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

/*
 * Print the log's line for a call. @what is "write" or "read", and @letter is the letter of the call. Each
 * line is one write(2), so that processes do not mix their lines.
 */
static void log_line(const char *what, int port, uint64_t offset, size_t len, uint64_t begun,
		     uint64_t ended, char letter)
{
	char line[128];
	int n = snprintf(line, sizeof(line), "%s %d %llu %zu %llu %llu %c\n", what, port,
			 (unsigned long long)offset, len, (unsigned long long)begun,
			 (unsigned long long)ended, letter);

	if (write(1, line, n) != n)
		die("log");
}

#endif
