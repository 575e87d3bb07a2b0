// SPDX-License-Identifier: GPL-2.0
/* A recording that stays in the kernel's buffers until its end: begun and read by trace-cmd. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keeper.h"
#include "own-events.h"
#include "recorder-command.h"
#include "ring.h"
#include "runner.h"
#include "symbols.h"

/* A packet's graph has room in it. */
#define LEAST_KB    256
#define MEMORY_PART 2

int ring_check(const struct options *o, struct err *err)
{
	const unsigned long least = (unsigned long)get_nprocs() * LEAST_KB;
	struct sysinfo info;

	if (!o->ring.kb)
		return 0;
	if (o->ring.kb < least)
		return err_set(err, "--ring needs at least %luK here: %dK for each CPU", least,
			       LEAST_KB);
	if (!sysinfo(&info) &&
	    o->ring.kb > (unsigned long long)info.totalram * info.mem_unit / 1024 / MEMORY_PART)
		return err_set(err, "--ring %luM is more than half of this machine's memory",
			       o->ring.kb / 1024);
	return 0;
}

static void run_child(const struct machine *machine, const struct strings *command, pid_t recorder)
{
	sigset_t none;
	bool unshared;

	/* What is meant for the recorder is not meant for it: it is to be through. */
	for (size_t i = 0; i < runner_nr_signals; i++)
		signal(runner_signals[i], SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	unshared = !symbols_unshare();
	if (machine->own_events && (!unshared || own_events_show())) {
		fputs("trace-cmd record-skb: cannot keep trace-cmd from others' events\n", stderr);
		_exit(EXIT_OURS);
	}
	if (unshared)
		symbols_stand_in(recorder);
	execv(command->v[0], command->v);
	fprintf(stderr, "trace-cmd record-skb: cannot run %s: %s\n", command->v[0],
		strerror(errno));
	_exit(EXIT_OURS);
}

static int run(const struct machine *machine, const struct strings *command, struct err *err)
{
	const pid_t self = getpid(), pid = fork();
	int status;

	if (!pid)
		run_child(machine, command, self);
	if (pid < 0)
		return err_set(err, "cannot fork: %s", strerror(errno));
	keeper_note(machine->keeper, pid);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, "cannot wait for trace-cmd: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return err_set(err, "trace-cmd %s was killed by signal %d (%s)", command->v[1],
			       WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status))
		return err_set(err, "trace-cmd %s failed (exit status %d); what it said is above",
			       command->v[1], WEXITSTATUS(status));
	return 0;
}

int ring_start(const struct plan *plan, const struct machine *machine, struct err *err)
{
	struct strings command = {};
	int ret;

	ring_start_command(plan->options, machine->undo.share.recording, plan->trace_cmd, &command);
	ret = run(machine, &command, err);
	strings_free(&command);
	return ret;
}

int ring_extract(const struct plan *plan, const struct machine *machine, struct err *err)
{
	struct strings command = {};
	int ret;

	ring_extract_command(plan->options, plan->trace_cmd, &command);
	/* If that fails it takes all of them. */
	symbols_choose_code();
	ret = run(machine, &command, err);
	symbols_remove(getpid());
	strings_free(&command);
	return ret;
}
