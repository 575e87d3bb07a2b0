// SPDX-License-Identifier: GPL-2.0
/*
 * live_packets.c - --live: run trace-cmd-report-skb, which prints a line for each packet during the recording
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <tracefs.h>
#include <unistd.h>

#include "live_lines.h"
#include "modes/live_packets.h"
#include "recorder/processes.h"
#include "dispatch/real_trace_cmd.h"
#include "recorder/child.h"
#include "text.h"

/* Return the path of trace-cmd-report-skb, which is installed in the same directory as this program. */
static char *path_of_program(void)
{
	char *dir = own_directory();
	char *path = xasprintf("%s/" LIVE_PROGRAM, dir ? dir : ".");

	free(dir);
	return path;
}

int live_packets_check(struct err *err)
{
	char *path = path_of_program();
	int ret = 0;

	if (access(path, X_OK))
		ret = err_set(err,
			      "--live needs %s, which does not exist: is report-skb "
			      "installed?",
			      path);
	free(path);
	return ret;
}

static void run_child(int control, const char *file)
{
	char *number = xasprintf("%d", control);
	char *path = path_of_program();
	sigset_t none;

	for (size_t i = 0; i < runner_nr_signals; i++)
		signal(runner_signals[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	fcntl(control, F_SETFD, 0);
	execl(path, path, LIVE_ARG, number, tracefs_tracing_dir(), file, NULL);
	_exit(EXIT_OURS);
}

/* Wait until trace-cmd-report-skb has reported that it has opened its input. Returns 0 or -1. */
static int await_begin(int control)
{
	char word;
	ssize_t n;

	do
		n = read(control, &word, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 ? 0 : -1;
}

int live_packets_begin(struct live_packets *live, const char *file, struct err *err)
{
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return err_set(err, "cannot create a socket pair: %s", strerror(errno));
	live->pid = fork();
	if (!live->pid)
		run_child(sockets[1], file);
	close(sockets[1]);
	live->control = sockets[0];
	if (live->pid < 0) {
		live->pid = 0;
		return err_set(err, "cannot fork: %s", strerror(errno));
	}
	live->pidfd = process_open(live->pid);
	if (await_begin(live->control))
		return err_set(err, "--live cannot read the recording; see the message above");
	return 0;
}

static int reap_process(struct live_packets *live)
{
	int status = 0;

	while (waitpid(live->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (live->pidfd >= 0)
		close(live->pidfd);
	close(live->control);
	*live = (struct live_packets)NO_LIVE_PACKETS;
	return status;
}

int live_packets_gone(struct live_packets *live, struct err *err)
{
	const int status = reap_process(live);

	if (WIFEXITED(status) && WEXITSTATUS(status) == LIVE_UNREAD)
		return 0;
	if (WIFSIGNALED(status))
		return err_set(
			err,
			"the program that prints the lines of --live was killed by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	return err_set(
		err, "the program that prints the lines of --live failed; see its messages above");
}

/* Return true if a signal has arrived that asks this program to end at once. */
static bool is_told_to_end(int signals)
{
	struct signalfd_siginfo info;

	return read(signals, &info, sizeof(info)) == sizeof(info) && info.ssi_signo != SIGCHLD;
}

void live_packets_end(struct live_packets *live, int signals)
{
	struct pollfd fds[] = {
		{ .fd = live->pidfd, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};

	if (!live->pid)
		return;
	shutdown(live->control, SHUT_WR);
	while (live->pidfd >= 0 && !fds[0].revents) {
		if (poll(fds, 2, -1) > 0 && fds[1].revents && is_told_to_end(signals))
			process_signal(live->pidfd, SIGKILL);
	}
	reap_process(live);
}
