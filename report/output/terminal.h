/* SPDX-License-Identifier: GPL-2.0 */
/* terminal.h - find the width and colours of the terminal on standard output, and run the pager */
#ifndef _RECORD_SKB_TERMINAL_H
#define _RECORD_SKB_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct terminal - properties of standard output
 * @is_terminal: the output goes to a terminal, directly or through a pager
 * @colour: print colours
 * @width: width in columns
 * @pager: PID of the pager, 0 if no pager was started
 */
struct terminal {
	bool is_terminal, colour;
	unsigned int width;
	pid_t pager;
};

/* Examine standard output. Call this function before terminal_start_pager(). */
struct terminal terminal_examine(void);

/**
 * terminal_start_pager - send all further output to the user's pager
 * @terminal: from terminal_examine()
 *
 * Does nothing if standard output is not a terminal, or if no pager is installed. If standard error is a
 * terminal, its output goes to the pager, too.
 */
void terminal_start_pager(struct terminal *terminal);

/* Wait until the user quits the pager. Returns at once if no pager was started. */
void terminal_wait_for_pager(const struct terminal *terminal);

#endif
