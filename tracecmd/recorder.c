// SPDX-License-Identifier: GPL-2.0
/* Run trace-cmd record and the user's command, and see both to their end. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cpu-list.h"
#include "end-limits.h"
#include "files.h"
#include "incidents.h"
#include "keeper.h"
#include "live-line.h"
#include "output-file.h"
#include "own-events.h"
#include "process-tree.h"
#include "recorder-command.h"
#include "recorder.h"
#include "ring-buffer.h"
#include "ring.h"
#include "runner.h"
#include "session.h"
#include "summary.h"
#include "symbols.h"

/* How long a command may take to end once we were told to (SIGTERM, SIGHUP). */
#define GRACE_SECONDS 3

#define TICKS_PER_SECOND 10

/* How long trace-cmd's recorders may take to write what they have. */
#define STOP_MSEC 10000

/* In the tree; before them is trace-cmd, behind them the runner. */
#define FIRST_RECORDER 1

enum phase {
	STARTING, /* trace-cmd sets tracing up */
	RUNNING,  /* armed; the command, if any, runs */
	ENDING,	  /* disarmed; trace-cmd writes its file */
};

/**
 * struct run - a recording under way
 * @plan, @machine, @outcome, @err: of recorder_run()
 * @phase: see above
 * @failed: @err is set
 * @interrupted: by this signal before it began, or while it ran and made to end; else 0
 * @grace: seconds until the command is no longer waited for; 0 if it has not been told to end
 * @ticks: since the recording began, TICKS_PER_SECOND
 * @trace_cmd: its pid, 0 once it is reaped
 * @tree: trace-cmd, its recorders and the runner
 * @awaited: member of @tree whose end is waited for, once the recording has ended; the tracer ends after
 *	the last one
 * @socket: to the runner
 * @command: pidfd of the user's command, -1 if there is none
 * @followed: pidfds of -P, -1 for one that has ended, @nr_followed of them
 * @asked: by a signal to end
 * @incidents: files of --keep
 * @live_line: what is shown while it runs
 */
struct run {
	struct plan *plan;
	const struct machine *machine;
	struct outcome *outcome;
	struct err *err;
	enum phase phase;
	bool failed;
	int interrupted;
	int grace;
	unsigned long ticks;
	pid_t trace_cmd;
	struct process_tree tree;
	size_t awaited;
	int socket;
	int command;
	int *followed;
	size_t nr_followed;
	bool asked;
	struct strings incidents;
	struct live_line live_line;
};

/* The first complaint is the one that matters. */
static void fail(struct run *run, const struct err *err)
{
	if (!run->failed)
		*run->err = *err;
	run->failed = true;
}

static double seconds_since(unsigned long long ns)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9 - ns / 1e9;
}

/*
 * How many entries of the top buffer are in the file: when we disarm, those that are written; when the
 * recorders have ended, those that they have read. Counters begin anew when a tracer is set, by
 * trace-cmd maybe before we look the second time.
 */
static void count(struct run *run, bool all_read)
{
	struct outcome *outcome = run->outcome;
	struct ring_buffer_counts counts;
	unsigned long long read = 0, unread = 0, lost;
	double oldest = 0, now = 0;

	outcome->written_over = 0;

	for (int cpu = 0; cpu < outcome->nr_cpus; cpu++) {
		ring_buffer_count(NULL, cpu, &counts);
		if (counts.oldest > oldest)
			oldest = counts.oldest;
		now = counts.now;
		outcome->written_over += counts.overwritten;
		read += counts.read;
		unread += counts.unread;
		lost = counts.lost + (run->plan->options->ring.kb ? 0 : counts.overwritten);
		if (lost > outcome->lost[cpu])
			outcome->lost[cpu] = lost;
	}
	outcome->held = oldest ? now - oldest - seconds_since(outcome->stats.stopped_ns) : 0;
	if (!all_read)
		outcome->entries = read + unread;
	else if (read)
		outcome->entries = read;
}

/* Then all that is recorded is in their parts. Returns -1 if one of them is not through. */
static int stop_recorders(const struct run *run)
{
	const struct process_tree *tree = &run->tree;
	int ret = 0;

	file_write("tracing_on", "0");
	/* As trace-cmd does, which finds them ended. */
	for (size_t i = FIRST_RECORDER; i + 1 < tree->n; i++)
		process_signal(tree->pidfds[i], SIGUSR1);
	for (size_t i = FIRST_RECORDER; i + 1 < tree->n; i++) {
		struct pollfd fd = { .fd = tree->pidfds[i], .events = POLLIN };

		if (poll(&fd, 1, STOP_MSEC) != 1)
			ret = -1;
	}
	return ret;
}

/* Returns whether there are symbols for trace-cmd to find. */
static bool choose_symbols(const struct run *run)
{
	const char *file = run->plan->output.file;
	struct strings parts = {};
	bool chosen = false;

	if (!file || run->plan->options->ring.kb || stop_recorders(run))
		return false;
	output_parts(file, &parts);
	if (parts.n == run->tree.n - FIRST_RECORDER - 1)
		chosen = !symbols_choose(run->machine->session, &parts);
	strings_free(&parts);
	return chosen;
}

/* Disarm while trace-cmd still traces, so that what it sets back is out of use; then let it end. */
static void end(struct run *run)
{
	bool symbols = false;
	struct err err;

	if (run->phase == ENDING)
		return;
	if (run->phase == RUNNING) {
		if (session_disarm(run->machine->session, &err) ||
		    session_stats(run->machine->session, &run->outcome->stats, &err))
			fail(run, &err);
		count(run, false);
		symbols = choose_symbols(run);
	}
	run->phase = ENDING;
	live_line_end(&run->live_line);
	runner_send(run->socket, RUNNER_LEAVE, symbols);
}

static void note_child(struct run *run, pid_t pid)
{
	process_tree_add(&run->tree, pid);
	keeper_note(run->machine->keeper, pid);
}

/* Its recorders, one for each CPU, and behind them the runner. */
static void note_children(struct run *run, pid_t runner)
{
	struct strings pids = {};

	/* Of a ring there are none, and the runner is known. */
	if (run->plan->options->ring.kb)
		return;
	process_children(run->trace_cmd, &pids);
	for (size_t i = 0; i < pids.n; i++)
		if (atoi(pids.v[i]) != runner)
			note_child(run, atoi(pids.v[i]));
	note_child(run, runner);
	strings_free(&pids);
}

static const char *ends_by(const struct run *run)
{
	const struct options *o = run->plan->options;

	if (o->command)
		return NULL;
	return o->nr_pids ? "Ctrl-C or the end of what is followed" : "Ctrl-C";
}

/* Tracing is on and the command stands before its first instruction. */
static void begin(struct run *run, pid_t runner, pid_t command)
{
	struct err err;

	note_children(run, runner);
	if (run->interrupted) {
		end(run);
		return;
	}
	if (command)
		run->command = process_open(command);
	if (command && run->plan->options->cpus &&
	    cpu_list_apply(command, run->plan->options->cpus, &err)) {
		fail(run, &err);
		end(run);
		return;
	}
	/* Without its own line nobody could tell where in the graph a packet stands. */
	if ((options_pass(run->plan->options, "-l") &&
	     functions_trace(&run->plan->kernel.functions, &run->machine->functions, &err)) ||
	    session_arm(run->machine->session, &err)) {
		fail(run, &err);
		end(run);
		return;
	}
	run->phase = RUNNING;
	if (command && run->plan->settings.flags & RECORD_SKB_OPT_FOLLOW &&
	    session_follow(run->machine->session, command, &err)) {
		fail(run, &err);
		end(run);
		return;
	}
	run->outcome->started = true;
	live_line_begin(&run->live_line, run->machine->session, run->plan->options->quiet,
			ends_by(run));
	if (runner_send(run->socket, RUNNER_GO, 0))
		end(run);
}

static void cannot_run(struct run *run, int error)
{
	struct err err;

	err_set(&err, "cannot run '%s': %s", run->plan->options->command[0], strerror(error));
	err.status = error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
	run->outcome->started = false;
	fail(run, &err);
	end(run);
}

static int status_of(const struct run *run, int wait_status)
{
	if (!WIFSIGNALED(wait_status))
		return WEXITSTATUS(wait_status);
	/* It ended because we said so. */
	if (run->outcome->limit && WTERMSIG(wait_status) == SIGTERM)
		return 0;
	return 128 + WTERMSIG(wait_status);
}

static void hear_runner(struct run *run)
{
	struct runner_message message;

	if (runner_receive(run->socket, &message)) {
		/* It is gone, and trace-cmd with it or soon: that is then waited for. */
		close(run->socket);
		run->socket = -1;
		return;
	}
	switch (message.what) {
	case RUNNER_READY:
		begin(run, message.sender, message.value);
		break;
	case RUNNER_CANNOT_RUN:
		cannot_run(run, message.value);
		break;
	case RUNNER_LEFT:
		run->outcome->left_running = message.value;
		break;
	case RUNNER_ENDED:
		if (run->phase != RUNNING)
			break;
		run->outcome->status = status_of(run, message.value);
		run->interrupted = 0;
		end(run);
		break;
	}
}

/*
 * From the terminal, Ctrl-C and its like have gone to the command too, which may do with it what it
 * likes; we go on until it ends. From kill(1) they have come to us alone: pass them on.
 */
static void take_signal(struct run *run, const struct signalfd_siginfo *info)
{
	const int number = info->ssi_signo;
	const bool from_terminal = info->ssi_code == SI_KERNEL;

	if (number == SIGCHLD || run->phase == ENDING)
		return;
	run->asked = true;
	if (run->phase == RUNNING && run->plan->options->command) {
		if (!from_terminal)
			process_signal(run->command, number);
		if (number == SIGINT || number == SIGQUIT)
			return;
		if (!run->grace) {
			run->grace = GRACE_SECONDS;
			run->interrupted = number;
			return;
		}
	}
	run->interrupted = number;
	if (run->phase == RUNNING)
		end(run);
}

/* The command, if there is one, is told to end, as timeout(1) does, and has its grace. */
static void end_by_limit(struct run *run, const char *limit)
{
	if (run->outcome->limit)
		return;
	run->outcome->limit = limit;
	if (run->plan->options->command) {
		process_signal(run->command, SIGTERM);
		run->grace = GRACE_SECONDS;
	} else {
		end(run);
	}
}

/* Make a file of it under a name of its own, and go on with an empty one. */
static int take_incident(struct run *run, struct err *err)
{
	const struct plan *plan = run->plan;
	const int session = run->machine->session;
	const char *name;

	if (session_disarm(session, err) || session_stats(session, &run->outcome->stats, err))
		return -1;
	if (ring_extract(plan, run->machine, err))
		return -1;
	name = incidents_add(&run->incidents, plan->output.file, plan->options->ring.keep, err);
	if (!name) {
		/* It is there, under the other name. */
		run->outcome->file_is_good = true;
		return -1;
	}
	run->outcome->incidents++;
	summary_print_incident(stderr, &run->outcome->stats, name);
	/* With its counters. */
	if (file_write("trace", "") || file_write("tracing_on", "1"))
		return err_set(err, "cannot switch tracing on again");
	return session_arm(session, err);
}

/* Whether a packet has ended it. */
static void look_at_ring(struct run *run)
{
	struct record_skb_stats stats;
	struct err err;

	if (session_stats(run->machine->session, &stats, &err) || !stats.stopped)
		return;
	if (!run->plan->options->ring.keep) {
		end_by_limit(run, "--until");
		return;
	}
	live_line_end(&run->live_line);
	if (take_incident(run, &err)) {
		fail(run, &err);
		end(run);
	}
}

static void tick(struct run *run, unsigned long ticks)
{
	const unsigned long second = run->ticks / TICKS_PER_SECOND;
	const char *limit;

	if (run->phase != RUNNING)
		return;
	run->ticks += ticks;
	if (run->plan->options->ring.kb)
		look_at_ring(run);
	if (run->phase != RUNNING)
		return;
	limit = limits_reached(run->plan->options, run->machine->session, run->plan->output.file,
			       run->ticks / TICKS_PER_SECOND);
	if (limit)
		end_by_limit(run, limit);
	if (run->ticks / TICKS_PER_SECOND == second)
		return;
	live_line_show(&run->live_line);
	if (run->grace && !--run->grace)
		end(run);
}

static void followed_ended(struct run *run, size_t i)
{
	close(run->followed[i]);
	run->followed[i] = -1;
	for (i = 0; i < run->nr_followed; i++)
		if (run->followed[i] >= 0)
			return;
	if (!run->plan->options->command)
		end(run);
}

/*
 * Nobody reads the trace any more, so the tracer can end. trace-cmd would first empty the function filter
 * of -l, and so trace every function of the kernel for a moment.
 */
static void await_next(struct run *run)
{
	if (++run->awaited < run->tree.n)
		return;
	count(run, true);
	file_write("current_tracer", "nop");
}

/* The recorders end before trace-cmd, which is the first of the tree. */
static int awaited_pidfd(const struct run *run)
{
	return run->phase == ENDING && run->awaited < run->tree.n ? run->tree.pidfds[run->awaited] :
								    -1;
}

/* Killed: its recorders have parts of the file, which nobody would put together. */
static void trace_cmd_killed(struct run *run, int number)
{
	const char *file = run->plan->output.file;
	struct err err;

	run->outcome->crashed = true;
	end(run);
	file_write("tracing_on", "0");
	process_tree_end(&run->tree);
	run->outcome->file_is_good = file && output_restore(file, run->plan->trace_cmd);
	if (run->outcome->file_is_good)
		err_set(&err,
			"trace-cmd record was killed by signal %d (%s): %s is restored from what it "
			"had recorded until then",
			number, strsignal(number), file);
	else
		err_set(&err, "trace-cmd record was killed by signal %d (%s): there is no trace",
			number, strsignal(number));
	fail(run, &err);
}

static void ring_ended_too_soon(struct run *run)
{
	struct err err;

	err_set(&err, "the recording ended too soon: somebody killed its runner; what was recorded "
		      "until then is there");
	fail(run, &err);
	end(run);
}

static void trace_cmd_ended(struct run *run, int status)
{
	const bool too_soon = run->phase != ENDING;
	struct err err;

	run->trace_cmd = 0;
	if (run->plan->options->ring.kb && too_soon) {
		ring_ended_too_soon(run);
		return;
	}
	if (WIFSIGNALED(status)) {
		trace_cmd_killed(run, WTERMSIG(status));
		return;
	}
	if (!too_soon && !WEXITSTATUS(status))
		return;
	run->outcome->file_is_good = run->phase == RUNNING && !WEXITSTATUS(status);
	if (run->outcome->file_is_good)
		err_set(&err,
			"the recording ended too soon: somebody killed its runner; what was recorded "
			"until then is there");
	else if (run->phase == STARTING)
		err_set(&err,
			"trace-cmd record did not start (exit status %d); what it said is above",
			WEXITSTATUS(status));
	else
		err_set(&err, "trace-cmd record failed (exit status %d); what it said is above",
			WEXITSTATUS(status));
	fail(run, &err);
	end(run);
}

static void loop(struct run *run, int signals, int timer)
{
	const size_t nr = 4 + run->nr_followed;
	struct pollfd *fds = xrealloc(NULL, nr * sizeof(*fds));
	struct signalfd_siginfo info;
	unsigned long long ticks;
	int status;

	while (run->trace_cmd) {
		fds[0] = (struct pollfd){ .fd = run->socket, .events = POLLIN };
		fds[1] = (struct pollfd){ .fd = signals, .events = POLLIN };
		fds[2] = (struct pollfd){ .fd = timer, .events = POLLIN };
		fds[3] = (struct pollfd){ .fd = awaited_pidfd(run), .events = POLLIN };
		for (size_t i = 0; i < run->nr_followed; i++)
			fds[4 + i] = (struct pollfd){ .fd = run->followed[i], .events = POLLIN };
		if (poll(fds, nr, -1) < 0)
			continue;
		if (fds[0].revents)
			hear_runner(run);
		if (fds[1].revents && read(signals, &info, sizeof(info)) == sizeof(info))
			take_signal(run, &info);
		if (fds[2].revents && read(timer, &ticks, sizeof(ticks)) == sizeof(ticks))
			tick(run, ticks);
		if (fds[3].revents)
			await_next(run);
		for (size_t i = 0; i < run->nr_followed; i++)
			if (run->phase == RUNNING && fds[4 + i].revents)
				followed_ended(run, i);
		if (run->trace_cmd && waitpid(run->trace_cmd, &status, WNOHANG) == run->trace_cmd)
			trace_cmd_ended(run, status);
	}
	free(fds);
}

static int start_trace_cmd(struct run *run, unsigned int ignored, const sigset_t *mask,
			   struct err *err)
{
	const char *trace_cmd = run->plan->trace_cmd;
	const bool ring = run->plan->options->ring.kb;
	struct strings command = {};
	char self[PATH_MAX];
	char *argument;
	bool unshared;
	int sockets[2];
	ssize_t n;

	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0)
		return err_set(err, "cannot find this program itself: is /proc mounted?");
	self[n] = '\0';
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return err_set(err, "cannot make a socket pair: %s", strerror(errno));

	if (ring && ring_start(run->plan, run->machine, err))
		return -1;
	argument = runner_argument(&(struct runner_argument){
		.socket = sockets[1],
		.ignored = ignored,
		.recorder = getpid(),
		.user = run->plan->options->user ? run->plan->options->user : "",
	});
	recorder_command(run->plan->options, trace_cmd, self, argument, &command);
	free(argument);
	run->trace_cmd = fork();
	if (!run->trace_cmd) {
		/* Only trace-cmd's own handlers count: it has to end in order, after the command. */
		for (size_t i = 0; i < runner_nr_signals; i++)
			signal(runner_signals[i], SIG_IGN);
		sigprocmask(SIG_SETMASK, mask, NULL);
		fcntl(sockets[1], F_SETFD, 0);
		unshared = !ring && !symbols_unshare();
		if (!ring && run->machine->own_events && (!unshared || own_events_show())) {
			fputs("trace-cmd record-skb: cannot keep trace-cmd from others' events\n",
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
	note_child(run, run->trace_cmd);
	return 0;
}

static int open_followed(struct run *run, struct err *err)
{
	const struct options *o = run->plan->options;

	for (size_t i = 0; i < o->nr_pids; i++) {
		const pid_t pid = o->pids[i];
		const int pidfd = process_open(pid);

		if (pidfd < 0)
			return err_set(err, "there is no process %d to follow", (int)pid);
		run->followed =
			xrealloc(run->followed, (run->nr_followed + 1) * sizeof(*run->followed));
		run->followed[run->nr_followed++] = pidfd;
		if (session_follow(run->machine->session, pid, err))
			return -1;
	}
	return 0;
}

static void close_all(const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static bool is_wanted_status(const struct ring_options *ring, int status)
{
	return ring->by_status &&
	       (ring->status == ANY_FAILURE ? status != 0 : status == ring->status);
}

/* Whether what was waited for has come, or somebody does not want to wait. */
static bool ring_is_wanted(const struct run *run)
{
	const struct ring_options *ring = &run->plan->options->ring;

	if (ring->keep)
		return false;
	return run->asked || run->failed || run->outcome->stats.by ||
	       is_wanted_status(ring, run->outcome->status) ||
	       (!ring->by_status && !ring_has_trigger(ring));
}

/* All is over but the file. */
static void finish_ring(struct run *run)
{
	const char *file = run->plan->output.file;
	struct err err, why;

	if (!run->outcome->started)
		return;
	if (!ring_is_wanted(run)) {
		run->outcome->no_file = true;
		return;
	}
	run->outcome->file_is_good = !ring_extract(run->plan, run->machine, &why);
	if (!run->outcome->file_is_good) {
		/* What it had read is in its parts. */
		run->outcome->file_is_good = output_restore(file, run->plan->trace_cmd);
		err_set(&err, "%.500s%s%s", why.text,
			run->outcome->file_is_good ? "; restored from what it had read: " : "",
			run->outcome->file_is_good ? file : "");
		fail(run, &err);
	}
	file_write("current_tracer", "nop");
}

int recorder_run(struct plan *plan, const struct machine *machine, struct outcome *outcome,
		 struct err *err)
{
	const struct timespec pause = { .tv_nsec = 1000000000 / TICKS_PER_SECOND };
	const struct itimerspec tick = { .it_value = pause, .it_interval = pause };
	struct run run = {
		.plan = plan,
		.machine = machine,
		.outcome = outcome,
		.err = err,
		.socket = -1,
		.command = -1,
		.awaited = 1,
	};
	struct sigaction was[8];
	unsigned int ignored = 0;
	sigset_t mask, old_mask;
	int signals, timer, ret;

	outcome->nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	outcome->lost = xrealloc(NULL, outcome->nr_cpus * sizeof(*outcome->lost));
	memset(outcome->lost, 0, outcome->nr_cpus * sizeof(*outcome->lost));

	/* Shells let background jobs ignore SIGINT; like trace-cmd, we end by it all the same. */
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	for (size_t i = 0; i < runner_nr_signals; i++) {
		sigaction(runner_signals[i], NULL, &was[i]);
		if (was[i].sa_handler == SIG_IGN)
			ignored |= 1U << i;
		if (runner_signals[i] == SIGHUP && was[i].sa_handler == SIG_IGN)
			continue; /* nohup(1) is meant for us too */
		signal(runner_signals[i], runner_signals[i] == SIGPIPE ? SIG_IGN : SIG_DFL);
		if (runner_signals[i] != SIGPIPE)
			sigaddset(&mask, runner_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &mask, &old_mask);
	signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (signals < 0 || timer < 0 || timerfd_settime(timer, 0, &tick, NULL)) {
		ret = err_set(err, "cannot make a signalfd or a timerfd: %s", strerror(errno));
	} else {
		ret = open_followed(&run, err) || start_trace_cmd(&run, ignored, &old_mask, err) ?
			      -1 :
			      0;
		if (!ret)
			loop(&run, signals, timer);
		if (!ret && plan->options->ring.kb)
			finish_ring(&run);
	}

	if (run.interrupted && !outcome->started && !run.failed) {
		ret = err_set(err, "interrupted before the recording began");
		err->status = 128 + run.interrupted;
	} else if (run.interrupted && plan->options->command) {
		outcome->status = 128 + run.interrupted;
	}
	if (run.failed)
		ret = -1;
	close_all((int[]){ signals, timer, run.socket, run.command }, 4);
	close_all(run.followed, run.nr_followed);
	symbols_remove();
	process_tree_free(&run.tree);
	strings_free(&run.incidents);
	free(run.followed);
	/* Left blocked: what comes now would only cut the putting back short. */
	return ret;
}
