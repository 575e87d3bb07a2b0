// SPDX-License-Identifier: GPL-2.0
/* A recording under way, and how it ends. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "files.h"
#include "output-file.h"
#include "persistent.h"
#include "ring-buffer.h"
#include "run.h"
#include "runner.h"
#include "session.h"
#include "symbols.h"

/* How long trace-cmd's recorders may take to write what they have. */
#define STOP_MSEC 10000

void run_fail(struct run *run, const struct err *err)
{
	if (!run->failed)
		*run->err = *err;
	run->failed = true;
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

static void tell_lacking(struct run *run)
{
	struct err err;

	err_set(&err,
		"one of trace-cmd's recorders ended too soon (no room, or somebody killed it): what its "
		"CPU recorded since is not in the file");
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

/* By somebody: a ring is switched off by what ends it, too, and its tracer is held by nobody. */
static const char *switched_off(const struct run *run)
{
	struct record_skb_stats stats;
	struct err err;

	if (!run->plan->options->ring.kb)
		return is_off("tracing_on", "0") ? "tracing_on" : NULL;
	if (is_off("current_tracer", "nop"))
		return "current_tracer";
	if (session_stats(run->machine->session, &stats, &err) || stats.stopped)
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

/* Then all that is recorded is in their parts. Returns -1 if one of them is not through. */
static int stop_recorders(const struct run *run)
{
	const struct process_tree *tree = &run->tree;
	int ret = 0;

	file_write("tracing_on", "0");
	/* As trace-cmd does, which finds them ended. */
	for (size_t i = FIRST_RECORDER; i + 1 < tree->n; i++)
		process_signal(tree->pidfds[i], SIGUSR1);
	for (size_t i = FIRST_RECORDER; i + 1 < tree->n; i++) {
		struct pollfd fd = { .fd = tree->pidfds[i], .events = POLLIN };

		if (poll(&fd, 1, STOP_MSEC) != 1)
			ret = -1;
	}
	return ret;
}

/* Returns whether there are symbols for trace-cmd to find. */
static bool choose_symbols(const struct run *run)
{
	const char *name = run->plan->output.parts;
	struct strings parts = {};
	bool chosen = false;

	if (!name || options_by_start(run->plan->options) || stop_recorders(run))
		return false;
	output_parts(name, &parts);
	if (parts.n == run->tree.n - FIRST_RECORDER - 1)
		chosen = !symbols_choose(run->machine->session, &parts);
	strings_free(&parts);
	return chosen;
}

/* While the trace is recorded, if it has begun. */
static void end_rule_texts(struct run *run)
{
	rule_texts_end(run->rule_texts);
	run->rule_texts = NULL;
}

/*
 * Without its runner trace-cmd ends by itself: it switches tracing off, ends its recorders, and copies the
 * kernel's symbols, of which some would go meanwhile if we disarmed. Then there would be no file.
 */
static bool ends_by_itself(const struct run *run)
{
	return run->phase == RUNNING && run->trace_cmd && run_lacks_runner(run);
}

void run_end(struct run *run)
{
	bool symbols = false, by_itself;
	struct err err;

	if (run->phase == ENDING || ends_by_itself(run))
		return;
	/* trace-cmd takes the gate out of set_graph_function, which is this one's too. */
	if (run->plan->options->persistent)
		persistent_end(run->plan->options->persistent, run->plan->output.file);
	if (run->phase == RUNNING) {
		meanwhile_end(run->outcome->meanwhile);
		/* And not by trace-cmd, when its runner was gone. */
		by_itself = run_lacks_runner(run);
		if (!by_itself)
			run->outcome->switched_off = switched_off(run);
		if (session_disarm(run->machine->session, &err) ||
		    session_stats(run->machine->session, &run->outcome->stats, &err))
			run_fail(run, &err);
		end_rule_texts(run);
		/* It empties the buffer itself then, and what would be written now nobody reads. */
		if (!by_itself)
			run_look_for_other_readers(run);
		/* Else await_next() has counted. */
		if (!by_itself || run->awaited < run->tree.n)
			run_count(run, false);
		if (!by_itself && run_lacks_recorder(run))
			tell_lacking(run);
		symbols = choose_symbols(run);
	}
	run->phase = ENDING;
	end_rule_texts(run);
	live_line_end(&run->live_line);
	runner_send(run->socket, RUNNER_LEAVE, symbols);
}

void run_end_by_limit(struct run *run, const char *limit)
{
	if (run->outcome->limit)
		return;
	run->outcome->limit = limit;
	if (run->plan->options->command) {
		process_signal(run->command, SIGTERM);
		run->grace = GRACE_SECONDS;
	} else {
		run_end(run);
	}
}
