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

/* NULL if there are several that could be it, or if ftrace does not have it there. */
static const struct function *find(const struct functions *functions, const char *name,
				   const char *module, unsigned long long address)
{
	const struct function *first, *found = NULL;
	size_t n;

	first = functions_find(functions, name, &n);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(first[i].module, module) ||
		    (first[i].address && first[i].address != address))
			continue;
		if (found)
			return NULL;
		found = &first[i];
	}
	return found;
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

/* Returns its line, or 0 if function_graph does not trace it, or if it cannot be told from others. */
static unsigned int line_of(int session, unsigned long long address,
			    const struct functions *functions, const struct strings *chosen)
{
	char symbol[RECORD_SKB_SYMBOL_LEN];
	const struct function *function;
	const char *name, *module;

	if (session_symbol(session, address, symbol))
		return 0;
	split(symbol, &name, &module);
	function = is_chosen(chosen, name) ? find(functions, name, module, address) : NULL;
	return function ? function->line : 0;
}

/* What there may be at most: the session's points, and a few dozen of the module's own. */
#define MAX_FUNCTIONS (2 * RECORD_SKB_MAX_POINTS)

struct taken {
	unsigned int index[MAX_FUNCTIONS];
	unsigned int line[MAX_FUNCTIONS];
	size_t n;
};

static int find_all(struct taken *taken, int session, struct functions *functions,
		    const struct strings *chosen, struct err *err)
{
	struct record_skb_function one = {};
	unsigned int line;

	if (session_function(session, &one))
		return 0;
	if (functions_read(functions, err))
		return -1;
	for (; taken->n < MAX_FUNCTIONS && !session_function(session, &one); one.index++) {
		line = line_of(session, one.address, functions, chosen);
		if (!line)
			continue;
		taken->index[taken->n] = one.index;
		taken->line[taken->n++] = line;
	}
	return 0;
}

static bool is_taken(const struct taken *taken, unsigned int line)
{
	for (size_t i = 0; i < taken->n; i++)
		if (taken->line[i] == line)
			return true;
	return false;
}

/* All that ftrace can trace, but for what is taken and @own. Returns 0 or a negative errno. */
static int relay_all(int session, const struct functions *functions, const struct taken *taken,
		     const struct strings *own)
{
	unsigned int *except = xrealloc(NULL, (taken->n + own->n) * sizeof(*except));
	struct record_skb_graph graph = { .except = (uintptr_t)except };
	const struct function *function;
	size_t n;
	int ret;

	memcpy(except, taken->line, taken->n * sizeof(*except));
	graph.nr_except = taken->n;
	for (size_t i = 0; i < own->n; i++) {
		function = functions_find(functions, own->v[i], &n);
		if (function)
			except[graph.nr_except++] = function->line;
	}
	ret = session_set_graph(session, &graph);
	free(except);
	return ret;
}

/* Those that are chosen, but for what is taken and @own. */
static int relay_chosen(int session, const struct functions *functions, const struct taken *taken,
			const struct strings *chosen, const struct strings *own)
{
	unsigned long long *addresses = xrealloc(NULL, functions->n * sizeof(*addresses));
	struct record_skb_graph graph = { .functions = (uintptr_t)addresses };
	const struct function *function;
	size_t n;
	int ret;

	for (size_t i = 0; i < chosen->n; i++) {
		if (is_chosen(own, chosen->v[i]))
			continue;
		function = functions_find(functions, chosen->v[i], &n);
		for (; n && graph.nr_functions < functions->n; n--, function++)
			if (function->address && !is_taken(taken, function->line))
				addresses[graph.nr_functions++] = function->address;
	}
	ret = graph.nr_functions ? session_set_graph(session, &graph) : 0;
	free(addresses);
	return ret;
}

static int relay(int session, struct functions *functions, const struct taken *taken,
		 const struct strings *chosen, const struct strings *own, bool *relayed,
		 struct err *err)
{
	int ret = chosen ? relay_chosen(session, functions, taken, chosen, own) :
			   relay_all(session, functions, taken, own);

	if (ret && ret != -EOPNOTSUPP)
		return err_set(err, "cannot choose the functions of the graph: %s", strerror(-ret));
	*relayed = !ret;
	return 0;
}

int alone_take(int session, struct functions *functions, const struct strings *chosen,
	       const struct strings *own, bool *relayed, struct err *err)
{
	struct taken taken = {};

	*relayed = false;
	if (find_all(&taken, session, functions, chosen, err))
		return -1;
	if (!taken.n)
		return 0;
	for (size_t i = 0; i < taken.n; i++) {
		struct record_skb_function one = { .index = taken.index[i],
						   .flags = RECORD_SKB_FUNCTION_ALONE };

		session_function(session, &one);
	}
	return relay(session, functions, &taken, chosen, own, relayed, err);
}
