// SPDX-License-Identifier: GPL-2.0
/* The functions that ftrace can trace. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "files.h"
#include "ftrace-functions.h"
#include "functions-cache.h"
#include "session.h"

/*
 * The kernel goes through the functions from the first one on with each read, and lets nobody else use ftrace
 * until the read is done: few reads, and none too long.
 */
#define READ_BYTES (512 << 10)

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

/* By hand, as they are written: what the C library takes for so many numbers is a tenth of a start. */
static unsigned long long take_hex(char **text)
{
	unsigned long long value = 0;
	char *p = *text;

	for (; isxdigit((unsigned char)*p); p++)
		value = value << 4 | (unsigned int)(*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
	*text = p;
	return value;
}

/*
 * "name" or "name [module]", behind an address if the kernel gives it; a weak function that nobody took has a
 * line and no name.
 */
static void take_line(struct functions *functions, char *line, unsigned int number, bool addresses)
{
	const unsigned long long address = addresses ? take_hex(&line) : 0;
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

static void read_in_few(int fd)
{
	session_large_reads(fd, READ_BYTES);
}

/* tracefs_file_exists() is true of what is not there (libtracefs 1.6). */
bool functions_have_addresses(void)
{
	char *path = tracefs_get_tracing_file(ADDRESSES);
	const bool have = path && !access(path, F_OK);

	tracefs_put_tracing_file(path);
	return have;
}

/* With addresses, where the kernel gives them. */
static void read_list(struct functions *functions)
{
	unsigned int number = 0;
	bool addresses;
	char *rest, *line;

	functions->text = file_read_prepared(ADDRESSES, read_in_few);
	addresses = functions->text;
	if (!addresses)
		functions->text = file_read_prepared(AVAILABLE, read_in_few);
	rest = functions->text;
	if (!rest)
		return;
	functions->v = xrealloc(NULL, count_lines(rest) * sizeof(*functions->v));
	while ((line = strsep(&rest, "\n")))
		take_line(functions, line, ++number, addresses);
	qsort(functions->v, functions->n, sizeof(*functions->v), by_name);
}

static char *put_hex(char *to, unsigned long long value, char end)
{
	int shift = 60;

	while (shift && !(value >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[value >> shift & 0xf];
	*to++ = end;
	return to;
}

/* They are kept as they are sorted: "line address name module", numbers in hexadecimal. */
static char *put_function(char *to, const struct function *function)
{
	to = put_hex(to, function->line, ' ');
	to = put_hex(to, function->address, ' ');
	to = stpcpy(to, function->name);
	*to++ = ' ';
	to = stpcpy(to, function->module);
	*to++ = '\n';
	return to;
}

static void keep(const struct functions *functions, const char *key)
{
	const struct function *const end = functions->v + functions->n;
	size_t room = 1;
	char *text, *to;

	for (const struct function *f = functions->v; f < end; f++)
		room += strlen(f->name) + strlen(f->module) + sizeof("12345678 1234567890123456  ");
	text = to = xrealloc(NULL, room);
	for (const struct function *f = functions->v; f < end; f++)
		to = put_function(to, f);
	*to = '\0';
	functions_cache_put(FUNCTIONS_CACHE_LIST, key, text);
	free(text);
}

static void take_kept_line(struct function *function, char *line)
{
	function->line = take_hex(&line);
	line += *line == ' ';
	function->address = take_hex(&line);
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
