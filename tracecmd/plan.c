// SPDX-License-Identifier: GPL-2.0
/* plan.c - make the plan of a recording before the system is changed, check it, and print it for --dry-run */
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "check.h"
#include "dispatch/real_trace_cmd.h"
#include "filter/netns.h"
#include "filter/field_condition.h"
#include "filter/plain_terms.h"
#include "probes/probe_points.h"
#include "modes/live_packets.h"
#include "modes/persistent.h"
#include "module/module_client.h"
#include "plan.h"
#include "probes/graph_functions.h"
#include "tracefs/tracer_users.h"
#include "recorder/processes.h"
#include "recorder/recorder_command.h"
#include "text.h"

/*
 * Return the module's flags for following processes. If an expression is given, no process is followed. If
 * shorthand such as -p is given, the filter alone decides on packets with ports, and a followed process adds
 * only its packets without ports (such as ICMP).
 */
static unsigned int follow_flags(const struct options *o)
{
	if (o->expression || o->inner || (!o->command && !o->nr_pids))
		return 0;
	if (options_have_shorthand(o))
		return RECORD_SKB_OPT_FOLLOW | RECORD_SKB_OPT_FOLLOW_PORTLESS;
	return RECORD_SKB_OPT_FOLLOW;
}

/*
 * Check the user's expression by compiling it alone. The whole filter also has text that was made from
 * shorthand such as -p. libpcap's messages would quote this text, which the user did not write.
 */
static int check_expression(const struct options *o, struct err *err)
{
	bool is_none;

	if (!o->expression || !packet_filter_check(o->expression, &is_none, err))
		return 0;
	options_hint(o, is_none, err);
	return -1;
}

int plan_make(struct plan *plan, const struct options *o, struct err *err)
{
	struct record_skb_options *settings = &plan->settings;

	memset(plan, 0, sizeof(*plan));
	plan->options = o;
	if (check_expression(o, err) ||
	    expression_make(o, &plan->expression, &plan->program, &plan->terms, err))
		return -1;
	if (plan->expression &&
	    packet_filter_compile(&plan->filter, plan->expression, plan->program, err))
		return -1;
	if (plan->expression)
		plain_terms_add(&plan->terms, &plan->filter.at_data);
	if (o->inner && packet_filter_compile(&plan->inner, o->inner, o->inner, err))
		return -1;
	if (o->ring.match && packet_filter_compile(&plan->match, o->ring.match, o->ring.match, err))
		return -1;
	settings->flags = o->module_flags | follow_flags(o);
	settings->dirs = o->dirs;
	settings->nr_marks = o->nr_marks;
	memcpy(settings->marks, o->marks, sizeof(settings->marks));
	settings->sample = o->sample;
	if (o->where && where_compile_here(o->where, settings, err))
		return -1;
	return interfaces_find(settings, &o->netnses, &o->interfaces, err);
}

const char *persistent_file(const struct plan *plan)
{
	return plan->output.file ? plan->output.file : "trace.dat";
}

static int check_command(const struct options *o, struct err *err)
{
	char *path;
	int error;

	if (o->cpus && cpu_list_check(o->cpus, err))
		return -1;
	if (o->user && !getpwnam(o->user))
		return err_set(err, "the user '%s' does not exist", o->user);
	if (!o->command)
		return 0;
	path = find_program(o->command[0], &error);
	if (path) {
		free(path);
		return 0;
	}
	err_set(err, "cannot run '%s': %s", o->command[0], strerror(error));
	err->status = error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
	return -1;
}

/*
 * LEAST_KB: minimum size of the ring of each CPU, which is large enough for the call graph of one packet. All
 * rings together may use 1 / MEMORY_PART of the memory.
 */
#define LEAST_KB    256
#define MEMORY_PART 2

/* Check that the size given by --ring is possible on this system. Returns 0 or -1. */
static int check_ring(const struct options *o, struct err *err)
{
	const unsigned long least = (unsigned long)get_nprocs() * LEAST_KB;
	struct sysinfo info;

	if (!o->ring.kb)
		return 0;
	if (o->ring.kb < least)
		return err_set(err, "--ring needs at least %luK on this machine: %dK for each CPU",
			       least, LEAST_KB);
	if (!sysinfo(&info) &&
	    o->ring.kb > (unsigned long long)info.totalram * info.mem_unit / 1024 / MEMORY_PART)
		return err_set(err,
			       "--ring %luM is more than half of this machine's memory: "
			       "give a smaller size",
			       o->ring.kb / 1024);
	return 0;
}

/*
 * Check that no file has the name of the output file yet. With --keep, each ring is first written to a file
 * with this name, and the file is then renamed. Returns 0 or -1.
 */
static int check_ring_file(const char *file, struct err *err)
{
	if (access(file, F_OK))
		return 0;
	return err_set(err,
		       "%s exists: with --keep, each ring is written to this file first, and "
		       "then gets its own name; move it, or choose another -o",
		       file);
}

int plan_check(struct plan *plan, struct err *err)
{
	const struct options *o = plan->options;

	if (check_command(o, err))
		return -1;
	if (geteuid())
		return err_set(err,
			       "needs root, for tracing and for loading the module (try sudo)");
	plan->trace_cmd = real_trace_cmd();
	if (!plan->trace_cmd) {
		err_set(err, "%s", real_trace_cmd_lacks());
		return check_add_hint(err);
	}
	if (check_ring(o, err))
		return -1;
	if (o->persistent && (tracing_find(err) || persistent_check(o->persistent, err)))
		return -1;
	if (o->live && live_packets_check(err))
		return -1;
	/*
	 * Fail if a recording is running. This check comes before output_check(), which reports parts of an
	 * output file as left by an interrupted recording: a running recording also has parts.
	 */
	if (!o->shared && session_is_held(err))
		return -1;
	if (o->no_file && o->persistent && !access(PERSISTENT_HEAD_OF_NONE, F_OK))
		return err_set(err, "%s exists, from a recording that a crash ended: remove it",
			       PERSISTENT_HEAD_OF_NONE);
	if (options_output(o) && output_check(&plan->output, options_output(o), &o->instances, err))
		return -1;
	if (o->ring.keep && check_ring_file(plan->output.file, err))
		return -1;
	return tracing_find(err) ? check_add_hint(err) : 0;
}

/*
 * Warn that function_graph will record all functions. By default, it records only functions of networking,
 * but without BTF it is unknown which functions these are.
 */
static void warn_full(const struct plan *plan, void (*say)(const char *text))
{
	const struct options *o = plan->options;

	if (!o->detail && !o->listed.n && graph_functions_detail(o, &plan->kernel) == DETAIL_FULL)
		say("this kernel has no " BTF_DIR ", so it is not known which functions belong "
		    "to networking: all functions are recorded, as with --detail full");
}

/*
 * Check that each name of -l or -n matches at least one function. trace-cmd would silently ignore a name
 * without a match. Returns 0 or -1.
 */
static int check_names(struct plan *plan, const char *option, const struct strings *names,
		       struct err *err)
{
	for (size_t i = 0; i < names->n; i++) {
		if (functions_read(&plan->kernel.functions, err))
			return -1;
		if (!functions_match(&plan->kernel.functions, names->v[i], NULL))
			return err_set(
				err,
				"%s %s: ftrace cannot trace a function with this name now "
				"('trace-cmd list -f' shows all functions; those of a module "
				"only while it is loaded)",
				option, names->v[i]);
	}
	return 0;
}

int plan_functions(struct plan *plan, void (*say)(const char *text), struct err *err)
{
	const struct options *o = plan->options;

	if (graph_options_check(o, err))
		return -1;
	kernel_open(&plan->kernel);
	if (o->shared)
		ipmodify_users_keep_patched(&plan->kernel.redirected);
	if (check_names(plan, "-l", &o->listed, err) || check_names(plan, "-n", &o->excluded, err))
		return -1;
	warn_full(plan, say);
	for (size_t i = 0; i < o->functions.n; i++)
		if (probe_globs_add(&plan->extra, &plan->kernel, o->functions.v[i], say, err))
			return -1;
	return graph_functions_add(o, &plan->kernel, &plan->graph_functions, err);
}

void plan_free(struct plan *plan)
{
	strings_free(&plan->graph_functions);
	probe_globs_free(&plan->extra);
	kernel_close(&plan->kernel);
	packet_filter_free(&plan->filter);
	packet_filter_free(&plan->match);
	packet_filter_free(&plan->inner);
	free(plan->expression);
	free(plan->program);
	output_free(&plan->output);
	free(plan->trace_cmd);
}

static void print_word(FILE *out, const char *word)
{
	char *safe = safe_word(word);

	fprintf(out, " %s", safe);
	free(safe);
}

static void print_line(FILE *out, const char *text, const char *more)
{
	char *safe = safe_text(text);

	fprintf(out, "%s%s\n", safe, more);
	free(safe);
}

static void print_program(FILE *out, const char *title, const struct program *program)
{
	fprintf(out, "%s\n", title);
	if (program_matches_nothing(program))
		fputs("(none: the expression matches no such packet)\n", out);
	else
		packet_filter_print(out, program);
}

static void print_points(FILE *out, const struct plan *plan)
{
	const struct options *o = plan->options;
	const struct functions *functions = &plan->kernel.functions;

	fputs("# probe points\n", out);
	list_points_table(out, functions->n ? functions : NULL);
	list_points_extra(out, &plan->extra);
	for (size_t i = 0; i < o->functions.n && !plan->extra.n; i++)
		print_line(out, o->functions.v[i],
			   " (only root can see which functions of this kernel match)");
	if (plan->graph_functions.n)
		fprintf(out, "# %zu more functions are recorded\n", plan->graph_functions.n);
}

static void print_command(FILE *out, const struct plan *plan)
{
	struct strings command = {};
	char self[PATH_MAX] = "trace-cmd-record-skb";
	char *trace_cmd = real_trace_cmd();
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0)
		self[n] = '\0';
	fputs("# command line\n", out);
	recorder_command(plan->options, plan->options->shared, trace_cmd ? trace_cmd : "trace-cmd",
			 self, "SOCKET", &command);
	for (size_t i = 0; i < command.n; i++)
		print_word(out, command.v[i]);
	fputc('\n', out);
	strings_free(&command);
	free(trace_cmd);
}

void dry_run_print(FILE *out, const struct plan *plan)
{
	fputs("# expression\n", out);
	print_line(out,
		   plan->expression ? plan->expression : "(none: all packets of the command match)",
		   "");
	if (plan->expression) {
		if (plan->terms.n && options_have_shorthand(plan->options))
			fputs("# for IP packets, the module itself tests the options for ports, "
			      "hosts and protocols\n",
			      out);
		print_program(out, "# program, from the network header on", &plan->filter.raw);
		print_program(out, "# program, from the Ethernet header on", &plan->filter.ll);
	}
	print_points(out, plan);
	print_command(out, plan);
}
