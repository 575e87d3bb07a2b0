// SPDX-License-Identifier: GPL-2.0
/* screen.c - the terminal that standard output may be: how wide, whether in colour, and the pager */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen.h"

static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !strcmp(term, "dumb");
}

/* COLUMNS goes before what the terminal says. */
static unsigned int width(void)
{
	const char *said = getenv("COLUMNS");
	struct winsize size;

	if (said && atoi(said) > 0)
		return atoi(said);
	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

struct screen screen_look(void)
{
	const char *none = getenv("NO_COLOR");
	const bool terminal = isatty(STDOUT_FILENO);

	return (struct screen){
		.terminal = terminal,
		.colour = terminal && !is_dumb() && !(none && *none),
		.width = width(),
	};
}

/* The user's, or less if there is one; NULL for none. */
static const char *pager(void)
{
	const char *named = getenv("PAGER");

	if (named)
		return *named && strcmp(named, "cat") ? named : NULL;
	return system("command -v less >/dev/null 2>&1") ? NULL : "less";
}

/* As git has it: what fits is just printed, colours are colours, and what is shown stays. */
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

void screen_page(struct screen *screen)
{
	const char *command = screen->terminal && !is_dumb() ? pager() : NULL;
	int ends[2];

	if (!command || pipe(ends))
		return;
	screen->pager = fork();
	if (!screen->pager) {
		close(ends[1]);
		be_pager(command, ends[0]);
	}
	close(ends[0]);
	if (screen->pager < 0) {
		close(ends[1]);
		return;
	}
	/* It is for the pager, which the user leaves otherwise; then there is nobody to write to. */
	signal(SIGINT, SIG_IGN);
	write_to(ends[1]);
}

void screen_end(const struct screen *screen)
{
	if (screen->pager <= 0)
		return;
	fflush(stdout);
	fflush(stderr);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(screen->pager, NULL, 0) < 0 && errno == EINTR)
		;
}
