// SPDX-License-Identifier: GPL-2.0
/*
 * child.c - the runner, a process between trace-cmd record and the user's command. trace-cmd record starts
 * the runner as its command, and the runner starts the user's command.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "err.h"
#include "tracefs/instances.h"
#include "recorder/processes.h"
#include "recorder/child.h"
#include "text.h"
#include "recorder/symbols.h"

const int runner_signals[] = { SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE };
const size_t runner_nr_signals = sizeof(runner_signals) / sizeof(runner_signals[0]);

/**
 * struct command - the user's command, as the runner knows it
 * @argv: the words of the command; NULL if there is no command
 * @argument: the argument that the recorder has passed to the runner
 * @pid: PID of the command's process; 0 before it is forked and after it has exited
 * @go: write end of a pipe; after a byte is written to it, the process executes the command
 * @error: read end of a pipe that delivers the errno of execvp(), or no data if execvp() succeeds
 */
struct command {
	char **argv;
	struct runner_argument argument;
	pid_t pid;
	int go;
	int error;
};

int runner_send(int socket, enum runner_says what, int value)
{
	const struct runner_message message = {
		.what = what,
		.value = value,
		.sender = getpid(),
	};

	return send(socket, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message) ? 0 : -1;
}

int runner_receive(int socket, struct runner_message *message)
{
	ssize_t n;

	do
		n = recv(socket, message, sizeof(*message), 0);
	while (n < 0 && errno == EINTR);
	return n == sizeof(*message) ? 0 : -1;
}

static void signals_as_user_had_them(const struct command *command)
{
	sigset_t none;

	for (size_t i = 0; i < runner_nr_signals; i++)
		signal(runner_signals[i], command->argument.ignored & 1U << i ? SIG_IGN : SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * Take over the IDs, groups and environment variables of @user, as login(1) does. Returns 0, or nonzero on
 * failure.
 */
static int become_user(const char *user)
{
	const struct passwd *entry = getpwnam(user);

	if (!entry)
		return -1;
	if (initgroups(user, entry->pw_gid) || setgid(entry->pw_gid) || setuid(entry->pw_uid))
		return -1;
	return setenv("HOME", entry->pw_dir, 1) || setenv("USER", user, 1) ||
	       setenv("LOGNAME", user, 1);
}

/*
 * Runs in the child process that becomes the user's command. Wait until the recording has begun, and then
 * execute the command. The process keeps its PID, so the recording can follow the command from its beginning.
 */
static void start_command(const struct command *command, int go, int error)
{
	const struct runner_argument *argument = &command->argument;
	int number;
	char word;
	ssize_t n;

	do
		n = read(go, &word, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(EXIT_OURS); /* the runner has exited without starting the command */
	signals_as_user_had_them(command);
	umask(argument->umask);
	/*
	 * trace-cmd and the runner may have another mount namespace and directory than the user's shell.
	 * Return to those of the shell before the command starts.
	 */
	if (!home_return(&argument->home) && (!*argument->user || !become_user(argument->user)))
		execvp(command->argv[0], command->argv);
	number = errno ? errno : EINVAL;
	if (write(error, &number, sizeof(number)) < 0)
		_exit(EXIT_OURS);
	_exit(number == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

/*
 * Fork a process for the command, with signals blocked. The runner ignores these signals, but a signal that
 * arrives before execvp() is meant for the command. A blocked signal stays pending. The child receives it
 * after it has restored the signal handlers.
 */
static pid_t fork_blocked(void)
{
	sigset_t set, before;
	pid_t pid;

	sigemptyset(&set);
	for (size_t i = 0; i < runner_nr_signals; i++)
		sigaddset(&set, runner_signals[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	pid = fork();
	if (pid)
		sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static int prepare_command(struct command *command)
{
	int go[2], error[2];

	if (pipe2(go, O_CLOEXEC) || pipe2(error, O_CLOEXEC))
		return -1;
	command->pid = fork_blocked();
	if (command->pid < 0)
		return -1;
	if (!command->pid) {
		close(go[1]);
		close(error[0]);
		start_command(command, go[0], error[1]);
	}
	close(go[0]);
	close(error[1]);
	command->go = go[1];
	command->error = error[0];
	return 0;
}

/* Tell the child process to execute the user's command. Returns 0, or the errno of execvp(). */
static int let_go(const struct command *command)
{
	int number = 0;
	ssize_t n;

	if (write(command->go, "", 1) != 1)
		return errno;
	do
		n = read(command->error, &number, sizeof(number));
	while (n < 0 && errno == EINTR);
	return n == sizeof(number) ? number : 0;
}

/*
 * Reap children of the runner. If the user's command has exited, send two messages to the recorder: how many
 * processes that the command started still run, and its wait status. Returns 0, or nonzero if the recorder
 * has exited.
 */
static int find_process(struct command *command, int socket)
{
	struct strings left = {};
	int status, ended = 0, ret;
	bool has_ended = false;
	pid_t pid;

	/*
	 * The runner is the parent of all processes that the command started and did not wait for. Reap those
	 * that have exited, too.
	 */
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != command->pid)
			continue;
		command->pid = 0;
		has_ended = true;
		ended = status;
	}
	if (!has_ended)
		return 0;
	process_children(getpid(), &left);
	ret = runner_send(socket, RUNNER_LEFT, left.n) || runner_send(socket, RUNNER_ENDED, ended);
	strings_free(&left);
	return ret;
}

/*
 * The main loop of the runner: handle messages from the recorder and exits of child processes. Return when
 * the recorder has sent RUNNER_LEAVE or has exited.
 */
static void serve_recorder(struct command *command, int children)
{
	const int socket = command->argument.socket;
	struct pollfd fds[] = {
		{ .fd = socket, .events = POLLIN },
		{ .fd = children, .events = POLLIN },
	};
	struct signalfd_siginfo info;
	struct runner_message message;
	bool running = false;
	int error;

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		if (fds[0].revents) {
			if (runner_receive(socket, &message))
				return;
			if (message.what == RUNNER_LEAVE) {
				if (message.value)
					symbols_stand_in(command->argument.recorder);
				return;
			}
			if (message.what == RUNNER_GO && command->pid) {
				error = let_go(command);
				if (error && runner_send(socket, RUNNER_CANNOT_RUN, error))
					return;
				running = true;
			}
		}
		if (fds[1].revents && read(children, &info, sizeof(info)) < 0 && errno != EAGAIN)
			return;
		if (running && find_process(command, socket))
			return;
	}
}

char *runner_argument(const struct runner_argument *argument)
{
	const int *home = argument->home.fds;

	return xasprintf("%d,%u,%d,%o,%d,%d,%d,%s", argument->socket, argument->ignored,
			 (int)argument->recorder, argument->umask, home[0], home[1], home[2],
			 argument->user);
}

static int read_argument(struct runner_argument *argument, const char *text)
{
	int *home = argument->home.fds, user;

	if (sscanf(text, "%d,%u,%d,%o,%d,%d,%d,%n", &argument->socket, &argument->ignored,
		   &argument->recorder, &argument->umask, &home[0], &home[1], &home[2], &user) != 7)
		return -1;
	argument->user = text + user;
	return 0;
}

int runner_main(int argc, char **argv)
{
	struct command command = {};
	int children;
	sigset_t set;

	if (argc < 3 || read_argument(&command.argument, argv[2]))
		return EXIT_OURS;
	command.argv = argc > 3 ? argv + 3 : NULL;
	if (fcntl(command.argument.socket, F_SETFD, FD_CLOEXEC))
		return EXIT_OURS;
	home_pass(&command.argument.home, false);

	/*
	 * Ignore these signals in the runner. If the user's command does not handle such a signal, the
	 * recorder does, and then sends a message to the runner.
	 */
	for (size_t i = 0; i < runner_nr_signals; i++)
		signal(runner_signals[i], SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (children < 0 || (command.argv && prepare_command(&command)))
		return EXIT_OURS;
	if (runner_send(command.argument.socket, RUNNER_READY, command.pid))
		return EXIT_OURS;
	serve_recorder(&command, children);
	return 0;
}
