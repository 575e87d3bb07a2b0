// SPDX-License-Identifier: GPL-2.0
/* function_filter.c - set the functions that function_graph traces, in set_ftrace_filter */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "files.h"
#include "tracefs/function_filter.h"

#define FILTER	    "set_ftrace_filter"
#define ALL_ENABLED "#### all functions enabled ####"

/*
 * Add a function to a filter by its line number in available_filter_functions. The kernel finds a number at
 * once, but searches all functions for a name. tracefs_function_filter() uses names, and is therefore too
 * slow for thousands of functions.
 */
static int add_line(int filter, unsigned int line)
{
	char number[16];
	const int length = snprintf(number, sizeof(number), "%u\n", line);

	return write(filter, number, length) < 0 ? -errno : 0;
}

/*
 * Add the functions @names by their line numbers. Returns 0 or a negative errno; -EINVAL means that the
 * kernel's list of functions has become shorter.
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
 * Write a whole filter. The kernel applies it on close(), and does not report an error then; see
 * filter_has(). Returns 0 or a negative errno.
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
 * struct names - a sorted array of pointers to names of functions. A name occurs once for each function with
 * this name.
 */
struct names {
	char **v;
	size_t n;
};

static void names_add(struct names *names, char *name)
{
	/*
	 * Double the size of the array when it is full, which is when the number of names is a power of two.
	 */
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
 * Add the names in the text of a filter. Lines of functions are "name" or "name [module]"; other lines
 * contain a colon.
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

/* How often to try again after a module was loaded or unloaded at the same time. */
#define TRIES 20

/*
 * Set a filter to the functions @names. If a module is loaded or unloaded at the same time, a line number can
 * mean another function. Then the list of functions is read again and all lines are written again. Returns 0
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
