// SPDX-License-Identifier: GPL-2.0
/* recorder.c - the recorder: run trace-cmd record and the user's command, and wait until both have ended */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recorder/processes.h"
#include "tracefs/files.h"
#include "recording_summary.h"
#include "hosts/control.h"
#include "modes/persistent.h"
#include "recorder/recorder_command.h"
#include "recorder/recorder.h"
#include "modes/ring.h"
#include "run.h"
#include "recorder/child.h"
#include "module/module_client.h"
#include "modes/shared.h"
#include "recorder/symbols.h"

#define TICKS_PER_SECOND 10

/*
 * Register trace-cmd's recorder processes, one for each CPU, and then the runner. The runner is the process
 * that trace-cmd started as its command. It has to be the last process in run->tree.
 */
static void note_children(struct run *run, pid_t runner)
{
	struct strings pids = {};

	/*
	 * For a ring, "trace-cmd start" has set up tracing and exited. There are no recorder processes, and
	 * run->trace_cmd is the runner.
	 */
	if (options_by_start(run->plan->options))
		return;
	process_children(run->trace_cmd, &pids);
	for (size_t i = 0; i < pids.n; i++)
		if (atoi(pids.v[i]) != runner)
			run_add_process(run, atoi(pids.v[i]), SIGUSR1);
	run_add_process(run, runner, -1);
	strings_free(&pids);
}

static const char *ends_by(const struct run *run)
{
	const struct options *o = run->plan->options;

	if (o->command)
		return NULL;
	if (limits_any(&o->limits))
		return o->nr_pids ? "its limit, Ctrl-C or the end of the followed processes" :
				    "its limit or Ctrl-C";
	if (ring_has_trigger(&o->ring) && !o->ring.keep)
		return o->nr_pids ? "--until, Ctrl-C or the end of the followed processes" :
				    "--until or Ctrl-C";
	return o->nr_pids ? "Ctrl-C or the end of the followed processes" : "Ctrl-C";
}

static int begin_persistent(const struct run *run, struct err *err)
{
	const struct plan *plan = run->plan;

	if (!plan->options->persistent)
		return 0;
	return persistent_begin(plan->options->persistent, persistent_file(plan), plan->trace_cmd,
				&run->plan->kernel.functions, err);
}

/*
 * Begin to record: arm the module, and let the user's command start. Called when the runner has reported that
 * tracing is on. The command's process exists already and waits before its execvp().
 */
static void begin_recording(struct run *run, pid_t runner, pid_t command)
{
	struct err err;

	note_children(run, runner);
	if (run->interrupted) {
		run_end(run);
		return;
	}
	if (run->plan->options->live &&
	    live_packets_begin(&run->live, run->plan->output.file, &err)) {
		run_fail(run, &err);
		run_end(run);
		return;
	}
	if (command)
		run->command = process_open(command);
	if (command && run->plan->options->cpus &&
	    cpu_list_apply(command, run->plan->options->cpus, &err)) {
		run_fail(run, &err);
		run_end(run);
		return;
	}
	/*
	 * For --why, collect the texts of nftables rules. Not for a ring: the texts would be written after
	 * the event that has stopped the ring.
	 */
	if (run->plan->settings.flags & RECORD_SKB_OPT_RULES && !run->plan->options->ring.kb)
		run->rule_texts = rule_texts_begin();
	run->netns_names = netns_names_begin(run->setup->session);
	if (!run->plan->options->no_bpf)
		run->bpf_programs = bpf_programs_attach(run->setup->undo.shared.recording);
	/*
	 * Set up the persistent tracing instance before the module is armed, so that the instance receives
	 * the first packets, too.
	 */
	if (begin_persistent(run, &err) || session_arm(run->setup->session, &err)) {
		run_fail(run, &err);
		run_end(run);
		return;
	}
	shared_settled(&run->setup->undo.shared);
	other_readers_forget(run->other_readers);
	run->phase = RUNNING;
	if (command && run->plan->settings.flags & RECORD_SKB_OPT_FOLLOW &&
	    session_follow(run->setup->session, command, &err)) {
		run_fail(run, &err);
		run_end(run);
		return;
	}
	run->outcome->started = true;
	run->outcome->hints = no_match_hints_begin();
	live_line_begin(&run->live_line, run->setup->session,
			run->plan->options->quiet || control_fd() >= 0, ends_by(run));
	control_armed();
	/*
	 * With --live, show no progress line, because --live prints lines for packets on the same terminal.
	 */
	run->live_line.on &= !run->plan->options->live;
	if (runner_send(run->socket, RUNNER_GO, 0))
		run_end(run);
}

static void cannot_run(struct run *run, int error)
{
	struct err err;

	err_set(&err, "cannot run '%s': %s", run->plan->options->command[0], strerror(error));
	err.status = error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
	run->outcome->started = false;
	run_fail(run, &err);
	run_end(run);
}

static int status_of(const struct run *run, int wait_status)
{
	if (!WIFSIGNALED(wait_status))
		return WEXITSTATUS(wait_status);
	/*
	 * If a limit was reached, the recorder itself has ended the command by SIGTERM. The command has not
	 * failed.
	 */
	if (run->outcome->limit && WTERMSIG(wait_status) == SIGTERM)
		return 0;
	return 128 + WTERMSIG(wait_status);
}

static void handle_runner_message(struct run *run)
{
	struct runner_message message;

	if (runner_receive(run->socket, &message)) {
		/*
		 * The runner has closed its end of the socket by exiting. trace-cmd will exit soon, and
		 * run_loop() waits for that.
		 */
		close(run->socket);
		run->socket = -1;
		return;
	}
	switch (message.what) {
	case RUNNER_READY:
		begin_recording(run, message.sender, message.value);
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
		run_linger(run);
		run->interrupted = 0;
		break;
	}
}

/*
 * Handle a signal to the recorder. On Ctrl-C, the terminal sends the signal to the user's command, too, and
 * the command may ignore it; the recording therefore continues until the command exits. A signal from kill(1)
 * reaches only the recorder, which passes it on to the command.
 */
static void handle_signal(struct run *run, const struct signalfd_siginfo *info)
{
	const int number = info->ssi_signo;
	const bool from_terminal = info->ssi_code == SI_KERNEL;

	if (number == SIGCHLD || run->phase == ENDING)
		return;
	run->asked = true;
	/*
	 * While lingering, the command has already exited. Stop waiting for its last packets, and keep its
	 * exit status.
	 */
	if (run->linger.on) {
		run_end(run);
		return;
	}
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
		run_end(run);
}

static void handle_tick(struct run *run, unsigned long ticks)
{
	const unsigned long second = run->ticks / TICKS_PER_SECOND;

	if (run->phase != RUNNING)
		return;
	run->ticks += ticks;
	if (run->bpf_programs)
		bpf_programs_update(run->bpf_programs);
	if (run->plan->options->ring.kb)
		run_look_at_ring(run);
	if (run->phase != RUNNING)
		return;
	run_look_at_limits(run, run->ticks * 1000 / TICKS_PER_SECOND);
	if (run->ticks / TICKS_PER_SECOND == second)
		return;
	live_line_show(&run->live_line);
	if (run_lacks_recorder(run))
		run_end(run);
	if (run->grace && !--run->grace)
		run_end(run);
}

static void followed_ended(struct run *run, size_t i)
{
	close(run->followed[i]);
	run->followed[i] = -1;
	for (i = 0; i < run->nr_followed; i++)
		if (run->followed[i] >= 0)
			return;
	if (!run->plan->options->command)
		run_linger(run);
}

/*
 * Advance run->awaited to trace-cmd's next recorder process that still runs. When all of them have exited, no
 * process reads the trace any more, so remove the tracer. trace-cmd would remove it later, but first it
 * clears the function filter of -l, and the tracer would trace all functions of the kernel for a moment.
 */
static void await_next(struct run *run)
{
	while (run->awaited < run->tree.n && process_has_ended(run->tree.pidfds[run->awaited]))
		run->awaited++;
	if (run->awaited < run->tree.n)
		return;
	run_count(run, true);
	file_write("current_tracer", "nop");
}

/*
 * Return the pidfd of the process that is expected to exit next, or -1 if no exit is expected. During the
 * recording, this is the runner, the last process in the tree. After the recording, trace-cmd's recorder
 * processes are expected one by one. Last comes trace-cmd, the first process in the tree.
 */
static int awaited_pidfd(const struct run *run)
{
	const struct process_tree *tree = &run->tree;

	if (run->phase == STARTING || run->awaited >= tree->n)
		return -1;
	return tree->pidfds[run->phase == RUNNING && !run_lacks_runner(run) ? tree->n - 1 :
									      run->awaited];
}

static void live_gone(struct run *run)
{
	struct err err;

	if (!live_packets_gone(&run->live, &err)) {
		run_end_by_limit(run, "the end of the program that read the lines of --live");
		return;
	}
	run_fail(run, &err);
	run_end(run);
}

/*
 * Return the file descriptor of the session, which is readable when packets were seen in a new network
 * namespace. Return -1 if the names of namespaces are not needed, and during the pause after a search for
 * names; run_timeout() makes poll() return at the end of the pause.
 */
static int netns_fd(const struct run *run)
{
	return run->phase == RUNNING && run->netns_names &&
			       !netns_names_pause_msec(run->netns_names) ?
		       run->setup->session :
		       -1;
}

/*
 * Return true if the state of the ring must be examined often: with --on, the rings of all hosts stop when
 * one of them stops.
 */
static bool examines_ring(const struct run *run)
{
	return run->phase == RUNNING && run->plan->options->ring.kb && control_fd() >= 0;
}

/*
 * End the recording because the program that was called with --on asks for it over the control connection, or
 * because that program has exited.
 */
static void end_by_control(struct run *run)
{
	if (run->phase == ENDING)
		return;
	run->asked = true;
	run->interrupted = SIGINT;
	if (run->phase == RUNNING)
		run_end(run);
}

static int run_timeout(const struct run *run)
{
	const int pause = netns_names_pause_msec(run->netns_names);

	if (run->linger.on && run->phase == RUNNING)
		return LINGER_POLL_MSEC;
	if (examines_ring(run))
		return CONTROL_RING_MSEC;
	return run->phase == RUNNING && pause ? pause : -1;
}

static void run_loop(struct run *run, int signals, int timer)
{
	const size_t nr = 7 + run->nr_followed;
	struct pollfd *fds = xrealloc(NULL, nr * sizeof(*fds));
	struct signalfd_siginfo info;
	unsigned long long ticks;
	int status;

	while (run->trace_cmd) {
		fds[0] = (struct pollfd){ .fd = run->socket, .events = POLLIN };
		fds[1] = (struct pollfd){ .fd = signals, .events = POLLIN };
		fds[2] = (struct pollfd){ .fd = timer, .events = POLLIN };
		fds[3] = (struct pollfd){ .fd = awaited_pidfd(run), .events = POLLIN };
		fds[4] = (struct pollfd){ .fd = run->live.pidfd, .events = POLLIN };
		fds[5] = (struct pollfd){ .fd = netns_fd(run), .events = POLLIN };
		fds[6] = (struct pollfd){ .fd = control_fd(), .events = POLLIN };
		for (size_t i = 0; i < run->nr_followed; i++)
			fds[7 + i] = (struct pollfd){ .fd = run->followed[i], .events = POLLIN };
		if (poll(fds, nr, run_timeout(run)) < 0)
			continue;
		if (fds[0].revents)
			handle_runner_message(run);
		if (fds[1].revents && read(signals, &info, sizeof(info)) == sizeof(info))
			handle_signal(run, &info);
		if (fds[2].revents && read(timer, &ticks, sizeof(ticks)) == sizeof(ticks))
			handle_tick(run, ticks);
		if (examines_ring(run))
			run_look_at_ring(run);
		if (fds[6].revents ? control_read() : control_is_broken())
			end_by_control(run);
		run_look_if_quiet(run);
		if (fds[3].revents)
			await_next(run);
		if (fds[4].revents)
			live_gone(run);
		/*
		 * Search for names of network namespaces: the session may have reported a new namespace, and
		 * some names may still be missing. Do not search during the pause after the last search.
		 */
		if (run->phase == RUNNING && run->netns_names &&
		    !netns_names_pause_msec(run->netns_names))
			netns_names_update(run->netns_names);
		for (size_t i = 0; i < run->nr_followed; i++)
			if (run->phase == RUNNING && fds[7 + i].revents)
				followed_ended(run, i);
		if (run->trace_cmd && waitpid(run->trace_cmd, &status, WNOHANG) == run->trace_cmd)
			run_trace_cmd_ended(run, status);
	}
	free(fds);
}

static int open_followed(struct run *run, struct err *err)
{
	const struct options *o = run->plan->options;

	for (size_t i = 0; i < o->nr_pids; i++) {
		const pid_t pid = o->pids[i];
		const int pidfd = process_open(pid);

		if (pidfd < 0)
			return err_set(err, "cannot follow %d: %s", (int)pid, strerror(errno));
		run->followed =
			xrealloc(run->followed, (run->nr_followed + 1) * sizeof(*run->followed));
		run->followed[run->nr_followed++] = pidfd;
		if (session_follow(run->setup->session, pid, err))
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

int recorder_run(struct plan *plan, const struct setup *setup, struct outcome *outcome,
		 struct err *err)
{
	const struct timespec pause = { .tv_nsec = 1000000000 / TICKS_PER_SECOND };
	const struct itimerspec tick = { .it_value = pause, .it_interval = pause };
	struct run run = {
		.plan = plan,
		.setup = setup,
		.outcome = outcome,
		.err = err,
		.socket = -1,
		.command = -1,
		.awaited = 1,
		.live = NO_LIVE_PACKETS,
	};
	struct sigaction was[8];
	unsigned int ignored = 0;
	sigset_t mask, old_mask;
	int signals, timer, ret;

	outcome->nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	outcome->lost = xrealloc(NULL, outcome->nr_cpus * sizeof(*outcome->lost));
	memset(outcome->lost, 0, outcome->nr_cpus * sizeof(*outcome->lost));

	/* Become the subreaper: if trace-cmd is killed, its children become children of this process. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/*
	 * Handle SIGINT even if it was ignored when this process started, as trace-cmd does: shells start
	 * background jobs with SIGINT ignored.
	 */
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	for (size_t i = 0; i < runner_nr_signals; i++) {
		sigaction(runner_signals[i], NULL, &was[i]);
		if (was[i].sa_handler == SIG_IGN)
			ignored |= 1U << i;
		if (runner_signals[i] == SIGHUP && was[i].sa_handler == SIG_IGN)
			continue; /* keep SIGHUP ignored: nohup(1) applies to the recorder, too */
		signal(runner_signals[i], runner_signals[i] == SIGPIPE ? SIG_IGN : SIG_DFL);
		if (runner_signals[i] != SIGPIPE)
			sigaddset(&mask, runner_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &mask, &old_mask);
	signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (signals < 0 || timer < 0 || timerfd_settime(timer, 0, &tick, NULL)) {
		ret = err_set(err, "cannot create a signalfd or a timerfd: %s", strerror(errno));
	} else {
		ret = open_followed(&run, err) || recorder_start(&run, ignored, &old_mask, err) ?
			      -1 :
			      0;
		if (!ret)
			run_loop(&run, signals, timer);
		live_packets_end(&run.live, signals);
		if (!ret && plan->options->ring.kb)
			run_finish_ring(&run);
		else if (!ret && plan->options->no_file)
			file_write("current_tracer", "nop");
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
	symbols_remove(getpid());
	other_readers_free(run.other_readers);
	process_tree_free(&run.tree);
	strings_free(&run.ring_files);
	free(run.followed);
	/*
	 * The signals stay blocked, so that they cannot interrupt the caller, which restores the tracing
	 * settings.
	 */
	return ret;
}
