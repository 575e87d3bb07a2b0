// SPDX-License-Identifier: GPL-2.0
/* persistent.c - --persistent: record a second copy into memory that survives a crash of the kernel */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/files.h"
#include "tracefs/function_filters.h"
#include "recorder/trace_file.h"
#include "modes/persistent.h"
#include "record_skb.h"
#include "text.h"
#include "tracefs/ring_buffer.h"

#define EVENTS "events/" RECORD_SKB_MODULE "/enable"

/* Return the path of a file of the tracing instance, relative to tracefs, to be freed. */
static char *path_of(const char *instance, const char *file)
{
	return xasprintf("instances/%s/%s", instance, file);
}

static char *read_of(const char *instance, const char *file)
{
	char *path = path_of(instance, file);
	char *text = file_read(path);

	free(path);
	return text;
}

static int write_to(const char *instance, const char *file, const char *text)
{
	char *path = path_of(instance, file);
	const int ret = file_write(path, text);

	free(path);
	return ret;
}

/*
 * Check that the memory of the tracing instance survives a crash. Only such an instance has the file
 * last_boot_info. Returns 0 or -1.
 */
static int check_kind(const char *instance, struct err *err)
{
	char *text;

	if (!tracefs_instance_exists(instance))
		return err_set(err,
			       "the tracing instance '%s' does not exist: add "
			       "reserve_mem=20M:64K:trace trace_instance=%s@trace to the kernel's "
			       "command line, which creates an instance that survives a crash",
			       instance, instance);
	text = read_of(instance, "last_boot_info");
	if (!text)
		return err_set(
			err,
			"the tracing instance '%s' would not survive a crash: it was not created "
			"by trace_instance=%s@… (Linux 6.12 and later)",
			instance, instance);
	free(text);
	return 0;
}

static int check_idle(const char *instance, struct err *err)
{
	char *tracer = read_of(instance, "current_tracer");
	int ret = 0;

	if (!tracer || strcmp(tracer, "nop"))
		ret = err_set(err,
			      "another user traces in the tracing instance '%s': its "
			      "current_tracer is %s",
			      instance, tracer ? tracer : "unknown");
	free(tracer);
	return ret;
}

/*
 * Check that the tracing instance has the clock that a recording uses, because the recovered file will name
 * that clock. Returns 0 or -1.
 */
static int check_instance_clock(const char *instance, struct err *err)
{
	char *clocks = read_of(instance, "trace_clock"), *wanted;
	int ret = 0;

	wanted = xasprintf("[%s]", recording_clock());
	if (clocks && !strstr(clocks, wanted))
		ret = err_set(err,
			      "the tracing instance '%s' has another clock than the recording: "
			      "set it with 'echo %s > "
			      "/sys/kernel/tracing/instances/%s/trace_clock'",
			      instance, recording_clock(), instance);
	free(wanted);
	free(clocks);
	return ret;
}

static unsigned long long entries_of(const char *instance)
{
	struct ring_buffer_counts counts;

	ring_buffer_count(instance, -1, &counts);
	return counts.unread;
}

int persistent_check(const char *instance, struct err *err)
{
	char *word;

	if (check_kind(instance, err) || check_idle(instance, err))
		return -1;
	if (!entries_of(instance))
		return check_instance_clock(instance, err);
	word = safe_word(instance);
	err_set(err,
		"the tracing instance '%s' is not empty: if a crash ended its recording, write "
		"the file with --recover %s; otherwise, empty it with: echo > "
		"/sys/kernel/tracing/instances/%s/trace",
		instance, word, word);
	free(word);
	return -1;
}

/* Write the content of a file, and its entry in the directory, to the disk. Returns 0 or -1. */
static int sync_file(const char *file)
{
	const char *slash = strrchr(file, '/');
	char *dir = slash ? xasprintf("%.*s", slash == file ? 1 : (int)(slash - file), file) :
			    xstrdup(".");
	const char *const names[] = { file, dir };
	int ret = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const int fd = open(names[i], O_RDONLY | O_CLOEXEC);

		if (fd < 0 || fsync(fd))
			ret = -1;
		if (fd >= 0)
			close(fd);
	}
	free(dir);
	return ret;
}

static int write_head(const char *file, const char *trace_cmd, struct err *err)
{
	char *head = output_head(file);
	struct strings command = {};
	int ret = 0;

	strings_add(&command, trace_cmd);
	strings_add(&command, "restore");
	strings_add(&command, "-c");
	strings_add(&command, "-o");
	strings_add(&command, head);
	if (!output_run_quietly(&command) || sync_file(head))
		ret = err_set(err, "cannot write %s, which --persistent needs", head);
	strings_free(&command);
	free(head);
	return ret;
}

/*
 * Copy the options of function_graph from the top instance to @instance. On newer kernels, each instance has
 * its own options.
 */
static void take_over_graph_options(const char *instance)
{
	char *path = tracefs_get_tracing_file("options");
	DIR *stream = opendir(path);
	struct dirent *entry;
	char *option, *value;

	tracefs_put_tracing_file(path);
	if (!stream)
		return;
	while ((entry = readdir(stream))) {
		if (strncmp(entry->d_name, "funcgraph-", strlen("funcgraph-")) &&
		    strcmp(entry->d_name, "sleep-time"))
			continue;
		option = xasprintf("options/%s", entry->d_name);
		value = file_read(option);
		if (value)
			write_to(instance, option, value);
		free(value);
		free(option);
	}
	closedir(stream);
}

/*
 * Copy the trace clock from the top instance to @instance. The file trace_clock lists all clocks, with the
 * one in use in brackets: "local [mono] boot".
 */
static void take_over_clock(const char *instance)
{
	char *clocks = file_read("trace_clock"), *clock = clocks ? strchr(clocks, '[') : NULL;

	if (clock) {
		clock++;
		clock[strcspn(clock, "]")] = '\0';
		write_to(instance, "trace_clock", clock);
	}
	free(clocks);
}

int persistent_begin(const char *instance, const char *file, const char *trace_cmd,
		     struct functions *functions, struct err *err)
{
	char *filter;
	int ret;

	if (write_head(file, trace_cmd, err))
		return -1;
	filter = path_of(instance, "set_ftrace_filter");
	ret = functions_trace_same(filter, functions, err);
	free(filter);
	if (ret)
		return -1;
	/* Set the tracer before its options, because they do not exist without the tracer. */
	ret = write_to(instance, "current_tracer", "function_graph");
	if (ret)
		return err_set(err, "cannot use function_graph in the tracing instance '%s': %s",
			       instance, strerror(-ret));
	take_over_graph_options(instance);
	take_over_clock(instance);
	ret = write_to(instance, EVENTS, "1");
	if (!ret)
		ret = write_to(instance, "tracing_on", "1");
	if (ret)
		return err_set(err, "cannot record into the tracing instance '%s': %s", instance,
			       strerror(-ret));
	return 0;
}

static void remove_head(const char *file)
{
	char *head = output_head(file);

	unlink(head);
	free(head);
}

void persistent_list(const char *instance, struct restore_list *list)
{
	static const struct {
		const char *file, *text;
		unsigned int flags;
	} files[] = {
		{ "current_tracer", "nop", RECORD_SKB_SETTING_EARLY },
		{ EVENTS, "0", 0 },
		{ "set_ftrace_filter", "", RECORD_SKB_SETTING_TRUNCATE },
		{ "trace", "", RECORD_SKB_SETTING_TRUNCATE },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *file = xasprintf("instances/%s/%s", instance, files[i].file);

		restore_list_add(list, file, files[i].text, files[i].flags);
		free(file);
	}
}

void persistent_end(const char *instance, const char *file)
{
	write_to(instance, "current_tracer", "nop");
	write_to(instance, EVENTS, "0");
	write_to(instance, "set_ftrace_filter", "");
	write_to(instance, "trace", "");
	remove_head(file);
}

/*
 * Reserve space on the disk for the next page. This happens before the page is read, because reading removes
 * it from the tracing instance. Return false if the disk is full. Return true if the space is reserved, or if
 * the file system cannot reserve space.
 */
static bool has_space(int to, off_t end, long size)
{
	return !fallocate(to, FALLOC_FL_KEEP_SIZE, end, size) || errno == EOPNOTSUPP;
}

/*
 * Move the pages of one CPU's buffer to the end of a file. A page with less data is filled up with zeros. The
 * file may already have pages, from an earlier --recover. Returns 0, or -1 with errno.
 */
static int take_pages(int from, int to)
{
	const long size = sysconf(_SC_PAGESIZE);
	char *page = xrealloc(NULL, size);
	off_t end = lseek(to, 0, SEEK_END);
	int ret = -1;
	ssize_t n;

	end -= end % size;
	if (ftruncate(to, end))
		goto out;
	while (has_space(to, end, size)) {
		n = read(from, page, size);
		if (n <= 0) {
			ret = n < 0 && errno != EAGAIN ? -1 : fsync(to);
			goto out;
		}
		memset(page + n, 0, size - n);
		n = write(to, page, size);
		if (n != size) {
			errno = n < 0 ? errno : ENOSPC;
			goto out;
		}
		end += size;
	}
out:
	free(page);
	return ret;
}

/* Move the pages of @cpu from the tracing instance to the file @part. Returns 0 or -1. */
static int take_cpu(const char *instance, long cpu, const char *part, struct err *err)
{
	char *path = xasprintf("instances/%s/per_cpu/cpu%ld/trace_pipe_raw", instance, cpu);
	const int from = tracefs_instance_file_open(NULL, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int to = -1, ret = -1;

	if (from < 0) {
		err_set(err, "cannot read %s: %s", path, strerror(errno));
		goto out;
	}
	to = open(part, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to >= 0)
		ret = take_pages(from, to);
	if (ret)
		err_set(err,
			"cannot move the pages of CPU %ld to %s: %s; keep both, solve the problem and "
			"repeat the command",
			cpu, part, strerror(errno));
out:
	if (to >= 0)
		close(to);
	if (from >= 0)
		close(from);
	free(path);
	return ret;
}

static int take_all(const char *instance, const char *head, struct strings *parts, struct err *err)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int ret = 0;

	for (long cpu = 0; cpu < cpus && !ret; cpu++) {
		char *part = xasprintf("%s.cpu%ld", head, cpu);

		ret = take_cpu(instance, cpu, part, err);
		strings_add(parts, part);
		free(part);
	}
	return ret;
}

/*
 * Return true if an earlier --recover has moved pages to files, and has then failed because the disk was
 * full.
 */
static bool has_taken(const char *head)
{
	struct strings parts = {};
	bool taken;

	output_parts(head, &parts);
	taken = parts.n;
	strings_free(&parts);
	return taken;
}

/*
 * Find the per-CPU parts of @file that trace-cmd wrote before the crash, and append their names to @left.
 * Remove empty parts.
 */
static void find_left(const char *file, struct strings *left)
{
	struct strings parts = {};
	struct stat st;

	output_parts(file, &parts);
	for (size_t i = 0; i < parts.n; i++) {
		if (!stat(parts.v[i], &st) && st.st_size)
			strings_add(left, parts.v[i]);
		else
			unlink(parts.v[i]);
	}
	strings_free(&parts);
}

static int restore_file(const char *head, const char *file, const char *trace_cmd,
			const struct strings *parts, struct err *err)
{
	struct strings command = {};
	int ret = 0;

	strings_add(&command, trace_cmd);
	strings_add(&command, "restore");
	strings_add(&command, "-i");
	strings_add(&command, head);
	strings_add(&command, "-o");
	strings_add(&command, file);
	for (size_t i = 0; i < parts->n; i++)
		strings_add(&command, parts->v[i]);
	output_make_private(file);
	if (!output_run_quietly(&command) || output_check_written(file, true, err))
		ret = err_set(err,
			      "cannot write %s; the contents of the instance are in %s.cpu*: try "
			      "'trace-cmd restore -i %s -o FILE %s.cpu*'",
			      file, head, head, head);
	for (size_t i = 0; !ret && i < parts->n; i++)
		unlink(parts->v[i]);
	strings_free(&command);
	return ret;
}

int persistent_recover(const char *instance, const char *file, const char *trace_cmd,
		       struct strings *left, struct err *err)
{
	char *head = output_head(file);
	struct strings parts = {};
	int ret = -1;

	if (check_kind(instance, err) || check_idle(instance, err))
		goto out;
	if (access(head, R_OK)) {
		err_set(err,
			"%s does not exist: a recording with --persistent writes it at its "
			"beginning; give the same -o as for that recording",
			head);
		goto out;
	}
	if (!entries_of(instance) && !has_taken(head)) {
		err_set(err, "the tracing instance '%s' is empty: the recording has not survived",
			instance);
		goto out;
	}
	if (take_all(instance, head, &parts, err) ||
	    restore_file(head, file, trace_cmd, &parts, err))
		goto out;
	find_left(file, left);
	if (!left->n)
		remove_head(file);
	ret = 0;
out:
	strings_free(&parts);
	free(head);
	return ret;
}
