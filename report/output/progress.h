/* SPDX-License-Identifier: GPL-2.0 */
/* progress.h - show on the terminal how much of the file was read, if reading takes longer than a second */
#ifndef _RECORD_SKB_PROGRESS_H
#define _RECORD_SKB_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct progress - a line on the terminal
 * @fd: the terminal, -1 for none
 */
struct progress {
	int fd;
	bool is_shown;
	uint64_t begun, printed; /* ms of CLOCK_MONOTONIC */
};

/*
 * Begin to show the progress. Call this function before the pager starts, because the pager takes over
 * standard error. Nothing is shown if standard error is not a terminal.
 */
void progress_begin(struct progress *progress);
/* Stop showing the progress, because the output prints rows on the same terminal. */
void progress_disable(struct progress *progress);
/* Show that @done of @all was read. Call this function often; it prints only from time to time. */
void progress_show(struct progress *progress, uint64_t done, uint64_t all);
/* Remove the line about the progress. */
void progress_clear(struct progress *progress);
void progress_end(struct progress *progress);

#endif
