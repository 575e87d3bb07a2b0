/* SPDX-License-Identifier: GPL-2.0 */
/* record_options.h - the options of trace-cmd record-skb, and the pairs that cannot be combined */
#ifndef _RECORD_SKB_RECORD_OPTIONS_H
#define _RECORD_SKB_RECORD_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

#include "err.h"
#include "modes/until.h"
#include "record_skb.h"
#include "text.h"

/* The functions that are recorded for a matching packet (--detail). */
enum detail {
	DETAIL_UNSAID,
	DETAIL_FULL, /* every function */
	DETAIL_NET,  /* functions of networking */
	DETAIL_PATH, /* only the probe points */
};

/**
 * struct options - the user's options
 * @ports, @sports, @dports, @hosts, @srcs, @dsts, @protos: values of the shorthand options of the filter, as
 *	given; filter_text.c checks them
 * @expression: the filter expression of the user: all words before "--" that are not options, joined
 *	by blanks; NULL if there are no such words
 * @interfaces, @netnses: interfaces and network namespaces in which packets are recorded; empty for any
 * @marks, @nr_marks: values of --mark; a packet must have one of these marks, or may have any if the array is
 *	empty
 * @dirs: bit mask of 1 << enum record_skb_dir, 0 for both directions
 * @module_flags: flags for the module, RECORD_SKB_OPT_*, from options that do nothing else than set a
 *	flag
 * @pids, @nr_pids: processes to follow
 * @user: name of the user that the command runs as; NULL for the user who runs record-skb
 * @cpus: list of CPUs on which the command runs; NULL for any
 * @arguments: all words, a part of argv that ends with NULL
 * @command: the words of the command after "--", a part of argv that ends with NULL; NULL if there is
 *	no command
 * @output: name of the output file; NULL for the default
 * @functions: additional probe points, each a name or a glob
 * @detail: the value of --detail, or DETAIL_UNSAID; graph_functions_detail() returns the default for
 *	this case
 * @modules: names of modules; all functions of these modules are traced, besides those that @detail
 *	selects
 * @listed, @excluded: functions to trace (-l) and to leave out (-n)
 * @retval, @args: true to record return values, and arguments, of functions
 * @graph_depth: maximum depth of the call graph below a probe point; 0 for any
 * @pass: options that are passed on to trace-cmd record, in the user's order
 * @instances: tracing instances in @pass (-B)
 * @clock: the trace clock of -C; NULL for the default
 * @has_buffer_size, @has_irqs, @has_graph_option: @pass contains -b, funcgraph-irqs, or an option of
 *	function_graph
 * @limits: limits of --until at which the recording ends
 * @linger_msec: how long the recording waits at most for the last packets after the command has exited
 * @has_linger: true if --linger was given
 * @ring: options of --ring and --until
 * @shared: true to allow other shared recordings at the same time
 * @on: values of --on, the hosts on which to record
 * @remote: for --on, the options with which the hosts record, as words of a command line
 * @force: true to record even if other tracers will miss events
 * @no_bpf: true to attach to no BPF programs of other users
 * @check, @dry_run, @list_points, @help, @version: true to print what the option is for, and record
 *	nothing
 * @list_glob: glob of --list-points: list the functions that match; NULL to list the built-in table of
 *	probe points
 * @quiet: true to print neither the progress line nor the summary
 * @sample: for --sample, record one of this many flows; 0 to record all flows
 * @where: condition on fields of struct sk_buff (--where), or NULL
 * @inner: filter for packets inside tunnel packets (--inner), or NULL
 * @verbose: true to print messages that need no action of the user, too; this option is also passed on
 *	to trace-cmd
 * @live: true to print a line for each packet while recording
 * @no_file: true to write no file (-o /dev/null)
 * @persistent: name of a tracing instance in memory that survives a crash, for a second copy of the
 *	recording; or NULL
 * @recover: name of a tracing instance from which --recover makes a file, without recording; or NULL
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
	unsigned int sample;
	const char *where;
	const char *inner;
	unsigned int dirs;
	unsigned int module_flags;
	pid_t *pids;
	size_t nr_pids;
	const char *user;
	const char *cpus;
	char **command;
	char **arguments;
	const char *output;
	struct strings functions;
	enum detail detail;
	struct strings modules;
	struct strings listed;
	struct strings excluded;
	bool retval;
	bool args;
	unsigned int graph_depth;
	struct strings pass;
	struct strings instances;
	const char *clock;
	bool has_buffer_size;
	bool has_irqs;
	bool has_graph_option;
	struct limits limits;
	unsigned long linger_msec;
	bool has_linger;
	struct ring_options ring;
	bool shared;
	struct strings on;
	struct strings remote;
	bool force;
	bool no_bpf;
	bool check;
	bool dry_run;
	bool list_points;
	const char *list_glob;
	bool help;
	bool version;
	bool quiet;
	bool verbose;
	bool live;
	bool no_file;
	const char *persistent;
	const char *recover;
};

/**
 * options_parse - parse the command line
 * @options: filled in; call options_free() also if this fails
 * @argc, @argv: arguments of main(); must outlive @options
 * @err: set to the reason on failure
 *
 * Checks that the options can be combined, but does not look at the system. Returns 0 or -1.
 */
int options_parse(struct options *options, int argc, char **argv, struct err *err);
void options_free(struct options *options);

/*
 * Append a hint to @err if the user's expression probably begins with a command without "--" before it, with
 * an address without "host", or with a port without "port". @no_filter: true if no filter expression can
 * begin with the first word of the expression.
 */
void options_hint(const struct options *options, bool no_filter, struct err *err);

/* Return true if the user gave an option that is shorthand for a part of the filter, such as -p. */
bool options_have_shorthand(const struct options *options);

/*
 * Return true if the user gave @option, such as "-e", and record-skb passes this option on to trace-cmd
 * record.
 */
bool options_pass(const struct options *options, const char *option);

/*
 * Return true if "trace-cmd start" begins the recording, as for a ring, and not "trace-cmd record". In this
 * case, no process reads the kernel's buffers during the recording.
 */
bool options_by_start(const struct options *options);

/* Return the name of the output file, or NULL if no file is written. */
const char *options_output(const struct options *options);

/*
 * Check that the user gave no two options that exclude each other. Returns 0 or -1. The man page has a table
 * with the same pairs of options.
 */
int exclusions_check(const struct options *options, struct err *err);

#endif /* _RECORD_SKB_RECORD_OPTIONS_H */
