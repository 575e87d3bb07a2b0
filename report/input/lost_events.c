// SPDX-License-Identifier: GPL-2.0
/* lost_events.c - remember the periods of a recording with lost rows or missing calls */
#include <stdlib.h>
#include <string.h>

#include "input/lost_events.h"

int lost_events_add(struct lost_events *losses, const struct loss *loss)
{
	struct loss *v;

	if (losses->n % 64 == 0) {
		v = realloc(losses->v, (losses->n + 64) * sizeof(*v));
		if (!v)
			return -1;
		losses->v = v;
	}
	losses->v[losses->n++] = *loss;
	losses->total += loss->count;
	losses->uncounted += !loss->count;
	if (loss->to - loss->from > losses->longest)
		losses->longest = loss->to - loss->from;
	return 0;
}

int lost_events_add_missing(struct lost_events *losses, const struct missing *missing)
{
	struct missing *v;

	if (losses->nr_missing % 64 == 0) {
		v = realloc(losses->missing, (losses->nr_missing + 64) * sizeof(*v));
		if (!v)
			return -1;
		losses->missing = v;
	}
	losses->missing[losses->nr_missing++] = *missing;
	if (missing->to - missing->from > losses->longest_missing)
		losses->longest_missing = missing->to - missing->from;
	losses->calls += missing->calls;
	return 0;
}

/*
 * The binary search needs entries that are sorted by @to. They are sorted, because an entry is added when the
 * first row after its missing calls is read.
 */
bool lost_events_lack_calls(const struct lost_events *losses, uint64_t from, uint64_t to)
{
	size_t low = 0, high = losses->nr_missing, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (losses->missing[middle].to < from)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < losses->nr_missing; low++) {
		if (losses->missing[low].from <= to)
			return true;
		if (losses->missing[low].to - to > losses->longest_missing)
			break;
	}
	return false;
}

void lost_events_free(struct lost_events *losses)
{
	free(losses->v);
	free(losses->missing);
}

/* Return: index of the first loss that ends at this time or later. */
static size_t first_from(const struct lost_events *losses, uint64_t ts)
{
	size_t low = 0, high = losses->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (losses->v[middle].to < ts)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Remove the entries for missing calls that ended before this time. If calls are missing again and again,
 * these entries would fill the memory during a running recording.
 */
static void forget_missing(struct lost_events *losses, uint64_t before)
{
	size_t n = 0;

	while (n < losses->nr_missing && losses->missing[n].to < before)
		n++;
	/* Remove a multiple of 64, because lost_events_add_missing() grows the array at multiples of 64. */
	n -= n % 64;
	if (n < 1024)
		return;
	losses->nr_missing -= n;
	memmove(losses->missing, losses->missing + n,
		losses->nr_missing * sizeof(*losses->missing));
}

void lost_events_forget(struct lost_events *losses, uint64_t before)
{
	const size_t n = first_from(losses, before);

	forget_missing(losses, before);
	/* Moving the array is expensive, so wait until many losses can be removed at once. */
	if (n < 1024)
		return;
	losses->n -= n;
	memmove(losses->v, losses->v + n, losses->n * sizeof(*losses->v));
}

int lost_events_touch(const struct lost_events *losses, uint64_t from, uint64_t to)
{
	for (size_t i = first_from(losses, from); i < losses->n; i++) {
		const struct loss *loss = &losses->v[i];

		if (loss->from <= to)
			return 1;
		/*
		 * Stop at a loss that ends much later than @to: even the longest loss with this end would
		 * begin after @to. The array is sorted by the end of the losses, so all later losses also
		 * begin after @to.
		 */
		if (loss->to - to > losses->longest)
			break;
	}
	return 0;
}
