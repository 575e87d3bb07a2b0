// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "live.h"
#include "session.h"
#include "tracefs-files.h"

#define ERASE	"\r\033[K"

void live_begin(struct live *live, const char *tracefs, int session, bool quiet)
{
	live->tracefs = tracefs;
	live->session = session;
	live->on = !quiet && isatty(STDERR_FILENO);
	live->shown = false;
}

/* An editor, a prompt being edited or a password: such a command draws, or hides, by itself. */
static bool terminal_is_taken(void)
{
	struct termios mode;

	if (tcgetpgrp(STDERR_FILENO) != getpgrp())
		return true;
	if (tcgetattr(STDERR_FILENO, &mode))
		return true;
	return !(mode.c_lflag & ICANON) || !(mode.c_lflag & ECHO);
}

void live_show(struct live *live)
{
	struct record_skb_stats stats;
	struct tracefs_counts counts;
	struct err err;

	if (!live->on || terminal_is_taken() || session_stats(live->session, &stats, &err))
		return;
	tracefs_count(live->tracefs, -1, &counts);
	/* Back to the line's start at once: the command's own words then stand on a line's start. */
	fprintf(stderr, ERASE "%llu packets, %llu entries, %llu lost\r",
		(unsigned long long)stats.packets, counts.entries, counts.lost);
	live->shown = true;
}

void live_end(struct live *live)
{
	if (live->shown)
		fputs(ERASE, stderr);
	live->shown = false;
}
