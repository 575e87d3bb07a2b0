// SPDX-License-Identifier: GPL-2.0
/* ring.c - record into a ring buffer, and write the ring to a file */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tracefs/files.h"
#include "modes/ring.h"
#include "module/module_client.h"
#include "recorder/child.h"
#include "recorder/trace_file.h"
#include "recorder/recorder_command.h"
#include "recorder/symbols.h"
#include "recorder/watchdog.h"
#include "recording_summary.h"
#include "tracefs/ring_buffer.h"
#include "tracefs/instances.h"

static void run_child(const struct setup *setup, const struct strings *command, pid_t recorder)
{
	sigset_t none;
	bool unshared;

	/*
	 * This process will execute trace-cmd. Register it with the module before it changes the first
	 * tracing setting: the module restores the settings only after all registered processes have exited.
	 */
	session_add_process(setup->session, 0, 0);
	/*
	 * trace-cmd start and trace-cmd extract must not be interrupted, so ignore the signals that end a
	 * recording.
	 */
	for (size_t i = 0; i < runner_nr_signals; i++)
		signal(runner_signals[i], SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	umask(OUTPUT_UMASK);
	unshared = !symbols_unshare();
	if (setup->own_events && (!unshared || own_events_show())) {
		fputs("trace-cmd record-skb: cannot hide the events of others from trace-cmd\n",
		      stderr);
		_exit(EXIT_OURS);
	}
	if (unshared)
		symbols_stand_in(recorder);
	execv(command->v[0], command->v);
	fprintf(stderr, "trace-cmd record-skb: cannot run %s: %s\n", command->v[0],
		strerror(errno));
	_exit(EXIT_OURS);
}

static int run_command(const struct setup *setup, const struct strings *command, struct err *err)
{
	const pid_t self = getpid(), pid = fork();
	int status;

	if (!pid)
		run_child(setup, command, self);
	if (pid < 0)
		return err_set(err, "cannot fork: %s", strerror(errno));
	watchdog_note(setup->watchdog, pid);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, "cannot wait for trace-cmd: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return err_set(err, "trace-cmd %s was killed by signal %d (%s)", command->v[1],
			       WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status))
		return err_set(err, "trace-cmd %s failed (exit status %d); see its messages above",
			       command->v[1], WEXITSTATUS(status));
	return 0;
}

int ring_start(const struct plan *plan, const struct setup *setup, struct err *err)
{
	struct strings command = {};
	int ret;

	ring_start_command(plan->options, setup->undo.shared.recording, plan->trace_cmd, &command);
	ret = run_command(setup, &command, err);
	strings_free(&command);
	return ret;
}

int ring_extract(const struct plan *plan, const struct setup *setup, struct err *err)
{
	struct strings command = {};
	int ret;

	ring_extract_command(plan->options, plan->trace_cmd, &command);
	/*
	 * Make trace-cmd store only the symbols of code. If this fails, trace-cmd stores all symbols of the
	 * kernel.
	 */
	symbols_choose_code();
	ret = run_command(setup, &command, err);
	symbols_remove(getpid());
	strings_free(&command);
	return ret;
}

/*
 * Write the ring to the output file by "trace-cmd extract", and check the file, because trace-cmd does not
 * notice a full disk. If the file is not complete, restore it from trace-cmd's per-CPU parts. If that is not
 * possible, remove the file. Returns 0 or -1.
 */
static int make_file(struct run *run, struct err *err)
{
	const struct plan *plan = run->plan;
	const char *file = plan->output.file;
	struct ring_buffer_counts counts;
	struct err why;

	output_make_private(file);
	ring_buffer_count(NULL, -1, &counts);
	if (!ring_extract(plan, run->setup, &why) &&
	    !output_check_written(file, counts.unread, &why))
		return 0;
	/* If trace-cmd was killed, its per-CPU parts of the file have the events that it had already read. */
	run->outcome->file_is_good = output_restore(&plan->output, plan->trace_cmd);
	if (run->outcome->file_is_good)
		return err_set(err, "%.500s; the file has the entries up to then: %s", why.text,
			       file);
	output_discard(&plan->output);
	*err = why;
	return -1;
}

/*
 * Add the losses of this ring to the sums for the summary. The module's counters start at 0 for the next
 * ring.
 */
static void add_losses(struct run *run)
{
	const struct record_skb_stats *stats = &run->outcome->stats;
	struct record_skb_stats *before = &run->outcome->before;

	before->packets += stats->packets;
	before->lost_frames += stats->lost_frames;
	before->lost_recursion += stats->lost_recursion;
	before->lost_tracked += stats->lost_tracked;
	before->lost_flows += stats->lost_flows;
	before->lost_tasks += stats->lost_tasks;
	before->lost_functions += stats->lost_functions;
	before->lost_calls += stats->lost_calls;
}

/*
 * For --keep: write the ring to a file with a name of its own, and continue with an empty ring. Returns 0 or
 * -1.
 */
static int take_ring_file(struct run *run, struct err *err)
{
	const struct plan *plan = run->plan;
	const int session = run->setup->session;
	const char *name;

	if (session_disarm(session, err) || session_stats(session, &run->outcome->stats, err))
		return -1;
	run_look_for_other_readers(run);
	run_count(run, false);
	if (make_file(run, err))
		return -1;
	name = ring_files_add(&run->ring_files, plan->output.file, plan->options->ring.keep, err);
	if (!name) {
		/* Only renaming has failed: the file is complete under its temporary name. */
		run->outcome->file_is_good = true;
		return -1;
	}
	run->outcome->ring_files++;
	summary_print_ring_file(stderr, &run->outcome->stats, name);
	/* Clear the buffer for the next ring. This also resets the kernel's counters of the buffer. */
	if (file_write("trace", "") || file_write("tracing_on", "1"))
		return err_set(err, "cannot switch tracing on again: write 1 to "
				    "/sys/kernel/tracing/tracing_on");
	other_readers_forget(run->other_readers);
	/*
	 * Read the module's statistics again. While the file was written, the command may have started
	 * processes that the module could not follow, and this loss counts, too.
	 */
	if (session_stats(session, &run->outcome->stats, err))
		return -1;
	add_losses(run);
	for (int cpu = 0; cpu < run->outcome->nr_cpus; cpu++) {
		run->outcome->lost_before += run->outcome->lost[cpu];
		run->outcome->lost[cpu] = 0;
	}
	return session_arm(session, err);
}

void run_look_at_ring(struct run *run)
{
	struct record_skb_stats stats;
	struct err err;

	if (session_stats(run->setup->session, &stats, &err) || !stats.stopped)
		return;
	if (!run->plan->options->ring.keep) {
		run_end_by_limit(run, "--until");
		return;
	}
	live_line_end(&run->live_line);
	if (take_ring_file(run, &err)) {
		run_fail(run, &err);
		run_end(run);
	}
}

static bool is_wanted_status(const struct ring_options *ring, int status)
{
	return ring->by_status &&
	       (ring->status == ANY_FAILURE ? status != 0 : status == ring->status);
}

/*
 * Return true if the ring has to be written to a file at the end of the recording. This is the case after a
 * trigger, a signal, a limit or an error, and for the exit status of --until exit. Without --until, the ring
 * is always written.
 */
static bool ring_is_wanted(const struct run *run)
{
	const struct ring_options *ring = &run->plan->options->ring;

	if (ring->keep)
		return false;
	return run->asked || run->failed || run->outcome->limit || run->outcome->stats.by ||
	       is_wanted_status(ring, run->outcome->status) ||
	       (!ring->by_status && !ring_has_trigger(ring));
}

void run_finish_ring(struct run *run)
{
	struct err err;

	if (!run->outcome->started)
		return;
	if (!ring_is_wanted(run)) {
		run->outcome->no_file = true;
		return;
	}
	if (make_file(run, &err))
		run_fail(run, &err);
	else
		run->outcome->file_is_good = true;
	file_write("current_tracer", "nop");
}

#define EXTENSION ".dat"

static char *stamp_name(const char *file)
{
	const size_t n = strlen(file), tail = strlen(EXTENSION);
	const bool has_extension = n > tail && !strcmp(file + n - tail, EXTENSION) &&
				   file[n - tail - 1] != '/';
	struct timespec now;
	char stamp[32];
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	return xasprintf("%.*s-%s.%03ld%s", (int)(has_extension ? n - tail : n), file, stamp,
			 now.tv_nsec / 1000000, has_extension ? EXTENSION : "");
}

static void remove_oldest(struct strings *files)
{
	unlink(files->v[0]);
	free(files->v[0]);
	/* Move all other elements, and the NULL after them, one place forward. */
	memmove(files->v, files->v + 1, files->n * sizeof(*files->v));
	files->n--;
}

const char *ring_files_add(struct strings *files, const char *file, unsigned long keep,
			   struct err *err)
{
	char *name = stamp_name(file);
	int ret;

	/* Rename the file, but do not replace an existing one. */
	ret = renameat2(AT_FDCWD, file, AT_FDCWD, name, RENAME_NOREPLACE);
	/*
	 * Some file systems do not support RENAME_NOREPLACE. On these, check by access() that no file has the
	 * new name.
	 */
	if (ret && errno == EINVAL && access(name, F_OK))
		ret = rename(file, name);
	if (ret)
		err_set(err, "cannot rename %s to %s: %s", file, name, strerror(errno));
	else
		strings_add(files, name);
	free(name);
	if (ret)
		return NULL;
	if (files->n > keep)
		remove_oldest(files);
	return files->v[files->n - 1];
}
