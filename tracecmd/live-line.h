/* SPDX-License-Identifier: GPL-2.0 */
/* The line on the terminal that tells how the recording goes, while it goes. */
#ifndef _RECORD_SKB_LIVE_LINE_H
#define _RECORD_SKB_LIVE_LINE_H

#include <stdbool.h>

/**
 * struct live_line - the line
 * @session: the module's
 * @on: standard error is a terminal and the user wants it
 * @until: what ends it, NULL if that needs no word
 * @shown: the line stands on the terminal
 */
struct live_line {
	int session;
	bool on;
	const char *until;
	bool shown;
};

/* Say that it records, and what ends it: @until; NULL to say nothing of that, for a command has begun. */
void live_line_begin(struct live_line *line, int session, bool quiet, const char *until);

/* Draw the line anew, unless the command has the terminal for itself. */
void live_line_show(struct live_line *line);

/* Erase it. May be called at any time after the structure was zeroed. */
void live_line_end(struct live_line *line);

#endif
