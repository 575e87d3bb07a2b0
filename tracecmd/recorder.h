/* SPDX-License-Identifier: GPL-2.0 */
/* Run trace-cmd record and the user's command, and see both to their end. */
#ifndef _RECORD_SKB_RECORDER_H
#define _RECORD_SKB_RECORDER_H

#include <stdbool.h>

#include "err.h"
#include "machine.h"
#include "meanwhile.h"
#include "plan.h"
#include "record_skb.h"

/**
 * struct outcome - what came of it
 * @stats: of the module, when it was disarmed
 * @before: the sums of what was counted for earlier rings: packets, and what was lost
 * @entries: in the file, of the top buffer: written into it and read by the recorders
 * @lost: entries that never reached the file, by CPU, as the ring buffer counted them; owned
 * @lost_before: the same of earlier rings, of all CPUs
 * @nr_cpus: length of @lost
 * @written_over: entries of a ring by newer ones
 * @held: seconds from the oldest entry to the end of a ring, if some are written over
 * @incidents: rings written by --keep
 * @no_file: nothing that was waited for came, so none was written
 * @left_running: processes that the command started and that go on after its end
 * @started: the command, if any, was let go
 * @limit: the option that ended it, NULL if none did
 * @crashed: trace-cmd ended in the middle
 * @switched_off: the file by which somebody had switched tracing off before the end, NULL if nobody had
 * @other_reader: what somebody else has read or emptied the buffer by, NULL if nobody has
 * @meanwhile: what passed by; NULL if it was not begun
 * @file_is_good: although something failed: the file holds what was recorded until then
 * @status: what to exit with; err.status where there was an error
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
	unsigned long incidents;
	bool no_file;
	int left_running;
	bool started;
	const char *limit;
	bool crashed;
	const char *switched_off;
	const char *other_reader;
	struct meanwhile *meanwhile;
	bool file_is_good;
	int status;
};

/**
 * recorder_run - run the recorder and the command, and wait for both
 * @plan: what is to be done
 * @machine: taken
 * @outcome: filled in
 * @err: what went wrong
 *
 * Returns when trace-cmd has ended and the module is disarmed, whatever happened; 0 or -1.
 */
int recorder_run(struct plan *plan, const struct machine *machine, struct outcome *outcome,
		 struct err *err);

#endif
