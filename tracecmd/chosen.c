// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "chosen.h"

int chosen_make(struct chosen *chosen, const struct options *o, const char *tracefs,
		void (*say)(const char *text), struct err *err)
{
	memset(chosen, 0, sizeof(*chosen));
	kernel_open(&chosen->kernel, tracefs);
	for (size_t i = 0; i < o->functions.n; i++)
		if (wanted_add(&chosen->wanted, &chosen->kernel, o->functions.v[i], say, err))
			return -1;
	return 0;
}

void chosen_free(struct chosen *chosen)
{
	wanted_free(&chosen->wanted);
	kernel_close(&chosen->kernel);
}
