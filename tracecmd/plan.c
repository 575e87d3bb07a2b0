// SPDX-License-Identifier: GPL-2.0
/* What the options come to on this machine: all that a recording needs to know. */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu-list.h"
#include "graph-functions.h"
#include "graph-options.h"
#include "incidents.h"
#include "interfaces.h"
#include "live-packets.h"
#include "machine-check.h"
#include "persistent.h"
#include "plan.h"
#include "redirected.h"
#include "real-trace-cmd.h"
#include "ring.h"
#include "session.h"
#include "tracing.h"

/*
 * Shorthand decides on packets with ports, whoever's they are; of a followed command stay those without.
 * An expression alone decides, and its command is not followed.
 */
static unsigned int follow_flags(const struct options *o)
{
	if (o->expression || (!o->command && !o->nr_pids))
		return 0;
	if (options_have_shorthand(o))
		return RECORD_SKB_OPT_FOLLOW | RECORD_SKB_OPT_FOLLOW_PORTLESS;
	return RECORD_SKB_OPT_FOLLOW;
}

static int check_pids(const struct options *o, struct err *err)
{
	if (o->expression && o->nr_pids)
		return err_set(err,
			       "an expression alone decides, so -P would follow for nothing: take "
			       "options like -p instead of '%s'",
			       o->expression);
	return 0;
}

/* By itself: libpcap would complain of what the shorthand was made into as well. */
static int check_expression(const struct options *o, struct err *err)
{
	bool is_none;

	if (!o->expression || !packet_filter_check(o->expression, &is_none, err))
		return 0;
	options_hint(o, is_none, err);
	return -1;
}

int plan_make(struct plan *plan, const struct options *o, struct err *err)
{
	struct record_skb_options *settings = &plan->settings;

	memset(plan, 0, sizeof(*plan));
	plan->options = o;
	if (check_expression(o, err) || expression_make(o, &plan->expression, &plan->terms, err))
		return -1;
	if (plan->expression && packet_filter_compile(&plan->filter, plan->expression, err))
		return -1;
	if (o->ring.match && packet_filter_compile(&plan->match, o->ring.match, err))
		return -1;
	if (check_pids(o, err))
		return -1;
	settings->flags = o->module_flags | follow_flags(o);
	settings->dirs = o->dirs;
	settings->nr_marks = o->nr_marks;
	memcpy(settings->marks, o->marks, sizeof(settings->marks));
	return interfaces_find(settings, &o->netnses, &o->interfaces, err);
}

static int check_command(const struct options *o, struct err *err)
{
	char *path;
	int error;

	if (o->cpus && cpu_list_check(o->cpus, err))
		return -1;
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

int plan_check(struct plan *plan, struct err *err)
{
	const struct options *o = plan->options;

	if (check_command(o, err))
		return -1;
	if (geteuid())
		return err_set(err,
			       "needs root: tracing and modules are for root alone (try sudo)");
	plan->trace_cmd = real_trace_cmd();
	if (!plan->trace_cmd) {
		err_set(err, "%s", real_trace_cmd_lacks());
		return machine_check_hint(err);
	}
	if (ring_check(o, err))
		return -1;
	if (o->persistent && (tracing_find(err) || persistent_check(o->persistent, err)))
		return -1;
	if (o->live && live_packets_check(err))
		return -1;
	/* Whose parts are there is then plain. */
	if (!o->shared && session_is_held(err))
		return -1;
	if (options_output(o) &&
	    output_check(&plan->output, options_output(o), options_temp(o), &o->instances, err))
		return -1;
	if (o->ring.keep && incidents_check(plan->output.file, err))
		return -1;
	return tracing_find(err) ? machine_check_hint(err) : 0;
}

/* Nobody asked for all functions: the kernel cannot tell which are of networking. */
static void tell_full(const struct plan *plan, void (*say)(const char *text))
{
	const struct options *o = plan->options;

	if (!o->detail && !options_pass(o, "-l") &&
	    graph_functions_detail(o, &plan->kernel) == DETAIL_FULL)
		say("this kernel has no " BTF_DIR " to tell which functions are of networking, so "
		    "all are recorded, as by --detail full");
}

/*
 * trace-cmd says nothing of a -l or -n that no function has, and a single -l of that kind traces all
 * functions.
 * Numbers, and what has a colon (modules, triggers), are the kernel's to judge.
 */
static int check_filters(struct plan *plan, struct err *err)
{
	const struct strings *pass = &plan->options->pass;
	const char *name;

	for (size_t i = 0; i + 1 < pass->n; i++) {
		if (strcmp(pass->v[i], "-l") && strcmp(pass->v[i], "-n"))
			continue;
		name = pass->v[i + 1];
		if (options_is_for_kernel(name))
			continue;
		if (functions_read(&plan->kernel.functions, err))
			return -1;
		if (!functions_match(&plan->kernel.functions, name, NULL))
			return err_set(
				err,
				"%s %s: no function that can be traced has this name now "
				"(trace-cmd list -f shows all; a module's, once it is loaded)",
				pass->v[i], name);
	}
	return 0;
}

int plan_functions(struct plan *plan, void (*say)(const char *text), struct err *err)
{
	const struct options *o = plan->options;

	if (graph_options_check(o, err))
		return -1;
	kernel_open(&plan->kernel);
	if (o->shared)
		redirected_keep_patched(&plan->kernel.redirected);
	if (check_filters(plan, err))
		return -1;
	tell_full(plan, say);
	for (size_t i = 0; i < o->functions.n; i++)
		if (extra_points_add(&plan->extra, &plan->kernel, o->functions.v[i], say, err))
			return -1;
	return graph_functions_add(o, &plan->kernel, &plan->graph_functions, err);
}

void plan_free(struct plan *plan)
{
	strings_free(&plan->graph_functions);
	extra_points_free(&plan->extra);
	kernel_close(&plan->kernel);
	packet_filter_free(&plan->filter);
	packet_filter_free(&plan->match);
	free(plan->expression);
	output_free(&plan->output);
	free(plan->trace_cmd);
}
