/* SPDX-License-Identifier: GPL-2.0 */
/* child.h - the runner: trace-cmd record runs it as its command, and it starts the user's command */
#ifndef _RECORD_SKB_CHILD_H
#define _RECORD_SKB_CHILD_H

#include <signal.h>
#include <sys/types.h>

#include "tracefs/instances.h"

/*
 * The runner is a process between trace-cmd record and the user's command. When tracing is on, trace-cmd
 * record starts its command, which is not the user's command but this program again, with RUNNER_ARG: the
 * runner. The runner sends a message to the recorder, which arms the module. Then the runner starts the
 * user's command, and reports its end. trace-cmd stops tracing when the runner exits.
 *
 * Runner and recorder exchange messages of struct runner_message over a socket pair. If one of them exits,
 * the other one notices because the socket is closed.
 */

/*
 * First argument of the runner. It is followed by struct runner_argument as text, and the words of the
 * command.
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

/* Return the argument as text, to be freed. */
char *runner_argument(const struct runner_argument *argument);

enum runner_says {
	/* Messages from the runner to the recorder. */
	RUNNER_READY,	   /* tracing is on; @value: PID of the command's process, or 0 */
	RUNNER_CANNOT_RUN, /* the command cannot be executed; @value: errno of execvp() */
	RUNNER_LEFT, /* precedes RUNNER_ENDED; @value: number of processes that the command leaves running */
	RUNNER_ENDED, /* the command has exited; @value: its wait status */
	/* Messages from the recorder to the runner. */
	RUNNER_GO,    /* the module is armed: run the command */
	RUNNER_LEAVE, /* exit, even if the command runs; if @value is set, call symbols_stand_in() */
};

struct runner_message {
	int what;
	int value;
	pid_t sender;
};

/* Send or receive a message. Both functions return 0, or -1 if the other process has exited. */
int runner_send(int socket, enum runner_says what, int value);
int runner_receive(int socket, struct runner_message *message);

/*
 * Signals that the recorder handles or ignores. Before the command is executed, they are reset to what they
 * were when record-skb was called.
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
