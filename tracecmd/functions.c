// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "strlist.h"
#include "tracefs-files.h"

#define FILE_NAME	"available_filter_functions"

static int by_name(const void *a, const void *b)
{
	const struct function *one = a, *other = b;

	return strcmp(one->name, other->name);
}

static size_t count_lines(const char *text)
{
	size_t n = 1;

	while ((text = strchr(text, '\n'))) {
		text++;
		n++;
	}
	return n;
}

/* "name" or "name [module]"; a weak function that nobody took has a line and no name. */
static void take_line(struct functions *functions, char *line)
{
	struct function *function = &functions->v[functions->n];
	char *module = strstr(line, " [");

	if (module) {
		*module = '\0';
		module += 2;
		module[strcspn(module, "]")] = '\0';
	}
	line[strcspn(line, " \t")] = '\0';
	if (!*line || !strncmp(line, "__ftrace_invalid", 16))
		return;
	*function = (struct function){ .name = line, .module = module ? module : "" };
	functions->n++;
}

int functions_read(struct functions *functions, const char *tracefs, struct err *err)
{
	char *rest, *line;

	if (functions->n)
		return 0;
	functions->text = rest = tracefs_read(tracefs, FILE_NAME);
	if (!rest)
		return err_set(err, "cannot read " FILE_NAME " in %s", tracefs);
	functions->v = xrealloc(NULL, count_lines(rest) * sizeof(*functions->v));
	while ((line = strsep(&rest, "\n")))
		take_line(functions, line);
	qsort(functions->v, functions->n, sizeof(*functions->v), by_name);
	return functions->n ? 0 : err_set(err, FILE_NAME " is empty: ftrace can trace nothing");
}

void functions_free(struct functions *functions)
{
	free(functions->v);
	free(functions->text);
	memset(functions, 0, sizeof(*functions));
}

/* Where @name is, or would be. */
static size_t place_of(const struct functions *functions, const char *name)
{
	size_t from = 0, to = functions->n, middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (strcmp(functions->v[middle].name, name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

const struct function *functions_find(const struct functions *functions, const char *name, size_t *n)
{
	const size_t first = place_of(functions, name);

	*n = 0;
	while (first + *n < functions->n && !strcmp(functions->v[first + *n].name, name))
		++*n;
	return *n ? &functions->v[first] : NULL;
}

const struct function *functions_variant(const struct functions *functions, const char *name)
{
	const size_t n = strlen(name);

	for (size_t i = place_of(functions, name);
	     i < functions->n && !strncmp(functions->v[i].name, name, n); i++)
		if (functions->v[i].name[n] == '.')
			return &functions->v[i];
	return NULL;
}

bool function_is_variant(const char *name)
{
	return strchr(name, '.');
}

bool function_is_tracing(const char *name)
{
	static const char * const prefixes[] = {
		"__bpf_trace_", "__probestub_", "__traceiter_", "bpf_trace_run", "perf_trace_",
		"trace_event_raw_event_", "trace_raw_output_",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}
