// SPDX-License-Identifier: GPL-2.0
/* finding.c - print the most important finding of a recording, which trace-cmd-report-skb determines */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dispatch/real_trace_cmd.h"
#include "finding.h"
#include "live_lines.h"
#include "recorder/child.h"
#include "text.h"

/* Time that report-skb may take. */
#define FINDING_MSEC 1000
/* Larger files would take longer than this time, so report-skb is not started for them. */
#define MAX_FILE (64LL << 20)
#define TEXT_LEN 4096

static void run_report(int output, const char *path, const char *file)
{
	const int null = open("/dev/null", O_RDWR);
	sigset_t none;

	/* The recorder blocks and ignores signals. */
	for (size_t i = 0; i < runner_nr_signals; i++)
		signal(runner_signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ||
	    dup2(output, STDOUT_FILENO) < 0)
		_exit(EXIT_OURS);
	execl(path, path, FINDING_ARG, file, NULL);
	_exit(EXIT_OURS);
}

static long long now_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Read until end of file. Return true if all text was read in time and fits into @text. */
static bool read_text(int fd, char *text)
{
	const long long end = now_msec() + FINDING_MSEC;
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t n = -1;

	while (len + 1 < TEXT_LEN) {
		const long long left = end - now_msec();

		if (left <= 0 || poll(&pollfd, 1, left) != 1)
			break;
		n = read(fd, text + len, TEXT_LEN - 1 - len);
		if (n <= 0)
			break;
		len += n;
	}
	text[len] = '\0';
	return !n && len;
}

/* Run report-skb. Return true if @text contains its output. */
static bool get_finding(const char *path, const char *file, char *text)
{
	bool is_read = false;
	int pipes[2], status;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC))
		return false;
	pid = fork();
	if (!pid)
		run_report(pipes[1], path, file);
	close(pipes[1]);
	if (pid > 0) {
		is_read = read_text(pipes[0], text);
		if (!is_read)
			kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		is_read &= WIFEXITED(status) && !WEXITSTATUS(status);
	}
	close(pipes[0]);
	return is_read;
}

void finding_print(FILE *out, const char *file, bool has_packets)
{
	char *dir = own_directory();
	char *path = xasprintf("%s/" LIVE_PROGRAM, dir ? dir : ".");
	char text[TEXT_LEN], *word;
	struct stat st;

	/* The user may have installed record-skb alone. */
	if (!access(path, X_OK)) {
		if (!stat(file, &st) && st.st_size <= MAX_FILE && get_finding(path, file, text)) {
			fputs(text, out);
		} else if (has_packets) {
			word = safe_word(file);
			fprintf(out, "next: trace-cmd report-skb -i %s\n", word);
			free(word);
		}
	}
	free(path);
	free(dir);
}
