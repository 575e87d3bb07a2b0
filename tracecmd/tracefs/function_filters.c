// SPDX-License-Identifier: GPL-2.0
/*
 * function_filters.c - set the functions that function_graph traces (set_ftrace_filter), and the gates of the
 * module in set_graph_function and set_graph_notrace
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/function_filters.h"
#include "tracefs/files.h"
#include "tracefs/instances.h"
#include "record_skb.h"
#include "tracefs/tracer_users.h"

#define FILTER	    "set_ftrace_filter"
#define ALL_ENABLED "#### all functions enabled ####"

/*
 * Add a function to a filter by its line number in available_filter_functions. The kernel finds a line number
 * at once, but searches all functions for a name. tracefs_function_filter() of libtracefs writes names, and
 * is too slow for thousands of functions.
 */
static int add_line(int filter, unsigned int line)
{
	char number[16];
	const int length = snprintf(number, sizeof(number), "%u\n", line);

	return write(filter, number, length) < 0 ? -errno : 0;
}

/*
 * Add the functions @names to a filter by their line numbers. Returns 0 or a negative errno. -EINVAL means
 * that the kernel's list of functions is shorter now than when it was read.
 */
static int add_lines(int filter, const struct functions *functions, const struct strings *names)
{
	const struct function *function;
	size_t n;
	int ret;

	for (size_t i = 0; i < names->n; i++) {
		function = functions_find(functions, names->v[i], &n);
		for (; n; n--, function++) {
			ret = add_line(filter, function->line);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/*
 * Write a whole filter. The kernel applies the filter on close(), and close() does not report errors.
 * Therefore the caller checks the result by filter_has(). Returns 0 or a negative errno.
 */
static int write_filter(const char *file, const struct functions *functions,
			const struct strings *names, int flags)
{
	const int filter = tracefs_instance_file_open(NULL, file, O_WRONLY | O_CLOEXEC | flags);
	int ret;

	if (filter < 0)
		return -errno;
	ret = add_lines(filter, functions, names);
	if (close(filter) && !ret)
		ret = -errno;
	return ret;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * struct names - a sorted array of pointers to names of functions. If several functions have the same name,
 * the name occurs once for each of them.
 */
struct names {
	char **v;
	size_t n;
};

static void names_add(struct names *names, char *name)
{
	/* The array is full when the number of names is a power of two. Then double its size. */
	if (!(names->n & (names->n - 1)))
		names->v = xrealloc(names->v, (names->n ? 2 * names->n : 1) * sizeof(*names->v));
	names->v[names->n++] = name;
}

static void names_sort(struct names *names)
{
	if (names->n)
		qsort(names->v, names->n, sizeof(*names->v), by_name);
}

/*
 * Add the names of functions in @text, the content of a filter. The line of a function is "name" or "name
 * [module]". A line with a colon is a function command and is skipped.
 */
static void names_of_filter(struct names *names, char *text)
{
	char *line;

	while (text && (line = strsep(&text, "\n"))) {
		if (!*line || strchr(line, ':'))
			continue;
		line[strcspn(line, " ")] = '\0';
		names_add(names, line);
	}
	names_sort(names);
}

static void names_of_functions(struct names *names, const struct functions *functions,
			       const struct strings *wanted)
{
	struct names each = {};
	size_t n;

	for (size_t i = 0; i < wanted->n; i++)
		names_add(&each, wanted->v[i]);
	names_sort(&each);
	for (size_t i = 0; i < each.n; i++) {
		if (i && !strcmp(each.v[i], each.v[i - 1]))
			continue;
		for (functions_find(functions, each.v[i], &n); n; n--)
			names_add(names, each.v[i]);
	}
	free(each.v);
}

static bool has_all(const struct names *there, const struct names *wanted)
{
	size_t i = 0;

	for (size_t k = 0; k < wanted->n; k++, i++) {
		while (i < there->n && strcmp(there->v[i], wanted->v[k]) < 0)
			i++;
		if (i == there->n || strcmp(there->v[i], wanted->v[k]))
			return false;
	}
	return true;
}

/* Return true if the filter contains all functions in @wanted, and no others if @only is true. */
static bool filter_has(const char *file, const struct functions *functions,
		       const struct strings *wanted, bool only)
{
	char *text = file_read(file);
	struct names there = {}, names = {};
	bool has;

	names_of_filter(&there, text);
	names_of_functions(&names, functions, wanted);
	has = has_all(&there, &names) && (!only || there.n == names.n);
	free(there.v);
	free(names.v);
	free(text);
	return has;
}

/* How often to set a filter again if it is wrong because a module was loaded or unloaded at the same time. */
#define TRIES 20

/*
 * Set a filter to the functions @names. If a module is loaded or unloaded at the same time, a line number can
 * mean another function; then read the list of functions again, and write all line numbers again. Returns 0
 * or -1.
 */
static int set_filter(const char *file, struct functions *functions, const struct strings *names,
		      int flags, struct err *err)
{
	int ret;

	if (functions_read(functions, err))
		return -1;
	for (int i = 0; i < TRIES; i++) {
		ret = write_filter(file, functions, names, flags);
		if (!ret && filter_has(file, functions, names, flags & O_TRUNC))
			return 0;
		if (ret && ret != -EINVAL)
			break;
		if (functions_read_again(functions, err))
			return -1;
	}
	return err_set(
		err, "cannot choose the functions to trace: %s",
		ret ? strerror(-ret) :
		      "the kernel has no memory for them, or modules come and go all the time");
}

int functions_trace_only(struct functions *functions, const struct strings *names, struct err *err)
{
	return set_filter(FILTER, functions, names, O_TRUNC, err);
}

int functions_leave_out(struct functions *functions, const struct strings *names, struct err *err)
{
	return set_filter("set_ftrace_notrace", functions, names, O_TRUNC, err);
}

static bool traces_all(void)
{
	char *text = file_read(FILTER);
	const bool all = !text || !strncmp(text, ALL_ENABLED, strlen(ALL_ENABLED));

	free(text);
	return all;
}

int functions_trace_same(const char *filter, struct functions *functions, struct err *err)
{
	struct strings names = {};
	struct names there = {};
	char *text;
	int ret;

	if (traces_all())
		return 0;
	text = file_read(FILTER);
	names_of_filter(&there, text);
	for (size_t i = 0; i < there.n; i++)
		strings_add(&names, there.v[i]);
	strings_sort(&names);
	ret = set_filter(filter, functions, &names, O_TRUNC, err);
	strings_free(&names);
	free(there.v);
	free(text);
	return ret;
}

#define GRAPH	"set_graph_function"
#define NOTRACE "set_graph_notrace"

static const struct {
	const char *file, *what, *harm;
} files[] = {
	{ GRAPH, RECORD_SKB_GATE, "its graphs would be in this recording, too" },
	{ NOTRACE, RECORD_SKB_HIDE, "the functions below it would be missing" },
};
#define NR_FILES (sizeof(files) / sizeof(files[0]))

/*
 * Return true if a line of set_graph_function or set_graph_notrace is a function of our module. After the
 * module was unloaded, the kernel shows the function as an address.
 */
static bool is_ours(const char *line)
{
	return !strncmp(line, RECORD_SKB_MODULE "_", strlen(RECORD_SKB_MODULE "_")) ||
	       !strncmp(line, "0x", 2);
}

/*
 * Append functions in @file to @functions: the functions of our module if @ours is true, and otherwise the
 * functions that other users have set.
 */
static void read_functions(const char *file, bool ours, struct strings *functions)
{
	char *text = file_read(file), *rest = text, *line;

	while (rest && (line = strsep(&rest, "\n"))) {
		line[strcspn(line, " ")] = '\0';
		if (*line && *line != '#' && is_ours(line) == ours)
			strings_add(functions, line);
	}
	free(text);
}

static bool has_name(const struct strings *functions, const char *name)
{
	for (size_t i = 0; i < functions->n; i++)
		if (!strcmp(functions->v[i], name))
			return true;
	return false;
}

/* Return true if the name is a glob, which can match any number of functions. */
static bool is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

static bool file_has_all(const char *file, const struct strings *names)
{
	struct strings there = {};
	bool all = true;

	read_functions(file, true, &there);
	read_functions(file, false, &there);
	for (size_t i = 0; all && i < names->n; i++)
		all = is_pattern(names->v[i]) ? there.n : has_name(&there, names->v[i]);
	strings_free(&there);
	return all;
}

/*
 * Write a list of functions to @file, and read it back: the kernel does not report if it was out of memory.
 * See FILE_TRIES.
 */
static int write_functions(const char *file, const struct strings *names, struct err *err)
{
	char *text = xstrdup(""), *longer;
	int ret = 0;

	for (size_t i = 0; i < names->n; i++) {
		longer = xasprintf("%s%s\n", text, names->v[i]);
		free(text);
		text = longer;
	}
	for (int i = 0; i < FILE_TRIES; i++) {
		if (i)
			usleep(FILE_TRY_MSEC * 1000);
		ret = file_write(file, text);
		if (!ret && !file_has_all(file, names))
			ret = -ENOMEM;
		if (ret != -ENOMEM)
			break;
	}
	free(text);
	return ret ? err_set(err, "cannot write to %s: %s", file, strerror(-ret)) : 0;
}

int graph_gates_set(const struct strings *gates, const struct strings *notrace, struct err *err)
{
	if (write_functions(GRAPH, gates, err))
		return -1;
	return notrace->n ? write_functions(NOTRACE, notrace, err) : 0;
}

int graph_gates_check(struct err *err)
{
	struct strings others = {};
	int ret = 0;

	for (size_t i = 0; !ret && i < NR_FILES; i++) {
		read_functions(files[i].file, false, &others);
		if (others.n)
			ret = err_set(err,
				      "%s contains '%s', and %s: empty it first (trace-cmd "
				      "reset)",
				      files[i].file, others.v[0], files[i].harm);
	}
	strings_free(&others);
	return ret;
}

int graph_gates_add_shared(struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < NR_FILES; i++) {
		struct strings names = {};

		for (unsigned int k = 1; k <= RECORD_SKB_MAX_SHARED; k++)
			strings_addf(&names, "%s_%u", files[i].what, k);
		ret = write_functions(files[i].file, &names, err);
		strings_free(&names);
	}
	return ret;
}

/*
 * Read the functions in files[@i] without the function of @recording. The result has the functions of other
 * recordings and those of other users.
 */
static void read_but(size_t i, unsigned int recording, struct strings *functions)
{
	char *name = recording_name(files[i].what, recording);
	struct strings all = {};

	read_functions(files[i].file, false, &all);
	read_functions(files[i].file, true, &all);
	for (size_t k = 0; k < all.n; k++)
		if (strcmp(all.v[k], name))
			strings_add(functions, all.v[k]);
	strings_free(&all);
	free(name);
}

int graph_gates_add(unsigned int recording, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < NR_FILES; i++) {
		struct strings names = {};

		read_but(i, recording, &names);
		strings_addf(&names, "%s_%u", files[i].what, recording);
		ret = write_functions(files[i].file, &names, err);
		strings_free(&names);
	}
	return ret;
}

void graph_gates_remove_one(unsigned int recording)
{
	for (size_t i = 0; i < NR_FILES; i++) {
		struct strings names = {};
		struct err err;

		read_but(i, recording, &names);
		write_functions(files[i].file, &names, &err);
		strings_free(&names);
	}
}

bool graph_gates_are_there(void)
{
	struct strings ours = {};
	bool any;

	for (size_t i = 0; i < NR_FILES; i++)
		read_functions(files[i].file, true, &ours);
	any = ours.n;
	strings_free(&ours);
	return any;
}

bool graph_gates_remove(bool race)
{
	char *instance = race ? tracing_graph_instance() : NULL;
	bool any = false;

	if (instance) {
		free(instance);
		return false;
	}
	for (size_t i = 0; i < NR_FILES; i++) {
		struct strings ours = {}, others = {};
		struct err err;

		read_functions(files[i].file, true, &ours);
		read_functions(files[i].file, false, &others);
		if (ours.n)
			write_functions(files[i].file, &others, &err);
		any |= ours.n;
		strings_free(&ours);
		strings_free(&others);
	}
	return any;
}

/*
 * Remove the tracing instances that recordings have created. Their names begin with the name of the module.
 */
static void remove_instances(void)
{
	char **names = tracefs_instances(NULL);
	char *path = tracefs_get_tracing_file("instances");
	const int instances = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (char **name = names; name && *name && instances >= 0; name++)
		if (!strncmp(*name, RECORD_SKB_MODULE, strlen(RECORD_SKB_MODULE)))
			instance_remove(instances, *name);
	if (instances >= 0)
		close(instances);
	tracefs_put_tracing_file(path);
	tracefs_list_free(names);
}

/*
 * If the top instance uses function_graph, remove this tracer, clear the buffer and reset the function
 * filters. Returns 0, or -1 if the tracer cannot be removed.
 */
static int stop_tracer(void)
{
	char *tracer = file_read("current_tracer");
	const bool on = tracer && !strcmp(tracer, "function_graph");

	free(tracer);
	if (!on)
		return 0;
	if (file_write("current_tracer", "nop"))
		return -1;
	file_write("trace", "");
	file_write("set_ftrace_filter", "");
	file_write("set_ftrace_notrace", "");
	file_write("max_graph_depth", "0");
	file_write("events/" RECORD_SKB_MODULE "/enable", "0");
	return 0;
}

bool leftovers_restore(bool race)
{
	if (!graph_gates_are_there() || stop_tracer())
		return false;
	remove_instances();
	return graph_gates_remove(race);
}
