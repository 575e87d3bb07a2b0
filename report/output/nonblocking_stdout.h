/* SPDX-License-Identifier: GPL-2.0 */
/*
 * nonblocking_stdout.h - write lines to standard output without waiting for the process that reads them
 *
 * Printed lines are stored in a buffer, and written as fast as the other process reads them. When the buffer
 * is full, further lines are left out and counted.
 */
#ifndef _RECORD_SKB_NONBLOCKING_STDOUT_H
#define _RECORD_SKB_NONBLOCKING_STDOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

struct nonblocking_stdout;

/* Redirect stdout into the buffer. nonblocking_stdout_close() ends this. */
struct nonblocking_stdout *nonblocking_stdout_open(struct err *err);
void nonblocking_stdout_close(struct nonblocking_stdout *out);

/* Write as much as possible without blocking. */
void nonblocking_stdout_write(struct nonblocking_stdout *out);
/*
 * Write the remaining lines, but wait only a few seconds for the process that reads them. Lines that are
 * still in the buffer after this time count as left out.
 */
void nonblocking_stdout_finish(struct nonblocking_stdout *out);

/* Return: true if lines are waiting to be written. */
bool nonblocking_stdout_has_lines(const struct nonblocking_stdout *out);
/* Return: true if the process that reads the lines has closed the pipe. */
bool nonblocking_stdout_is_closed(const struct nonblocking_stdout *out);
/* Return: the number of lines that were left out because the buffer was full. */
uint64_t nonblocking_stdout_left_out(const struct nonblocking_stdout *out);

#endif
