// SPDX-License-Identifier: GPL-2.0
/*
 * Installed as trace-cmd before the real one on PATH, because the table of subcommands in that one
 * is closed: "trace-cmd NAME" runs a program trace-cmd-NAME, as git does. All else is the real
 * trace-cmd's, untouched.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nearest.h"
#include "real-trace-cmd.h"
#include "strlist.h"

#define PREFIX_NAME "trace-cmd-"

/* As the shell ends when it cannot run something. */
#define NO_TRACE_CMD 127

/*
 * How many dispatchers stand one inside the other. A command that trace-cmd record runs may call trace-cmd
 * again; this many are a wrapper that leads back here, by exec or by a child.
 */
#define DEPTH	 "RECORD_SKB_DISPATCHERS"
#define TOO_DEEP 10

/* Those of trace-cmd 2.6 to 3.4; a program by such a name never stands before them. */
/* clang-format off */
static const char * const builtins[] = {
	"agent", "attach", "check-events", "clear", "convert", "dump", "extract", "help", "hist",
	"list", "listen", "mem", "options", "profile", "record", "report", "reset", "restart",
	"restore", "set", "setup-guest", "show", "snapshot", "split", "sqlhist", "stack", "start",
	"stat", "stop", "stream",
};
/* clang-format on */

/* What "trace-cmd help" says beside a name of ours. */
static const struct {
	const char *name;
	const char *what;
} known[] = {
	{ "record-skb", "record the call graph of chosen packets" },
	{ "report-skb", "report a trace packet by packet" },
};

static bool is_builtin(const char *name)
{
	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
		if (!strcmp(name, builtins[i]))
			return true;
	return false;
}

static int complain(const char *what, const char *path)
{
	fprintf(stderr, "trace-cmd: %s%s%s\n", what, path ? ": " : "", path ? path : "");
	return NO_TRACE_CMD;
}

/* Path of the program for the subcommand @name, or NULL if it is for the real trace-cmd. */
static char *find_subcommand(const char *name)
{
	char *dir, *program, *path, *found;
	int error;

	if (*name == '-' || strchr(name, '/') || is_builtin(name))
		return NULL;
	program = xasprintf(PREFIX_NAME "%s", name);
	dir = own_directory();
	path = xasprintf("%s/%s", dir ? dir : ".", program);
	found = find_program(path, &error);
	if (!found)
		found = find_program(program, &error);
	free(path);
	free(dir);
	free(program);
	return found;
}

static int depth(void)
{
	const char *said = getenv(DEPTH);

	return said ? atoi(said) : 0;
}

static int run_real(char **argv)
{
	char deeper[16];
	char *real = real_trace_cmd();

	if (!real)
		return complain(real_trace_cmd_lacks(), NULL);
	snprintf(deeper, sizeof(deeper), "%d", depth() + 1);
	setenv(DEPTH, deeper, 1);
	execv(real, argv);
	return complain(strerror(errno), real);
}

/* The real one's list first; then ours, and its exit status. */
static int list_all(char **argv)
{
	bool any = false;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid)
		_exit(run_real(argv));
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return complain(strerror(errno), NULL);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_TRACE_CMD)
		return NO_TRACE_CMD;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		char *path = find_subcommand(known[i].name);

		if (!path)
			continue;
		if (!any)
			printf("  commands beside it:\n");
		any = true;
		printf("     %s - %s\n", known[i].name, known[i].what);
		free(path);
	}
	if (any)
		putchar('\n');
	fflush(stdout);
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	return WEXITSTATUS(status);
}

/* The page where there is one, else what --help says. */
static int help_on(const char *name, const char *path)
{
	char *page = xasprintf(PREFIX_NAME "%s", name);
	pid_t pid;
	int status;

	pid = fork();
	if (!pid) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(127);
		execlp("man", "man", "-w", page, NULL);
		_exit(127);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status))
		execlp("man", "man", page, NULL);
	free(page);
	execl(path, path, "--help", NULL);
	return complain(strerror(errno), path);
}

static bool asks_for_list(int argc, char **argv)
{
	if (argc < 2)
		return true;
	return argc == 2 &&
	       (!strcmp(argv[1], "help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"));
}

/* A mistyped name of ours: the real one would list all of its own. NULL if none is near. */
static const char *meant(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!is_builtin(name) && nearest_distance(name, known[i].name) <= NEAREST_MAX &&
		    strlen(name) + NEAREST_MAX >= strlen(known[i].name))
			return known[i].name;
	return NULL;
}

int main(int argc, char **argv)
{
	char *path;

	if (depth() >= TOO_DEEP)
		return complain(
			"PATH leads from here back to here: no trace-cmd on it is the real one",
			NULL);
	if (asks_for_list(argc, argv))
		return list_all(argv);
	if (argc == 3 && !strcmp(argv[1], "help")) {
		path = find_subcommand(argv[2]);
		return path ? help_on(argv[2], path) : run_real(argv);
	}
	path = find_subcommand(argv[1]);
	if (!path && meant(argv[1])) {
		fprintf(stderr, "trace-cmd: there is no subcommand '%s': did you mean %s?\n",
			argv[1], meant(argv[1]));
		return 127;
	}
	if (!path)
		return run_real(argv);
	argv[1] = path;
	execv(path, argv + 1);
	return complain(strerror(errno), path);
}
