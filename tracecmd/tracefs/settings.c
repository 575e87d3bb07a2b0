// SPDX-License-Identifier: GPL-2.0
/* settings.c - save, reset and restore all tracing settings that a recording changes */
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/files.h"
#include "text.h"
#include "tracefs/settings.h"
#include "module/module_client.h"
#include "tracefs/tracer_users.h"

/*
 * All tracing settings that a recording may change, in the order in which they are restored. The tracer is
 * restored first, because the settings that it reads must not change while it runs. Tracing is enabled last.
 */
/* clang-format off */
static const struct setting settings[] = {
	{ "current_tracer",		VALUE },
	{ "set_ftrace_filter",		FUNCTIONS,	"" },
	{ "set_ftrace_notrace",		FUNCTIONS,	"" },
	{ "set_graph_function",		FUNCTIONS },
	{ "set_graph_notrace",		FUNCTIONS,	"" },
	{ "set_ftrace_pid",		LIST,		"" },
	{ "set_ftrace_notrace_pid",	LIST,		"" },
	{ "set_event",			LIST },
	{ "set_event_pid",		LIST,		"" },
	{ "set_event_notrace_pid",	LIST,		"" },
	{ "max_graph_depth",		VALUE,		"0" },
	{ "trace_clock",		CHOICE },
	{ "tracing_cpumask",		CPU_MASK },
	{ "tracing_thresh",		VALUE,		"0" },
	{ "saved_cmdlines_size",	AT_LEAST,	"128" },
	{ "buffer_subbuf_size_kb",	VALUE },
	{ "buffer_percent",		VALUE,		"50" },
	{ "buffer_size_kb",		BUFFER_SIZE },
	{ "/proc/sys/kernel/ftrace_enabled", VALUE },
	{ "tracing_on",			VALUE },
};
/* clang-format on */

/*
 * A function that is hardly ever called. If the tracer cannot be removed, its function filter is set to this
 * function: with an empty filter, the tracer would trace all functions.
 */
#define RARELY_CALLED "kernel_halt"

/*
 * Two lists that function_graph reads have names that begin like this: set_graph_function and
 * set_graph_notrace.
 */
#define GRAPH_LISTS "set_graph_"

/* Index of current_tracer in @settings. */
#define TRACER	    0
#define NR_SETTINGS (sizeof(settings) / sizeof(settings[0]))

/**
 * struct event_filters - the filters of those events that have a filter
 * @files: name of each filter's file, relative to tracefs, as in "events/sched/sched_switch/filter"
 * @texts: the filters, in the same order as @files
 */
struct event_filters {
	struct strings files;
	struct strings texts;
};

/**
 * struct tracing_settings - the tracing settings before the recording
 * @values: contents of the files in @settings; NULL for a file that this kernel does not have
 * @options: names of the files in options/
 * @option_values: values of these options, in the same order
 * @cpu_sizes: buffer size of each CPU, if the sizes differ; otherwise empty
 * @instances: names of the tracing instances that existed before
 * @made: names of the tracing instances that the recording creates
 * @filters: the event filters; used only if @has_filters is true
 * @has_filters: true if the event filters were saved
 * @graph_race: true if changing set_graph_function and set_graph_notrace while function_graph is in
 *	use can crash this kernel
 */
struct tracing_settings {
	char *values[NR_SETTINGS];
	struct strings options;
	struct strings option_values;
	struct strings cpu_sizes;
	char **instances;
	struct strings made;
	struct event_filters filters;
	bool has_filters;
	bool graph_race;
};

/* Read the filters of those events that have a filter. */
static void event_filters_read(struct event_filters *filters)
{
	const char *dir = tracefs_tracing_dir();
	char *pattern = xasprintf("%s/events/*/*/filter", dir);
	glob_t found = {};
	char *text;

	/* Do not sort the files: there are thousands of them, and their order does not matter. */
	if (!glob(pattern, GLOB_NOSORT, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			text = file_read(found.gl_pathv[i]);
			if (text && strcmp(text, "none")) {
				strings_add(&filters->files, found.gl_pathv[i] + strlen(dir) + 1);
				strings_add(&filters->texts, text);
			}
			free(text);
		}
	}
	globfree(&found);
	free(pattern);
}

static const char *text_of(const struct event_filters *filters, const char *file)
{
	for (size_t i = 0; i < filters->files.n; i++)
		if (!strcmp(filters->files.v[i], file))
			return filters->texts.v[i];
	return NULL;
}

static void event_filters_free(struct event_filters *filters)
{
	strings_free(&filters->files);
	strings_free(&filters->texts);
}

/*
 * Restore the event filters that have changed since event_filters_read(). Returns 0, or the last negative
 * errno, with the name of that filter's file in *@failed.
 */
static int event_filters_restore(const struct event_filters *was, const char **failed)
{
	struct event_filters now = {};
	int error = 0, one;

	event_filters_read(&now);
	for (size_t i = 0; i < now.files.n; i++) {
		/*
		 * This event had no filter. Writing "0" removes its filter. Ignore errors: the event may have
		 * disappeared with its module.
		 */
		if (!text_of(was, now.files.v[i]))
			file_append(now.files.v[i], "0");
	}
	for (size_t i = 0; i < was->files.n; i++) {
		const char *is = text_of(&now, was->files.v[i]);

		if (is && !strcmp(is, was->texts.v[i]))
			continue;
		one = file_append(was->files.v[i], was->texts.v[i]);
		if (one && one != -ENOENT) {
			error = one;
			*failed = was->files.v[i];
		}
	}
	event_filters_free(&now);
	return error;
}

/*
 * List the files in options/. The function tracefs_options_get_supported() would return only options that
 * libtracefs knows.
 */
static void find_options(struct strings *names)
{
	char *path = tracefs_instance_get_file(NULL, "options");
	DIR *stream = opendir(path);
	struct dirent *entry;

	tracefs_put_tracing_file(path);
	if (!stream)
		return;
	while ((entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			strings_add(names, entry->d_name);
	closedir(stream);
}

static char *read_option(const char *name)
{
	char *file = xasprintf("options/%s", name);
	char *value = file_read(file);

	free(file);
	return value;
}

static char *read_cpu_size(size_t cpu)
{
	char file[64];
	const struct setting one = { file, BUFFER_SIZE };

	snprintf(file, sizeof(file), "per_cpu/cpu%zu/buffer_size_kb", cpu);
	return setting_read(&one);
}

struct tracing_settings *tracing_settings_save(bool event_filters, bool graph_race,
					       const struct strings *made)
{
	struct tracing_settings *state = xrealloc(NULL, sizeof(*state));
	char *value;

	memset(state, 0, sizeof(*state));
	for (size_t i = 0; i < made->n; i++)
		strings_add(&state->made, made->v[i]);
	for (size_t i = 0; i < NR_SETTINGS; i++) {
		state->values[i] = setting_read(&settings[i]);
		if (settings[i].shape != BUFFER_SIZE || !state->values[i] ||
		    strcmp(state->values[i], "X"))
			continue;
		for (size_t cpu = 0; (value = read_cpu_size(cpu)); cpu++) {
			strings_add(&state->cpu_sizes, value);
			free(value);
		}
	}
	find_options(&state->options);
	for (size_t i = 0; i < state->options.n; i++) {
		value = read_option(state->options.v[i]);
		strings_add(&state->option_values, value ? value : "");
		free(value);
	}
	state->instances = tracefs_instances(NULL);
	state->has_filters = event_filters;
	state->graph_race = graph_race;
	if (event_filters)
		event_filters_read(&state->filters);
	return state;
}

static int restore_value(const struct tracing_settings *state, size_t i)
{
	const struct setting *setting = &settings[i];
	char *is = setting_read(setting);
	int ret;

	if (!is)
		ret = -errno;
	else if (!strcmp(is, state->values[i]))
		ret = 0;
	else if (setting->shape == BUFFER_SIZE && state->cpu_sizes.n)
		ret = 0; /* restore_cpu_size() restores buffers of different sizes */
	else
		ret = file_write(setting->file, state->values[i]);
	free(is);
	return ret;
}

static bool is_graph_list(const struct setting *setting)
{
	return !strncmp(setting->file, GRAPH_LISTS, strlen(GRAPH_LISTS));
}

/*
 * Return true if a setting must not be restored now: it is set_graph_function or set_graph_notrace, and
 * another user of function_graph may be reading it.
 */
static bool is_in_use(const struct tracing_settings *state, const struct setting *setting)
{
	char *is, *instance = NULL;

	if (!state->graph_race || !is_graph_list(setting))
		return false;
	is = setting_read(setting);
	if (is && strcmp(is, state->values[setting - settings]))
		instance = tracing_graph_instance();
	free(is);
	free(instance);
	return instance;
}

static int restore_setting(const struct tracing_settings *state, size_t i)
{
	if (state->values[i] && is_in_use(state, &settings[i]))
		return -EBUSY;
	if (!state->values[i])
		return 0;
	return setting_is_list(&settings[i]) ?
		       setting_restore_list(&settings[i], state->values[i]) :
		       restore_value(state, i);
}

static int restore_option(const struct tracing_settings *state, size_t i)
{
	const char *was = state->option_values.v[i];
	char *is = read_option(state->options.v[i]);
	char *file;
	int ret = 0;

	if (is && *was && strcmp(is, was)) {
		file = xasprintf("options/%s", state->options.v[i]);
		ret = file_write(file, was);
		free(file);
	}
	free(is);
	return ret;
}

static void restore_cpu_size(const struct tracing_settings *state, size_t cpu)
{
	const char *was = state->cpu_sizes.v[cpu];
	char *is = read_cpu_size(cpu);
	char file[64];

	if (is && strcmp(is, was)) {
		snprintf(file, sizeof(file), "per_cpu/cpu%zu/buffer_size_kb", cpu);
		file_write(file, was);
	}
	free(is);
}

static bool has_instance(const struct tracing_settings *state, const char *name)
{
	for (char **known = state->instances; known && *known; known++)
		if (!strcmp(*known, name))
			return true;
	return false;
}

static void remove_made_instances(const struct tracing_settings *state)
{
	char *path;

	for (size_t i = 0; i < state->made.n; i++) {
		if (has_instance(state, state->made.v[i]))
			continue;
		path = xasprintf("%s/instances/%s", tracefs_tracing_dir(), state->made.v[i]);
		rmdir(path);
		free(path);
	}
}

/*
 * Set the trace options that a recording needs. Skip options that this kernel does not have. Returns 0 or -1.
 */
static int set_recording_options(struct err *err)
{
	for (size_t i = 0; i < nr_recording_options; i++) {
		const struct recording_option *option = &recording_options[i];
		char *file, *is = read_option(option->name);
		int ret = 0;

		if (is && strcmp(is, option->value)) {
			file = xasprintf("options/%s", option->name);
			ret = file_write(file, option->value);
			free(file);
		}
		free(is);
		if (ret)
			return err_set(err, "cannot set options/%s to %s: %s", option->name,
				       option->value, strerror(-ret));
	}
	return 0;
}

int tracing_settings_neutral(const struct tracing_settings *state, struct err *err)
{
	if (set_recording_options(err))
		return -1;
	for (size_t i = 0; i < NR_SETTINGS; i++) {
		const char *was = state->values[i];
		const int ret = was ? setting_make_neutral(&settings[i], was) : 0;

		if (ret)
			return err_set(err, "cannot change %s for the recording: %s",
				       settings[i].file, strerror(-ret));
	}
	return 0;
}

/*
 * Restore the trace options, and the buffer sizes of the CPUs if they differed. Call this function after the
 * tracer was restored, because a tracer has options of its own, and before tracing is enabled. Returns 0 or a
 * negative errno, with the name of the option in *@failed.
 */
static int restore_options(const struct tracing_settings *state, const char **failed)
{
	int error = 0, one;

	for (size_t i = 0; i < state->options.n; i++) {
		one = restore_option(state, i);
		if (one) {
			error = one;
			*failed = state->options.v[i];
		}
	}
	for (size_t cpu = 0; cpu < state->cpu_sizes.n; cpu++)
		restore_cpu_size(state, cpu);
	return error;
}

int tracing_settings_restore(const struct tracing_settings *state, bool crashed, struct err *err)
{
	const char *failed = NULL;
	int error = 0, one;

	if (crashed)
		remove_made_instances(state);
	/*
	 * Restore the tracer before the function filter: an empty filter would let the tracer of the
	 * recording trace all functions. The tracer cannot be restored while a process has trace_pipe open,
	 * because the kernel then refuses to change the tracer.
	 */
	error = restore_setting(state, TRACER);
	if (error) {
		file_write("tracing_on", "0");
		file_write("set_ftrace_filter", RARELY_CALLED);
		err_set(err,
			"cannot restore current_tracer: %s; tracing is off, and will be restored "
			"as soon as no process has trace_pipe open",
			strerror(-error));
		return -EBUSY;
	}
	if (state->has_filters)
		error = event_filters_restore(&state->filters, &failed);
	for (size_t i = TRACER + 1; i < NR_SETTINGS; i++) {
		if (i == NR_SETTINGS - 1) {
			one = restore_options(state, &failed);
			error = one ? one : error;
		}
		one = restore_setting(state, i);
		if (one) {
			error = one;
			failed = settings[i].file;
		}
	}
	if (!failed)
		return 0;
	if (error == -EBUSY && state->graph_race &&
	    !strncmp(failed, GRAPH_LISTS, strlen(GRAPH_LISTS)))
		err_set(err,
			"%s will be restored as soon as no tracing instance uses function_graph: "
			"before that, a change could crash this kernel",
			failed);
	else
		err_set(err, "cannot restore %s: %s", failed, strerror(-error));
	return -EIO;
}

static void list_lines(struct restore_list *list, const struct setting *setting, const char *was)
{
	char *text = setting_lines(was, setting->shape, false), *line, *rest;

	restore_list_add(list, setting->file, text,
			 RECORD_SKB_SETTING_TRUNCATE |
				 (is_graph_list(setting) ? RECORD_SKB_SETTING_GRAPH_OFF : 0));
	free(text);
	/*
	 * Add an entry for each function command: the kernel refuses a command that still exists, and this
	 * must not affect the other commands.
	 */
	text = rest = setting_lines(was, setting->shape, true);
	while ((line = strsep(&rest, "\n"))) {
		char *whole = xasprintf("%s\n", line);

		if (*line)
			restore_list_add(list, setting->file, whole, 0);
		free(whole);
	}
	free(text);
}

static void list_setting(struct restore_list *list, const struct tracing_settings *state, size_t i)
{
	const struct setting *setting = &settings[i];
	const char *was = state->values[i];

	/*
	 * Skip settings in /proc. The module cannot restore them, and the kernel does not change them while
	 * ftrace is in use.
	 */
	if (!was || *setting->file == '/')
		return;
	if (setting_is_list(setting))
		list_lines(list, setting, was);
	else if (setting->shape != BUFFER_SIZE || !state->cpu_sizes.n)
		restore_list_add(list, setting->file, was,
				 i == TRACER ? RECORD_SKB_SETTING_EARLY : 0);
}

/*
 * Add the event filters to the module's list of settings. First clear the filters of all events, because the
 * recording may have set some of them. Then set the saved filters.
 */
static void list_filters(struct restore_list *list, const struct event_filters *filters)
{
	const char *dir = tracefs_tracing_dir();
	char *pattern = xasprintf("%s/events/*/filter", dir);
	glob_t found = {};

	if (!glob(pattern, GLOB_NOSORT, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			restore_list_add(list, found.gl_pathv[i] + strlen(dir) + 1, "0", 0);
	globfree(&found);
	free(pattern);
	for (size_t i = 0; i < filters->files.n; i++)
		restore_list_add(list, filters->files.v[i], filters->texts.v[i], 0);
}

static void list_options(struct restore_list *list, const struct tracing_settings *state)
{
	for (size_t i = 0; i < state->options.n; i++) {
		char *file = xasprintf("options/%s", state->options.v[i]);

		restore_list_add(list, file, state->option_values.v[i], 0);
		free(file);
	}
	for (size_t cpu = 0; cpu < state->cpu_sizes.n; cpu++) {
		char *file = xasprintf("per_cpu/cpu%zu/buffer_size_kb", cpu);

		restore_list_add(list, file, state->cpu_sizes.v[cpu], 0);
		free(file);
	}
}

void tracing_settings_list(const struct tracing_settings *state, struct restore_list *list)
{
	list_setting(list, state, TRACER);
	/* Clear the buffer, which may have entries of the recording that no process has read. */
	restore_list_add(list, "trace", "", RECORD_SKB_SETTING_TRUNCATE);
	if (state->has_filters)
		list_filters(list, &state->filters);
	for (size_t i = TRACER + 1; i < NR_SETTINGS; i++) {
		if (i == NR_SETTINGS - 1)
			list_options(list, state);
		list_setting(list, state, i);
	}
	/*
	 * Remove instances last: removing an instance fails while a process has a file of the instance open.
	 */
	for (size_t i = 0; i < state->made.n; i++)
		if (!has_instance(state, state->made.v[i]))
			restore_list_add_instance(list, state->made.v[i]);
}

void tracing_settings_free(struct tracing_settings *state)
{
	if (!state)
		return;
	for (size_t i = 0; i < NR_SETTINGS; i++)
		free(state->values[i]);
	strings_free(&state->options);
	strings_free(&state->option_values);
	strings_free(&state->cpu_sizes);
	tracefs_list_free(state->instances);
	strings_free(&state->made);
	event_filters_free(&state->filters);
	free(state);
}
