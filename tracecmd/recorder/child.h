/* SPDX-License-Identifier: GPL-2.0 */
/* child.h - the runner, a process between trace-cmd record and the user's command */
#ifndef _RECORD_SKB_CHILD_H
#define _RECORD_SKB_CHILD_H

#include <signal.h>
#include <sys/types.h>

#include "tracefs/instances.h"

/*
 * When tracing is on, trace-cmd record starts its command: this program again, with the argument RUNNER_ARG.
 * This process is the runner. It sends a message to the recorder, the process that started trace-cmd, and the
 * recorder arms the module. Then the runner starts the user's command and reports its end. When the runner
 * exits, trace-cmd stops tracing.
 *
 * Runner and recorder exchange messages of struct runner_message over a socket pair. If one of them exits,
 * the other one notices because the socket is closed.
 */

/*
 * First argument of the runner. The second argument is struct runner_argument as text. The words of the
 * user's command follow.
 */
#define RUNNER_ARG "--runner"

/**
 * struct runner_argument - the arguments of the runner
 * @socket: socket for messages to and from the recorder
 * @ignored: bit i is set if the user's shell ignores runner_signals[i], as nohup(1) does
 * @recorder: PID of the recorder
 * @umask: umask for the command, from the caller of record-skb; trace-cmd has a stricter one
 * @home: mount namespace and directories for the command, from the caller of record-skb
 * @user: name of the user that the command runs as; empty for the caller's user
 */
struct runner_argument {
	int socket;
	unsigned int ignored;
	pid_t recorder;
	mode_t umask;
	struct home home;
	const char *user;
};

/* Return struct runner_argument as text, to be freed. */
char *runner_argument(const struct runner_argument *argument);

enum runner_says {
	/* Messages from the runner to the recorder. */
	RUNNER_READY,	   /* tracing is on; @value: PID of the command's process, or 0 */
	RUNNER_CANNOT_RUN, /* execvp() of the command has failed; @value: its errno */
	RUNNER_LEFT, /* precedes RUNNER_ENDED; @value: number of processes that the command leaves running */
	RUNNER_ENDED, /* the command has exited; @value: its wait status */
	/* Messages from the recorder to the runner. */
	RUNNER_GO, /* the module is armed: run the command */
	RUNNER_LEAVE, /* exit, even if the command runs; if @value is set, call symbols_stand_in() before */
};

struct runner_message {
	int what;
	int value;
	pid_t sender;
};

/*
 * Send a message to the other process, or receive one from it. Returns 0, or -1 if that process has exited.
 */
int runner_send(int socket, enum runner_says what, int value);
int runner_receive(int socket, struct runner_message *message);

/*
 * Signals that the recorder handles or ignores. Before the user's command is executed, their actions are
 * reset to those that record-skb inherited from its caller.
 */
extern const int runner_signals[];
extern const size_t runner_nr_signals;

/**
 * runner_main - the main function of the runner
 * @argc, @argv: arguments of main()
 *
 * Returns the exit status.
 */
int runner_main(int argc, char **argv);

#endif
