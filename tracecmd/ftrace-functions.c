// SPDX-License-Identifier: GPL-2.0
/* The functions that ftrace can trace. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#include "files.h"
#include "ftrace-functions.h"
#include "functions-cache.h"

#define AVAILABLE "available_filter_functions"
#define ADDRESSES "available_filter_functions_addrs"

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

/*
 * "name" or "name [module]", behind an address if the kernel gives it; a weak function that nobody took has a
 * line and no name.
 */
static void take_line(struct functions *functions, char *line, unsigned int number, bool addresses)
{
	const unsigned long long address = addresses ? strtoull(line, &line, 16) : 0;
	char *module;

	line += addresses && *line == ' ';
	module = strstr(line, " [");
	if (module) {
		*module = '\0';
		module += 2;
		module[strcspn(module, "]")] = '\0';
	}
	line[strcspn(line, " \t")] = '\0';
	if (!*line || !strncmp(line, "__ftrace_invalid", 16))
		return;
	functions->v[functions->n++] = (struct function){
		.name = line,
		.module = module ? module : "",
		.line = number,
		.address = address,
	};
}

/* "name address" of each module. One that was unloaded and loaded again has another address. */
static char *loaded_modules(void)
{
	char *text = file_read("/proc/modules");
	char *rest = text, *line, *all = xstrdup(""), *longer;
	char name[64], address[32];

	while (rest && (line = strsep(&rest, "\n"))) {
		if (sscanf(line, "%63s %*s %*s %*s %*s %31s", name, address) != 2)
			continue;
		longer = xasprintf("%s%s %s\n", all, name, address);
		free(all);
		all = longer;
	}
	free(text);
	return all;
}

/*
 * With addresses, where the kernel gives them. tracefs_file_exists() is true of what is not there (libtracefs
 * 1.6).
 */
static void read_list(struct functions *functions)
{
	unsigned int number = 0;
	bool addresses;
	char *rest, *line;

	functions->text = file_read(ADDRESSES);
	addresses = functions->text;
	if (!addresses)
		functions->text = file_read(AVAILABLE);
	rest = functions->text;
	if (!rest)
		return;
	functions->v = xrealloc(NULL, count_lines(rest) * sizeof(*functions->v));
	while ((line = strsep(&rest, "\n")))
		take_line(functions, line, ++number, addresses);
	qsort(functions->v, functions->n, sizeof(*functions->v), by_name);
}

/* They are kept as they are sorted: "line address name module". */
static void keep(const struct functions *functions, const char *key)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	for (const struct function *f = functions->v; f < functions->v + functions->n; f++)
		fprintf(out, "%u %llx %s %s\n", f->line, f->address, f->name, f->module);
	if (!fclose(out))
		functions_cache_put(FUNCTIONS_CACHE_LIST, key, text);
	free(text);
}

static void take_kept_line(struct function *function, char *line)
{
	function->line = strtoul(line, &line, 10);
	function->address = strtoull(line, &line, 16);
	strsep(&line, " ");
	function->name = strsep(&line, " ");
	function->module = line ? line : "";
}

static bool read_kept(struct functions *functions, const char *key)
{
	char *rest, *line;

	functions->text = rest = functions_cache_get(FUNCTIONS_CACHE_LIST, key);
	if (!rest)
		return false;
	functions->v = xrealloc(NULL, count_lines(rest) * sizeof(*functions->v));
	while ((line = strsep(&rest, "\n")) && *line) {
		take_kept_line(&functions->v[functions->n], line);
		/* Not what we wrote. */
		if (!functions->v[functions->n].name) {
			functions_free(functions);
			functions->modules = loaded_modules();
			return false;
		}
		functions->n++;
	}
	return true;
}

static int read_all(struct functions *functions, bool anew, struct err *err)
{
	char *key = functions_cache_key();

	functions_free(functions);
	functions->modules = loaded_modules();
	if (anew || !key || !read_kept(functions, key)) {
		read_list(functions);
		if (functions->n && key)
			keep(functions, key);
	}
	free(key);
	if (!functions->text)
		return err_set(err, "cannot read " AVAILABLE " in %s", tracefs_tracing_dir());
	return functions->n ? 0 : err_set(err, AVAILABLE " is empty: ftrace can trace nothing");
}

bool functions_hold(const struct functions *functions)
{
	char *modules = loaded_modules();
	const bool hold = functions->n && !strcmp(functions->modules, modules);

	free(modules);
	return hold;
}

int functions_read(struct functions *functions, struct err *err)
{
	return functions_hold(functions) ? 0 : read_all(functions, false, err);
}

int functions_read_anew(struct functions *functions, struct err *err)
{
	return read_all(functions, true, err);
}

void functions_free(struct functions *functions)
{
	free(functions->v);
	free(functions->text);
	free(functions->modules);
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

const struct function *functions_find(const struct functions *functions, const char *name,
				      size_t *n)
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

const struct function *functions_match(const struct functions *functions, const char *pattern,
				       const struct function *last)
{
	const size_t n = strcspn(pattern, "*?[\\");
	char *start = xasprintf("%.*s", (int)n, pattern);
	size_t i = last ? (size_t)(last - functions->v) + 1 : place_of(functions, start);

	free(start);
	for (; i < functions->n && !strncmp(functions->v[i].name, pattern, n); i++)
		if (!fnmatch(pattern, functions->v[i].name, 0))
			return &functions->v[i];
	return NULL;
}

bool function_is_variant(const char *name)
{
	return strchr(name, '.');
}

bool function_is_tracing(const char *name)
{
	static const char *const prefixes[] = {
		"__bpf_trace_", "__probestub_",		  "__traceiter_",      "bpf_trace_run",
		"perf_trace_",	"trace_event_raw_event_", "trace_raw_output_",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}
