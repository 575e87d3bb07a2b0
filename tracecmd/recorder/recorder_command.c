// SPDX-License-Identifier: GPL-2.0
/* recorder_command.c - make the command lines for the real trace-cmd, and start trace-cmd record */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <tracefs.h>
#include <unistd.h>

#include "modes/ring.h"
#include "module/module_client.h"
#include "record_skb.h"
#include "recorder/child.h"
#include "recorder/recorder_command.h"
#include "recorder/symbols.h"
#include "recorder/trace_file.h"
#include "run.h"
#include "tracefs/files.h"
#include "tracefs/instances.h"

/*
 * Default size of the buffer of each CPU. The call graph of a packet is a burst of some thousand entries,
 * which would soon fill the kernel's default of 1.4 MB. If all buffers of this size would need more than 1 /
 * MEMORY_PART of the memory, the kernel's default is used.
 */
#define BUFFER_KB   4096
#define MEMORY_PART 64

/*
 * Options of function_graph. They are newer than libtracefs, which has no numbers for them, so use their
 * names.
 */
#define ARGS   "funcgraph-args"
#define RETVAL "funcgraph-retval"

static bool has_memory(void)
{
	struct sysinfo info;

	if (sysinfo(&info))
		return false;
	return (unsigned long long)get_nprocs() * BUFFER_KB * 1024 <=
	       (unsigned long long)info.totalram * info.mem_unit / MEMORY_PART;
}

static void add_option(struct strings *command, const char *option, const char *value)
{
	strings_add(command, option);
	if (value)
		strings_add(command, value);
}

/*
 * Return the buffer size for trace-cmd's option -b, in KB for each CPU. Return 0 if record-skb must not add
 * this option.
 */
static unsigned long buffer_size(const struct options *o)
{
	const unsigned long cpus = get_nprocs();

	/* If the user gave -b, this option is passed on to trace-cmd. */
	if (o->has_buffer_size)
		return 0;
	if (o->ring.kb)
		return (o->ring.kb + cpus - 1) / cpus;
	return has_memory() ? BUFFER_KB : 0;
}

/*
 * Return true if @option of trace-cmd changes the file that trace-cmd writes, and not how the kernel traces.
 */
static bool is_about_file(const char *option)
{
	static const char *const names[] = { "--compression", "--date", "--ts-offset" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t n = strlen(names[i]);

		if (!strncmp(option, names[i], n) && (!option[n] || option[n] == '='))
			return true;
	}
	return false;
}

/* Append arguments for trace-cmd record that enable the user's options of function_graph. */
static void graph_options_add(const struct options *o, struct strings *command)
{
	if (o->args) {
		strings_add(command, "-O");
		strings_add(command, ARGS);
	}
	if (o->retval) {
		strings_add(command, "-O");
		strings_add(command, RETVAL);
	}
}

/* Append those arguments for trace-cmd that set up tracing. */
static void add_tracing(const struct options *o, unsigned int recording, struct strings *command)
{
	const unsigned long size = buffer_size(o);

	strings_add(command, "-q");
	/*
	 * Do not pass -g to trace-cmd: record-skb itself sets the functions at which graphs begin, see
	 * function_filters.h.
	 */
	add_option(command, "-p", "function_graph");
	add_option(command, "-e", RECORD_SKB_MODULE);
	/*
	 * The module's events of all shared recordings reach the tracing instance of each recording. Let only
	 * the events of this recording pass.
	 */
	if (recording) {
		strings_add(command, "-f");
		strings_addf(command, "recording == %u", recording);
	}
	graph_options_add(o, command);
	/*
	 * Disable the graphs of interrupts, but only if the user does not give an option for them. trace-cmd
	 * sets options in reverse order, so the user's option would not override this one.
	 */
	if (!o->has_irqs && !recording)
		add_option(command, "-O", "nofuncgraph-irqs");
	if (size) {
		strings_add(command, "-b");
		strings_addf(command, "%lu", size);
	}
	/* Add one level to the user's maximum depth, because the root of each graph is the gate. */
	if (o->graph_depth)
		strings_addf(command, "--max-graph-depth=%u", o->graph_depth + 1);
}

/*
 * Append those options of the user that are passed on to trace-cmd: the options for tracing if @tracing is
 * true, and those for the file if @file is true.
 */
static void pass_on(const struct options *o, bool tracing, bool file, struct strings *command)
{
	for (size_t i = 0; i < o->pass.n; i++)
		if (is_about_file(o->pass.v[i]) ? file : tracing)
			strings_add(command, o->pass.v[i]);
}

int graph_options_check(const struct options *o, struct err *err)
{
	if (o->args && !tracefs_file_exists(NULL, "options/" ARGS))
		return err_set(
			err,
			"--args: this kernel cannot record arguments (that needs Linux 6.15 with "
			"CONFIG_FUNCTION_TRACE_ARGS)");
	if (o->retval && !tracefs_file_exists(NULL, "options/" RETVAL))
		return err_set(
			err,
			"--retval: this kernel cannot record what functions return (that needs "
			"Linux 6.5 with CONFIG_FUNCTION_GRAPH_RETVAL); the return values of "
			"probe points are recorded without it");
	return 0;
}

void recorder_command(const struct options *o, unsigned int recording, const char *trace_cmd,
		      const char *runner, const char *runner_args, struct strings *command)
{
	if (!options_by_start(o)) {
		strings_add(command, trace_cmd);
		strings_add(command, "record");
		add_tracing(o, recording, command);
		if (options_output(o))
			add_option(command, "-o", options_output(o));
		/*
		 * For --live, disable splice: with splice, events reach the file only when a whole page is
		 * full.
		 */
		if (o->live)
			strings_add(command, "--nosplice");
		pass_on(o, true, true, command);
	}
	add_option(command, runner, RUNNER_ARG);
	strings_add(command, runner_args);
	for (char **word = o->command; word && *word; word++)
		strings_add(command, *word);
}

void ring_start_command(const struct options *o, unsigned int recording, const char *trace_cmd,
			struct strings *command)
{
	strings_add(command, trace_cmd);
	strings_add(command, "start");
	add_tracing(o, recording, command);
	pass_on(o, true, false, command);
}

void ring_extract_command(const struct options *o, const char *trace_cmd, struct strings *command)
{
	strings_add(command, trace_cmd);
	strings_add(command, "extract");
	strings_add(command, "--quiet");
	/*
	 * -k makes trace-cmd keep the tracing settings: record-skb restores them later, or continues to
	 * trace.
	 */
	strings_add(command, "-k");
	add_option(command, "-o", options_output(o));
	/* If instances are given by -B, trace-cmd extracts the buffer of the top instance only with -t. */
	if (o->instances.n)
		strings_add(command, "-t");
	for (size_t i = 0; i < o->instances.n; i++)
		add_option(command, "-B", o->instances.v[i]);
	pass_on(o, false, true, command);
}

static mode_t umask_of_this(void)
{
	const mode_t mask = umask(0);

	umask(mask);
	return mask;
}

int recorder_start(struct run *run, unsigned int ignored, const sigset_t *mask, struct err *err)
{
	const char *trace_cmd = run->plan->trace_cmd;
	const bool by_start = options_by_start(run->plan->options);
	const mode_t mask_of_user = umask_of_this();
	struct strings command = {};
	char self[PATH_MAX];
	char *argument;
	bool unshared;
	int sockets[2];
	ssize_t n;

	/*
	 * With --live, let the kernel wake trace-cmd's recorder processes as soon as there are events. By
	 * default, the kernel waits until half of the buffer is full.
	 */
	if (run->plan->options->live && !by_start)
		file_write("buffer_percent", "0");
	if (by_start && ring_start(run->plan, run->setup, err))
		return -1;
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0)
		return err_set(err, "cannot find the file of this program: is /proc mounted?");
	self[n] = '\0';
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return err_set(err, "cannot create a socket pair: %s", strerror(errno));

	run->other_readers = other_readers_watch(!by_start);
	argument = runner_argument(&(struct runner_argument){
		.socket = sockets[1],
		.ignored = ignored,
		.recorder = getpid(),
		.umask = mask_of_user,
		.home = run->setup->undo.home,
		.user = run->plan->options->user ? run->plan->options->user : "",
	});
	recorder_command(run->plan->options, run->setup->undo.shared.recording, trace_cmd, self,
			 argument, &command);
	free(argument);
	run->trace_cmd = fork();
	if (!run->trace_cmd) {
		/*
		 * Ignore these signals in trace-cmd, except for those for which trace-cmd sets a handler:
		 * trace-cmd must not exit before the user's command.
		 */
		for (size_t i = 0; i < runner_nr_signals; i++)
			signal(runner_signals[i], SIG_IGN);
		sigprocmask(SIG_SETMASK, mask, NULL);
		umask(OUTPUT_UMASK);
		/*
		 * This process will execute trace-cmd. Register it with the module before it changes the
		 * first tracing setting.
		 */
		session_add_process(run->setup->session, 0, 0);
		fcntl(sockets[1], F_SETFD, 0);
		home_pass(&run->setup->undo.home, true);
		unshared = !by_start && !symbols_unshare();
		if (!by_start && run->setup->own_events && (!unshared || own_events_show())) {
			fputs("trace-cmd record-skb: cannot hide the events of others from "
			      "trace-cmd\n",
			      stderr);
			_exit(EXIT_OURS);
		}
		if (!by_start && session_graph_race(run->setup->session) &&
		    (!unshared || instance_overlay_keep_lists())) {
			fputs("trace-cmd record-skb: cannot hide set_graph_function from "
			      "trace-cmd\n",
			      stderr);
			_exit(EXIT_OURS);
		}
		execv(command.v[0], command.v);
		fprintf(stderr, "trace-cmd record-skb: cannot run %s: %s\n", command.v[0],
			strerror(errno));
		_exit(EXIT_OURS);
	}
	strings_free(&command);
	close(sockets[1]);
	run->socket = sockets[0];
	if (run->trace_cmd < 0) {
		run->trace_cmd = 0;
		return err_set(err, "cannot fork: %s", strerror(errno));
	}
	run_add_process(run, run->trace_cmd, -1);
	return 0;
}
