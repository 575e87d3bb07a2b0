// SPDX-License-Identifier: GPL-2.0
/* The command line of the real trace-cmd record. */
#include <sys/sysinfo.h>
#include <unistd.h>

#include "graph-options.h"
#include "record_skb.h"
#include "recorder-command.h"
#include "runner.h"

/*
 * A packet's whole graph comes in a burst of some thousand entries, so the kernel's 1.4 MB a CPU
 * is soon full. Not where that would be a noticeable part of the memory.
 */
#define BUFFER_KB   4096
#define MEMORY_PART 64

static bool has_memory(void)
{
	struct sysinfo info;

	if (sysinfo(&info))
		return false;
	return (unsigned long long)get_nprocs() * BUFFER_KB * 1024 <=
	       (unsigned long long)info.totalram * info.mem_unit / MEMORY_PART;
}

static void add(struct strings *command, const char *option, const char *value)
{
	strings_add(command, option);
	if (value)
		strings_add(command, value);
}

void recorder_command(const struct options *o, const char *trace_cmd, const char *runner,
		      const char *runner_args, struct strings *command)
{
	strings_add(command, trace_cmd);
	strings_add(command, "record");
	strings_add(command, "-q");
	add(command, "-p", "function_graph");
	add(command, "-g", RECORD_SKB_GATE);
	add(command, "-e", RECORD_SKB_MODULE);
	graph_options_add(o, command);
	/* trace-cmd sets options last first, so that one of the user's could not undo this one. */
	if (!o->has_irqs)
		add(command, "-O", "nofuncgraph-irqs");
	if (!o->has_buffer_size && has_memory()) {
		strings_add(command, "-b");
		strings_addf(command, "%d", BUFFER_KB);
	}
	/* The gate's own line is the root of each graph. */
	if (o->graph_depth)
		strings_addf(command, "--max-graph-depth=%u", o->graph_depth + 1);
	if (options_output(o))
		add(command, "-o", options_output(o));
	for (size_t i = 0; i < o->pass.n; i++)
		strings_add(command, o->pass.v[i]);
	add(command, runner, RUNNER_ARG);
	strings_add(command, runner_args);
	for (char **word = o->command; word && *word; word++)
		strings_add(command, *word);
}
