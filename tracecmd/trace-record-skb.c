// SPDX-License-Identifier: GPL-2.0
/* trace-cmd record-skb: the call graph of chosen packets. This file is the order things go in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chosen.h"
#include "keeper.h"
#include "lock.h"
#include "module.h"
#include "options.h"
#include "output.h"
#include "plan.h"
#include "points.h"
#include "record.h"
#include "runner.h"
#include "session.h"
#include "show.h"
#include "summary.h"
#include "tracefs-files.h"
#include "tracefs-state.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

/* How long tasks may take to leave a gate before that is worth a word. */
#define LEAVE_MSEC	2000
#define POLL_MSEC	10

static void say(const char *text)
{
	fprintf(stderr, "trace-cmd record-skb: %s\n", text);
}

static int set_up(int session, const struct plan *plan, const struct chosen *chosen,
		  struct strings *functions, struct err *err)
{
	if (session_set_options(session, &plan->settings, err))
		return -1;
	if (plan->expression && session_set_filter(session, &plan->filter, err))
		return -1;
	if (plan->expression && program_matches_nothing(&plan->filter.raw))
		say("this filter goes by the Ethernet header: packets that have none yet, or none any "
		    "more, cannot match");
	strings_add(functions, RECORD_SKB_GATE);
	for (size_t i = 0; i < chosen->functions.n; i++)
		strings_add(functions, chosen->functions.v[i]);
	if (points_add(session, plan->settings.flags & RECORD_SKB_OPT_FOLLOW, &chosen->kernel, functions,
		       say, err))
		return -1;
	return wanted_ask(&chosen->wanted, session, functions, err);
}

static void wait_until_left(int session)
{
	struct record_skb_stats stats;
	struct err err;

	for (int msec = 0; msec < LEAVE_MSEC; msec += POLL_MSEC) {
		if (session_stats(session, &stats, &err) || !stats.inside)
			return;
		usleep(POLL_MSEC * 1000);
	}
}

/* Acquire downward, release upward: lock, module, session, what is to be put back, its keeper. */
static int record(const struct options *o, const struct plan *plan, struct recording *recording,
		  struct err *err)
{
	struct strings functions = {};
	struct chosen chosen = {};
	struct before before = { .output = plan->output.file };
	struct err undo_err;
	bool module_stays = false;
	int session, keeper, ret = -1;

	before.lock = lock_take(plan->tracefs, err);
	if (before.lock < 0)
		return -1;
	/* Functions that another recording has its hand on are free by now. */
	if (chosen_make(&chosen, o, plan->tracefs, say, err) || module_load(&before.loaded_by_us, err))
		goto unlock;
	session = session_open(err);
	if (session < 0)
		goto unload;
	if (tracefs_check(plan->tracefs, err) || set_up(session, plan, &chosen, &functions, err))
		goto close_session;
	before.tracefs = tracefs_state_save(plan->tracefs);
	keeper = keeper_start(&before, session, err);
	if (keeper < 0)
		goto free_state;
	tracefs_state_neutral(before.tracefs);

	ret = record_run(o, plan->trace_cmd, plan->tracefs, session, &functions, plan->settings.flags,
			 keeper, recording, err);

	if (tracefs_state_restore(before.tracefs, recording->crashed, &undo_err))
		say(undo_err.text);
	wait_until_left(session);
	close(session);
	if (before.loaded_by_us && module_unload(&undo_err)) {
		say(undo_err.text);
		module_stays = true;
	}
	keeper_end(keeper, module_stays);
	tracefs_state_free(before.tracefs);
	strings_free(&functions);
	chosen_free(&chosen);
	close(before.lock);
	return ret;

free_state:
	tracefs_state_free(before.tracefs);
close_session:
	strings_free(&functions);
	close(session);
unload:
	if (before.loaded_by_us && module_unload(&undo_err))
		say(undo_err.text);
unlock:
	chosen_free(&chosen);
	close(before.lock);
	return ret;
}

static int record_and_tell(const struct options *o, struct plan *plan, int *status, struct err *err)
{
	struct recording recording = {};
	int ret;

	if (plan_check(plan, o, err))
		return -1;
	ret = record(o, plan, &recording, err);
	if (ret && plan->output.file)
		output_discard(&plan->output);
	if (!ret && !o->quiet)
		ret = summary_print(stderr, &recording, plan->output.file, err);
	*status = recording.status;
	free(recording.lost);
	return ret;
}

/* Functions are root's to look up; anybody else gets the rest. */
static int dry_run(const struct options *o, const struct plan *plan, struct err *err)
{
	const char *tracefs = geteuid() ? NULL : tracefs_find(err);
	struct chosen chosen = {};
	int ret = tracefs ? chosen_make(&chosen, o, tracefs, say, err) : 0;

	if (!ret)
		show_plan(stdout, o, plan->expression, &plan->filter, &chosen);
	chosen_free(&chosen);
	return ret;
}

static int list_points(const struct options *o, struct err *err)
{
	struct kernel kernel;
	const char *tracefs;
	int ret;

	if (!o->list_glob) {
		show_points(stdout);
		return 0;
	}
	if (geteuid())
		return err_set(err, "needs root to see the kernel's functions (try sudo)");
	tracefs = tracefs_find(err);
	if (!tracefs)
		return -1;
	kernel_open(&kernel, tracefs);
	ret = wanted_show(stdout, &kernel, o->list_glob, err);
	kernel_close(&kernel);
	return ret;
}

static int run(const struct options *o, int *status, struct err *err)
{
	struct plan plan;
	int ret;

	*status = 0;
	if (o->help) {
		options_usage(stdout);
		return 0;
	}
	if (o->version) {
		puts("trace-cmd record-skb " VERSION);
		return 0;
	}
	if (o->list_points)
		return list_points(o, err);
	ret = plan_make(&plan, o, err);
	if (!ret && o->dry_run)
		ret = dry_run(o, &plan, err);
	else if (!ret)
		ret = record_and_tell(o, &plan, status, err);
	plan_free(&plan);
	return ret;
}

int main(int argc, char **argv)
{
	struct options options;
	struct err err;
	int status;

	if (argc > 1 && !strcmp(argv[1], RUNNER_ARG))
		return runner_main(argc, argv);
	if (options_parse(&options, argc, argv, &err) || run(&options, &status, &err)) {
		say(err.text);
		status = err.status;
	}
	options_free(&options);
	return status;
}
