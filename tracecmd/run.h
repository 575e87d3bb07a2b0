/* SPDX-License-Identifier: GPL-2.0 */
/* A recording under way, and how it ends. */
#ifndef _RECORD_SKB_RUN_H
#define _RECORD_SKB_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "err.h"
#include "live-line.h"
#include "live-packets.h"
#include "machine.h"
#include "other-readers.h"
#include "plan.h"
#include "process-tree.h"
#include "recorder.h"
#include "rule-texts.h"
#include "strlist.h"

/* How long a command may take to end once we were told to (SIGTERM, SIGHUP). */
#define GRACE_SECONDS 3

/* In the tree; before them is trace-cmd, behind them the runner. */
#define FIRST_RECORDER 1

enum phase {
	STARTING, /* trace-cmd sets tracing up */
	RUNNING,  /* armed; the command, if any, runs */
	ENDING,	  /* disarmed; trace-cmd writes its file */
};

/**
 * struct run - a recording under way
 * @plan, @machine, @outcome, @err: of recorder_run()
 * @phase: see above
 * @failed: @err is set
 * @interrupted: by this signal before it began, or while it ran and made to end; else 0
 * @grace: seconds until the command is no longer waited for; 0 if it has not been told to end
 * @ticks: since the recording began, TICKS_PER_SECOND
 * @trace_cmd: its pid, 0 once it is reaped
 * @tree: trace-cmd, its recorders and the runner
 * @awaited: member of @tree whose end is waited for, once the recording ends, by us or by itself; the tracer
 *	ends after the last one
 * @socket: to the runner
 * @command: pidfd of the user's command, -1 if there is none
 * @followed: pidfds of -P, -1 for one that has ended, @nr_followed of them
 * @asked: by a signal to end
 * @incidents: files of --keep
 * @live_line: what is shown while it runs
 * @live: who prints the lines of --live
 * @rule_texts: of --why, while it runs
 * @other_readers: of the buffer
 */
struct run {
	struct plan *plan;
	const struct machine *machine;
	struct outcome *outcome;
	struct err *err;
	enum phase phase;
	bool failed;
	int interrupted;
	int grace;
	unsigned long ticks;
	pid_t trace_cmd;
	struct process_tree tree;
	size_t awaited;
	int socket;
	int command;
	int *followed;
	size_t nr_followed;
	bool asked;
	struct strings incidents;
	struct live_line live_line;
	struct live_packets live;
	struct rule_texts *rule_texts;
	struct other_readers *other_readers;
};

/*
 * Whether one of trace-cmd's recorders has ended while it records, as for a full disk: what its CPU records
 * since then nobody reads.
 */
bool run_lacks_recorder(const struct run *run);

/* Whether somebody has ended its runner, in the middle of a recording: it ends when we say so. */
bool run_lacks_runner(const struct run *run);

/* What others have read, or emptied, is not in the file, which says so itself, while it is written. */
void run_look_for_other_readers(struct run *run);

/* Note what went wrong. The first complaint is the one that matters. */
void run_fail(struct run *run, const struct err *err);

/* Disarm while trace-cmd still traces, so that what it sets back is out of use; then let it end. */
void run_end(struct run *run);

/* The command, if there is one, is told to end, as timeout(1) does, and has its grace. */
void run_end_by_limit(struct run *run, const char *limit);

/*
 * How many entries of the top buffer are in the file: when we disarm, those that are written; when the
 * recorders have ended, those that they have read. Counters begin anew when a tracer is set, by
 * trace-cmd maybe before we look the second time.
 */
void run_count(struct run *run, bool all_read);

#endif
