// SPDX-License-Identifier: GPL-2.0
/* terminal.c - find the width and colours of the terminal on standard output, and run the pager */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/terminal.h"

static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !strcmp(term, "dumb");
}

/*
 * Return: the width of the terminal. The variable COLUMNS has precedence over the size that the terminal
 * reports.
 */
static unsigned int find_width(void)
{
	const char *said = getenv("COLUMNS");
	struct winsize size;

	if (said && atoi(said) > 0)
		return atoi(said);
	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

struct terminal terminal_examine(void)
{
	const char *none = getenv("NO_COLOR");
	const bool is_terminal = isatty(STDOUT_FILENO);

	return (struct terminal){
		.is_terminal = is_terminal,
		.colour = is_terminal && !is_dumb() && !(none && *none),
		.width = find_width(),
	};
}

/* Return: the pager that the user has set, or less if it is installed; NULL for none. */
static const char *find_pager(void)
{
	const char *named = getenv("PAGER");

	if (named)
		return *named && strcmp(named, "cat") ? named : NULL;
	return system("command -v less >/dev/null 2>&1") ? NULL : "less";
}

/* Execute the pager with git's defaults: quit if the output fits, keep colours, do not clear the screen. */
static void be_pager(const char *command, int from)
{
	if (dup2(from, STDIN_FILENO) < 0)
		_exit(1);
	close(from);
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static void write_to(int pipe)
{
	fflush(stdout);
	dup2(pipe, STDOUT_FILENO);
	if (isatty(STDERR_FILENO))
		dup2(pipe, STDERR_FILENO);
	close(pipe);
}

void terminal_start_pager(struct terminal *terminal)
{
	const char *command = terminal->is_terminal && !is_dumb() ? find_pager() : NULL;
	int ends[2];

	if (!command || pipe(ends))
		return;
	terminal->pager = fork();
	if (!terminal->pager) {
		close(ends[1]);
		be_pager(command, ends[0]);
	}
	close(ends[0]);
	if (terminal->pager < 0) {
		close(ends[1]);
		return;
	}
	/*
	 * Ignore Ctrl-C here, because the pager handles it. When the user quits the pager, the next write
	 * fails and ends this process.
	 */
	signal(SIGINT, SIG_IGN);
	write_to(ends[1]);
}

void terminal_wait_for_pager(const struct terminal *terminal)
{
	if (terminal->pager <= 0)
		return;
	fflush(stdout);
	fflush(stderr);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(terminal->pager, NULL, 0) < 0 && errno == EINTR)
		;
}
