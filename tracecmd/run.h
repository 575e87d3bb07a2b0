/* SPDX-License-Identifier: GPL-2.0 */
/* run.h - the state of a running recording, and the functions that watch and end it */
#ifndef _RECORD_SKB_RUN_H
#define _RECORD_SKB_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "err.h"
#include "recording_summary.h"
#include "modes/live_packets.h"
#include "names/netns_naming.h"
#include "setup.h"
#include "tracefs/ring_buffer.h"
#include "modes/until.h"
#include "plan.h"
#include "probes/attached_programs.h"
#include "recorder/processes.h"
#include "recorder/recorder.h"
#include "filter/rule_texts.h"
#include "text.h"

/*
 * How many seconds the user's command may take to exit after SIGTERM. After this time, the recording ends
 * without waiting for the command.
 */
#define GRACE_SECONDS 3

/*
 * Index of trace-cmd's first recorder process in the process tree. trace-cmd itself has index 0, and the last
 * process is the runner, which trace-cmd starts as its command.
 */
#define FIRST_RECORDER 1

enum phase {
	STARTING, /* trace-cmd sets up tracing */
	RUNNING,  /* the module is armed, and the command runs if there is one */
	ENDING,	  /* the module is disarmed, and trace-cmd writes its file */
};

/**
 * struct run - a running recording
 * @plan, @setup, @outcome, @err: arguments of recorder_run()
 * @phase: one of the values of enum phase
 * @failed: true if the recording has failed and @err has the reason
 * @interrupted: number of the signal that interrupted the start or ended the recording; 0 if there was none
 * @grace: number of seconds after which the recording ends without waiting for the command; 0 if the command
 *	has not been asked to exit
 * @ticks: time since the recording began, in units of 1 / TICKS_PER_SECOND
 * @trace_cmd: PID of trace-cmd; 0 after it was reaped
 * @tree: trace-cmd, its recorder processes and its command, which is the runner
 * @awaited: when the recording ends, the index in @tree of the recorder process that is expected to
 *	exit next. After the last one has exited, the tracer is removed
 * @socket: socket for messages to and from the runner
 * @command: pidfd of the user's command, -1 if there is none
 * @followed: pidfds of the processes of -P; -1 for a process that has exited
 * @nr_followed: length of @followed
 * @linger: state of --linger, used after the user's command has exited
 * @asked: true after a signal has asked to end the recording
 * @ring_files: names of the files that --keep has written
 * @live_line: the progress line
 * @live: the process that prints a line for each packet (--live)
 * @rule_texts: texts of nftables rules for --why; NULL if they are not collected
 * @netns_names: names of network namespaces; NULL before and after the recording
 * @bpf_programs: the BPF programs that the recording is attached to; NULL before and after the recording
 * @other_readers: detects other readers of the buffer
 */
struct run {
	struct plan *plan;
	const struct setup *setup;
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
	struct linger_state linger;
	bool asked;
	struct strings ring_files;
	struct live_line live_line;
	struct live_packets live;
	struct rule_texts *rule_texts;
	struct netns_names *netns_names;
	struct bpf_programs *bpf_programs;
	struct other_readers *other_readers;
};

/*
 * Register a process of the recording with the module, the process tree and the watchdog. @signal is the
 * signal by which the module ends the process, as in struct record_skb_process. If the process does not use
 * tracing, @signal is -1, and the process is not registered with the module.
 */
void run_add_process(struct run *run, pid_t pid, int signal);

/*
 * Return true if one of trace-cmd's recorder processes has exited during the recording, for example because
 * the disk is full. The file then lacks the later events of one CPU.
 */
bool run_lacks_recorder(const struct run *run);

/*
 * Return true if the runner, which is trace-cmd's command, has exited. If it exits during the recording,
 * another process has killed it.
 */
bool run_lacks_runner(const struct run *run);

/*
 * Check if another process has read or cleared the buffer, so that events are missing in the file. If so,
 * write a line that says so into the trace, by trace_marker. Call this function while tracing is on.
 */
void run_look_for_other_readers(struct run *run);

/* Note that the recording has failed, for the reason @err. Only the first reason is kept and reported. */
void run_fail(struct run *run, const struct err *err);

/*
 * End the recording: disarm the module, and then let trace-cmd end. In the other order, trace-cmd would
 * restore settings that the module still uses.
 */
void run_end(struct run *run);

/*
 * Handle the exit of trace-cmd with the wait status @status. If trace-cmd has failed or exited too soon, the
 * recording fails. If trace-cmd was killed, make the file from the per-CPU parts.
 */
void run_trace_cmd_ended(struct run *run, int status);

/*
 * Call this function when the user's command, or the last followed process, has exited. The recording
 * continues for the last packets (--linger), or ends at once if none are expected.
 */
void run_linger(struct run *run);

/*
 * End the recording if the traffic has stopped or the time of --linger is over. Call this function regularly
 * after run_linger().
 */
void run_look_if_quiet(struct run *run);

/*
 * End the recording because @limit was reached. If the user's command still runs, send it SIGTERM, as
 * timeout(1) does; the recording then ends when the command exits.
 */
void run_end_by_limit(struct run *run, const char *limit);

/*
 * End the recording if it has reached a limit of --until. @msec: time since the recording began, in
 * milliseconds.
 */
void run_look_at_limits(struct run *run, unsigned long msec);

/*
 * Count the entries of the top instance's buffer that are in the file, and the entries that are lost.
 *
 * The function is called twice. When the module is disarmed, @all_read is false, and all entries in the
 * buffer count as recorded. When trace-cmd's recorder processes have exited, @all_read is true, and only
 * entries that they have read count. By then, trace-cmd may already have set another tracer, which resets the
 * kernel's counters. Therefore a second count of 0 is ignored.
 */
void run_count(struct run *run, bool all_read);

#endif
