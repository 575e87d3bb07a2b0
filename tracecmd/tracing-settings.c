// SPDX-License-Identifier: GPL-2.0
/* The settings of tracing that a recording changes: saved, made harmless, put back. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "cpu-list.h"
#include "event-filters.h"
#include "files.h"
#include "strlist.h"
#include "tracing-settings.h"

enum shape {
	VALUE,	     /* one line, written as it is read */
	CHOICE,	     /* all that there are, the chosen one in brackets */
	CPU_MASK,    /* hexadecimal, in words of 32 bits; neutral are all CPUs that there may be */
	BUFFER_SIZE, /* "7 (expanded: 1408)", and X if the CPUs differ */
	LIST,	     /* a line each; truncating empties it */
	FUNCTIONS,   /* the same, with "name [module]" and "name:command:unlimited" */
};

/* In the order they are restored: the tracer goes before what it reads, tracing comes on last. */
/* clang-format off */
static const struct setting {
	const char *file;
	enum shape shape;
	const char *neutral;	/* with which nothing is hidden; NULL where there is no such thing */
} settings[] = {
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
	{ "saved_cmdlines_size",	VALUE },
	{ "buffer_subbuf_size_kb",	VALUE },
	{ "buffer_percent",		VALUE,		"50" },
	{ "buffer_size_kb",		BUFFER_SIZE },
	{ "/proc/sys/kernel/ftrace_enabled", VALUE },
	{ "tracing_on",			VALUE },
};
/* clang-format on */

/* For a tracer that cannot be ended, and which trace-cmd has left with all functions. */
#define RARELY_CALLED "kernel_halt"

/* The first of them. */
#define TRACER	    0
#define NR_SETTINGS (sizeof(settings) / sizeof(settings[0]))

/**
 * struct tracing_settings - what was found
 * @values: of @settings, NULL where this kernel has no such file
 * @options: names in options/, and @option_values in the same order
 * @cpu_sizes: of each CPU's buffer, if they differ
 * @instances: names in instances/
 * @made: names of those that the recording makes
 * @filters: of events, if @has_filters
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
};

/* tracefs_options_get_supported() knows only the options that its numbers were made for. */
static void list_options(struct strings *names)
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

/* As it has to be written, unless it is a list. */
static char *read_value(const struct setting *setting)
{
	char *text = file_read(setting->file);
	char *start, *end, *value;

	if (!text)
		return NULL;
	switch (setting->shape) {
	case CHOICE:
		start = strchr(text, '[');
		end = start ? strchr(start, ']') : NULL;
		if (!end)
			return text;
		value = xasprintf("%.*s", (int)(end - start - 1), start + 1);
		break;
	case BUFFER_SIZE:
		start = strstr(text, "expanded: ");
		if (!start)
			return text;
		/* A buffer that was used once cannot go back to the size before. */
		value = xasprintf("%lu", strtoul(start + strlen("expanded: "), NULL, 10));
		break;
	default:
		return text;
	}
	free(text);
	return value;
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
	return read_value(&one);
}

struct tracing_settings *tracing_settings_save(bool event_filters, const struct strings *made)
{
	struct tracing_settings *state = xrealloc(NULL, sizeof(*state));
	char *value;

	memset(state, 0, sizeof(*state));
	for (size_t i = 0; i < made->n; i++)
		strings_add(&state->made, made->v[i]);
	for (size_t i = 0; i < NR_SETTINGS; i++) {
		state->values[i] = read_value(&settings[i]);
		if (settings[i].shape != BUFFER_SIZE || !state->values[i] ||
		    strcmp(state->values[i], "X"))
			continue;
		for (size_t cpu = 0; (value = read_cpu_size(cpu)); cpu++) {
			strings_add(&state->cpu_sizes, value);
			free(value);
		}
	}
	list_options(&state->options);
	for (size_t i = 0; i < state->options.n; i++) {
		value = read_option(state->options.v[i]);
		strings_add(&state->option_values, value ? value : "");
		free(value);
	}
	state->instances = tracefs_instances(NULL);
	state->has_filters = event_filters;
	if (event_filters)
		event_filters_read(&state->filters);
	return state;
}

static bool has_line(const char *text, const char *line, size_t n)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (strcspn(text, "\n") == n && !strncmp(text, line, n))
			return true;
	return false;
}

static bool is_line(const char *line)
{
	/* "#### all functions enabled ####", "no pid" and "no pids" stand for none. */
	return *line && *line != '\n' && *line != '#' && strncmp(line, "no pid", 6);
}

static bool has_lines(const char *text)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (is_line(text))
			return true;
	return false;
}

/* A line of a function list as it has to be written to set it: neither module nor count. */
static char *writable(const char *line, size_t n, enum shape shape)
{
	char *text = xasprintf("%.*s", (int)n, line);
	char *tail;

	if (shape == FUNCTIONS) {
		text[strcspn(text, " \t")] = '\0';
		tail = strstr(text, ":unlimited");
		if (tail)
			*tail = '\0';
		tail = strstr(text, ":count=");
		if (tail)
			memmove(tail + 1, tail + 7, strlen(tail + 7) + 1);
	}
	return text;
}

/* Truncating does not: each command ("schedule:traceoff") that @is has and @but has not. */
static void take_commands_away(const struct setting *setting, const char *is, const char *but)
{
	char *text, *negated;
	size_t n;

	if (setting->shape != FUNCTIONS)
		return;
	for (const char *line = is; *line; line += n, line += *line == '\n') {
		n = strcspn(line, "\n");
		if (!is_line(line) || !memchr(line, ':', n) || has_line(but, line, n))
			continue;
		text = writable(line, n, setting->shape);
		negated = xasprintf("!%s\n", text);
		file_append(setting->file, negated);
		free(negated);
		free(text);
	}
}

/* What is missing is appended. @gone: whether some of it is not there any more. */
static int write_list(const struct setting *setting, const char *was, const char *is, bool *gone)
{
	int ret, one;
	size_t n;
	char *text, *whole;

	take_commands_away(setting, is, was);
	ret = file_write(setting->file, "");
	for (const char *line = was; *line; line += n, line += *line == '\n') {
		n = strcspn(line, "\n");
		if (!is_line(line))
			continue;
		if (setting->shape == FUNCTIONS && memchr(line, ':', n) && has_line(is, line, n))
			continue;
		text = writable(line, n, setting->shape);
		/* A line without an end the kernel takes on closing, and does not say if it cannot. */
		whole = xasprintf("%s\n", text);
		one = file_append(setting->file, whole);
		/* A process or a module's function may have gone meanwhile, as it may at any time. */
		if (one == -ESRCH || one == -EINVAL || one == -ENOENT)
			*gone = true;
		else if (one)
			ret = one;
		free(whole);
		free(text);
	}
	return ret;
}

/* The lines that are no commands: those count down. To be freed. */
static char *without_commands(const char *text)
{
	char *kept = xasprintf("%s\n", text), *end = kept;
	size_t n;

	for (const char *line = text; *line; line += n, line += *line == '\n') {
		n = strcspn(line, "\n");
		if (!is_line(line) || memchr(line, ':', n))
			continue;
		memcpy(end, line, n);
		end += n;
		*end++ = '\n';
	}
	*end = '\0';
	return kept;
}

static bool same_list(const struct setting *setting, const char *a, const char *b)
{
	char *of_a, *of_b;
	bool same;

	if (setting->shape != FUNCTIONS || !strchr(a, ':'))
		return !strcmp(a, b);
	of_a = without_commands(a);
	of_b = without_commands(b);
	same = !strcmp(of_a, of_b);
	free(of_a);
	free(of_b);
	return same;
}

/* Until it is there: see FILE_TRIES. */
static int restore_list(const struct setting *setting, const char *was)
{
	bool gone = false, done;
	int ret;
	char *is;

	for (int i = 0; i < FILE_TRIES; i++) {
		if (i > 1)
			usleep(FILE_TRY_MSEC * 1000);
		is = read_value(setting);
		if (!is)
			return -errno;
		done = gone || (i ? same_list(setting, was, is) : !strcmp(was, is));
		ret = done ? 0 : write_list(setting, was, is, &gone);
		free(is);
		if (done || ret)
			return ret;
	}
	return -ENOMEM;
}

static int restore_value(const struct tracing_settings *state, size_t i)
{
	const struct setting *setting = &settings[i];
	char *is = read_value(setting);
	int ret;

	if (!is)
		ret = -errno;
	else if (!strcmp(is, state->values[i]))
		ret = 0;
	else if (setting->shape == BUFFER_SIZE && state->cpu_sizes.n)
		ret = 0; /* CPU by CPU, below */
	else
		ret = file_write(setting->file, state->values[i]);
	free(is);
	return ret;
}

static bool is_list(const struct setting *setting)
{
	return setting->shape == LIST || setting->shape == FUNCTIONS;
}

static int restore_setting(const struct tracing_settings *state, size_t i)
{
	if (!state->values[i])
		return 0;
	return is_list(&settings[i]) ? restore_list(&settings[i], state->values[i]) :
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

static char *neutral_of(const struct setting *setting)
{
	char *possible, *mask;

	if (setting->shape != CPU_MASK)
		return setting->neutral ? xasprintf("%s", setting->neutral) : NULL;
	possible = file_read("/sys/devices/system/cpu/possible");
	mask = possible ? cpu_list_mask(possible) : NULL;
	free(possible);
	return mask;
}

/* With overwriting off what is dropped is the newest, and nothing in the trace says where. */
static void overwrite_oldest(const struct tracing_settings *state)
{
	for (size_t i = 0; i < state->options.n; i++)
		if (!strcmp(state->options.v[i], "overwrite") &&
		    !strncmp(state->option_values.v[i], "0", 1))
			file_write("options/overwrite", "1");
}

/* Until it is so: see FILE_TRIES. */
static int make_neutral(const struct setting *setting, const char *was, const char *neutral)
{
	char *is = NULL;
	bool done;
	int ret;

	for (int i = 0; i < FILE_TRIES; i++) {
		if (i)
			usleep(FILE_TRY_MSEC * 1000);
		take_commands_away(setting, is ? is : was, "");
		free(is);
		ret = file_write(setting->file, neutral);
		if (ret || !is_list(setting))
			return ret;
		is = read_value(setting);
		if (!is)
			return -errno;
		done = !has_lines(is);
		if (done)
			break;
	}
	free(is);
	return done ? 0 : -ENOMEM;
}

int tracing_settings_neutral(const struct tracing_settings *state, struct err *err)
{
	overwrite_oldest(state);
	for (size_t i = 0; i < NR_SETTINGS; i++) {
		const char *was = state->values[i];
		char *neutral = neutral_of(&settings[i]);
		int ret = 0;

		if (neutral && was && strcmp(was, neutral) && has_lines(was))
			ret = make_neutral(&settings[i], was, neutral);
		free(neutral);
		if (ret)
			return err_set(err, "cannot set %s to what hides nothing: %s",
				       settings[i].file, strerror(-ret));
	}
	return 0;
}

/* Options are the tracer's as well, and come before tracing is switched on again. */
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
	/* With it, what is empty is all functions. Whoever has trace_pipe open keeps the kernel from it. */
	error = restore_setting(state, TRACER);
	if (error) {
		file_write("tracing_on", "0");
		file_write("set_ftrace_filter", RARELY_CALLED);
		err_set(err,
			"cannot set current_tracer back to what it was: %s; tracing is off, and is put "
			"back as soon as nobody has trace_pipe open",
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
	err_set(err, "cannot set %s back to what it was: %s", failed, strerror(-error));
	return -EIO;
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
