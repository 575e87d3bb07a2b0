// SPDX-License-Identifier: GPL-2.0
/* The command line of the real trace-cmd record. */
#include <sys/sysinfo.h>
#include <unistd.h>

#include "graph-options.h"
#include "record.h"
#include "record_skb.h"
#include "runner.h"

/*
 * A packet's whole graph comes in a burst of some thousand entries, so the kernel's 1.4 MB a CPU
 * is soon full. Not where that would be a noticeable part of the memory.
 */
#define BUFFER_KB	4096
#define MEMORY_PART	64

static bool has_memory(void)
{
	struct sysinfo info;

	if (sysinfo(&info))
		return false;
	return (unsigned long long)get_nprocs() * BUFFER_KB * 1024 <=
	       (unsigned long long)info.totalram * info.mem_unit / MEMORY_PART;
}

static void add(struct strings *line, const char *option, const char *value)
{
	strings_add(line, option);
	if (value)
		strings_add(line, value);
}

void record_command_line(const struct options *o, const char *trace_cmd, const char *runner,
			 const char *runner_args, struct strings *line)
{
	strings_add(line, trace_cmd);
	strings_add(line, "record");
	strings_add(line, "-q");
	add(line, "-p", "function_graph");
	add(line, "-g", RECORD_SKB_GATE);
	/* One function is traced at once; those chosen beside it come when tracing is on. */
	if (options_detail(o) != DETAIL_FULL)
		add(line, "-l", RECORD_SKB_GATE);
	add(line, "-e", RECORD_SKB_MODULE);
	graph_options_add(o, line);
	/* trace-cmd sets options last first, so that one of the user's could not undo this one. */
	if (!o->has_irqs)
		add(line, "-O", "nofuncgraph-irqs");
	if (!o->has_buffer_size && has_memory()) {
		strings_add(line, "-b");
		strings_addf(line, "%d", BUFFER_KB);
	}
	/* The gate's own line is the root of each graph. */
	if (o->graph_depth)
		strings_addf(line, "--max-graph-depth=%u", o->graph_depth + 1);
	if (!o->remote)
		add(line, "-o", o->output ? o->output : DEFAULT_OUTPUT);
	for (size_t i = 0; i < o->pass.n; i++)
		strings_add(line, o->pass.v[i]);
	add(line, runner, RUNNER_ARG);
	strings_add(line, runner_args);
	for (char **word = o->command; word && *word; word++)
		strings_add(line, *word);
}
