/* SPDX-License-Identifier: GPL-2.0 */
/* setup.h - prepare the system for a recording, and restore it afterwards */
#ifndef _RECORD_SKB_SETUP_H
#define _RECORD_SKB_SETUP_H

#include <stdbool.h>

#include "err.h"
#include "recorder/watchdog.h"
#include "plan.h"
#include "text.h"

/**
 * struct setup - what setup_begin() has changed and found out, for the recording and for setup_undo()
 * @undo: the state before the recording, to be restored
 * @session: file descriptor of the module's device, set up but not armed; -1 if it is not open
 * @watchdog: socket to the watchdog, from watchdog_start(); -1 if the watchdog does not run
 * @told_instance: true if the user was already warned that another instance with function_graph misses events
 * @told_watched: true if the user was already warned that users of fprobe miss events
 * @watched: true if another user traces returns of functions by fprobe
 * @profiled: true if the function profiler was on before the recording
 * @own_events: true if the events that this recording does not need are hidden from trace-cmd
 * @verbose: true to print messages that need no action, too
 * @gates: names of the module's gates, which function_graph always has to trace
 * @roots: names of those gates at which call graphs begin
 * @functions: names of the functions to trace: the gates, the probe points and the functions of --detail
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
};

/**
 * setup_begin - prepare the system: lock, load and set up the module, and reset the tracing settings
 * @setup: filled in; call setup_undo() also if this fails
 * @plan: the plan; the functions that it names are looked up here
 * @say: prints a warning to the user
 * @err: set to the reason on failure
 *
 * Returns 0 or -1.
 */
int setup_begin(struct setup *setup, struct plan *plan, void (*say)(const char *text),
		struct err *err);

/* Restore the system as it was before setup_begin(). @crashed: true if trace-cmd did not end normally. */
void setup_undo(struct setup *setup, bool crashed, void (*say)(const char *text));

#endif
