// SPDX-License-Identifier: GPL-2.0
/* kernel_functions.c - the functions that ftrace can trace, and their addresses */
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/files.h"
#include "module/module_client.h"
#include "probes/functions_cache.h"
#include "probes/kernel_functions.h"
#include "probes/probe_table.h"
#include "record_skb.h"
#include "tracefs/tracer_users.h"

void kernel_open(struct kernel *kernel)
{
	memset(kernel, 0, sizeof(*kernel));
	kernel->types = btf_open(BTF_DIR);
	ipmodify_users_read(&kernel->redirected);
}

void kernel_close(struct kernel *kernel)
{
	btf_close(kernel->types);
	functions_free(&kernel->functions);
	strings_free(&kernel->redirected);
}

#define AVAILABLE "available_filter_functions"
#define ADDRESSES "available_filter_functions_addrs"

static void swap_functions(struct function *a, struct function *b)
{
	const struct function was = *a;

	*a = *b;
	*b = was;
}

/*
 * Sort functions by name. The first @depth characters of all names are equal. Many names begin with the same
 * characters, so this function takes half of the instructions of qsort(), which compares whole names.
 */
static void sort_by_name(struct function *v, size_t n, size_t depth)
{
	while (n > 1) {
		const unsigned char pivot = v[n / 2].name[depth];
		size_t less = 0, more = n, i = 0;

		while (i < more) {
			const unsigned char c = v[i].name[depth];

			if (c < pivot)
				swap_functions(&v[less++], &v[i++]);
			else if (c > pivot)
				swap_functions(&v[i], &v[--more]);
			else
				i++;
		}
		sort_by_name(v, less, depth);
		if (pivot)
			sort_by_name(v + less, more - less, depth + 1);
		v += more;
		n -= more;
	}
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
 * Parse a hexadecimal number with lower-case letters. strtoull() is slower: for tens of thousands of
 * addresses, it would take a tenth of the time in which a recording starts.
 */
static unsigned long long take_hex(char **text)
{
	unsigned long long value = 0;
	char *p = *text;

	for (;; p++) {
		if (*p >= '0' && *p <= '9')
			value = value << 4 | (unsigned int)(*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			value = value << 4 | (unsigned int)(*p - 'a' + 10);
		else
			break;
	}
	*text = p;
	return value;
}

/*
 * Parse a line of available_filter_functions: "name" or "name [module]". If @addresses is true, the address
 * of the function comes first. Skip the line of a weak function that was overridden, which has no valid name.
 */
static void take_line(struct functions *functions, char *line, unsigned int number, bool addresses)
{
	const unsigned long long address = addresses ? take_hex(&line) : 0;
	const char *module = "";
	char *end;

	line += addresses && *line == ' ';
	for (end = line; *end && *end != ' ' && *end != '\t'; end++)
		;
	if (end[0] == ' ' && end[1] == '[') {
		module = end + 2;
		end[strcspn(end, "]")] = '\0';
	}
	*end = '\0';
	if (!*line || (*line == '_' && !strncmp(line, "__ftrace_invalid", 16)))
		return;
	functions->v[functions->n++] = (struct function){
		.name = line,
		.module = module,
		.line = number,
		.address = address,
	};
}

/*
 * Return a text with the name and address of each loaded module, to be freed. The text changes if a module is
 * loaded or unloaded. It also changes if a module is unloaded and loaded again, because the module then has
 * another address.
 */
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

/* tracefs_file_exists() would be shorter, but it returns true for missing files in libtracefs 1.6. */
bool functions_have_addresses(void)
{
	char *path = tracefs_get_tracing_file(ADDRESSES);
	const bool have = path && !access(path, F_OK);

	tracefs_put_tracing_file(path);
	return have;
}

/*
 * Read a list of functions from the kernel, and keep it for the next recording. Do not keep the list if a
 * module is loaded or unloaded while it is read.
 */
static char *read_from_kernel(const char *name)
{
	char *before = functions_cache_key(name);
	char *text = file_read(name);
	char *after = functions_cache_key(name);

	if (text && before && after && !strcmp(before, after))
		functions_cache_write(FUNCTIONS_CACHE, after, text);
	free(before);
	free(after);
	return text;
}

static char *read_from_cache(const char *name)
{
	char *key = functions_cache_key(name);
	char *text = key ? functions_cache_read(FUNCTIONS_CACHE, key) : NULL;

	free(key);
	return text;
}

/*
 * Read the list of functions that ftrace can trace. If the kernel shows the addresses of functions, read
 * these, too. @is_new: do not use the list that an earlier recording kept.
 */
static void read_list(struct functions *functions, bool is_new)
{
	const bool addresses = functions_have_addresses();
	const char *name = addresses ? ADDRESSES : AVAILABLE;
	unsigned int number = 0;
	char *rest, *line;

	functions->text = is_new ? NULL : read_from_cache(name);
	functions->is_kept = functions->text;
	if (!functions->text)
		functions->text = read_from_kernel(name);
	rest = functions->text;
	if (!rest)
		return;
	functions->v = xrealloc(NULL, count_lines(rest) * sizeof(*functions->v));
	while ((line = strsep(&rest, "\n")))
		take_line(functions, line, ++number, addresses);
	sort_by_name(functions->v, functions->n, 0);
}

static int functions_get(struct functions *functions, bool is_new, struct err *err)
{
	functions_free(functions);
	functions->modules = loaded_modules();
	read_list(functions, is_new);
	if (!functions->text)
		return err_set(err, "cannot read " AVAILABLE " in %s", tracefs_tracing_dir());
	return functions->n ? 0 :
			      err_set(err, AVAILABLE " is empty: ftrace cannot trace any function");
}

int functions_read_again(struct functions *functions, struct err *err)
{
	return functions_get(functions, true, err);
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
	return functions_hold(functions) ? 0 : functions_get(functions, false, err);
}

void functions_free(struct functions *functions)
{
	free(functions->v);
	free(functions->text);
	free(functions->modules);
	memset(functions, 0, sizeof(*functions));
}

/*
 * Return the index of the first function called @name. If no function has this name, return the index at
 * which such a function would be inserted.
 */
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

	/* Reject most names by their first letter, which is quick. */
	if (!strchr("_bpt", *name))
		return false;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

struct addresses {
	unsigned long long v[RECORD_SKB_MAX_ADDRESSES];
	unsigned int n;
};

/*
 * Add the address of the function @name. Leave the look-up to the module in three cases: several functions
 * have this name, the function is in a module, or the kernel does not show its address (0).
 */
static void add_listed(struct addresses *addresses, const struct functions *functions,
		       const char *name)
{
	const struct function *function;
	size_t n;

	function = functions_find(functions, name, &n);
	if (n == 1 && function->address && !*function->module &&
	    addresses->n < RECORD_SKB_MAX_ADDRESSES)
		addresses->v[addresses->n++] = function->address;
}

static void add_table(struct addresses *addresses, const struct functions *functions)
{
	for (size_t i = 0; i < nr_probe_rows; i++)
		for (const char *const *name = probe_table[i].names; *name; name++)
			add_listed(addresses, functions, *name);
}

/*
 * Add the addresses of the functions that the module attaches to in any case. If a function is missing in
 * this list, the module looks it up by name.
 */
static void add_own(struct addresses *addresses, const struct functions *functions)
{
	static const char *const own[] = {
		"skb_*",
		"napi_*",
		"__consume_stateless_skb",
		"__pskb_copy_fclone",
		"ip_frag_next",
		"ip6_frag_next",
		"arch_dup_task_struct",
		"copy_creds",
		"fib4_rule_action",
		"fib6_rule_action",
		"__packet_rcv_has_room",
		"kfree_skb_reason",
		"consume_skb",
		"sk_skb_reason_drop",
		"irq_exit_rcu",
		"pfifo_fast_enqueue",
		"loopback_xmit",
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		for (const struct function *f = NULL; (f = functions_match(functions, own[i], f));)
			add_listed(addresses, functions, f->name);
}

/* Add the addresses in @text, one on each line. */
static void add_kept(struct addresses *addresses, char *text)
{
	char *end;

	while (text && *text && addresses->n < RECORD_SKB_MAX_ADDRESSES) {
		addresses->v[addresses->n++] = strtoull(text, &end, 16);
		text = *end ? end + 1 : NULL;
	}
}

void function_addresses_give(int session, struct functions *functions)
{
	struct addresses addresses = {};
	struct record_skb_addresses give = { .functions = (uintptr_t)addresses.v };
	char *key, *kept;
	struct err err;

	if (functions_have_addresses()) {
		if (functions_read(functions, &err))
			return;
		add_table(&addresses, functions);
		add_own(&addresses, functions);
	} else {
		key = functions_cache_key(ADDRESSES);
		kept = key ? functions_cache_read(ADDRESSES_CACHE, key) : NULL;
		add_kept(&addresses, kept);
		free(kept);
		free(key);
	}
	give.nr_functions = addresses.n;
	/* Ignore errors: the module then looks up all functions by name. */
	if (addresses.n)
		session_set_addresses(session, &give);
}

static bool has_address(const struct addresses *addresses, unsigned long long address)
{
	for (unsigned int i = 0; i < addresses->n; i++)
		if (addresses->v[i] == address)
			return true;
	return false;
}

/* Add the functions that the module attaches to. Return false if @addresses has all of them already. */
static bool add_attached(struct addresses *addresses, int session)
{
	struct record_skb_function function = {};
	const unsigned int before = addresses->n;

	for (; !session_function(session, &function); function.index++)
		if (addresses->n < RECORD_SKB_MAX_ADDRESSES &&
		    !has_address(addresses, function.address))
			addresses->v[addresses->n++] = function.address;
	return addresses->n > before;
}

void function_addresses_keep(int session)
{
	char *key = functions_have_addresses() ? NULL : functions_cache_key(ADDRESSES);
	struct addresses addresses = {};
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!key)
		return;
	text = functions_cache_read(ADDRESSES_CACHE, key);
	add_kept(&addresses, text);
	free(text);
	text = NULL;
	out = add_attached(&addresses, session) ? open_memstream(&text, &size) : NULL;
	if (out) {
		for (unsigned int i = 0; i < addresses.n; i++)
			fprintf(out, "%s%llx", i ? "\n" : "", addresses.v[i]);
		if (!fclose(out))
			functions_cache_write(ADDRESSES_CACHE, key, text);
	}
	free(text);
	free(key);
}
