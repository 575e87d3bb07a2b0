/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_RECORD_H
#define _RECORD_SKB_RECORD_H

#include <stdbool.h>
#include <sys/types.h>

#include "err.h"
#include "options.h"
#include "session.h"
#include "strlist.h"

#define DEFAULT_OUTPUT	"trace.dat"

/**
 * record_command_line - what the real trace-cmd is run with
 * @options: the user's
 * @trace_cmd: its path
 * @runner: this program's path
 * @runner_args: of --runner
 * @line: filled in, for the caller to free
 */
void record_command_line(const struct options *options, const char *trace_cmd, const char *runner,
			 const char *runner_args, struct strings *line);

/**
 * struct recording - what came of it
 * @stats: of the module, when it was disarmed
 * @lost: entries that never reached the file, by CPU, as the ring buffer counted them; owned
 * @nr_cpus: length of @lost
 * @started: the command, if any, was let go
 * @crashed: trace-cmd ended in the middle
 * @status: what to exit with; err.status where there was an error
 */
struct recording {
	struct record_skb_stats stats;
	unsigned long long *lost;
	int nr_cpus;
	bool started;
	bool crashed;
	int status;
};

/**
 * record_run - run the recorder and the command, and wait for both
 * @options: the user's
 * @trace_cmd: path of the real trace-cmd
 * @tracefs: its directory
 * @session: ready to be armed
 * @functions: the gate and the probe points, which the graph is to show whatever -l says
 * @flags: RECORD_SKB_OPT_* that were set: whether to follow the command
 * @keeper: of keeper_start()
 * @recording: filled in
 * @err: what went wrong
 *
 * Returns when trace-cmd has ended and the module is disarmed, whatever happened; 0 or -1.
 */
int record_run(const struct options *options, const char *trace_cmd, const char *tracefs, int session,
	       const struct strings *functions, unsigned int flags, int keeper,
	       struct recording *recording, struct err *err);

#endif
