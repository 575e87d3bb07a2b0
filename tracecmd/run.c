// SPDX-License-Identifier: GPL-2.0
/* run.c - watch a running recording, end it, and count its entries */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "escape.h"
#include "tracefs/files.h"
#include "hosts/control.h"
#include "recorder/trace_file.h"
#include "modes/persistent.h"
#include "tracefs/ring_buffer.h"
#include "run.h"
#include "recorder/child.h"
#include "module/module_client.h"
#include "recorder/symbols.h"

/*
 * How long to wait until trace-cmd's recorder processes have written the rest of their data and exited. This
 * is the time for each of them.
 */
#define STOP_MSEC 10000

void run_fail(struct run *run, const struct err *err)
{
	if (!run->failed)
		*run->err = *err;
	run->failed = true;
}

void run_add_process(struct run *run, pid_t pid, int signal)
{
	if (signal >= 0)
		session_add_process(run->setup->session, pid, signal);
	process_tree_add(&run->tree, pid);
	watchdog_note(run->setup->watchdog, pid);
}

static double seconds_since(unsigned long long ns)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9 - ns / 1e9;
}

void run_count(struct run *run, bool all_read)
{
	struct outcome *outcome = run->outcome;
	struct ring_buffer_counts counts;
	unsigned long long read = 0, unread = 0, lost;
	double oldest = 0, now = 0;

	outcome->written_over = 0;

	for (int cpu = 0; cpu < outcome->nr_cpus; cpu++) {
		ring_buffer_count(NULL, cpu, &counts);
		if (counts.oldest > oldest)
			oldest = counts.oldest;
		now = counts.now;
		outcome->written_over += counts.overwritten;
		read += counts.read;
		unread += counts.unread;
		lost = counts.lost + (run->plan->options->ring.kb ? 0 : counts.overwritten);
		if (lost > outcome->lost[cpu])
			outcome->lost[cpu] = lost;
	}
	outcome->held = oldest ? now - oldest - seconds_since(outcome->stats.stopped_ns) : 0;
	if (!all_read)
		outcome->entries = read + unread;
	else if (read)
		outcome->entries = read;
}

bool run_lacks_recorder(const struct run *run)
{
	const struct process_tree *tree = &run->tree;

	for (size_t i = FIRST_RECORDER; i + 1 < tree->n; i++)
		if (process_has_ended(tree->pidfds[i]))
			return true;
	return false;
}

bool run_lacks_runner(const struct run *run)
{
	const struct process_tree *tree = &run->tree;

	return tree->n > FIRST_RECORDER && process_has_ended(tree->pidfds[tree->n - 1]);
}

static void print_lacking(struct run *run)
{
	struct err err;

	err_set(&err,
		"one of trace-cmd's recorders has ended too soon (the disk is full, or another "
		"process killed it): the file lacks the later entries of its CPU");
	run_fail(run, &err);
	run->outcome->file_is_good = true;
}

static bool is_off(const char *file, const char *off)
{
	char *now = file_read(file);
	const bool is = now && !strncmp(now, off, strlen(off));

	free(now);
	return is;
}

/*
 * Return the tracefs file by which another process has disabled tracing, or NULL if none has. A ring needs
 * two more checks:
 * - Another process can change the tracer, because no process has a file of the buffer open.
 * - After the module has stopped the ring, tracing_on is 0, too.
 */
static const char *switched_off(const struct run *run)
{
	struct record_skb_stats stats;
	struct err err;

	if (!run->plan->options->ring.kb)
		return is_off("tracing_on", "0") ? "tracing_on" : NULL;
	if (is_off("current_tracer", "nop"))
		return "current_tracer";
	if (session_stats(run->setup->session, &stats, &err) || stats.stopped)
		return NULL;
	return is_off("tracing_on", "0") ? "tracing_on" : NULL;
}

void run_look_for_other_readers(struct run *run)
{
	const char *by = other_readers_look(run->other_readers);
	char *line;

	if (!by)
		return;
	run->outcome->other_reader = by;
	line = xasprintf(RECORD_SKB_MODULE " read_by=%s", by);
	file_append("trace_marker", line);
	free(line);
}

/*
 * Write the arguments of this command into the trace. A line in trace_marker can have at least 1024 bytes, so
 * long arguments end with "...".
 */
static void write_arguments(const struct run *run)
{
	char line[1000] = RECORD_SKB_MODULE " arguments:", word[SHELL_WORD_LEN(128)];
	size_t len = strlen(line);

	for (char **next = run->plan->options->arguments; *next; next++) {
		if (!escape_shell(word, sizeof(word), *next) ||
		    len + strlen(word) + sizeof("  ...") > sizeof(line)) {
			strcpy(line + len, " ...");
			break;
		}
		len += snprintf(line + len, sizeof(line) - len, " %s", word);
	}
	file_append("trace_marker", line);
}

/*
 * Write into the trace how much the module has not recorded. The rows show neither that nor the time. Calls
 * that function_graph could not record are left out, because the rows show them.
 */
static void write_losses(const struct run *run)
{
	const struct record_skb_stats *stats = &run->outcome->stats;
	const struct {
		const char *name;
		unsigned long long n;
	} losses[] = {
		{ "lost_flows", stats->lost_flows },
		{ "lost_tasks", stats->lost_tasks },
		{ "lost_recursion", stats->lost_recursion },
		{ "lost_tracked", stats->lost_tracked },
		{ "lost_frames", stats->lost_frames },
		{ "lost_functions", stats->lost_functions },
	};
	char line[300] = RECORD_SKB_MODULE;
	const size_t empty = strlen(line);
	size_t len = empty;

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		if (losses[i].n)
			len += snprintf(line + len, sizeof(line) - len, " %s=%llu", losses[i].name,
					losses[i].n);
	}
	if (len > empty)
		file_append("trace_marker", line);
}

/*
 * Stop tracing and end trace-cmd's recorder processes, so that their per-CPU files are complete. Returns 0,
 * or -1 if one of the processes has not exited in time.
 */
static int stop_recorders(const struct run *run)
{
	const struct process_tree *tree = &run->tree;
	int ret = 0;

	file_write("tracing_on", "0");
	/*
	 * End the recorder processes by the signal that trace-cmd uses. When trace-cmd sends it later, it
	 * accepts that they have already exited.
	 */
	for (size_t i = FIRST_RECORDER; i + 1 < tree->n; i++)
		process_signal(tree->pidfds[i], SIGUSR1);
	for (size_t i = FIRST_RECORDER; i + 1 < tree->n; i++) {
		struct pollfd fd = { .fd = tree->pidfds[i], .events = POLLIN };

		if (poll(&fd, 1, STOP_MSEC) != 1)
			ret = -1;
	}
	return ret;
}

/*
 * Write a list of the kernel symbols that the recording needs, which trace-cmd then puts into the file.
 * Return true if this was successful.
 */
static bool choose_symbols(const struct run *run)
{
	const char *name = run->plan->output.parts;
	struct strings parts = {};
	bool chosen = false;

	if (!name || options_by_start(run->plan->options) || stop_recorders(run))
		return false;
	output_parts(name, &parts);
	if (parts.n == run->tree.n - FIRST_RECORDER - 1)
		chosen = !symbols_choose(run->setup->session, &parts);
	strings_free(&parts);
	return chosen;
}

/*
 * Write the texts of the nftables rules into the trace. If the recording has begun, tracing must still be on.
 */
static void end_rule_texts(struct run *run)
{
	rule_texts_end(run->rule_texts, &run->outcome->unlisted_rules);
	run->rule_texts = NULL;
}

static void end_netns_names(struct run *run)
{
	netns_names_end(run->netns_names);
	run->netns_names = NULL;
}

static void end_bpf_programs(struct run *run)
{
	bpf_programs_detach(run->bpf_programs);
	run->bpf_programs = NULL;
}

/*
 * Return true if the runner, which is trace-cmd's command, was killed. trace-cmd then disables tracing, ends
 * its recorder processes and copies the kernel's symbols. The module must not be disarmed during that time:
 * disarming removes symbols, and then trace-cmd could not write the file.
 */
static bool ends_by_itself(const struct run *run)
{
	return run->phase == RUNNING && run->trace_cmd && run_lacks_runner(run);
}

/*
 * Return true if "trace-cmd record" writes the output file when the runner, its command, exits. This is not
 * the case for a ring: "trace-cmd extract" writes the file of a ring.
 */
static bool writes_file(const struct run *run)
{
	return run->phase == RUNNING && run->plan->output.file &&
	       !options_by_start(run->plan->options);
}

void run_end(struct run *run)
{
	bool symbols = false, by_itself;
	struct err err;

	if (run->phase == ENDING)
		return;
	if (ends_by_itself(run)) {
		if (run->plan->output.file)
			output_restrict(run->plan->output.file);
		return;
	}
	/*
	 * Replace an existing output file only now, so that the file is kept if the recording fails to start.
	 */
	if (run->trace_cmd && writes_file(run))
		output_make_private(run->plan->output.file);
	/*
	 * End the persistent tracing instance before trace-cmd clears set_graph_function, which is a setting
	 * for all instances: without it, the instance would record all functions.
	 */
	if (run->plan->options->persistent)
		persistent_end(run->plan->options->persistent, persistent_file(run->plan));
	if (run->phase == RUNNING) {
		no_match_hints_end(run->outcome->hints);
		end_netns_names(run);
		/*
		 * trace-cmd itself disables tracing if its command, the runner, was killed. Then tracing_on
		 * shows nothing about other processes.
		 */
		by_itself = run_lacks_runner(run);
		if (!by_itself)
			run->outcome->switched_off = switched_off(run);
		if (session_disarm(run->setup->session, &err) ||
		    session_stats(run->setup->session, &run->outcome->stats, &err))
			run_fail(run, &err);
		control_stopped();
		end_bpf_programs(run);
		end_rule_texts(run);
		/*
		 * If the runner was killed, do not search for other readers of the buffer: trace-cmd itself
		 * has cleared the buffer then, and a line in trace_marker would not get into the file.
		 */
		if (!by_itself)
			run_look_for_other_readers(run);
		if (!by_itself && !run->plan->options->ring.kb) {
			write_losses(run);
			write_arguments(run);
		}
		/*
		 * If the runner was killed and all of trace-cmd's recorder processes have exited,
		 * await_next() has already counted the entries.
		 */
		if (!by_itself || run->awaited < run->tree.n)
			run_count(run, false);
		if (!by_itself && run_lacks_recorder(run))
			print_lacking(run);
		symbols = choose_symbols(run);
	}
	run->phase = ENDING;
	end_netns_names(run);
	end_bpf_programs(run);
	end_rule_texts(run);
	live_line_end(&run->live_line);
	runner_send(run->socket, RUNNER_LEAVE, symbols);
}

void run_linger(struct run *run)
{
	struct record_skb_stats stats;
	struct err err;

	/*
	 * Wait for the last packets only if the command has ended by itself. After a signal, a limit or an
	 * error, end the recording at once.
	 */
	if (run->phase != RUNNING || run->failed || run->interrupted || run->outcome->limit ||
	    session_stats(run->setup->session, &stats, &err) ||
	    !linger_begin(&run->linger, run->plan->options->linger_msec, &stats))
		run_end(run);
}

void run_look_if_quiet(struct run *run)
{
	struct record_skb_stats stats = {};
	bool cut_off = false;
	struct err err;

	if (!run->linger.on || run->phase != RUNNING)
		return;
	if (!session_stats(run->setup->session, &stats, &err) &&
	    !linger_is_over(&run->linger, &stats, &cut_off))
		return;
	run->outcome->cut_off = cut_off;
	run->outcome->under_way = stats.tracked;
	run->outcome->closing = stats.closing;
	run_end(run);
}

/* Tell the other hosts of --on that this recording ends. If a ring has stopped, add how long ago that was. */
static void report_event(const struct run *run)
{
	struct record_skb_stats stats;
	struct err err;
	double age = 0;

	if (control_fd() < 0)
		return;
	if (!session_stats(run->setup->session, &stats, &err) && stats.stopped)
		age = seconds_since(stats.stopped_ns);
	control_ended(age > 0 ? age * 1e6 : 0);
}

void run_end_by_limit(struct run *run, const char *limit)
{
	if (run->outcome->limit)
		return;
	run->outcome->limit = limit;
	report_event(run);
	if (run->plan->options->command && !run->linger.on) {
		process_signal(run->command, SIGTERM);
		run->grace = GRACE_SECONDS;
	} else {
		run_end(run);
	}
}

/*
 * After trace-cmd was killed, register its recorder processes, which have become children of this process.
 * Some of them may be unknown, because they were started after the recording began.
 */
static void note_orphans(struct run *run)
{
	struct stat trace_cmd, program;
	struct strings pids = {};
	char *exe;

	process_children(getpid(), &pids);
	for (size_t i = 0; i < pids.n && !stat(run->plan->trace_cmd, &trace_cmd); i++) {
		exe = xasprintf("/proc/%s/exe", pids.v[i]);
		if (!stat(exe, &program) && program.st_dev == trace_cmd.st_dev &&
		    program.st_ino == trace_cmd.st_ino)
			run_add_process(run, atoi(pids.v[i]), SIGUSR1);
		free(exe);
	}
	strings_free(&pids);
}

/*
 * Handle a trace-cmd that was killed: end its recorder processes, and make the file from the per-CPU parts
 * that they have written.
 */
static void trace_cmd_killed(struct run *run, int number)
{
	const char *file = run->plan->output.file;
	struct err err;

	run_end(run);
	file_write("tracing_on", "0");
	note_orphans(run);
	process_tree_end(&run->tree);
	run->outcome->file_is_good = file &&
				     output_restore(&run->plan->output, run->plan->trace_cmd);
	if (run->outcome->file_is_good)
		err_set(&err,
			"trace-cmd record was killed by signal %d (%s): %s has the entries up to "
			"then",
			number, strsignal(number), file);
	else
		err_set(&err,
			"trace-cmd record was killed by signal %d (%s): no file could be written",
			number, strsignal(number));
	run_fail(run, &err);
}

static void runner_ended_too_soon(struct run *run)
{
	struct err err;

	err_set(&err, "the recording has ended too soon, because another process killed its "
		      "runner; the entries up to then are kept");
	run_fail(run, &err);
	run_end(run);
}

/*
 * Return true if trace-cmd has failed but has written a complete file. trace-cmd restores the tracing
 * settings after it has written the file, so it can be that only the restoring has failed.
 */
static bool file_is_whole(const struct run *run)
{
	const char *file = run->plan->output.file;
	struct err ignored;

	return run->phase == ENDING && run->outcome->started && file &&
	       !output_check_written(file, run->outcome->entries, &ignored);
}

void run_trace_cmd_ended(struct run *run, int status)
{
	const bool too_soon = run->phase != ENDING;
	struct err err;

	run->trace_cmd = 0;
	run->outcome->crashed = status != 0;
	if (options_by_start(run->plan->options) && too_soon) {
		runner_ended_too_soon(run);
		return;
	}
	if (WIFSIGNALED(status)) {
		trace_cmd_killed(run, WTERMSIG(status));
		return;
	}
	if (!too_soon && !WEXITSTATUS(status))
		return;
	run->outcome->file_is_good = run->phase == RUNNING ? !WEXITSTATUS(status) :
							     file_is_whole(run);
	if (run->phase == RUNNING && run->outcome->file_is_good)
		err_set(&err,
			"the recording has ended too soon, because another process killed its "
			"runner; the entries up to then are kept");
	else if (run->phase == STARTING)
		err_set(&err,
			"trace-cmd record did not start (exit status %d); see its messages above",
			WEXITSTATUS(status));
	else
		err_set(&err, "trace-cmd record failed (exit status %d); see its messages above%s",
			WEXITSTATUS(status),
			run->outcome->file_is_good ? "; the file is whole" : "");
	run_fail(run, &err);
	run_end(run);
}

/*
 * Estimated size of an entry of function_graph in bytes. It is used while the buffer has no entries, so that
 * the average size cannot be computed.
 */
#define TYPICAL_ENTRY 48

/*
 * Return an estimate of the kilobytes that were written to the kernel's buffers, including entries that were
 * overwritten or already read.
 */
static unsigned long long recorded_kb(void)
{
	struct ring_buffer_counts counts;
	unsigned long long entries;
	double each = TYPICAL_ENTRY;

	ring_buffer_count(NULL, -1, &counts);
	entries = counts.unread + counts.read + counts.overwritten;
	if (counts.unread && counts.bytes)
		each = (double)counts.bytes / counts.unread;
	return entries * each / 1024;
}

void run_look_at_limits(struct run *run, unsigned long msec)
{
	const struct options *o = run->plan->options;
	const struct limits *limits = &o->limits;
	struct record_skb_stats stats;
	struct err err;

	if (limits->count && !session_stats(run->setup->session, &stats, &err) &&
	    run->outcome->before.packets + stats.packets >= limits->count)
		run_end_by_limit(run, "--until count");
	else if (limits->msec && msec >= limits->msec)
		run_end_by_limit(run, "--until time");
	else if (limits->kb &&
		 (options_by_start(o) ? recorded_kb() : output_size(&run->plan->output) >> 10) >=
			 limits->kb)
		run_end_by_limit(run, "--until size");
}
