/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of the user. */
#ifndef _RECORD_SKB_OPTIONS_H
#define _RECORD_SKB_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

#include "err.h"
#include "record_skb.h"
#include "ring-options.h"
#include "strlist.h"

/* How much is recorded of a packet that matches. */
enum detail {
	DETAIL_UNSAID,
	DETAIL_FULL, /* every function */
	DETAIL_NET,  /* those of networking */
	DETAIL_PATH, /* the probe points */
};

/**
 * struct options - what the user asked for, not yet looked at more closely than its place
 * @ports, @sports, @dports, @hosts, @srcs, @dsts, @protos: the filter's shorthand, each value as
 *	given; expression.c judges them
 * @expression: the pcap expression before "--", its words joined; NULL if there is none
 * @interfaces, @netnses: where packets are to be; none for anywhere
 * @marks, @nr_marks: one of which packets are to have; none for any
 * @dirs: bit mask of 1 << enum record_skb_dir, 0 for both
 * @module_flags: RECORD_SKB_OPT_* that are asked for by name
 * @pids, @nr_pids: processes to follow
 * @user: whom the command runs as; NULL for the caller
 * @cpus: where the command runs, as a list; NULL for anywhere
 * @command: the user's command, NULL-terminated, within argv; NULL if there is none
 * @output: the file to write
 * @remote: the trace is sent away (-N, -V): there is no file
 * @functions: further probe points, each a name or a glob
 * @detail: as said; graph_functions_detail() is what it means
 * @modules: whose functions are recorded beside those of @detail
 * @retval, @args: record what functions return and are given
 * @graph_depth: of the graph below a probe point; 0 for any
 * @pass: options that "trace-cmd record" gets as they are, in the user's order
 * @instances: of tracing that @pass asks for (-B)
 * @clock: of -C, NULL for the kernel's own choice
 * @tsc2nsec: its ticks are turned into nanoseconds
 * @has_buffer_size, @has_irqs, @has_graph_option: @pass says something about these
 * @count, @duration, @max_size: packets, seconds and MB after which it ends; 0 for none
 * @ring: how much is kept, and until when
 * @shared: others may record at the same time
 * @force: others may lose by it
 * @check, @dry_run, @list_points, @help, @version: print that and do nothing
 * @list_glob: list the functions that match it instead; NULL for the table
 * @quiet: no live line, no summary
 * @live: print a line for each packet
 * @no_file: and nothing else
 * @persistent: an instance that survives a crash, recorded into as well; NULL for none
 * @recover: make a file of what this one has; NULL to record
 */
struct options {
	struct strings ports;
	struct strings sports;
	struct strings dports;
	struct strings hosts;
	struct strings srcs;
	struct strings dsts;
	struct strings protos;
	char *expression;
	struct strings interfaces;
	struct strings netnses;
	struct record_skb_mark marks[RECORD_SKB_MAX_MARKS];
	unsigned int nr_marks;
	unsigned int dirs;
	unsigned int module_flags;
	pid_t *pids;
	size_t nr_pids;
	const char *user;
	const char *cpus;
	char **command;
	const char *output;
	bool remote;
	struct strings functions;
	enum detail detail;
	struct strings modules;
	bool retval;
	bool args;
	unsigned int graph_depth;
	struct strings pass;
	struct strings instances;
	const char *clock;
	bool tsc2nsec;
	bool has_buffer_size;
	bool has_irqs;
	bool has_graph_option;
	unsigned long count;
	unsigned long duration;
	unsigned long max_size;
	struct ring_options ring;
	bool shared;
	bool force;
	bool check;
	bool dry_run;
	bool list_points;
	const char *list_glob;
	bool help;
	bool version;
	bool quiet;
	bool live;
	bool no_file;
	const char *persistent;
	const char *recover;
};

/**
 * options_parse - read the command line
 * @options: filled in; options_free() it whatever this returns
 * @argc, @argv: of main(); must outlive @options
 * @err: why not
 *
 * Judges whether the options fit together, but looks nothing up in the system. Returns 0 or -1.
 */
int options_parse(struct options *options, int argc, char **argv, struct err *err);
void options_free(struct options *options);

/*
 * What was taken for an expression may be a command that lacks its "--", an address or a port: add that to
 * @err. @no_filter: it cannot be anything of tcpdump's language.
 */
void options_hint(const struct options *options, bool no_filter, struct err *err);

/* True if the user narrowed the packets by shorthand (-p and its like). */
bool options_have_shorthand(const struct options *options);

/* True if trace-cmd record gets this option of its own: "-e". */
bool options_pass(const struct options *options, const char *option);

/* A value of -l or -n that is no name or glob: a number, or a command with a colon. The kernel judges it. */
bool options_is_for_kernel(const char *function);

/* True if -l was given, and is ours to look up: names and globs alone, and of no instance (-B). */
bool options_choose_functions(const struct options *options);

/* True if -l was given, and only trace-cmd can do it. */
bool options_leave_functions(const struct options *options);

/* True if the kernel's buffers are not read by trace-cmd record: trace-cmd start begins it. */
bool options_by_start(const struct options *options);

/* The file to write; NULL if there is none, or the trace is sent away. */
const char *options_output(const struct options *options);

/* The directory of --temp, where trace-cmd's parts of the file are; NULL if they are beside it. */
const char *options_temp(const struct options *options);

#endif
