// SPDX-License-Identifier: GPL-2.0
/* What a recording takes of the machine, and gives back. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "addresses-cache.h"
#include "alone.h"
#include "function-filter.h"
#include "graph-functions.h"
#include "lock.h"
#include "machine-check.h"
#include "machine.h"
#include "module.h"
#include "own-events.h"
#include "persistent.h"
#include "probe-points.h"
#include "redirected.h"
#include "rule-texts.h"
#include "runner.h"
#include "session.h"
#include "share.h"
#include "shared-state.h"
#include "tracing.h"
#include "watched-returns.h"

/* How long tasks may take to leave a gate before that is worth a word. */
#define LEAVE_MSEC 2000
#define POLL_MSEC  10

static void add_gates(struct machine *machine)
{
	const unsigned int recording = machine->undo.share.recording;
	char *gate = share_name(RECORD_SKB_GATE, recording);
	char *hide = share_name(RECORD_SKB_HIDE, recording);

	strings_add(&machine->gates, gate);
	if (recording)
		strings_add(&machine->gates, hide);
	free(gate);
	free(hide);
}

/* BPF would go on to call the function itself, past the gate that the module has prepared for the call. */
static int check_direct(int session, const struct strings *points, struct err *err)
{
	char *function = session_is_beside(session) ? called_directly(points) : NULL;

	if (!function)
		return 0;
	err_set(err,
		"somebody has BPF (fentry or fexit) at %s, where no other recording is yet: begin this "
		"recording before the others, or end the BPF program",
		function);
	free(function);
	return -1;
}

static void add_all(struct strings *to, const struct strings *from)
{
	for (size_t i = 0; i < from->n; i++)
		strings_add(to, from->v[i]);
}

static int add_points(struct machine *machine, const struct plan *plan, bool *lacks_points,
		      void (*say)(const char *text), struct err *err)
{
	const bool follow = plan->settings.flags & RECORD_SKB_OPT_FOLLOW;
	struct strings points = {};
	int ret;

	ret = probe_points_add_table(machine->session, follow, &plan->kernel, &points, lacks_points,
				     say, err);
	if (!ret)
		ret = probe_points_add_extra(machine->session, &plan->extra, &points, err);
	if (!ret && plan->options->shared)
		ret = check_direct(machine->session, &points, err);
	add_all(&machine->functions, &points);
	strings_free(&points);
	return ret;
}

static int set_up_session(struct machine *machine, struct plan *plan, void (*say)(const char *text),
			  struct err *err)
{
	struct record_skb_options settings = plan->settings;
	const unsigned int recording = machine->undo.share.recording;
	bool lacks_points;

	addresses_cache_give(machine->session, &plan->kernel.functions);
	/* It knows no set_graph_function, and would see nothing of whom we pause. */
	machine->profiled = tracing_profiles();
	if (!machine->profiled && !plan->options->shared)
		settings.flags |= RECORD_SKB_OPT_PAUSE;
	if (plan->options->ring.kb &&
	    session_set_ring(machine->session, &plan->options->ring.until, &plan->match, err))
		return -1;
	if (plan->expression &&
	    session_set_filter(machine->session, &plan->filter, &plan->terms, err))
		return -1;
	if (plan->expression && program_matches_nothing(&plan->filter.raw))
		say("this filter goes by the Ethernet header: packets that have none yet, or none any "
		    "more, cannot match");
	add_gates(machine);
	if (settings.flags & RECORD_SKB_OPT_CALIBRATE) {
		strings_add(&machine->gates, RECORD_SKB_CALIBRATION);
		strings_add(&machine->gates, RECORD_SKB_NOTHING);
	}
	add_all(&machine->functions, &machine->gates);
	for (size_t i = 0; i < plan->graph_functions.n; i++)
		if (!recording || !share_is_others(plan->graph_functions.v[i], recording))
			strings_add(&machine->functions, plan->graph_functions.v[i]);
	if (add_points(machine, plan, &lacks_points, say, err))
		return -1;
	if (lacks_points)
		settings.flags |= RECORD_SKB_OPT_LACKS_POINTS;
	if (session_set_options(machine->session, &settings, err))
		return -1;
	strings_sort(&machine->functions);
	addresses_cache_keep(machine->session);
	return 0;
}

/* Nobody else may lose by it, unless the user wants that. */
static int refused(bool force, bool *told, void (*say)(const char *text), const struct err *err)
{
	if (!force)
		return -1;
	say(err->text);
	*told = true;
	return 0;
}

static int check_instances(struct machine *machine, bool force, void (*say)(const char *text),
			   struct err *err)
{
	char *name = tracing_graph_instance();

	if (!name)
		return 0;
	err_set(err,
		"the instance '%s' of tracing uses function_graph, and would see nothing but our "
		"packets meanwhile: end it, or record all the same by --force",
		name);
	free(name);
	return refused(force, &machine->told_instance, say, err);
}

/* A tracer that begins empties the buffer. Among others, a recording has one of its own. */
static int check_unread(const struct options *o, void (*say)(const char *text), struct err *err)
{
	const unsigned long long unread = o->shared ? 0 : tracing_unread();
	bool told;

	if (!unread)
		return 0;
	err_set(err,
		"the buffer of tracing has entries that somebody has not read (%llu), and a "
		"recording empties it: keep them ('trace-cmd extract -k') or not ('trace-cmd clear'), or "
		"record all the same by --force",
		unread);
	return refused(o->force, &told, say, err);
}

/* trace-cmd removes in the end what triggers the events have that it has set some for. */
static int check_triggers(const struct options *o, void (*say)(const char *text), struct err *err)
{
	char *trigger = options_pass(o, "-R") ? tracing_trigger() : NULL;
	bool told;

	if (!trigger)
		return 0;
	err_set(err,
		"somebody has a trigger (%s), and with -R trace-cmd may remove it in the end: record "
		"without -R, or all the same by --force",
		trigger);
	free(trigger);
	return refused(o->force, &told, say, err);
}

static int check_watched_returns(struct machine *machine, bool force, void (*say)(const char *text),
				 struct err *err)
{
	char *function = watched_return();

	if (!function)
		return 0;
	err_set(err,
		"somebody watches returns of %s by fprobe (an event, or BPF's kretprobe-multi), and "
		"would miss those inside unrelated packets meanwhile: end it, or record all the same "
		"by --force",
		function);
	free(function);
	return refused(force, &machine->told_watched, say, err);
}

/* Those who began while we recorded. */
static void tell_instance(void (*say)(const char *text))
{
	char *name = tracing_graph_instance();
	char *text;

	if (!name)
		return;
	text = xasprintf(
		"the instance '%s' of tracing began to use function_graph: it saw nothing but our "
		"packets so far",
		name);
	say(text);
	free(text);
	free(name);
}

static void tell_watched_returns(void (*say)(const char *text))
{
	char *function = watched_return();
	char *text;

	if (!function)
		return;
	text = xasprintf(
		"somebody began to watch returns of %s by fprobe: those inside unrelated packets were "
		"missed so far",
		function);
	say(text);
	free(text);
	free(function);
}

static void tell_others(const struct machine *machine, void (*say)(const char *text))
{
	if (!machine->profiled && !machine->undo.share.recording && tracing_profiles())
		say("the function profiler was switched on: it saw little but our packets so far");
	if (!machine->told_instance)
		tell_instance(say);
	if (!machine->told_watched)
		tell_watched_returns(say);
}

/*
 * Not where somebody else has a say in what function_graph traces: whoever uses it beside us makes it look up
 * what it is given, and the user's own -n takes the place of our list.
 */
static int take_alone(struct machine *machine, struct plan *plan, bool all, bool *relayed,
		      struct err *err)
{
	const struct options *o = plan->options;

	*relayed = false;
	if (machine->profiled || machine->told_instance || o->persistent || o->shared ||
	    options_pass(o, "-n") || options_leave_functions(o))
		return 0;
	return alone_take(machine->session, &plan->kernel.functions,
			  all ? NULL : &machine->functions, &machine->gates, relayed, err);
}

/* What is not to begin a graph here must not be traced here. */
static int leave_out_others(struct functions *functions, unsigned int recording, struct err *err)
{
	struct strings others = {};
	int ret;

	for (unsigned int i = 1; i <= RECORD_SKB_MAX_SHARED; i++) {
		if (i == recording)
			continue;
		strings_addf(&others, "%s_%u", RECORD_SKB_GATE, i);
		strings_addf(&others, "%s_%u", RECORD_SKB_HIDE, i);
	}
	ret = functions_leave_out(functions, &others, err);
	strings_free(&others);
	return ret;
}

/* Not by trace-cmd's -l, which goes through all functions for each. What only that can do comes first. */
static int choose_functions(struct machine *machine, struct plan *plan, struct err *err)
{
	const struct options *o = plan->options;
	const bool all = graph_functions_all(o, &plan->kernel);
	bool relayed;

	if (take_alone(machine, plan, all, &relayed, err))
		return -1;
	if (relayed)
		return functions_trace_only(&plan->kernel.functions, &machine->gates, err);
	if (all && o->shared)
		return leave_out_others(&plan->kernel.functions, machine->undo.share.recording,
					err);
	if (all || options_leave_functions(o))
		return 0;
	return functions_trace_only(&plan->kernel.functions, &machine->functions, err);
}

/* Returns 0 or -1. */
static int take_recording(struct machine *machine, const struct plan *plan, struct err *err)
{
	struct undo *undo = &machine->undo;
	bool left;

	if (plan->options->shared) {
		machine->session = share_join(&undo->share, err);
		undo->lock = undo->share.lock;
		return machine->session < 0 ? -1 : 0;
	}
	undo->lock = lock_take(err);
	if (undo->lock < 0)
		return -1;
	/* Of those that shared one, and were killed with whoever puts back after them. */
	left = shared_state_end();
	if (module_load(&undo->module_loaded, err))
		return -1;
	undo->module_loaded |= left;
	machine->session = session_open(NULL, err);
	return machine->session < 0 ? -1 : 0;
}

static struct tracing_settings *save_settings(const struct machine *machine,
					      const struct plan *plan)
{
	struct tracing_settings *settings;
	struct strings made = {};

	add_all(&made, &plan->options->instances);
	if (plan->settings.flags & RECORD_SKB_OPT_RULES)
		strings_add(&made, RULE_TEXTS_INSTANCE);
	settings = tracing_settings_save(!machine->own_events, &made);
	strings_free(&made);
	return settings;
}

/* Nobody would put back what was changed until then. */
static void hold_signals(sigset_t *mask_was, struct sigaction *pipe_was)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < runner_nr_signals; i++)
		if (runner_signals[i] != SIGPIPE)
			sigaddset(&mask, runner_signals[i]);
	sigprocmask(SIG_BLOCK, &mask, mask_was);
	sigaction(SIGPIPE, &ignore, pipe_was);
}

static int take(struct machine *machine, struct plan *plan, void (*say)(const char *text),
		struct err *err)
{
	*machine = (struct machine){
		.undo = { .output = plan->output.file ? &plan->output : NULL,
			  .trace_cmd = plan->trace_cmd,
			  .persistent = plan->options->persistent,
			  .by_start = options_by_start(plan->options),
			  .home = NO_HOME,
			  .share = NO_SHARE,
			  .lock = -1 },
		.session = -1,
		.keeper = -1,
	};
	if (home_open(&machine->undo.home, err))
		return -1;
	if (take_recording(machine, plan, err) || tracing_check_tracer(err) ||
	    tracing_check_free(err) || check_unread(plan->options, say, err) ||
	    check_triggers(plan->options, say, err) ||
	    check_instances(machine, plan->options->force, say, err) ||
	    check_watched_returns(machine, plan->options->force, say, err))
		return machine_check_hint(err);
	/* The gate is a function by now, and those that another recording redirected are free. */
	if (plan_functions(plan, say, err) || set_up_session(machine, plan, say, err))
		return -1;
	machine->own_events = own_events_will_do(plan->options);
	if (!plan->options->shared)
		machine->undo.settings = save_settings(machine, plan);
	machine->keeper = keeper_start(&machine->undo, machine->session, err);
	if (machine->keeper < 0)
		return -1;
	if (machine->undo.settings ? tracing_settings_neutral(machine->undo.settings, err) :
				     share_begin(&machine->undo.share, machine->session, err))
		return -1;
	return choose_functions(machine, plan, err);
}

int machine_take(struct machine *machine, struct plan *plan, void (*say)(const char *text),
		 struct err *err)
{
	struct sigaction pipe_was;
	sigset_t mask_was;

	hold_signals(&mask_was, &pipe_was);
	/* Left blocked: what comes now would only cut the putting back short. */
	if (take(machine, plan, say, err))
		return -1;
	sigaction(SIGPIPE, &pipe_was, NULL);
	sigprocmask(SIG_SETMASK, &mask_was, NULL);
	return 0;
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

void machine_give_back(struct machine *machine, bool crashed, void (*say)(const char *text))
{
	struct undo *undo = &machine->undo;
	bool module_stays = false, settings_stay, share_stays;
	struct err err;

	/* Before set_graph_function lets it see everything. */
	if (undo->persistent && undo->settings)
		persistent_end(undo->persistent, undo->output->file);
	settings_stay = undo->settings && tracing_settings_restore(undo->settings, crashed, &err);
	if (settings_stay)
		say(err.text);
	if (machine->session >= 0) {
		wait_until_left(machine->session);
		close(machine->session);
	}
	share_stays = share_leave(&undo->share, &undo->home, &undo->module_loaded, &err);
	if (share_stays)
		say(err.text);
	/* Where a point of ours is, the kernel does not show who else is there. */
	if (machine->keeper >= 0)
		tell_others(machine, say);
	if (undo->module_loaded && module_unload(&err)) {
		say(err.text);
		module_stays = true;
	}
	if (machine->keeper >= 0 && (settings_stay || share_stays))
		keeper_take_over(machine->keeper);
	else if (machine->keeper >= 0)
		keeper_end(machine->keeper, module_stays);
	tracing_settings_free(undo->settings);
	strings_free(&machine->functions);
	strings_free(&machine->gates);
	home_close(&undo->home);
	if (undo->share.instances >= 0)
		close(undo->share.instances);
	if (undo->lock >= 0)
		close(undo->lock);
}
