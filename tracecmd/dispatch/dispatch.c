// SPDX-License-Identifier: GPL-2.0
/*
 * dispatch.c - the dispatcher: run trace-cmd-NAME for "trace-cmd NAME"
 *
 * The dispatcher is installed as "trace-cmd", in a directory that comes before the real trace-cmd on PATH.
 * The dispatcher is needed because the real trace-cmd has a fixed table of subcommands. All other command
 * lines are passed to the real trace-cmd unchanged.
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
#include "text.h"
#include "dispatch/real_trace_cmd.h"

#define PREFIX_NAME "trace-cmd-"

/* Exit status if the real trace-cmd is not found, the same as that of a shell that cannot find a command. */
#define NO_TRACE_CMD 127

/*
 * Environment variable that counts nested dispatchers, and its limit. Some nesting is normal, because a
 * command of trace-cmd record may call trace-cmd again. If the limit is reached, the dispatcher and a wrapper
 * script call each other in a loop.
 */
#define DEPTH	 "RECORD_SKB_DISPATCHERS"
#define TOO_DEEP 10

/* Built-in subcommands of trace-cmd 2.6 to 3.4. A program named trace-cmd-NAME never replaces one of them. */
/* clang-format off */
static const char * const builtins[] = {
	"agent", "attach", "check-events", "clear", "convert", "dump", "extract", "help", "hist",
	"list", "listen", "mem", "options", "profile", "record", "report", "reset", "restart",
	"restore", "set", "setup-guest", "show", "snapshot", "split", "sqlhist", "stack", "start",
	"stat", "stop", "stream",
};
/* clang-format on */

/* Descriptions of the subcommands of record-skb, for the list of "trace-cmd help". */
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

static int print_error(const char *what, const char *path)
{
	char *shown = path ? safe_text(path) : NULL;

	fprintf(stderr, "trace-cmd: %s%s%s\n", what, path ? ": " : "", path ? shown : "");
	free(shown);
	return NO_TRACE_CMD;
}

/*
 * Return the path of the program trace-cmd-NAME for the subcommand @name. Return NULL if no such program
 * exists, or if the real trace-cmd has this subcommand.
 */
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

static int dispatch_depth(void)
{
	const char *said = getenv(DEPTH);

	return said ? atoi(said) : 0;
}

static int run_real(char **argv)
{
	char deeper[16];
	char *real = real_trace_cmd();

	if (!real)
		return print_error(real_trace_cmd_lacks(), NULL);
	snprintf(deeper, sizeof(deeper), "%d", dispatch_depth() + 1);
	setenv(DEPTH, deeper, 1);
	execv(real, argv);
	return print_error(strerror(errno), real);
}

/*
 * Let the real trace-cmd print its list of subcommands, and then print those of record-skb. Returns the exit
 * status of the real trace-cmd.
 */
static int list_all(char **argv)
{
	bool any = false;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid)
		_exit(run_real(argv));
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return print_error(strerror(errno), NULL);
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

/* Show the manual page of the subcommand @name. If it has no page, run its program, @path, with --help. */
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
	return print_error(strerror(errno), path);
}

static bool asks_for_list(int argc, char **argv)
{
	if (argc < 2)
		return true;
	return argc == 2 &&
	       (!strcmp(argv[1], "help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"));
}

/*
 * Return the subcommand of record-skb that the user probably meant by the misspelled @name, or NULL. The real
 * trace-cmd would only print its list of all subcommands for an unknown name.
 */
static const char *nearest_subcommand(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!is_builtin(name) && nearest_distance(name, known[i].name) <= NEAREST_MAX &&
		    strlen(name) + NEAREST_MAX >= strlen(known[i].name))
			return known[i].name;
	return NULL;
}

int main(int argc, char **argv)
{
	char *path, *shown;

	if (dispatch_depth() >= TOO_DEEP)
		return print_error(
			"the real trace-cmd is not on PATH: every trace-cmd there leads back to "
			"this program",
			NULL);
	if (asks_for_list(argc, argv))
		return list_all(argv);
	if (argc == 3 && !strcmp(argv[1], "help")) {
		path = find_subcommand(argv[2]);
		return path ? help_on(argv[2], path) : run_real(argv);
	}
	path = find_subcommand(argv[1]);
	if (!path && nearest_subcommand(argv[1])) {
		shown = safe_text(argv[1]);
		fprintf(stderr, "trace-cmd: unknown subcommand '%s': did you mean %s?\n", shown,
			nearest_subcommand(argv[1]));
		free(shown);
		return 127;
	}
	if (!path)
		return run_real(argv);
	argv[1] = path;
	execv(path, argv + 1);
	return print_error(strerror(errno), path);
}
