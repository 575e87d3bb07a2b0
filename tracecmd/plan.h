/* SPDX-License-Identifier: GPL-2.0 */
/* What the options come to on this machine: all that a recording needs to know. */
#ifndef _RECORD_SKB_PLAN_H
#define _RECORD_SKB_PLAN_H

#include "err.h"
#include "expression.h"
#include "extra-points.h"
#include "kernel.h"
#include "options.h"
#include "output-file.h"
#include "packet-filter.h"
#include "record_skb.h"
#include "strlist.h"

/**
 * struct plan - what is to be done
 * @options: the user's
 * @expression: in tcpdump's language, NULL for none
 * @filter: its programs
 * @match: programs of --until-match, none without
 * @terms: what of it goes without them
 * @settings: for the module
 * @trace_cmd: path of the real one
 * @output: the file; @output.file is NULL if the trace is sent away
 * @kernel: what it has
 * @extra: probe points beside the table's
 * @graph_functions: to record beside the gate and all probe points; none if all functions are recorded
 */
struct plan {
	const struct options *options;
	char *expression;
	struct packet_filter filter;
	struct packet_filter match;
	struct terms terms;
	struct record_skb_options settings;
	char *trace_cmd;
	struct output output;
	struct kernel kernel;
	struct extra_points extra;
	struct strings graph_functions;
};

/**
 * plan_make - what any user can find out
 * @plan: filled in; plan_free() it whatever this returns
 * @options: the user's; have to outlive @plan
 * @err: what is wrong with them
 *
 * Returns 0 or -1.
 */
int plan_make(struct plan *plan, const struct options *options, struct err *err);

/* See that it can be done, before anything in the system is touched. Returns 0 or -1. */
int plan_check(struct plan *plan, struct err *err);

/**
 * plan_functions - look up all functions that the options name
 * @plan: from plan_make()
 * @say: is told what is left out of a glob
 * @err: which cannot be had, and why
 *
 * Root alone can, and only while no other recording redirects them. Returns 0 or -1.
 */
int plan_functions(struct plan *plan, void (*say)(const char *text), struct err *err);
void plan_free(struct plan *plan);

#endif
