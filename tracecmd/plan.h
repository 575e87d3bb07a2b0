/* SPDX-License-Identifier: GPL-2.0 */
/* plan.h - decide how to record before the system is changed, and print this plan for --dry-run */
#ifndef _RECORD_SKB_PLAN_H
#define _RECORD_SKB_PLAN_H

#include <stdio.h>

#include "err.h"
#include "filter/filter_text.h"
#include "filter/compile_filter.h"
#include "probes/kernel_functions.h"
#include "probes/probe_points.h"
#include "record_options.h"
#include "record_skb.h"
#include "recorder/trace_file.h"
#include "text.h"

/**
 * struct plan - all decisions about a recording
 * @options: the user's options
 * @expression: the whole filter in tcpdump's language, including the shorthand; NULL if there is no filter
 * @program: the part of @expression that has been compiled into the BPF programs of @filter, for IP packets;
 *	NULL if no BPF program is needed
 * @terms: the part of @expression that the module compares by itself, without a BPF program
 * @filter: the BPF programs of the filter
 * @inner: programs of --inner, empty without it
 * @match: the BPF programs of --until match; empty without this option
 * @settings: options for the module
 * @trace_cmd: path of the real trace-cmd
 * @output: the output file; @output.file is NULL if no file is written
 * @kernel: functions and types of the running kernel
 * @extra: probe points of -g, in addition to those of the built-in table
 * @graph_functions: functions to trace in addition to gates and probe points; empty to trace all functions
 */
struct plan {
	const struct options *options;
	char *expression;
	char *program;
	struct packet_filter filter;
	struct packet_filter match;
	struct packet_filter inner;
	struct terms terms;
	struct record_skb_options settings;
	char *trace_cmd;
	struct output output;
	struct kernel kernel;
	struct probe_globs extra;
	struct strings graph_functions;
};

/**
 * plan_make - make the part of the plan that can be made without root
 * @plan: filled in; call plan_free() also if this fails
 * @options: the user's options; must outlive @plan
 * @err: set to the reason on failure
 *
 * Returns 0 or -1.
 */
int plan_make(struct plan *plan, const struct options *options, struct err *err);

/* Check that this system can carry out the plan. Call this before any setting is changed. Returns 0 or -1. */
int plan_check(struct plan *plan, struct err *err);

/**
 * plan_functions - look up all functions that the options name
 * @plan: from plan_make()
 * @say: prints a warning about functions that match a glob but cannot be probed
 * @err: set to a message with the function that cannot be used, and the reason
 *
 * Needs root. Except with --shared, no other recording may be attached to the functions. Returns 0 or -1.
 */
int plan_functions(struct plan *plan, void (*say)(const char *text), struct err *err);
void plan_free(struct plan *plan);

/*
 * Return the name of the file that --recover would make after a crash. A recording with --persistent writes
 * the head of that file (see PERSISTENT_HEAD_OF_NONE) when it begins.
 */
const char *persistent_file(const struct plan *plan);

/* Name of the head, the first part of the trace file, if the recording writes no file (-o /dev/null). */
#define PERSISTENT_HEAD_OF_NONE "trace.dat.head"

/* Print the plan for --dry-run. If the caller is root, plan_functions() must have succeeded before. */
void dry_run_print(FILE *out, const struct plan *plan);

#endif /* _RECORD_SKB_PLAN_H */
