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

/*
 * A mark for each of struct functions, in its order: function_graph is not to have its calls of us, or it is,
 * or that was said already. Comparing each of 50,000 functions with a hundred gates and points would be dear.
 */
enum { NOT_GIVEN, TO_GIVE, GIVEN };

static void mark_names(unsigned char *marks, const struct functions *functions,
		       const struct strings *names, unsigned char mark)
{
	const struct function *function;
	size_t n;

	for (size_t i = 0; i < names->n; i++) {
		function = functions_find(functions, names->v[i], &n);
		if (n)
			memset(&marks[function - functions->v], mark, n * sizeof(*marks));
	}
}

/* Those @chosen, NULL for all, but for its @own. To be freed. */
static unsigned char *mark_chosen(const struct functions *functions, const struct strings *chosen,
				  const struct strings *own)
{
	unsigned char *const marks = xrealloc(NULL, functions->n * sizeof(*marks));

	memset(marks, chosen ? NOT_GIVEN : TO_GIVE, functions->n * sizeof(*marks));
	if (chosen)
		mark_names(marks, functions, chosen, TO_GIVE);
	mark_names(marks, functions, own, NOT_GIVEN);
	return marks;
}

/* The mark of what is there, if function_graph can trace it; or NULL. */
static unsigned char *mark_at(unsigned char *marks, int session, const struct functions *functions,
			      unsigned long long address)
{
	char symbol[RECORD_SKB_SYMBOL_LEN];
	const struct function *function;
	const char *name, *module;
	size_t n;

	if (session_symbol(session, address, symbol))
		return NULL;
	split(symbol, &name, &module);
	function = functions_find(functions, name, &n);
	for (; n; n--, function++)
		if (function->address == address && !strcmp(function->module, module))
			return &marks[function - functions->v];
	return NULL;
}

/* What the module stands at anyway. Returns 0 or a negative errno. */
static int take_own(unsigned char *marks, int session, const struct functions *functions)
{
	struct record_skb_function one = {};
	unsigned char *mark;
	int ret;

	for (; !session_function(session, &one); one.index++) {
		mark = mark_at(marks, session, functions, one.address);
		if (!mark || *mark == NOT_GIVEN)
			continue;
		one.flags = RECORD_SKB_FUNCTION_ALONE;
		ret = session_function(session, &one);
		if (ret)
			return ret;
		one.flags = 0;
		*mark = GIVEN;
	}
	return 0;
}

/* And at all others for function_graph. Returns 0 or a negative errno. */
static int relay(const unsigned char *marks, int session, const struct functions *functions,
		 bool all)
{
	unsigned long long *addresses = xrealloc(NULL, functions->n * sizeof(*addresses));
	struct record_skb_graph graph = {
		.functions = (uintptr_t)addresses,
		.flags = all ? RECORD_SKB_GRAPH_LATER : 0,
	};
	int ret;

	for (size_t i = 0; i < functions->n; i++)
		if (marks[i] == TO_GIVE && functions->v[i].address)
			addresses[graph.nr_functions++] = functions->v[i].address;
	ret = graph.nr_functions ? session_set_graph(session, &graph) : 0;
	free(addresses);
	return ret;
}

/*
 * Where modules come and go, what was read may not be so any more: of a module that is gone the kernel takes
 * no address, and of one that came meanwhile we know none. Returns 0 or a negative errno, -EAGAIN if so.
 */
static int take(int session, const struct functions *functions, const struct strings *chosen,
		const struct strings *own)
{
	unsigned char *const marks = mark_chosen(functions, chosen, own);
	int ret = take_own(marks, session, functions);

	if (!ret)
		ret = relay(marks, session, functions, !chosen);
	free(marks);
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
		ret = take(session, functions, chosen, own);
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
