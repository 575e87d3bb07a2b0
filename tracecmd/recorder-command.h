/* SPDX-License-Identifier: GPL-2.0 */
/* The command lines of the real trace-cmd. */
#ifndef _RECORD_SKB_RECORDER_COMMAND_H
#define _RECORD_SKB_RECORDER_COMMAND_H

#include "options.h"
#include "strlist.h"

/**
 * recorder_command - what is run while it is recorded: the real trace-cmd, or for a ring the runner alone
 * @options: the user's
 * @recording: its number among others; 0 if it has the recording for itself
 * @trace_cmd: its path
 * @runner: this program's path
 * @runner_args: of --runner
 * @command: filled in, for the caller to free
 */
void recorder_command(const struct options *options, unsigned int recording, const char *trace_cmd,
		      const char *runner, const char *runner_args, struct strings *command);

/* What makes a ring, and what makes a file of it. */
void ring_start_command(const struct options *options, unsigned int recording,
			const char *trace_cmd, struct strings *command);
void ring_extract_command(const struct options *options, const char *trace_cmd,
			  struct strings *command);

#endif
