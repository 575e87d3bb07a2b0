// SPDX-License-Identifier: GPL-2.0
/* trace-cmd record-skb: the call graph of chosen packets. This file is the order things go in. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dry-run.h"
#include "list-points.h"
#include "machine-check.h"
#include "machine.h"
#include "options.h"
#include "other-readers.h"
#include "output-file.h"
#include "persistent.h"
#include "plan.h"
#include "real-trace-cmd.h"
#include "recorder.h"
#include "runner.h"
#include "summary.h"
#include "tracing.h"
#include "usage.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

static void say(const char *text)
{
	fprintf(stderr, "trace-cmd record-skb: %s\n", text);
}

static int record(struct plan *plan, struct outcome *outcome, struct err *err)
{
	struct machine machine;
	int ret;

	ret = machine_take(&machine, plan, say, err);
	if (!ret)
		ret = recorder_run(plan, &machine, outcome, err);
	machine_give_back(&machine, outcome->crashed, say);
	return ret;
}

/* What is not there, and is in no count, for others have meddled. */
static void tell_others(const struct outcome *outcome)
{
	const char *by = outcome->other_reader;
	char *text;

	if (outcome->switched_off) {
		text = xasprintf("somebody had switched tracing off when the recording ended (%s): "
				 "what came after that is not there",
				 outcome->switched_off);
		say(text);
		free(text);
	}
	if (by) {
		text = xasprintf(
			strcmp(by, OTHER_READERS_EMPTIED) ?
				"somebody else has read the buffer meanwhile (%s): what they "
				"have is not in the file" :
				"somebody else has emptied the buffer meanwhile (%s): what was "
				"there is not in the file",
			by);
		say(text);
		free(text);
	}
}

static int record_and_tell(struct plan *plan, int *status, struct err *err)
{
	struct outcome outcome = {};
	int ret;

	if (plan_check(plan, err))
		return -1;
	ret = record(plan, &outcome, err);
	if (!ret && plan->output.file && !outcome.no_file)
		ret = output_check_written(plan->output.file, outcome.entries, err);
	if (ret && plan->output.file && !outcome.file_is_good && !outcome.no_file)
		output_discard(&plan->output);
	tell_others(&outcome);
	if (!ret && !plan->options->quiet)
		summary_print(stderr, plan, &outcome);
	*status = outcome.status;
	meanwhile_free(outcome.meanwhile);
	free(outcome.lost);
	return ret;
}

/* Functions are root's to look up; anybody else gets the rest. */
static int dry_run(struct plan *plan, struct err *err)
{
	if (!geteuid() && (tracing_find(err) || plan_functions(plan, say, err) ||
			   functions_read(&plan->kernel.functions, err)))
		return -1;
	dry_run_print(stdout, plan);
	return 0;
}

/* The table can be shown by anybody, what this kernel has of it by root alone. */
static int list_points(const struct options *o, struct err *err)
{
	struct kernel kernel = {};
	bool known = false;
	int ret = 0;

	if (geteuid()) {
		err_set(err, "needs root to see the kernel's functions (try sudo)");
	} else if (!tracing_find(err)) {
		kernel_open(&kernel);
		known = !functions_read(&kernel.functions, err);
	}
	if (!o->list_glob)
		list_points_table(stdout, known ? &kernel.functions : NULL);
	else
		ret = known ? list_points_glob(stdout, &kernel, o->list_glob, err) : -1;
	kernel_close(&kernel);
	return ret;
}

/* What --persistent kept over a crash. */
static int recover(const struct options *o, struct err *err)
{
	const char *file = options_output(o);
	struct strings left = {};
	char *trace_cmd, *text;
	int ret = -1;

	if (geteuid())
		return err_set(err, "needs root: the trace is root's alone (try sudo)");
	trace_cmd = real_trace_cmd();
	if (!trace_cmd)
		err_set(err, "%s", real_trace_cmd_lacks());
	else if (!tracing_find(err))
		ret = persistent_recover(o->recover, file, trace_cmd, &left, err);
	if (!ret && !o->quiet) {
		text = xasprintf(
			"%s has the newest of the recording, as much as '%s' had room for; "
			"see trace-cmd report-skb -i %s",
			file, o->recover, file);
		say(text);
		free(text);
	}
	if (left.n) {
		text = xasprintf(
			"what had been written to the disk, older, is in %s.cpu*: trace-cmd "
			"restore -i %s.head -o FILE %s.cpu*",
			file, file, file);
		say(text);
		free(text);
	}
	strings_free(&left);
	free(trace_cmd);
	return ret;
}

static int printed(struct err *err)
{
	return fflush(stdout) || ferror(stdout) ?
		       err_set(err, "cannot write what is to be printed: %s", strerror(errno)) :
		       0;
}

static int run(const struct options *o, int *status, struct err *err)
{
	struct plan plan;
	int ret;

	*status = 0;
	if (o->help) {
		usage_print(stdout);
		return printed(err);
	}
	if (o->version) {
		puts("trace-cmd record-skb " VERSION);
		return printed(err);
	}
	if (o->check) {
		*status = machine_check_print(stdout) ? 0 : EXIT_OURS;
		return printed(err);
	}
	if (o->list_points)
		return list_points(o, err) || printed(err);
	if (o->recover)
		return recover(o, err);
	ret = plan_make(&plan, o, err);
	if (!ret && o->dry_run)
		ret = dry_run(&plan, err) || printed(err);
	else if (!ret)
		ret = record_and_tell(&plan, status, err);
	plan_free(&plan);
	return ret;
}

int main(int argc, char **argv)
{
	struct options options;
	struct err err;
	int status;

	/* Whoever called us may ignore it, and then nobody could wait for a child. */
	signal(SIGCHLD, SIG_DFL);
	if (argc > 1 && !strcmp(argv[1], RUNNER_ARG))
		return runner_main(argc, argv);
	if (options_parse(&options, argc, argv, &err) || run(&options, &status, &err)) {
		say(err.text);
		status = err.status;
	}
	options_free(&options);
	return status;
}
