/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_LIVE_H
#define _RECORD_SKB_LIVE_H

#include <stdbool.h>

/**
 * struct live - the line that tells how the recording goes, while it goes
 * @tracefs: its directory
 * @session: the module's
 * @on: standard error is a terminal and the user wants it
 * @shown: the line stands on the terminal
 */
struct live {
	const char *tracefs;
	int session;
	bool on;
	bool shown;
};

void live_begin(struct live *live, const char *tracefs, int session, bool quiet);

/* Draw the line anew, unless the command has the terminal for itself. */
void live_show(struct live *live);

/* Erase it. May be called at any time after the structure was zeroed. */
void live_end(struct live *live);

#endif
