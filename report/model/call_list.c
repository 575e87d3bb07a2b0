// SPDX-License-Identifier: GPL-2.0
/* call_list.c - the calls that wrote or read bytes of a stream, sorted by position */
#include <stdlib.h>
#include <string.h>

#include "model/call_list.h"

bool call_list_insert(struct call_list *list, const struct byte_call *call)
{
	const size_t max = list->max ? list->max * 2 : 4;
	size_t at = list->n;
	struct byte_call *v;

	if (list->n == list->max) {
		v = realloc(list->v, max * sizeof(*v));
		if (!v)
			return false;
		list->v = v;
		list->max = max;
	}
	while (at && list->v[at - 1].from > call->from)
		at--;
	memmove(&list->v[at + 1], &list->v[at], (list->n - at) * sizeof(*list->v));
	list->v[at] = *call;
	list->n++;
	return true;
}

void call_list_forget(struct call_list *list, uint64_t position)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].to > position)
			list->v[kept++] = list->v[i];
	}
	list->n = kept;
}

const struct byte_call *call_list_find(const struct call_list *list, uint64_t position,
				       uint64_t *end)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct byte_call *call = &list->v[i];

		if (call->to <= position)
			continue;
		if (call->from > position) {
			if (call->from < *end)
				*end = call->from;
			return NULL;
		}
		if (call->to < *end)
			*end = call->to;
		return call;
	}
	return NULL;
}

unsigned int call_list_count(const struct call_list *list, uint64_t position)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < list->n; i++)
		nr += list->v[i].from <= position && position < list->v[i].to;
	return nr;
}

uint64_t call_list_end(const struct call_list *list)
{
	uint64_t end = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].to > end)
			end = list->v[i].to;
	}
	return end;
}

void call_list_free(struct call_list *list)
{
	free(list->v);
	*list = (struct call_list){ 0 };
}
