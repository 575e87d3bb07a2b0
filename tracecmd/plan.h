/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_PLAN_H
#define _RECORD_SKB_PLAN_H

#include "err.h"
#include "filter.h"
#include "options.h"
#include "output.h"
#include "record_skb.h"

/**
 * struct plan - what the options come to on this machine
 * @expression: in tcpdump's language, NULL for none
 * @filter: its programs
 * @settings: for the module
 * @trace_cmd: path of the real one
 * @tracefs: its directory
 * @output: the file; @output.file is NULL if the trace is sent away
 */
struct plan {
	char *expression;
	struct filter filter;
	struct record_skb_options settings;
	char *trace_cmd;
	const char *tracefs;
	struct output output;
};

/**
 * plan_make - what any user can find out
 * @plan: filled in; plan_free() it whatever this returns
 * @options: the user's
 * @err: what is wrong with them
 *
 * Returns 0 or -1.
 */
int plan_make(struct plan *plan, const struct options *options, struct err *err);

/**
 * plan_check - see that it can be done, before anything in the system is touched
 * @plan: from plan_make(); the rest of it is filled in
 * @options: the user's
 * @err: what stands against it
 *
 * Returns 0 or -1.
 */
int plan_check(struct plan *plan, const struct options *options, struct err *err);
void plan_free(struct plan *plan);

#endif
