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

/* Make a file of it under a name of its own, and go on with an empty one. */
static int take_incident(struct run *run, struct err *err)
{
	const struct plan *plan = run->plan;
	const int session = run->machine->session;
	const char *name;

	if (session_disarm(session, err) || session_stats(session, &run->outcome->stats, err))
		return -1;
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
	return run->asked || run->failed || run->outcome->stats.by ||
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
