// SPDX-License-Identifier: GPL-2.0
/* trace-record-skb.c - the main program of trace-cmd record-skb, which records call graphs of packets */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan.h"
#include "probes/probe_points.h"
#include "check.h"
#include "setup.h"
#include "record_options.h"
#include "tracefs/ring_buffer.h"
#include "recorder/trace_file.h"
#include "modes/persistent.h"
#include "text.h"
#include "dispatch/real_trace_cmd.h"
#include "hosts/control.h"
#include "hosts/on_hosts.h"
#include "recorder/recorder.h"
#include "recorder/child.h"
#include "recording_summary.h"
#include "tracefs/tracer_users.h"
#include "option_table.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

static void print_message(const char *text)
{
	char *shown = safe_text(text);

	fprintf(stderr, "trace-cmd record-skb: %s\n", shown);
	free(shown);
}

static int make_recording(struct plan *plan, struct outcome *outcome, struct err *err)
{
	struct setup setup;
	int ret = -1;

	if (!setup_begin(&setup, plan, print_message, err) &&
	    !plan_functions(plan, print_message, err) &&
	    !setup_apply(&setup, plan, print_message, err))
		ret = recorder_run(plan, &setup, outcome, err);
	/*
	 * "trace-cmd start" leaves the tracing instances that it has created for -B. Remove them, as after a
	 * crash.
	 */
	setup_undo(&setup,
		   outcome->crashed ||
			   (options_by_start(plan->options) && plan->options->instances.n),
		   print_message);
	return ret;
}

/*
 * Warn that events are missing in the file if another process has read or cleared the buffer, or has disabled
 * tracing.
 */
static void tell_others(const struct outcome *outcome)
{
	const char *by = outcome->other_reader;
	char *text;

	if (outcome->switched_off) {
		text = xasprintf(
			"another process has switched tracing off before the recording ended "
			"(%s): the later entries are missing",
			outcome->switched_off);
		print_message(text);
		free(text);
	}
	if (by) {
		text = xasprintf(
			strcmp(by, OTHER_READERS_EMPTIED) ?
				"another process has read the trace buffer during the recording "
				"(%s): the file lacks the entries that it got" :
				"another process has emptied the trace buffer during the "
				"recording (%s): the file lacks the removed entries",
			by);
		print_message(text);
		free(text);
	}
}

static int record_and_tell(struct plan *plan, int *status, struct err *err)
{
	struct outcome outcome = {};
	int ret;

	if (plan_check(plan, err))
		return -1;
	ret = make_recording(plan, &outcome, err);
	if (!ret && plan->output.file && !outcome.no_file)
		ret = output_check_written(plan->output.file, outcome.entries, err);
	if (ret && plan->output.file && !outcome.file_is_good && !outcome.no_file)
		output_discard(&plan->output);
	tell_others(&outcome);
	if (!ret && !plan->options->quiet) {
		summary_print(stderr, plan, &outcome);
		/*
		 * On a host of --on, do not print a command for the file: the file is moved to another
		 * machine before the user reads the messages.
		 */
		if (plan->output.file && !outcome.no_file && !plan->options->ring.keep &&
		    control_fd() < 0)
			finding_print(stderr, plan->output.file, outcome.stats.packets);
	}
	*status = outcome.status;
	no_match_hints_free(outcome.hints);
	free(outcome.lost);
	return ret;
}

/*
 * Print the plan for --dry-run. Looking up functions needs root, so the plan has no functions for other
 * users.
 */
static int dry_run(struct plan *plan, struct err *err)
{
	if (!geteuid() && (tracing_find(err) || plan_functions(plan, print_message, err) ||
			   functions_read(&plan->kernel.functions, err)))
		return -1;
	dry_run_print(stdout, plan);
	return 0;
}

/*
 * Print the built-in table of probe points, or the functions that match the glob of --list-points. For root,
 * also print which functions this kernel has. Returns 0 or -1.
 */
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

/*
 * For --recover, make a file from the recording that the tracing instance of --persistent has kept during a
 * crash. Returns 0 or -1.
 */
static int recover_recording(const struct options *o, struct err *err)
{
	const char *file = options_output(o);
	struct strings left = {};
	char *trace_cmd, *text, *word;
	int ret = -1;

	if (geteuid())
		return err_set(err, "needs root, to read the trace (try sudo)");
	word = safe_word(file);
	trace_cmd = real_trace_cmd();
	if (!trace_cmd)
		err_set(err, "%s", real_trace_cmd_lacks());
	else if (!tracing_find(err))
		ret = persistent_recover(o->recover, file, trace_cmd, &left, err);
	if (!ret && !o->quiet) {
		text = xasprintf("%s has the newest part of the recording, as much as the tracing "
				 "instance '%s' can hold; see trace-cmd report-skb -i %s",
				 file, o->recover, word);
		print_message(text);
		free(text);
	}
	if (left.n) {
		text = xasprintf(
			"the older part, which was already on the disk, is in %s.cpu*: trace-cmd "
			"restore -i %s.head -o FILE %s.cpu*",
			word, word, word);
		print_message(text);
		free(text);
	}
	strings_free(&left);
	free(word);
	free(trace_cmd);
	return ret;
}

static int flush_stdout(struct err *err)
{
	return fflush(stdout) || ferror(stdout) ?
		       err_set(err, "cannot write the output: %s", strerror(errno)) :
		       0;
}

static int run_options(const struct options *o, int *status, struct err *err)
{
	struct plan plan;
	int ret;

	*status = 0;
	if (o->help) {
		usage_print(stdout);
		return flush_stdout(err);
	}
	if (o->version) {
		puts("trace-cmd record-skb " VERSION);
		return flush_stdout(err);
	}
	if (o->check) {
		*status = check_print(stdout) ? 0 : EXIT_OURS;
		return flush_stdout(err);
	}
	if (o->list_points)
		return list_points(o, err) || flush_stdout(err);
	if (o->recover)
		return recover_recording(o, err);
	if (o->on.n)
		return on_hosts_record(o, status, err);
	ret = plan_make(&plan, o, err);
	if (!ret && o->dry_run)
		ret = dry_run(&plan, err) || flush_stdout(err);
	else if (!ret)
		ret = record_and_tell(&plan, status, err);
	plan_free(&plan);
	return ret;
}

int main(int argc, char **argv)
{
	const char *name = NULL;
	struct options options;
	struct err err;
	int status;

	/*
	 * The caller may ignore SIGCHLD, and this program inherits that. Reset it, because waitpid() would
	 * otherwise not work.
	 */
	signal(SIGCHLD, SIG_DFL);
	if (argc > 1 && !strcmp(argv[1], RUNNER_ARG))
		return runner_main(argc, argv);
	if (argc > 2 && !strcmp(argv[1], CONTROL_ARG)) {
		name = argv[2];
		argc -= 2;
		argv += 2;
	}
	if (options_parse(&options, argc, argv, &err) ||
	    (name && control_begin(&options, name, &err)) || run_options(&options, &status, &err)) {
		print_message(err.text);
		status = err.status;
	}
	control_send_file();
	options_free(&options);
	return status;
}
