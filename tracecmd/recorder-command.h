/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of the real trace-cmd record. */
#ifndef _RECORD_SKB_RECORDER_COMMAND_H
#define _RECORD_SKB_RECORDER_COMMAND_H

#include "options.h"
#include "strlist.h"

/**
 * recorder_command - what the real trace-cmd is run with
 * @options: the user's
 * @trace_cmd: its path
 * @runner: this program's path
 * @runner_args: of --runner
 * @command: filled in, for the caller to free
 */
void recorder_command(const struct options *options, const char *trace_cmd, const char *runner,
		      const char *runner_args, struct strings *command);

#endif
