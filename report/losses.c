// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

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
	return 0;
}

void losses_free(struct losses *losses)
{
	free(losses->v);
}

int losses_touch(const struct losses *losses, uint64_t from, uint64_t to)
{
	/* Packets are asked about soon after they were there: look from the end. */
	for (size_t i = losses->n; i > 0; i--) {
		const struct loss *loss = &losses->v[i - 1];

		if (loss->to < from)
			break;
		if (loss->from <= to)
			return 1;
	}
	return 0;
}
