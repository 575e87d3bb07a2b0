// SPDX-License-Identifier: GPL-2.0
/*
 * test-runner.c - test the state in which the runner starts the command. Signals that arrived before the
 * start must reach the command.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "recorder/processes.h"
#include "recorder/child.h"
#include "recorder/symbols.h"

/* Stand-in for the real function, because this test has no recorder. */
void symbols_stand_in(pid_t recorder)
{
	(void)recorder;
}

void process_children(pid_t pid, struct strings *children)
{
	(void)pid;
	(void)children;
}

/* Return: the bit of a signal in a mask of signals, as in /proc/PID/status. */
static unsigned int ignoring(int number)
{
	unsigned int bits = 0;

	for (size_t i = 0; i < runner_nr_signals; i++)
		bits |= (runner_signals[i] == number) << i;
	return bits;
}

static pid_t start(int sockets[2], unsigned int ignored)
{
	struct runner_argument argument = { .ignored = ignored, .user = "", .home = NO_HOME };
	char *argv[] = { "x", RUNNER_ARG, NULL, "true", NULL };
	pid_t pid;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
	pid = fork();
	if (!pid) {
		close(sockets[0]);
		argument.socket = sockets[1];
		argv[2] = runner_argument(&argument);
		_exit(runner_main(4, argv));
	}
	close(sockets[1]);
	return pid;
}

/* Send SIGTERM before the runner may start the command "true". Return: the exit status. */
static int ends(unsigned int ignored)
{
	struct runner_message message;
	int sockets[2], status;
	const pid_t runner = start(sockets, ignored);

	assert_int_equal(runner_receive(sockets[0], &message), 0);
	assert_int_equal(message.what, RUNNER_READY);
	assert_int_equal(kill(message.value, SIGTERM), 0);
	assert_int_equal(runner_send(sockets[0], RUNNER_GO, 0), 0);
	do
		assert_int_equal(runner_receive(sockets[0], &message), 0);
	while (message.what != RUNNER_ENDED);
	runner_send(sockets[0], RUNNER_LEAVE, 0);
	waitpid(runner, &status, 0);
	close(sockets[0]);
	return message.value;
}

static void a_signal_before_it_goes(void **state)
{
	const int status = ends(0);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

static void one_that_the_user_ignores(void **state)
{
	const int status = ends(ignoring(SIGTERM));

	(void)state;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_before_it_goes),
		cmocka_unit_test(one_that_the_user_ignores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
