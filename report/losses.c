// SPDX-License-Identifier: GPL-2.0
/* losses.c - where rows are missing in a recording */
#include <stdlib.h>
#include <string.h>

#include "losses.h"

int losses_add(struct losses *losses, const struct loss *loss)
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

void losses_free(struct losses *losses)
{
	free(losses->v);
}

/* The first that ends at a time or later. */
static size_t first_from(const struct losses *losses, uint64_t ts)
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

void losses_forget(struct losses *losses, uint64_t before)
{
	const size_t n = first_from(losses, before);

	/* Now and then will do. */
	if (n < 1024)
		return;
	losses->n -= n;
	memmove(losses->v, losses->v + n, losses->n * sizeof(*losses->v));
}

int losses_touch(const struct losses *losses, uint64_t from, uint64_t to)
{
	for (size_t i = first_from(losses, from); i < losses->n; i++) {
		const struct loss *loss = &losses->v[i];

		if (loss->from <= to)
			return 1;
		/* None from here on is long enough to reach back to it. */
		if (loss->to - to > losses->longest)
			break;
	}
	return 0;
}
