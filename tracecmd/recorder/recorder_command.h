/* SPDX-License-Identifier: GPL-2.0 */
/* recorder_command.h - make the command lines for the real trace-cmd, and start trace-cmd record */
#ifndef _RECORD_SKB_RECORDER_COMMAND_H
#define _RECORD_SKB_RECORDER_COMMAND_H

#include <signal.h>

#include "err.h"
#include "record_options.h"
#include "text.h"

/*
 * Check that this kernel has the options of function_graph that the user wants. Returns 0, or -1 with the
 * name of a missing option in @err.
 */
int graph_options_check(const struct options *options, struct err *err);

/**
 * recorder_command - make the command line of trace-cmd record; for a ring, make that of the runner alone
 * @options: the user's options
 * @recording: number of the shared recording; 0 if it is not shared
 * @trace_cmd: path of the real trace-cmd
 * @runner: path of this program
 * @runner_args: arguments of the runner, from runner_argument()
 * @command: the words are appended to this list, which the caller frees
 */
void recorder_command(const struct options *options, unsigned int recording, const char *trace_cmd,
		      const char *runner, const char *runner_args, struct strings *command);

/*
 * Make the command lines for a ring: "trace-cmd start" starts it, and "trace-cmd extract" writes it to a
 * file.
 */
void ring_start_command(const struct options *options, unsigned int recording,
			const char *trace_cmd, struct strings *command);
void ring_extract_command(const struct options *options, const char *trace_cmd,
			  struct strings *command);

struct run;

/**
 * recorder_start - start trace-cmd record; for a ring, start tracing and then the runner alone
 * @run: the recording; its members for trace-cmd, the socket and the other readers are set
 * @ignored: signals that the user's shell ignores; see struct runner_argument
 * @mask: signal mask for trace-cmd
 * @err: set on failure
 *
 * Returns 0, or -1 on failure.
 */
int recorder_start(struct run *run, unsigned int ignored, const sigset_t *mask, struct err *err);

#endif
