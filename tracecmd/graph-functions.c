// SPDX-License-Identifier: GPL-2.0
/* --detail and --module: which functions are recorded beside the probe points. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "functions-cache.h"
#include "graph-functions.h"
#include "net-modules.h"
#include "prototype.h"
#include "silent-functions.h"

/* Functions of one name with different arguments: more than that nobody looks at. */
#define PROTOTYPES 4

/* The softirqs of networking: none of their arguments tells. */
static const char *const net_functions[] = { "net_rx_action", "net_tx_action" };

/**
 * struct choice - by what functions are chosen
 * @net: those of networking are in
 * @modules: all functions of these are in; sorted
 * @types: of struct kernel
 */
struct choice {
	bool net;
	struct strings modules;
	struct btf_set *types;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_net_function(const char *name)
{
	for (size_t i = 0; i < sizeof(net_functions) / sizeof(net_functions[0]); i++)
		if (!strcmp(net_functions[i], name))
			return true;
	return false;
}

static bool is_of_module(const struct choice *choice, const char *module)
{
	const struct strings *modules = &choice->modules;

	return *module && modules->n &&
	       bsearch(&module, modules->v, modules->n, sizeof(*modules->v), by_name);
}

/* What the compiler made of a function is of networking if the function was. */
static int find(struct btf_set *types, const struct function *function, struct prototype *found)
{
	char *name;
	int n;

	if (!types)
		return 0;
	if (!function_is_variant(function->name))
		return btf_find(types, function->name, function->module, found, PROTOTYPES);
	name = xasprintf("%.*s", (int)strcspn(function->name, "."), function->name);
	n = btf_find(types, name, function->module, found, PROTOTYPES);
	free(name);
	return n;
}

/*
 * The drivers' transmit functions are points too, which the module finds by itself. Where no types tell
 * which these are, their names do.
 */
static bool is_of_packets(const struct choice *choice, const struct function *function)
{
	struct prototype found[PROTOTYPES];
	const int n = find(choice->types, function, found);

	for (int i = 0; i < n && i < PROTOTYPES; i++)
		if (prototype_is_transmit(&found[i]) ||
		    (choice->net && prototype_is_net(&found[i])))
			return true;
	return n <= 0 && strstr(function->name, "xmit");
}

static bool is_chosen(const struct choice *choice, const struct function *function)
{
	if (is_of_module(choice, function->module))
		return true;
	if (function_is_tracing(function->name))
		return false;
	if (choice->net && is_net_function(function->name))
		return true;
	return is_of_packets(choice, function) &&
	       !(choice->net && function_is_silent(function->name));
}

/* The kernel writes a module's name with "_"; people, and modprobe, also with "-". */
static int add_named(struct strings *modules, const struct strings *names,
		     const struct functions *functions, struct err *err)
{
	for (size_t i = 0; i < names->n; i++) {
		char *name;
		size_t k = 0;

		strings_add(modules, names->v[i]);
		name = modules->v[modules->n - 1];
		for (char *p = name; *p; p++)
			if (*p == '-')
				*p = '_';
		while (k < functions->n && strcmp(functions->v[k].module, name))
			k++;
		if (k == functions->n)
			return err_set(
				err,
				"there is no module '%s', or it is not loaded, or ftrace can "
				"trace none of its functions",
				names->v[i]);
	}
	return 0;
}

/*
 * What the choice depends on: the functions, what of them is asked for, and the program that chooses. To be
 * freed; NULL where that cannot be told.
 */
static char *choice_key(const struct choice *choice)
{
	char *key = functions_cache_key(), *longer;
	struct stat self;

	if (!key || stat("/proc/self/exe", &self)) {
		free(key);
		return NULL;
	}
	longer = xasprintf("%s %lld %lld %ld %d", key, (long long)self.st_ino,
			   (long long)self.st_mtim.tv_sec, self.st_mtim.tv_nsec, choice->net);
	free(key);
	for (size_t i = 0; i < choice->modules.n; i++) {
		key = longer;
		longer = xasprintf("%s %s", key, choice->modules.v[i]);
		free(key);
	}
	return longer;
}

static bool take_kept(struct strings *functions, const char *key)
{
	char *text = functions_cache_get(FUNCTIONS_CACHE_CHOICE, key), *rest = text, *line;
	const bool kept = text;

	while (rest && (line = strsep(&rest, "\n")))
		if (*line)
			strings_add(functions, line);
	free(text);
	return kept;
}

static void keep(const struct strings *functions, size_t first, const char *key)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	for (size_t i = first; i < functions->n; i++)
		fprintf(out, "%s\n", functions->v[i]);
	if (!fclose(out))
		functions_cache_put(FUNCTIONS_CACHE_CHOICE, key, text);
	free(text);
}

/* To ask of each takes a third of a start: what comes of it is kept. */
static void choose(const struct choice *choice, const struct functions *all,
		   struct strings *functions)
{
	const size_t first = functions->n;
	char *key = choice_key(choice);

	if (!key || !take_kept(functions, key)) {
		for (size_t i = 0; i < all->n; i++)
			if (is_chosen(choice, &all->v[i]))
				strings_add(functions, all->v[i].name);
		if (key)
			keep(functions, first, key);
	}
	free(key);
}

enum detail graph_functions_detail(const struct options *o, const struct kernel *kernel)
{
	if (o->detail)
		return o->detail;
	if (o->modules.n)
		return DETAIL_PATH;
	/* With -l the user chooses; without types nothing tells which are of networking. */
	return options_pass(o, "-l") || !kernel->types ? DETAIL_FULL : DETAIL_NET;
}

bool graph_functions_all(const struct options *o, const struct kernel *kernel)
{
	return graph_functions_detail(o, kernel) == DETAIL_FULL && !options_choose_functions(o);
}

/* Those that -l names, looked up once for all: trace-cmd goes through all functions for each. */
static void add_listed(const struct options *o, const struct functions *all,
		       struct strings *functions)
{
	const struct function *f;

	for (size_t i = 0; i + 1 < o->pass.n; i++) {
		if (strcmp(o->pass.v[i], "-l"))
			continue;
		for (f = NULL; (f = functions_match(all, o->pass.v[i + 1], f));)
			strings_add(functions, f->name);
	}
}

int graph_functions_add(const struct options *o, struct kernel *kernel, struct strings *functions,
			struct err *err)
{
	const enum detail detail = graph_functions_detail(o, kernel);
	struct choice choice = { .net = detail == DETAIL_NET, .types = kernel->types };

	if (graph_functions_all(o, kernel))
		return 0;
	if (choice.net && !choice.types)
		return err_set(err,
			       "--detail net goes by the functions' arguments, which this kernel "
			       "does not tell (it has no " BTF_DIR ")");
	if (functions_read(&kernel->functions, err))
		return -1;
	if (options_choose_functions(o))
		add_listed(o, &kernel->functions, functions);
	if (detail == DETAIL_FULL)
		return 0;
	if (add_named(&choice.modules, &o->modules, &kernel->functions, err)) {
		strings_free(&choice.modules);
		return -1;
	}
	if (choice.net)
		net_modules(&choice.modules);
	strings_sort(&choice.modules);
	choose(&choice, &kernel->functions, functions);
	strings_free(&choice.modules);
	return 0;
}
