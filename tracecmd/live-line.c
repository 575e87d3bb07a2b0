// SPDX-License-Identifier: GPL-2.0
/* The line on the terminal that tells how the recording goes, while it goes. */
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "live-line.h"
#include "ring-buffer.h"
#include "session.h"

#define ERASE "\r\033[K"

void live_line_begin(struct live_line *line, int session, bool quiet, const char *until)
{
	line->session = session;
	line->on = !quiet && isatty(STDERR_FILENO);
	line->until = until;
	line->shown = false;
	if (until && !quiet)
		fprintf(stderr, "trace-cmd record-skb: recording until %s\n", until);
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

void live_line_show(struct live_line *line)
{
	struct record_skb_stats stats;
	struct ring_buffer_counts counts;
	struct err err;

	if (!line->on || terminal_is_taken() || session_stats(line->session, &stats, &err))
		return;
	ring_buffer_count(NULL, -1, &counts);
	/* Back to the line's start at once: the command's own words then stand on a line's start. */
	fprintf(stderr, ERASE "%llu packets, %llu entries, %llu lost%s\r",
		(unsigned long long)stats.packets, counts.unread + counts.read, counts.lost,
		line->until ? "; Ctrl-C ends it" : "");
	line->shown = true;
}

void live_line_end(struct live_line *line)
{
	if (line->shown)
		fputs(ERASE, stderr);
	line->shown = false;
}
