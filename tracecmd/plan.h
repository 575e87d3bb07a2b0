/* SPDX-License-Identifier: GPL-2.0 */
/* plan.h - make the plan of a recording before the system is changed, check it, and print it for --dry-run */
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
 * @expression: the whole filter in tcpdump's language, including what options such as -p (shorthand)
 *	mean; NULL if there is no filter
 * @program: the part of @expression that is compiled into BPF programs for IP packets (in @filter);
 *	NULL if no BPF program is needed
 * @terms: the other part of @expression, which the module compares without a BPF program
 * @filter: the BPF programs of the filter
 * @inner: the BPF programs of --inner; empty without this option
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

/*
 * Check that this system can carry out @plan. Call this function before any setting is changed. Returns 0 or
 * -1.
 */
int plan_check(struct plan *plan, struct err *err);

/**
 * plan_functions - look up all functions that the user's options name
 * @plan: from plan_make()
 * @say: prints a warning about functions that match a glob but cannot be probed
 * @err: on failure, set to a message that names the function and says why it cannot be used
 *
 * Needs root. No other recording may be attached to the functions, except with --shared. Returns 0 or -1.
 */
int plan_functions(struct plan *plan, void (*say)(const char *text), struct err *err);
void plan_free(struct plan *plan);

/*
 * Return the name of the trace file that --recover makes if the kernel crashes during a recording with
 * --persistent. Such a recording writes the head of this file when it begins. Without an output file, the
 * head is PERSISTENT_HEAD_OF_NONE.
 */
const char *persistent_file(const struct plan *plan);

/*
 * Name of the head if a recording with --persistent writes no file (-o /dev/null). The head is the beginning
 * of a trace file, and is written in advance.
 */
#define PERSISTENT_HEAD_OF_NONE "trace.dat.head"

/* Print the plan for --dry-run. If the caller is root, plan_functions() must have succeeded before. */
void dry_run_print(FILE *out, const struct plan *plan);

#endif /* _RECORD_SKB_PLAN_H */
