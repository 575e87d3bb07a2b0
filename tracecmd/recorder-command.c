// SPDX-License-Identifier: GPL-2.0
/* The command lines of the real trace-cmd. */
#include <string.h>
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

/* In KB, for each CPU; 0 for the kernel's own size. */
static unsigned long buffer_size(const struct options *o)
{
	const unsigned long cpus = get_nprocs();

	if (o->ring.kb)
		return (o->ring.kb + cpus - 1) / cpus;
	return !o->has_buffer_size && has_memory() ? BUFFER_KB : 0;
}

/* Of those that are handed on: what becomes of the file, not of tracing. */
static bool is_about_file(const char *option)
{
	static const char *const names[] = { "--compression", "--date", "--file-version", "--temp",
					     "--ts-offset" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t n = strlen(names[i]);

		if (!strncmp(option, names[i], n) && (!option[n] || option[n] == '='))
			return true;
	}
	return false;
}

/* What is recorded, and how. */
static void add_tracing(const struct options *o, unsigned int recording, struct strings *command)
{
	const unsigned long size = buffer_size(o);

	strings_add(command, "-q");
	add(command, "-p", "function_graph");
	/* Among others, share.c puts its gate there: trace-cmd would take away theirs. */
	if (!recording)
		add(command, "-g", RECORD_SKB_GATE);
	if (o->module_flags & RECORD_SKB_OPT_CALIBRATE)
		add(command, "-g", RECORD_SKB_CALIBRATION);
	add(command, "-e", RECORD_SKB_MODULE);
	/* Events go to each instance that has them on. */
	if (recording) {
		strings_add(command, "-f");
		strings_addf(command, "recording == %u", recording);
	}
	graph_options_add(o, command);
	/* trace-cmd sets options last first, so that one of the user's could not undo this one. */
	if (!o->has_irqs && !recording)
		add(command, "-O", "nofuncgraph-irqs");
	if (size) {
		strings_add(command, "-b");
		strings_addf(command, "%lu", size);
	}
	/* The gate's own line is the root of each graph. */
	if (o->graph_depth)
		strings_addf(command, "--max-graph-depth=%u", o->graph_depth + 1);
}

/* What is about tracing, and what is about the file. -l only if it is not ours. */
static void pass_on(const struct options *o, bool tracing, bool file, struct strings *command)
{
	const bool ours = options_choose_functions(o);

	for (size_t i = 0; i < o->pass.n; i++) {
		const char *word = o->pass.v[i];

		if (ours && !strcmp(word, "-l"))
			i++;
		else if (is_about_file(word) ? file : tracing)
			strings_add(command, word);
	}
}

void recorder_command(const struct options *o, unsigned int recording, const char *trace_cmd,
		      const char *runner, const char *runner_args, struct strings *command)
{
	if (!options_by_start(o)) {
		strings_add(command, trace_cmd);
		strings_add(command, "record");
		add_tracing(o, recording, command);
		if (options_output(o))
			add(command, "-o", options_output(o));
		/* Else what is in a page comes to the file when the page is full. */
		if (o->live)
			strings_add(command, "--nosplice");
		pass_on(o, true, true, command);
	}
	add(command, runner, RUNNER_ARG);
	strings_add(command, runner_args);
	for (char **word = o->command; word && *word; word++)
		strings_add(command, *word);
}

void ring_start_command(const struct options *o, unsigned int recording, const char *trace_cmd,
			struct strings *command)
{
	strings_add(command, trace_cmd);
	strings_add(command, "start");
	add_tracing(o, recording, command);
	pass_on(o, true, false, command);
}

void ring_extract_command(const struct options *o, const char *trace_cmd, struct strings *command)
{
	strings_add(command, trace_cmd);
	strings_add(command, "extract");
	strings_add(command, "--quiet");
	/* What it would reset is put back by us, or goes on. */
	strings_add(command, "-k");
	add(command, "-o", options_output(o));
	pass_on(o, false, true, command);
}
