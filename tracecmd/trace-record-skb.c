// SPDX-License-Identifier: GPL-2.0
/* trace-cmd record-skb: the call graph of chosen packets. This file is the order things go in. */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expression.h"
#include "filter.h"
#include "module.h"
#include "options.h"
#include "output.h"
#include "points.h"
#include "real-trace-cmd.h"
#include "record.h"
#include "runner.h"
#include "session.h"
#include "show.h"
#include "summary.h"
#include "tracefs-files.h"
#include "tracefs-state.h"
#include "where.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

/* How long tasks may take to leave a gate before the module is left loaded. */
#define LEAVE_MSEC	2000
#define POLL_MSEC	10

static void say(const char *text)
{
	fprintf(stderr, "trace-cmd record-skb: %s\n", text);
}

/**
 * struct plan - what the options come to
 * @expression: NULL for none
 * @filter: its programs
 * @settings: for the module
 * @trace_cmd: path of the real one
 * @tracefs: its directory
 * @output: the file
 */
struct plan {
	char *expression;
	struct filter filter;
	struct record_skb_options settings;
	char *trace_cmd;
	const char *tracefs;
	struct output output;
};

/*
 * Shorthand narrows what a followed command does; an expression alone decides, and its command is
 * not followed.
 */
static unsigned int follow_flags(const struct options *o)
{
	if (o->expression || (!o->command && !o->pids.n))
		return 0;
	if (options_have_shorthand(o))
		return RECORD_SKB_OPT_FOLLOW | RECORD_SKB_OPT_FOLLOW_PORTLESS;
	return RECORD_SKB_OPT_FOLLOW;
}

static int plan_settings(struct plan *plan, const struct options *o, struct err *err)
{
	struct record_skb_options *settings = &plan->settings;

	settings->flags = o->module_flags | follow_flags(o);
	settings->mark = o->mark;
	settings->mark_mask = o->mark_mask;
	settings->dirs = o->dirs;
	if (o->expression && o->pids.n)
		return err_set(err, "an expression alone decides, so -P would follow for nothing: take "
			       "options like -p instead of '%s'", o->expression);
	for (size_t i = 0; i < o->pids.n; i++)
		if (!*o->pids.v[i] || o->pids.v[i][strspn(o->pids.v[i], "0123456789")])
			return err_set(err, "'%s' is not a PID", o->pids.v[i]);
	return where_find(o->netns, o->interface, &settings->netns, &settings->ifindex, err);
}

/* What any user can find out. */
static int plan_make(struct plan *plan, const struct options *o, struct err *err)
{
	if (expression_make(o, &plan->expression, err))
		return -1;
	if (plan->expression && filter_compile(&plan->filter, plan->expression, err))
		return -1;
	return plan_settings(plan, o, err);
}

static int check_command(const struct options *o, struct err *err)
{
	char *path;
	int error;

	if (o->user && !getpwnam(o->user))
		return err_set(err, "there is no user '%s'", o->user);
	if (!o->command)
		return 0;
	path = find_program(o->command[0], &error);
	if (path) {
		free(path);
		return 0;
	}
	err_set(err, "cannot run '%s': %s", o->command[0], strerror(error));
	err->status = error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
	return -1;
}

/* What has to be right before anything in the system is touched. */
static int check_system(struct plan *plan, const struct options *o, struct err *err)
{
	if (check_command(o, err))
		return -1;
	if (geteuid())
		return err_set(err, "needs root: tracing and modules are for root alone (try sudo)");
	plan->trace_cmd = real_trace_cmd();
	if (!plan->trace_cmd)
		return err_set(err, "the real trace-cmd is not installed (the package is called trace-cmd)");
	if (!o->remote && output_check(&plan->output, o->output ? o->output : DEFAULT_OUTPUT, err))
		return -1;
	plan->tracefs = tracefs_find(err);
	return plan->tracefs ? 0 : -1;
}

/* Points that this kernel lacks are named, for what is missing in a trace has to be known. */
static int add_points(int session, bool follow, struct strings *names, struct err *err)
{
	struct record_skb_point point;
	size_t added = 0;
	int ret;

	for (size_t i = 0; i < nr_places; i++) {
		size_t had = 0;

		if (places[i].follow && !follow)
			continue;
		for (const char * const *name = places[i].names; *name; name++) {
			point_fill(&point, &places[i], *name);
			ret = session_add_point(session, &point);
			if (!ret || ret == -EEXIST) {
				strings_add(names, *name);
				had++;
			} else if (ret == -EOPNOTSUPP)
				fprintf(stderr, "trace-cmd record-skb: %s cannot be traced here: left out\n",
					*name);
			else if (ret != -ENOENT)
				return err_set(err, "cannot use %s as a probe point: %s", *name,
					       strerror(-ret));
		}
		added += had;
		if (!had && !places[i].in_module)
			fprintf(stderr, "trace-cmd record-skb: this kernel has no %s: left out\n",
				places[i].names[0]);
	}
	return added ? 0 : err_set(err, "this kernel has none of the probe points");
}

static int set_up(int session, const struct plan *plan, struct strings *points, struct err *err)
{
	if (session_set_options(session, &plan->settings, err))
		return -1;
	if (plan->expression && session_set_filter(session, &plan->filter, err))
		return -1;
	if (plan->expression && !plan->filter.raw.len)
		say("this filter reads the Ethernet header: packets that have none yet, or none any "
		    "more, cannot match");
	return add_points(session, plan->settings.flags & RECORD_SKB_OPT_FOLLOW, points, err);
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

/* The session stands: record, and put everything back. */
static int with_session(int session, const struct options *o, const struct plan *plan,
			struct recording *recording, struct err *err)
{
	struct strings points = {};
	struct tracefs_state *state;
	struct err restore_err;
	int ret;

	ret = tracefs_check(plan->tracefs, err) || set_up(session, plan, &points, err) ? -1 : 0;
	if (ret)
		goto free_points;
	state = tracefs_state_save(plan->tracefs);
	ret = record_run(o, plan->trace_cmd, plan->tracefs, session, &points, plan->settings.flags,
			 recording, err);
	if (tracefs_state_restore(state, recording->crashed, &restore_err))
		say(restore_err.text);
	tracefs_state_free(state);
	wait_until_left(session);
free_points:
	strings_free(&points);
	return ret;
}

static int with_module(const struct options *o, const struct plan *plan,
		       struct recording *recording, struct err *err)
{
	struct err unload_err;
	bool loaded_by_us;
	int session, ret;

	if (module_load(&loaded_by_us, err))
		return -1;
	session = session_open(err);
	ret = session < 0 ? -1 : with_session(session, o, plan, recording, err);
	if (session >= 0)
		close(session);
	if (loaded_by_us && module_unload(&unload_err))
		say(unload_err.text);
	return ret;
}

static int record(const struct options *o, struct plan *plan, int *status, struct err *err)
{
	struct recording recording = {};
	int ret;

	if (check_system(plan, o, err))
		return -1;
	ret = with_module(o, plan, &recording, err);
	if (ret && plan->output.file)
		output_discard(&plan->output);
	if (!ret && !o->quiet)
		ret = summary_print(stderr, &recording, plan->output.file, err);
	*status = recording.status;
	free(recording.lost);
	return ret;
}

static int run(const struct options *o, int *status, struct err *err)
{
	struct plan plan = {};
	int ret = 0;

	*status = 0;
	if (o->help)
		options_usage(stdout);
	else if (o->version)
		puts("trace-cmd record-skb " VERSION);
	else if (o->list_points)
		show_points(stdout, NULL);
	else if (plan_make(&plan, o, err))
		ret = -1;
	else if (o->dry_run)
		show_plan(stdout, o, plan.expression, &plan.filter);
	else
		ret = record(o, &plan, status, err);
	filter_free(&plan.filter);
	free(plan.expression);
	free(plan.trace_cmd);
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
