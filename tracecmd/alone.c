// SPDX-License-Identifier: GPL-2.0
/* The functions that the module has for itself, or for function_graph, which does without them. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "record_skb.h"
#include "session.h"

/* "name+0x4/0x80 [module]" in two; the module is "" for the kernel's own. */
static void split(char *symbol, const char **name, const char **module)
{
	char *bracket = strchr(symbol, '[');

	*name = symbol;
	*module = "";
	if (bracket) {
		bracket[strcspn(bracket, "]")] = '\0';
		*module = bracket + 1;
	}
	symbol[strcspn(symbol, "+")] = '\0';
}

static bool is_traced(const struct functions *functions, const char *name, const char *module,
		      unsigned long long address)
{
	const struct function *function;
	size_t n;

	function = functions_find(functions, name, &n);
	for (; n; n--, function++)
		if (function->address == address && !strcmp(function->module, module))
			return true;
	return false;
}

static bool is_chosen(const struct strings *chosen, const char *name)
{
	if (!chosen)
		return true;
	for (size_t i = 0; i < chosen->n; i++)
		if (!strcmp(chosen->v[i], name))
			return true;
	return false;
}

/* Whether function_graph is to trace what is there. */
static bool is_wanted(int session, unsigned long long address, const struct functions *functions,
		      const struct strings *chosen)
{
	char symbol[RECORD_SKB_SYMBOL_LEN];
	const char *name, *module;

	if (session_symbol(session, address, symbol))
		return false;
	split(symbol, &name, &module);
	return is_chosen(chosen, name) && is_traced(functions, name, module, address);
}

/* What there may be at most: the session's points, and a few dozen of the module's own. */
#define MAX_FUNCTIONS (2 * RECORD_SKB_MAX_POINTS)

struct taken {
	unsigned long long address[MAX_FUNCTIONS];
	size_t n;
};

/* Returns 0 or a negative errno. */
static int take_all(struct taken *taken, int session, const struct functions *functions,
		    const struct strings *chosen)
{
	struct record_skb_function one = {};
	int ret;

	for (; taken->n < MAX_FUNCTIONS && !session_function(session, &one); one.index++) {
		if (!is_wanted(session, one.address, functions, chosen))
			continue;
		one.flags = RECORD_SKB_FUNCTION_ALONE;
		ret = session_function(session, &one);
		if (ret)
			return ret;
		one.flags = 0;
		taken->address[taken->n++] = one.address;
	}
	return 0;
}

static bool is_taken(const struct taken *taken, unsigned long long address)
{
	for (size_t i = 0; i < taken->n; i++)
		if (taken->address[i] == address)
			return true;
	return false;
}

/**
 * struct choice - which functions the module is to have for function_graph
 * @chosen: by name, NULL for all
 * @own: but for these
 * @taken: and those that it has for itself
 */
struct choice {
	const struct strings *chosen;
	const struct strings *own;
	struct taken taken;
};

static void add(const struct choice *choice, const struct function *function,
		unsigned long long *addresses, unsigned int *n)
{
	if (function->address && !is_taken(&choice->taken, function->address) &&
	    !is_chosen(choice->own, function->name))
		addresses[(*n)++] = function->address;
}

static void add_chosen(const struct choice *choice, const struct functions *functions,
		       unsigned long long *addresses, unsigned int *nr)
{
	const struct function *function;
	size_t n;

	for (size_t i = 0; i < choice->chosen->n; i++) {
		function = functions_find(functions, choice->chosen->v[i], &n);
		for (; n && *nr < functions->n; n--, function++)
			add(choice, function, addresses, nr);
	}
}

/* Returns 0 or a negative errno. */
static int relay(const struct choice *choice, int session, const struct functions *functions)
{
	unsigned long long *addresses = xrealloc(NULL, functions->n * sizeof(*addresses));
	struct record_skb_graph graph = { .functions = (uintptr_t)addresses };
	int ret;

	if (choice->chosen) {
		add_chosen(choice, functions, addresses, &graph.nr_functions);
	} else {
		graph.flags = RECORD_SKB_GRAPH_LATER;
		for (size_t i = 0; i < functions->n; i++)
			add(choice, &functions->v[i], addresses, &graph.nr_functions);
	}
	ret = graph.nr_functions ? session_set_graph(session, &graph) : 0;
	free(addresses);
	return ret;
}

/*
 * Where modules come and go, what was read may not be so any more: of a module that is gone the kernel takes
 * no address, and of one that came meanwhile we know none. Returns 0 or a negative errno, -EAGAIN if so.
 */
static int take(struct choice *choice, int session, const struct functions *functions)
{
	int ret = take_all(&choice->taken, session, functions, choice->chosen);

	if (!ret)
		ret = relay(choice, session, functions);
	if (ret == -EINVAL || (!ret && !functions_hold(functions)))
		return -EAGAIN;
	return ret;
}

/* A module comes or goes within a second; more often than that nobody loads one. */
#define TRIES 20

static bool takes_calls(int session)
{
	const struct record_skb_graph none = {};

	return session_set_graph(session, &none) != -EOPNOTSUPP;
}

int alone_take(int session, struct functions *functions, const struct strings *chosen,
	       const struct strings *own, bool *relayed, struct err *err)
{
	int ret = 0;

	*relayed = false;
	if (!takes_calls(session))
		return 0;
	if (functions_read(functions, err))
		return -1;
	for (int i = 0; i < TRIES; i++) {
		struct choice choice = { .chosen = chosen, .own = own };

		ret = take(&choice, session, functions);
		if (ret != -EAGAIN)
			break;
		if (functions_read_anew(functions, err))
			return -1;
	}
	*relayed = !ret;
	if (ret && ret != -EOPNOTSUPP)
		return err_set(err, "cannot choose the functions of the graph: %s",
			       ret == -EAGAIN ? "modules come and go all the time" :
						strerror(-ret));
	return 0;
}
