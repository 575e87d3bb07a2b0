/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording takes of the machine, and gives back. */
#ifndef _RECORD_SKB_MACHINE_H
#define _RECORD_SKB_MACHINE_H

#include <stdbool.h>

#include "err.h"
#include "keeper.h"
#include "plan.h"
#include "strlist.h"

/**
 * struct machine - what we hold of it
 * @undo: how it was
 * @session: the module's file, set up but not armed; -1 for none
 * @keeper: of keeper_start(), -1 for none
 * @told_instance: the user knows that another instance sees little meanwhile
 * @told_watched: ... that somebody misses returns of functions meanwhile
 * @profiled: the function profiler was on before
 * @own_events: trace-cmd is shown no others
 * @gates: the module's functions that function_graph records
 * @functions: that the graph is to show, whatever -l says: the gate, the probe points and those of --detail
 */
struct machine {
	struct undo undo;
	int session;
	int keeper;
	bool told_instance;
	bool told_watched;
	bool profiled;
	bool own_events;
	struct strings gates;
	struct strings functions;
};

/**
 * machine_take - lock out other recordings, load the module, set it up, and clear tracing's settings
 * @machine: filled in; machine_give_back() it whatever this returns
 * @plan: its functions are looked up
 * @say: is told what is left out
 * @err: what stands against it
 *
 * Returns 0 or -1.
 */
int machine_take(struct machine *machine, struct plan *plan, void (*say)(const char *text),
		 struct err *err);

/* Make it what it was. @crashed: trace-cmd ended in the middle. */
void machine_give_back(struct machine *machine, bool crashed, void (*say)(const char *text));

#endif
