// SPDX-License-Identifier: GPL-2.0
/* recording_summary.c - print the progress of a recording, and a summary at its end */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "dispatch/real_trace_cmd.h"
#include "live_lines.h"
#include "module/module_client.h"
#include "recorder/child.h"
#include "hosts/control.h"
#include "recording_summary.h"
#include "text.h"
#include "tracefs/ring_buffer.h"

static void print_size(FILE *out, unsigned long long bytes)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
	double size = bytes;
	size_t unit = 0;

	while (size >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		size /= 1024;
		unit++;
	}
	fprintf(out, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

static const char *plural_of(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

static void print_lost(FILE *out, const struct outcome *outcome)
{
	const unsigned long long calls = outcome->stats.lost_calls + outcome->before.lost_calls;
	unsigned long long sum = outcome->lost_before;
	const char *comma = " (";

	for (int cpu = 0; cpu < outcome->nr_cpus; cpu++)
		sum += outcome->lost[cpu];
	fprintf(out, "%llu lost", sum + calls);
	if (calls)
		fprintf(out,
			" (%llu function call%s: function_graph's return stack was full; '--detail path' "
			"needs less of it)",
			calls, plural_of(calls));
	if (!sum)
		return;
	for (int cpu = 0; cpu < outcome->nr_cpus; cpu++) {
		if (outcome->lost[cpu]) {
			fprintf(out, "%sCPU %d: %llu", comma, cpu, outcome->lost[cpu]);
			comma = ", ";
		}
	}
	if (outcome->lost_before)
		fprintf(out, "%sin earlier rings: %llu", comma, outcome->lost_before);
	fputs("; a larger buffer helps: -b KB)", out);
}

/*
 * Print how many packets, calls and other things the module has lost, and which of its features do not work
 * on this kernel.
 */
static void print_module_losses(FILE *out, const struct record_skb_stats *stats,
				const struct record_skb_stats *before)
{
	const struct {
		unsigned long long n;
		const char *what;
	} losses[] = {
		{ stats->lost_frames + before->lost_frames,
		  "matches without a graph: too many or too deep at once, or a graph was just beginning" },
		{ stats->lost_recursion + before->lost_recursion,
		  "calls of probe points not examined: ftrace does not allow recursion" },
		{ stats->lost_tracked + before->lost_tracked,
		  "packets forgotten before they were freed: too many at once" },
		{ stats->lost_flows + before->lost_flows,
		  "flows forgotten, the least recently used first: too many at once" },
		{ stats->lost_tasks + before->lost_tasks,
		  "children of the command not followed: too many at once" },
		{ stats->lost_functions + before->lost_functions,
		  "graphs that may lack functions: another user of function_graph came or went" },
	};

	if (stats->untracked)
		fputs("packets are not tracked between probe points: this kernel does not show "
		      "their end\n",
		      out);
	if (stats->uncopied)
		fputs("copies of packets are not recognized: a live patch redirects a function that "
		      "makes them\n",
		      out);
	if (stats->unruled)
		fputs("the deciding rule of nftables is not recorded: this kernel does not show it, or a "
		      "live patch redirects a function that does\n",
		      out);
	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (losses[i].n)
			fprintf(out, "%llu %s\n", losses[i].n, losses[i].what);
}

/*
 * Print for how long the recording cost more than usual. There are two reasons: kprobes could not be used, or
 * other tracers used fgraph. Other tracers need no action of the user, so that reason is printed only with
 * --verbose.
 */
static void print_beside(FILE *out, const struct plan *plan, const struct record_skb_stats *stats)
{
	/* With --persistent, the other user of fgraph is the tracing instance of this recording itself. */
	if (!stats->ns_beside || plan->options->persistent)
		return;
	if (!stats->times_beside) {
		fprintf(out,
			"for %.1f s kprobes could not be used (see /sys/kernel/debug/kprobes/enabled): "
			"recording cost more during that time\n",
			stats->ns_beside / 1e9);
		return;
	}
	if (!plan->options->verbose)
		return;
	fprintf(out,
		"for %.1f s other tracers used fgraph (%u time%s): recording cost more then, and the "
		"other tracers missed nothing\n",
		stats->ns_beside / 1e9, stats->times_beside, plural_of(stats->times_beside));
}

/*
 * For a recording without matching packets, print the kernel's packet counters, and options that may be the
 * reason.
 */
static void print_hint(FILE *out, const struct plan *plan, const struct outcome *outcome)
{
	const unsigned long long calls = outcome->stats.calls;
	const struct options *o = plan->options;

	if (calls)
		fprintf(out,
			"%llu socket call%s matched, but no packet: nothing was sent, or it was dropped or "
			"changed before the first probe point\n",
			calls, plural_of(calls));
	no_match_hints_print(out, outcome->hints, o);
	if (o->expression && o->command)
		fputs("only the expression selects packets, and the command is not followed: leave the "
		      "expression out to see what the command does\n",
		      out);
	if (o->interfaces.n || o->netnses.n || o->nr_marks || o->dirs || o->where || o->sample > 1)
		fputs("each of -i, --netns, --mark, --where, --sample and --direction leaves packets out: "
		      "try without them\n",
		      out);
	if (plan->expression)
		fprintf(out,
			"is there such a packet? 'tcpdump -n -i any \"%s\"' shows it; run it in each "
			"network namespace\n",
			plan->expression);
	else if (!calls)
		fputs("the followed processes used no network, or only sockets that others had set up "
		      "before\n",
		      out);
}

/* Return the words that say what happened to the packet that stopped the ring. */
static const char *what_it_did(const struct record_skb_stats *stats)
{
	static const char *const did[] = {
		[RECORD_SKB_BY_NOBODY] = "ended it",
		[RECORD_SKB_BY_DROP] = "was dropped",
		[RECORD_SKB_BY_SLOW] = "was slow",
		[RECORD_SKB_BY_MATCH] = "matched",
		[RECORD_SKB_BY_UNANSWERED] = "had no answer in time",
	};

	return did[stats->by < sizeof(did) / sizeof(did[0]) ? stats->by : 0];
}

static void print_packet(FILE *out, const struct record_skb_stats *stats)
{
	fprintf(out, "#%u", stats->by_pkt);
	if (stats->by_copy && stats->by_copy != RECORD_SKB_COPY_UNKNOWN)
		fprintf(out, ".%u", stats->by_copy);
	fprintf(out, " %s", what_it_did(stats));
}

void summary_print_ring_file(FILE *out, const struct record_skb_stats *stats, const char *file)
{
	char *shown = safe_text(file);

	fputs("trace-cmd record-skb: ", out);
	print_packet(out, stats);
	fprintf(out, ": %s\n", shown);
	free(shown);
}

/* Print which period the entries in the ring cover, and which packet stopped the ring. */
static void print_ring(FILE *out, const struct plan *plan, const struct outcome *outcome)
{
	const struct ring_options *ring = &plan->options->ring;

	if (!ring->kb)
		return;
	if (ring->keep)
		fprintf(out, "%lu ring%s written\n", outcome->ring_files,
			plural_of(outcome->ring_files));
	else if (outcome->no_file)
		fputs("nothing triggered --until: no file is written\n", out);
	else if (outcome->written_over)
		fprintf(out, "the ring held the last %.3f s; %llu older entries were overwritten\n",
			outcome->held, outcome->written_over);
	else if (plan->options->verbose)
		fputs("the ring held the whole recording\n", out);
	if (outcome->stats.by && !ring->keep) {
		fputs("ended by --until: ", out);
		print_packet(out, &outcome->stats);
		fputc('\n', out);
	}
}

void summary_print(FILE *out, const struct plan *plan, const struct outcome *outcome)
{
	const struct record_skb_stats *stats = &outcome->stats;
	const char *file = plan->output.file;
	struct stat st;
	char *shown;

	fprintf(out, "%llu packet%s matched, %llu flow%s seen\n",
		(unsigned long long)stats->packets, plural_of(stats->packets),
		(unsigned long long)stats->flows, plural_of(stats->flows));
	if (!stats->packets && !outcome->ring_files)
		print_hint(out, plan, outcome);
	if (file && !outcome->no_file)
		fprintf(out, "%llu entries recorded, ", outcome->entries);
	print_lost(out, outcome);
	if (plan->options->instances.n)
		fputs("; entries in the instances of -B are not counted", out);
	fputc('\n', out);
	print_module_losses(out, stats, &outcome->before);
	print_beside(out, plan, stats);
	if (outcome->limit && !stats->by)
		fprintf(out, "ended by %s\n", outcome->limit);
	if (outcome->cut_off)
		fprintf(out,
			"traffic was cut off %.3g s after the command: %u packet%s under way, %u "
			"connection%s half closed; --linger TIME waits longer\n",
			plan->options->linger_msec / 1000.0, outcome->under_way,
			plural_of(outcome->under_way), outcome->closing,
			plural_of(outcome->closing));
	if (outcome->unlisted_rules)
		fprintf(out,
			"nft took too long to list %u rule%s of nftables: the recording has only "
			"their handles\n",
			outcome->unlisted_rules, plural_of(outcome->unlisted_rules));
	/*
	 * Tell the user which processes still run. After a limit or a packet of --until, the user expects
	 * this, so say it only with --verbose.
	 */
	if (outcome->left_running && !(plan->settings.flags & RECORD_SKB_OPT_NO_CHILDREN) &&
	    (plan->options->verbose || (!outcome->limit && !stats->by)))
		fprintf(out,
			"the recording ended with the command; %d process%s that it started still "
			"run%s: to record one, use --pid PID\n",
			outcome->left_running, outcome->left_running == 1 ? "" : "es",
			outcome->left_running == 1 ? "s" : "");
	print_ring(out, plan, outcome);
	if (file && !outcome->no_file && control_fd() < 0 && !stat(file, &st)) {
		shown = safe_text(file);
		fprintf(out, "%s: ", shown);
		free(shown);
		print_size(out, st.st_size);
		fputc('\n', out);
	}
}

#define ERASE "\r\033[K"

void live_line_begin(struct live_line *line, int session, bool quiet, const char *until)
{
	line->session = session;
	line->on = !quiet && isatty(STDERR_FILENO);
	line->until = until;
	line->shown = false;
	if (until && !quiet)
		fprintf(stderr, "trace-cmd record-skb: recording until %s\n", until);
}

/*
 * Return true if the command uses the terminal for more than plain output, as an editor or a password prompt
 * does.
 */
static bool terminal_is_taken(void)
{
	struct termios mode;

	if (tcgetpgrp(STDERR_FILENO) != getpgrp())
		return true;
	if (tcgetattr(STDERR_FILENO, &mode))
		return true;
	return !(mode.c_lflag & ICANON) || !(mode.c_lflag & ECHO);
}

void live_line_show(struct live_line *line)
{
	struct record_skb_stats stats;
	struct ring_buffer_counts counts;
	struct err err;

	if (!line->on || terminal_is_taken() || session_stats(line->session, &stats, &err))
		return;
	ring_buffer_count(NULL, -1, &counts);
	/*
	 * End the text with a carriage return. Output of the command then begins at the start of the line,
	 * and replaces the progress line.
	 */
	fprintf(stderr, ERASE "%llu packets, %llu entries, %llu lost%s\r",
		(unsigned long long)stats.packets, counts.unread + counts.read, counts.lost,
		line->until ? "; Ctrl-C ends it" : "");
	line->shown = true;
}

void live_line_end(struct live_line *line)
{
	if (line->shown)
		fputs(ERASE, stderr);
	line->shown = false;
}

/*
 * Time limit for report-skb, which prints the most important finding. It reads a file of MAX_FILE bytes in
 * two seconds of CPU time, but the machine may be busy. For a larger file, report-skb is not started. After
 * NOTICE_MSEC, a line on the terminal says why the user has to wait.
 */
#define FINDING_MSEC 10000
#define NOTICE_MSEC  1000
#define MAX_FILE     (64LL << 20)
#define TEXT_LEN     4096

static void run_report(int output, const char *path, const char *file)
{
	const int null = open("/dev/null", O_RDWR);
	sigset_t none;

	/* The recorder has blocked some signals and ignores others, so reset both for report-skb. */
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

/*
 * Wait until text can be read. Return false if no text has come until @end. After NOTICE_MSEC, tell the user
 * about the wait.
 */
static bool await_text(int fd, long long end)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	/*
	 * Test the time after it was rounded for poll(): with a negative time, poll() would wait without end.
	 */
	long long left = end - FINDING_MSEC + NOTICE_MSEC - now_msec();
	bool is_ready;

	if (left > 0 && poll(&pollfd, 1, left) == 1)
		return true;
	if (isatty(STDERR_FILENO))
		fputs("reading the recording; Ctrl-C skips this\r", stderr);
	left = end - now_msec();
	is_ready = left > 0 && poll(&pollfd, 1, left) == 1;
	if (isatty(STDERR_FILENO))
		fputs(ERASE, stderr);
	return is_ready;
}

/* Read text until the end of the file. Return true if the whole text has come in time and fits into @text. */
static bool read_text(int fd, char *text)
{
	const long long end = now_msec() + FINDING_MSEC;
	size_t len = 0;
	ssize_t n = -1;

	while (len + 1 < TEXT_LEN && await_text(fd, end)) {
		n = read(fd, text + len, TEXT_LEN - 1 - len);
		if (n <= 0)
			break;
		len += n;
	}
	text[len] = '\0';
	return !n && len;
}

/* Run report-skb. Return true if it has succeeded; @text is its output. */
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

	/* Do nothing if trace-cmd-report-skb is not installed. */
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
