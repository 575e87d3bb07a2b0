// SPDX-License-Identifier: GPL-2.0
/* A recording under way that is a ring. */
#include <stdio.h>

#include "files.h"
#include "incidents.h"
#include "output-file.h"
#include "ring-buffer.h"
#include "ring.h"
#include "run-ring.h"
#include "session.h"
#include "summary.h"

/*
 * Make the file of it, a whole one: trace-cmd extract does not notice when the disk is full. If not, nothing
 * of it is left, or what could be restored.
 */
static int make_file(struct run *run, struct err *err)
{
	const struct plan *plan = run->plan;
	const char *file = plan->output.file;
	struct ring_buffer_counts counts;
	struct err why;

	ring_buffer_count(NULL, -1, &counts);
	if (!ring_extract(plan, run->machine, &why) &&
	    !output_check_written(file, counts.unread, &why))
		return 0;
	/* What it had read is in its parts, unless it has removed them. */
	run->outcome->file_is_good = output_restore(&plan->output, plan->trace_cmd);
	if (run->outcome->file_is_good)
		return err_set(err, "%.500s; restored from what it had read: %s", why.text, file);
	output_discard(&plan->output);
	*err = why;
	return -1;
}

/* The counters begin anew with the next ring; what this one has lost is said in the end. */
static void add_losses(struct run *run)
{
	const struct record_skb_stats *stats = &run->outcome->stats;
	struct record_skb_stats *before = &run->outcome->before;

	before->packets += stats->packets;
	before->lost_frames += stats->lost_frames;
	before->lost_recursion += stats->lost_recursion;
	before->lost_tracked += stats->lost_tracked;
	before->lost_flows += stats->lost_flows;
	before->lost_tasks += stats->lost_tasks;
	before->lost_functions += stats->lost_functions;
}

/* Make a file of it under a name of its own, and go on with an empty one. */
static int take_incident(struct run *run, struct err *err)
{
	const struct plan *plan = run->plan;
	const int session = run->machine->session;
	const char *name;

	if (session_disarm(session, err) || session_stats(session, &run->outcome->stats, err))
		return -1;
	run_look_for_other_readers(run);
	run_count(run, false);
	if (make_file(run, err))
		return -1;
	name = incidents_add(&run->incidents, plan->output.file, plan->options->ring.keep, err);
	if (!name) {
		/* It is there, under the other name. */
		run->outcome->file_is_good = true;
		return -1;
	}
	run->outcome->incidents++;
	summary_print_incident(stderr, &run->outcome->stats, name);
	/* With its counters. */
	if (file_write("trace", "") || file_write("tracing_on", "1"))
		return err_set(err, "cannot switch tracing on again");
	other_readers_forget(run->other_readers);
	/* Children that found no room while it was written are among them. */
	if (session_stats(session, &run->outcome->stats, err))
		return -1;
	add_losses(run);
	for (int cpu = 0; cpu < run->outcome->nr_cpus; cpu++) {
		run->outcome->lost_before += run->outcome->lost[cpu];
		run->outcome->lost[cpu] = 0;
	}
	return session_arm(session, err);
}

void run_look_at_ring(struct run *run)
{
	struct record_skb_stats stats;
	struct err err;

	if (session_stats(run->machine->session, &stats, &err) || !stats.stopped)
		return;
	if (!run->plan->options->ring.keep) {
		run_end_by_limit(run, "--until");
		return;
	}
	live_line_end(&run->live_line);
	if (take_incident(run, &err)) {
		run_fail(run, &err);
		run_end(run);
	}
}

static bool is_wanted_status(const struct ring_options *ring, int status)
{
	return ring->by_status &&
	       (ring->status == ANY_FAILURE ? status != 0 : status == ring->status);
}

/* Whether what was waited for has come, or somebody does not want to wait. */
static bool ring_is_wanted(const struct run *run)
{
	const struct ring_options *ring = &run->plan->options->ring;

	if (ring->keep)
		return false;
	return run->asked || run->failed || run->outcome->limit || run->outcome->stats.by ||
	       is_wanted_status(ring, run->outcome->status) ||
	       (!ring->by_status && !ring_has_trigger(ring));
}

void run_finish_ring(struct run *run)
{
	struct err err;

	if (!run->outcome->started)
		return;
	if (!ring_is_wanted(run)) {
		run->outcome->no_file = true;
		return;
	}
	if (make_file(run, &err))
		run_fail(run, &err);
	else
		run->outcome->file_is_good = true;
	file_write("current_tracer", "nop");
}
