// SPDX-License-Identifier: GPL-2.0
/* request_times.c - find the request for which a flow was in use at a given time */
#include <stdlib.h>

#include "model/request_times.h"

struct request_times {
	struct request_time *v;
	size_t n, max;
	bool sorted, failed;
};

struct request_times *request_times_new(void)
{
	return calloc(1, sizeof(struct request_times));
}

void request_times_free(struct request_times *times)
{
	if (times)
		free(times->v);
	free(times);
}

bool request_times_failed(const struct request_times *times)
{
	return times->failed;
}

void request_times_add(void *data, const struct request *request)
{
	struct request_times *times = data;
	const size_t max = times->max ? times->max * 2 : 64;
	struct request_time *v;

	if (times->n == times->max) {
		v = realloc(times->v, max * sizeof(*v));
		if (!v) {
			times->failed = true;
			return;
		}
		times->v = v;
		times->max = max;
	}
	times->v[times->n++] = (struct request_time){
		.flow = request->flow_number,
		.packet = request->packet,
		.begun = request->begun,
		.ended = request->ended,
		.rest = request->rest,
		.longest = request_longest_part(request),
	};
	times->sorted = false;
}

static int compare(const void *one, const void *two)
{
	const struct request_time *a = one, *b = two;

	if (a->flow != b->flow)
		return a->flow < b->flow ? -1 : 1;
	return a->begun < b->begun ? -1 : a->begun > b->begun;
}

const struct request_time *request_times_find(struct request_times *times, uint32_t flow,
					      uint64_t ts)
{
	size_t low = 0, high = times->n, middle;

	if (!times->sorted && times->n)
		qsort(times->v, times->n, sizeof(*times->v), compare);
	times->sorted = true;
	/* Find the last request of the flow that began at @ts or earlier. */
	while (low < high) {
		middle = (low + high) / 2;
		if (times->v[middle].flow < flow ||
		    (times->v[middle].flow == flow && times->v[middle].begun <= ts))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || times->v[low - 1].flow != flow ||
	    times->v[low - 1].ended + times->v[low - 1].rest < ts)
		return NULL;
	return &times->v[low - 1];
}
