/* SPDX-License-Identifier: GPL-2.0 */
/* What trace-cmd record runs as its command: it lets the user's command go when all is armed. */
#ifndef _RECORD_SKB_RUNNER_H
#define _RECORD_SKB_RUNNER_H

#include <signal.h>
#include <sys/types.h>

#include "home.h"

/*
 * trace-cmd record starts its command once tracing is on. We give it this program again, as the
 * runner: it says so to the recorder, which arms the module; then it lets the user's command go,
 * and tells how that ended. trace-cmd stops tracing when the runner exits.
 *
 * The two talk in packets of struct runner_message over a socket pair. Its end means that the other
 * is gone, whatever the reason.
 */

/* The hidden first argument. The next is a struct runner_argument as text, then the command. */
#define RUNNER_ARG "--runner"

/**
 * struct runner_argument - what the runner has to know
 * @socket: to the recorder
 * @ignored: bit i: the user ignores runner_signals[i]
 * @recorder: its pid
 * @home: where the command is to be
 * @user: whom the command runs as, empty for whom we are
 */
struct runner_argument {
	int socket;
	unsigned int ignored;
	pid_t recorder;
	struct home home;
	const char *user;
};

/* Returns a string to be freed. */
char *runner_argument(const struct runner_argument *argument);

enum runner_says {
	/* runner to recorder */
	RUNNER_READY,	   /* tracing is on; @value: pid of the command to be, 0 for none */
	RUNNER_CANNOT_RUN, /* @value: errno of execvp() */
	RUNNER_LEFT,  /* comes before RUNNER_ENDED; @value: how many that it started still run */
	RUNNER_ENDED, /* @value: wait status of the command */
	/* recorder to runner */
	RUNNER_GO,    /* the module is armed: let the command run */
	RUNNER_LEAVE, /* exit, whether the command runs or not; @value: symbols_stand_in() first */
};

struct runner_message {
	int what;
	int value;
	pid_t sender;
};

/* Returns 0, or -1 if the other side is gone. */
int runner_send(int socket, enum runner_says what, int value);
int runner_receive(int socket, struct runner_message *message);

/* Signals that the recorder handles or ignores, and that the command must find as the user had them. */
extern const int runner_signals[];
extern const size_t runner_nr_signals;

/**
 * runner_main - the program when trace-cmd record starts it
 * @argc, @argv: its whole command line
 *
 * Returns the exit status.
 */
int runner_main(int argc, char **argv);

#endif
