/* SPDX-License-Identifier: GPL-2.0 */
/* recorder.h - run trace-cmd record and the user's command, and wait until both have ended */
#ifndef _RECORD_SKB_RECORDER_H
#define _RECORD_SKB_RECORDER_H

#include <stdbool.h>

#include "err.h"
#include "setup.h"
#include "filter/no_match_hints.h"
#include "plan.h"
#include "record_skb.h"

/**
 * struct outcome - the result of a recording
 * @stats: the module's statistics, read after it was disarmed
 * @before: for --keep, the sum of packets and losses of the rings before the last one
 * @entries: number of entries in the file that come from the buffer of the top tracing instance
 * @lost: for each CPU, the number of entries that never reached the file, as counted by the ring buffer;
 *	owned
 * @lost_before: for --keep, the number of lost entries of the rings before the last one, for all CPUs
 * @nr_cpus: number of elements in @lost
 * @written_over: for a ring, the number of entries that newer entries have overwritten
 * @held: number of seconds that the entries of the ring cover, if older entries were overwritten
 * @ring_files: number of files that --keep has written
 * @no_file: true if no file was written, because no packet triggered --until
 * @left_running: number of processes that the command started and that still run after its end
 * @started: true if the recording has begun and the command could be executed
 * @limit: the limit that ended the recording, as text for the summary; NULL if no limit did
 * @cut_off: true if the time of --linger was over before the traffic stopped
 * @under_way, @closing: number of tracked packets, and of half-closed connections, when --linger ended
 * @unlisted_rules: number of rules without a text because nft(8) reached its time limit
 * @crashed: true if trace-cmd did not end normally
 * @switched_off: the file by which another process had disabled tracing before the end, or NULL
 * @other_reader: the file by which another process has read or cleared the buffer, or NULL
 * @hints: kernel counters that hint at the reason if no packet matches; NULL if the recording has not
 *	begun
 * @file_is_good: true if the recording has failed, but the file is usable: it has the events before
 *	the failure
 * @status: the exit status; if there was an error, err.status counts instead
 */
struct outcome {
	struct record_skb_stats stats;
	struct record_skb_stats before;
	unsigned long long entries;
	unsigned long long *lost;
	unsigned long long lost_before;
	int nr_cpus;
	unsigned long long written_over;
	double held;
	unsigned long ring_files;
	bool no_file;
	int left_running;
	bool started;
	const char *limit;
	bool cut_off;
	unsigned int under_way;
	unsigned int closing;
	unsigned int unlisted_rules;
	bool crashed;
	const char *switched_off;
	const char *other_reader;
	struct no_match_hints *hints;
	bool file_is_good;
	int status;
};

/**
 * recorder_run - run trace-cmd and the command, and wait for both
 * @plan: the recording
 * @setup: from setup_begin()
 * @outcome: filled in
 * @err: set to the reason on failure
 *
 * Returns only after trace-cmd has exited and the module is disarmed, even after an error. Returns 0 or -1.
 */
int recorder_run(struct plan *plan, const struct setup *setup, struct outcome *outcome,
		 struct err *err);

#endif
