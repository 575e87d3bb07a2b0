/* SPDX-License-Identifier: GPL-2.0 */
/* recording_summary.h - print the progress of a recording, and a summary at its end */
#ifndef _RECORD_SKB_RECORDING_SUMMARY_H
#define _RECORD_SKB_RECORDING_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "plan.h"
#include "recorder/recorder.h"

/* For a ring with --keep: print which packet stopped the ring, and the name of the ring's file. */
void summary_print_ring_file(FILE *out, const struct record_skb_stats *stats, const char *file);

/*
 * Print the summary: the numbers of recorded and lost entries, the reason why the recording ended, and the
 * name of the output file.
 */
void summary_print(FILE *out, const struct plan *plan, const struct outcome *outcome);

/**
 * finding_print - print the most important finding of a recording, and the command that shows more
 * @out: where to print
 * @file: name of the recording's file
 * @has_packets: true if packets matched; if false, and there is no finding, the function prints
 *	nothing
 *
 * The function runs trace-cmd-report-skb, which reads the recording. If the file is too large, or if reading
 * takes too long, the function prints only the command.
 */
void finding_print(FILE *out, const char *file, bool has_packets);

/**
 * struct live_line - the progress line
 * @session: from session_open()
 * @on: true if the line is to be shown: standard error is a terminal, and the user has not disabled the line
 * @until: text that says what will end the recording; NULL if a command is run
 * @shown: true while the line is visible on the terminal
 */
struct live_line {
	int session;
	bool on;
	const char *until;
	bool shown;
};

/*
 * Prepare the progress line, and say that the recording has begun. @until: what will end the recording; NULL
 * if a command is run, and then nothing is said. @quiet: true to print nothing.
 */
void live_line_begin(struct live_line *line, int session, bool quiet, const char *until);

/* Print the progress line with new numbers. If the command uses the terminal, do nothing. */
void live_line_show(struct live_line *line);

/* Erase the progress line. If @line is zeroed, do nothing. */
void live_line_end(struct live_line *line);

#endif /* _RECORD_SKB_RECORDING_SUMMARY_H */
