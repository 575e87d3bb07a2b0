// SPDX-License-Identifier: LGPL-2.1
/*
 * calls.c - the functions that are open in a task, so that an exit has what its entry has
 */
#include "calls.h"
#include "room.h"

void calls_enter(struct calls *calls, const struct call *call)
{
	if (make_room(&calls->v, calls->n, &calls->room, sizeof(*calls->v)))
		calls->v[calls->n++] = *call;
	else
		calls->n = 0;
}

const struct call *calls_leave(struct calls *calls, uint64_t func, uint32_t depth)
{
	const struct call *call;

	if (!calls->n)
		return NULL;
	call = &calls->v[--calls->n];
	if (call->func == func && call->depth == depth)
		return call;
	calls->n = 0;
	return NULL;
}

void calls_forget(struct calls *calls)
{
	calls->n = 0;
}

void calls_free(struct calls *calls)
{
	free(calls->v);
	*calls = (struct calls){ NULL };
}
