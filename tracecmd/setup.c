// SPDX-License-Identifier: GPL-2.0
/* setup.c - prepare the system for a recording, and restore it afterwards */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "probes/kernel_functions.h"
#include "probes/graph_functions.h"
#include "tracefs/function_filters.h"
#include "tracefs/tracer_users.h"
#include "check.h"
#include "setup.h"
#include "module/module.h"
#include "tracefs/instances.h"
#include "modes/persistent.h"
#include "probes/probe_points.h"
#include "filter/rule_texts.h"
#include "recorder/child.h"
#include "module/module_client.h"
#include "modes/shared.h"

/*
 * How long setup_undo() waits until no task is inside the module's gates. Only then can the module be
 * unloaded.
 */
#define LEAVE_MSEC 2000
#define POLL_MSEC  10

static void add_gates(struct setup *setup)
{
	const unsigned int recording = setup->undo.shared.recording;
	char *gate = recording_name(RECORD_SKB_GATE, recording);
	char *hide = recording_name(RECORD_SKB_HIDE, recording);

	strings_add(&setup->gates, gate);
	strings_add(&setup->roots, gate);
	if (recording)
		strings_add(&setup->gates, hide);
	free(gate);
	free(hide);
}

/*
 * For a shared recording, check that no BPF trampoline is attached to a function that the module will attach
 * to. Such a trampoline runs the BPF program and then calls the function directly, so that the function's
 * calls would bypass the module's gate. The module adds functions of its own to the probe points, such as
 * those of devices that send packets. Returns 0 or -1.
 */
static int check_direct(int session, struct err *err)
{
	struct record_skb_function attached = {};
	char symbol[RECORD_SKB_SYMBOL_LEN];
	struct strings names = {};
	char *function;

	if (!session_is_beside(session))
		return 0;
	for (; !session_function(session, &attached); attached.index++) {
		if (session_symbol(session, attached.address, symbol))
			continue;
		symbol[strcspn(symbol, "+ [")] = '\0';
		strings_add(&names, symbol);
	}
	function = direct_call_user(&names);
	strings_free(&names);
	if (!function)
		return 0;
	err_set(err,
		"a BPF program (fentry or fexit) is attached to %s, which no other recording "
		"uses: start this recording before the others, or end the BPF program",
		function);
	free(function);
	return -1;
}

static void add_all(struct strings *to, const struct strings *from)
{
	for (size_t i = 0; i < from->n; i++)
		strings_add(to, from->v[i]);
}

static int add_points(struct setup *setup, const struct plan *plan, bool *lacks_points,
		      void (*say)(const char *text), struct err *err)
{
	const bool follow = plan->settings.flags & RECORD_SKB_OPT_FOLLOW;
	const bool resets = plan->expression && strstr(plan->expression, "tcp[");
	struct strings points = {};
	int ret;

	ret = probe_points_add_table(setup->session, follow, resets, &plan->kernel, &points,
				     lacks_points, say, err);
	if (!ret)
		ret = probe_points_add_extra(setup->session, &plan->extra, &points, err);
	if (!ret && !plan->options->no_bpf && !probe_points_add_xdp(setup->session, &points))
		say("XDP programs are not recorded: ftrace cannot trace "
		    "bpf_dispatcher_xdp_func() of this kernel");
	add_all(&setup->functions, &points);
	strings_free(&points);
	return ret;
}

static int set_up_session(struct setup *setup, struct plan *plan, void (*say)(const char *text),
			  struct err *err)
{
	struct record_skb_options settings = plan->settings;
	const unsigned int recording = setup->undo.shared.recording;
	bool lacks_points;

	function_addresses_give(setup->session, &plan->kernel.functions);
	/*
	 * If the function profiler is on, do not pause function_graph for tasks. The profiler uses
	 * function_graph, but ignores set_graph_function, and would miss all functions of a paused task.
	 */
	setup->profiled = tracing_profiles();
	if (!setup->profiled && !plan->options->shared)
		settings.flags |= RECORD_SKB_OPT_PAUSE;
	if (plan->options->ring.kb &&
	    session_set_ring(setup->session, &plan->options->ring.until, &plan->match, err))
		return -1;
	if (plan->expression &&
	    session_set_filter(setup->session, &plan->filter, &plan->terms, &plan->inner, err))
		return -1;
	if (plan->expression && program_matches_nothing(&plan->filter.raw))
		say("this filter tests the Ethernet header: a packet cannot match before it has "
		    "one, or after it has lost it");
	add_gates(setup);
	add_all(&setup->functions, &setup->gates);
	for (size_t i = 0; i < plan->graph_functions.n; i++)
		if (!recording || !is_gate_of_others(plan->graph_functions.v[i], recording))
			strings_add(&setup->functions, plan->graph_functions.v[i]);
	if (add_points(setup, plan, &lacks_points, say, err))
		return -1;
	if (lacks_points)
		settings.flags |= RECORD_SKB_OPT_LACKS_POINTS;
	if (session_set_options(setup->session, &settings, err) ||
	    (plan->options->shared && check_direct(setup->session, err)))
		return -1;
	function_addresses_keep(setup->session);
	strings_sort(&setup->functions);
	return 0;
}

/*
 * Decide about a recording that would harm other users of tracing, for the reason in @err. Without --force,
 * refuse the recording: return -1. With --force, print the reason, set *@told and return 0.
 */
static int refuse_unless_forced(bool force, bool *told, void (*say)(const char *text),
				const struct err *err)
{
	if (!force)
		return -1;
	say(err->text);
	*told = true;
	return 0;
}

static int check_instances(struct setup *setup, bool force, void (*say)(const char *text),
			   struct err *err)
{
	char *name = tracing_graph_instance();

	if (!name)
		return 0;
	err_set(err,
		"the tracing instance '%s' uses function_graph, and would see only the recorded "
		"packets during the recording: end that tracer, or use --force",
		name);
	free(name);
	return refuse_unless_forced(force, &setup->told_instance, say, err);
}

/*
 * Check that the buffer has no unread entries of other users of tracing: setting a tracer would remove them.
 * A shared recording is not checked, because it has a buffer of its own. Returns 0 or -1.
 */
static int check_unread(const struct options *o, void (*say)(const char *text), struct err *err)
{
	const unsigned long long unread = o->shared ? 0 : tracing_unread();
	bool told;

	if (!unread)
		return 0;
	err_set(err,
		"the trace buffer has unread entries (%llu), which a recording would remove: "
		"save them with 'trace-cmd extract -k', remove them with 'trace-cmd clear', or "
		"use --force",
		unread);
	return refuse_unless_forced(o->force, &told, say, err);
}

/*
 * If -R is given, check that no event has a trigger of another user, because trace-cmd would remove such a
 * trigger at the end of the recording. Returns 0 or -1.
 */
static int check_triggers(const struct options *o, void (*say)(const char *text), struct err *err)
{
	char *trigger = options_pass(o, "-R") ? tracing_trigger() : NULL;
	bool told;

	if (!trigger)
		return 0;
	err_set(err,
		"another user has set a trigger (%s), and with -R trace-cmd may remove it at the end: "
		"record without -R, or use --force",
		trigger);
	free(trigger);
	return refuse_unless_forced(o->force, &told, say, err);
}

/*
 * Check if another user traces returns of functions by fprobe. There are two problems. During a shared
 * recording, such a user misses functions that return while function_graph is paused for an unrelated packet.
 * If fprobe has slot 0 of fgraph, the kernel prints a warning for each recorded function. Returns 0 or -1.
 */
static int check_fprobe_users(struct setup *setup, const struct options *o,
			      void (*say)(const char *text), struct err *err)
{
	const bool first = session_slot0_is_fprobe(setup->session);
	char *function = fprobe_users_find();

	if (function || first)
		setup->watched = true;
	if (first)
		err_set(err,
			"fprobe traces returns of %s (by an event, or BPF's kretprobe-multi), "
			"and was started before the first function_graph of this boot: this "
			"kernel would print warnings (fprobe_return); restart that program, or "
			"use --force",
			function ?: "functions");
	else if (function && o->shared)
		err_set(err,
			"fprobe traces returns of %s (by an event, or BPF's kretprobe-multi), "
			"and would miss some of them in unrelated packets: end that program, "
			"record without --shared, or use --force",
			function);
	free(function);
	if (!first && !(setup->watched && o->shared))
		return 0;
	return refuse_unless_forced(o->force, &setup->told_watched, say, err);
}

/* Warn if another tracing instance has begun to use function_graph since the recording began. */
static void warn_instance(void (*say)(const char *text))
{
	char *name = tracing_graph_instance();
	char *text;

	if (!name)
		return;
	text = xasprintf(
		"the tracing instance '%s' has begun to use function_graph during the recording: "
		"until now, it has seen only the recorded packets",
		name);
	say(text);
	free(text);
	free(name);
}

static void warn_fprobe_users(void (*say)(const char *text))
{
	char *function = fprobe_users_find();
	char *text;

	if (!function)
		return;
	text = xasprintf(
		"another user has begun to trace returns of %s by fprobe during the recording: "
		"until now, fprobe has missed those in unrelated packets",
		function);
	say(text);
	free(text);
	free(function);
}

static void warn_others(const struct setup *setup, void (*say)(const char *text))
{
	if (!setup->profiled && !setup->undo.shared.recording && tracing_profiles())
		say("the function profiler was switched on during the recording: until now, it "
		    "has seen little besides the recorded packets");
	if (!setup->told_instance)
		warn_instance(say);
	if (!setup->told_watched && setup->undo.shared.recording)
		warn_fprobe_users(say);
}

/*
 * Let the module attach to the functions on behalf of function_graph, because the module's trampoline costs
 * other tasks less. This is not possible if there are other users of function_graph or fprobe, with
 * --persistent, or for a shared recording. If the module has attached, set *@relayed to true; function_graph
 * then has to trace only the gates. Returns 0 or -1.
 */
static int set_up_trampoline(struct setup *setup, struct plan *plan, bool all, bool *relayed,
			     struct err *err)
{
	const struct options *o = plan->options;

	*relayed = false;
	if (setup->profiled || setup->told_instance || setup->watched || o->persistent || o->shared)
		return 0;
	return graph_trampoline_set_up(setup->session, &plan->kernel.functions,
				       all ? NULL : &setup->functions, &setup->gates, relayed, err);
}

/*
 * Exclude the gates of all other shared recordings from the functions that this recording's tracer traces.
 * Returns 0 or -1.
 */
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

/*
 * Set the functions that function_graph traces. trace-cmd's option -l could do this, but the kernel would
 * then search all functions for each name. Returns 0 or -1.
 */
static int choose_functions(struct setup *setup, struct plan *plan, struct err *err)
{
	const struct options *o = plan->options;
	const bool all = graph_functions_all(o, &plan->kernel);
	bool relayed;

	if (set_up_trampoline(setup, plan, all, &relayed, err))
		return -1;
	if (relayed)
		return functions_trace_only(&plan->kernel.functions, &setup->gates, err);
	if (all && o->shared)
		return leave_out_others(&plan->kernel.functions, setup->undo.shared.recording, err);
	if (all)
		return 0;
	return functions_trace_only(&plan->kernel.functions, &setup->functions, err);
}

/*
 * Take the lock for this recording or join the shared recordings, load the module if necessary, and open a
 * session of the module. Returns 0 or -1.
 */
static int take_recording(struct setup *setup, const struct plan *plan,
			  void (*say)(const char *text), struct err *err)
{
	struct undo *undo = &setup->undo;
	bool left;

	if (plan->options->shared) {
		setup->session = shared_join(&undo->shared, err);
		undo->lock = undo->shared.lock;
		return setup->session < 0 ? -1 : 0;
	}
	undo->lock = lock_take(err);
	if (undo->lock < 0)
		return -1;
	left = shared_state_forget();
	if (module_load(&undo->module_loaded, err))
		return -1;
	undo->module_loaded |= left;
	setup->session = session_open(NULL, err);
	if (setup->session < 0)
		return -1;
	if (leftovers_restore(session_graph_race(setup->session)))
		say(LEFTOVERS_RESTORED);
	return 0;
}

static struct tracing_settings *save_settings(const struct setup *setup, const struct plan *plan)
{
	struct tracing_settings *settings;
	struct strings made = {};

	add_all(&made, &plan->options->instances);
	if (plan->settings.flags & RECORD_SKB_OPT_RULES)
		strings_add(&made, RULE_TEXTS_INSTANCE);
	settings = tracing_settings_save(!setup->own_events, session_graph_race(setup->session),
					 &made);
	strings_free(&made);
	return settings;
}

/* Block the signals that would end this process before it has restored the settings, and ignore SIGPIPE. */
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

/*
 * Pass a list of settings to the module. If all processes of the recording are killed, the module restores
 * these settings. Call this function before any setting is changed. Returns 0 or -1.
 */
static int set_restore_list(const struct setup *setup, const struct plan *plan, struct err *err)
{
	struct restore_list list = {};

	if (plan->options->persistent)
		persistent_list(plan->options->persistent, &list);
	tracing_settings_list(setup->undo.settings, &list);
	return restore_list_set(&list, setup->session, false, err);
}

/*
 * Write the gates at which call graphs begin to set_graph_function. Call this function while no tracer is in
 * use. For a shared recording, shared_begin() has already done it. Returns 0 or -1.
 */
static int set_graph_functions(const struct setup *setup, struct err *err)
{
	if (setup->undo.shared.recording)
		return 0;
	return graph_gates_set(&setup->roots, &(const struct strings){}, err);
}

static int open_setup(struct setup *setup, const struct plan *plan, void (*say)(const char *text),
		      struct err *err)
{
	if (home_open(&setup->undo.home, err))
		return -1;
	if (take_recording(setup, plan, say, err) || tracing_check_tracer(err) ||
	    tracing_check_free(err) || tracing_check_graph_race(setup->session, err) ||
	    check_unread(plan->options, say, err) || check_triggers(plan->options, say, err) ||
	    check_instances(setup, plan->options->force, say, err) ||
	    check_fprobe_users(setup, plan->options, say, err))
		return check_add_hint(err);
	return 0;
}

int setup_begin(struct setup *setup, const struct plan *plan, void (*say)(const char *text),
		struct err *err)
{
	*setup = (struct setup){
		.undo = { .output = plan->output.file ? &plan->output : NULL,
			  .trace_cmd = plan->trace_cmd,
			  .persistent = plan->options->persistent,
			  .persistent_file = persistent_file(plan),
			  .by_start = options_by_start(plan->options),
			  .home = NO_HOME,
			  .shared = NO_SHARE,
			  .lock = -1 },
		.session = -1,
		.watchdog = -1,
		.verbose = plan->options->verbose,
	};
	hold_signals(&setup->signals, &setup->pipe);
	return open_setup(setup, plan, say, err);
}

int setup_apply(struct setup *setup, struct plan *plan, void (*say)(const char *text),
		struct err *err)
{
	if (set_up_session(setup, plan, say, err))
		return -1;
	setup->own_events = own_events_will_do(plan->options);
	if (!plan->options->shared)
		setup->undo.settings = save_settings(setup, plan);
	setup->watchdog = watchdog_start(&setup->undo, setup->session, err);
	if (setup->watchdog < 0)
		return -1;
	if (setup->undo.settings ? set_restore_list(setup, plan, err) ||
					   tracing_settings_neutral(setup->undo.settings, err) :
				   shared_begin(&setup->undo.shared, setup->session, err))
		return -1;
	if (set_graph_functions(setup, err) || choose_functions(setup, plan, err))
		return -1;
	sigaction(SIGPIPE, &setup->pipe, NULL);
	sigprocmask(SIG_SETMASK, &setup->signals, NULL);
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

void setup_undo(struct setup *setup, bool crashed, void (*say)(const char *text))
{
	struct undo *undo = &setup->undo;
	bool settings_stay, share_stays;
	struct err err;
	int stays = 0;

	/*
	 * Stop the persistent instance first: after set_graph_function is restored, the instance would record
	 * all functions.
	 */
	if (undo->persistent && undo->settings)
		persistent_end(undo->persistent, undo->persistent_file);
	settings_stay = undo->settings && tracing_settings_restore(undo->settings, crashed, &err);
	if (settings_stay)
		say(err.text);
	if (setup->session >= 0)
		wait_until_left(setup->session);
	share_stays = shared_leave(&undo->shared, setup->session, &undo->home, &undo->module_loaded,
				   &err);
	if (share_stays)
		say(err.text);
	/*
	 * The module has a list of settings to restore. Clear the list only if all settings were restored
	 * here; otherwise, the module restores them.
	 */
	if (setup->session >= 0) {
		if (!settings_stay && !share_stays)
			restore_list_forget(setup->session, false);
		close(setup->session);
	}
	/*
	 * Look for new users of tracing only after the session is closed: the kernel does not show them while
	 * the module is attached to the probe points.
	 */
	if (setup->watchdog >= 0)
		warn_others(setup, say);
	if (undo->module_loaded) {
		stays = module_unload(&err);
		/*
		 * A positive value means that a task sleeps in the module's code. The user need not do
		 * anything: the watchdog unloads the module later.
		 */
		if (stays < 0 || (stays && setup->verbose))
			say(err.text);
	}
	if (setup->watchdog >= 0 && (settings_stay || share_stays))
		watchdog_take_over(setup->watchdog);
	else if (setup->watchdog >= 0)
		watchdog_end(setup->watchdog, stays);
	tracing_settings_free(undo->settings);
	strings_free(&setup->functions);
	strings_free(&setup->gates);
	strings_free(&setup->roots);
	home_close(&undo->home);
	if (undo->shared.instances >= 0)
		close(undo->shared.instances);
	if (undo->lock >= 0)
		close(undo->lock);
}
