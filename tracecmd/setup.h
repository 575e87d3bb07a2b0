/* SPDX-License-Identifier: GPL-2.0 */
/* setup.h - prepare the system for a recording, and restore it afterwards */
#ifndef _RECORD_SKB_SETUP_H
#define _RECORD_SKB_SETUP_H

#include <signal.h>
#include <stdbool.h>

#include "err.h"
#include "recorder/watchdog.h"
#include "plan.h"
#include "text.h"

/**
 * struct setup - state of the system before and during a recording, for the recorder and for setup_undo()
 * @undo: the state before the recording, to be restored
 * @session: file descriptor of the module's device, set up but not armed; -1 if it is not open
 * @watchdog: socket to the watchdog, from watchdog_start(); -1 if the watchdog does not run
 * @told_instance: true if the user was already warned that another instance with function_graph misses
 *	functions
 * @told_watched: true if the user was already warned that users of fprobe miss returns of functions
 * @watched: true if another user traces returns of functions by fprobe
 * @profiled: true if the function profiler was on before the recording
 * @own_events: true if trace-cmd sees only those events in tracefs that this recording needs
 * @verbose: true if messages that need no action of the user are printed, too
 * @gates: names of the module's gates, which function_graph always has to trace
 * @roots: names of those gates at which call graphs begin
 * @functions: names of the functions to trace: the gates, the probe points and the functions of --detail
 * @signals, @pipe: signal mask and action of SIGPIPE before setup_begin()
 */
struct setup {
	struct undo undo;
	int session;
	int watchdog;
	bool told_instance;
	bool told_watched;
	bool watched;
	bool profiled;
	bool own_events;
	bool verbose;
	struct strings gates;
	struct strings roots;
	struct strings functions;
	sigset_t signals;
	struct sigaction pipe;
};

/*
 * A recording is set up in three steps:
 * 1. setup_begin() takes the lock, loads the module and checks for other users of tracing.
 * 2. plan_functions() looks up the functions that the plan names. This needs the module, because the gate is
 *    one of its functions. It also needs the lock, because another recording would redirect functions.
 * 3. setup_apply() sets up the module and changes the tracing settings.
 *
 * setup_begin() blocks the signals that would end this process, so that it always restores the settings. If a
 * step fails, the signals stay blocked; otherwise setup_apply() unblocks them. In both cases, the caller
 * calls setup_undo().
 */

/**
 * setup_begin - take the lock, load the module, open a session, and check for other users of tracing
 * @setup: filled in
 * @plan: the decisions about the recording, from plan_make()
 * @say: prints a warning to the user
 * @err: set to the reason on failure
 *
 * Returns 0 or -1.
 */
int setup_begin(struct setup *setup, const struct plan *plan, void (*say)(const char *text),
		struct err *err);

/**
 * setup_apply - set up the module, and change the tracing settings
 * @setup: from setup_begin()
 * @plan: the plan, after plan_functions()
 * @say: prints a warning to the user
 * @err: set to the reason on failure
 *
 * Returns 0 or -1.
 */
int setup_apply(struct setup *setup, struct plan *plan, void (*say)(const char *text),
		struct err *err);

/* Restore the system to its state before setup_begin(). @crashed: true if trace-cmd did not exit normally. */
void setup_undo(struct setup *setup, bool crashed, void (*say)(const char *text));

#endif
