// SPDX-License-Identifier: GPL-2.0
/*
 * call_chain.c - find which bytes each call moved, if the positions are known only before and after several
 * calls
 */
#include <stdlib.h>

#include "model/call_chain.h"

void call_chain_begin(struct call_chain *chain)
{
	chain->calls++;
	if (chain->open++)
		call_chain_break(chain);
}

void call_chain_end(struct call_chain *chain)
{
	if (chain->open)
		chain->open--;
}

bool call_chain_add(struct call_chain *chain, const struct chained_call *call)
{
	const size_t max = chain->max ? chain->max * 2 : 8;
	struct chained_call *v;

	if (!chain->is_known)
		return true;
	if (chain->n == chain->max) {
		v = realloc(chain->v, max * sizeof(*v));
		if (!v)
			return false;
		chain->v = v;
		chain->max = max;
	}
	chain->v[chain->n++] = *call;
	return true;
}

bool call_chain_reach(struct call_chain *chain, uint64_t position)
{
	uint64_t at = chain->position;

	if (!chain->is_known || chain->open > 1)
		return false;
	for (size_t i = 0; i < chain->n; i++) {
		struct chained_call *call = &chain->v[i];

		call->call.from = at;
		call->call.to = at + call->len;
		if (call->moves)
			at += call->len;
	}
	return at == position;
}

void call_chain_set(struct call_chain *chain, uint64_t position)
{
	chain->n = 0;
	chain->is_known = chain->open <= 1;
	chain->position = position;
}

void call_chain_break(struct call_chain *chain)
{
	chain->n = 0;
	chain->is_known = false;
}

void call_chain_lose(struct call_chain *chain)
{
	call_chain_break(chain);
	chain->open = 0;
}

void call_chain_free(struct call_chain *chain)
{
	free(chain->v);
	*chain = (struct call_chain){ 0 };
}
