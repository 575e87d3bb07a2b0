// SPDX-License-Identifier: GPL-2.0
/* The functions that the module has for itself: function_graph does without them. */
#include <errno.h>
#include <stdbool.h>
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

/* NULL if there are several that could be it. */
static const struct function *find(const struct functions *functions, const char *name,
				   const char *module)
{
	const struct function *first, *found = NULL;
	size_t n;

	first = functions_find(functions, name, &n);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(first[i].module, module))
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
	function = is_chosen(chosen, name) ? find(functions, name, module) : NULL;
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

	for (; taken->n < MAX_FUNCTIONS && !session_function(session, &one); one.index++) {
		if (functions_read(functions, err))
			return -1;
		line = line_of(session, one.address, functions, chosen);
		if (!line)
			continue;
		taken->index[taken->n] = one.index;
		taken->line[taken->n++] = line;
	}
	return 0;
}

int alone_take(int session, struct functions *functions, const struct strings *chosen,
	       struct err *err)
{
	struct taken taken = {};

	if (find_all(&taken, session, functions, chosen, err))
		return -1;
	if (!taken.n)
		return 0;
	if (functions_trace_without(taken.line, taken.n, err))
		return -1;
	for (size_t i = 0; i < taken.n; i++) {
		struct record_skb_function one = { .index = taken.index[i],
						   .flags = RECORD_SKB_FUNCTION_ALONE };

		session_function(session, &one);
	}
	return 0;
}
