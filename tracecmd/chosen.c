// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "chosen.h"
#include "graph-options.h"
#include "selection.h"

int chosen_make(struct chosen *chosen, const struct options *o, const char *tracefs,
		void (*say)(const char *text), struct err *err)
{
	memset(chosen, 0, sizeof(*chosen));
	if (graph_options_check(o, tracefs, err))
		return -1;
	kernel_open(&chosen->kernel, tracefs);
	for (size_t i = 0; i < o->functions.n; i++)
		if (wanted_add(&chosen->wanted, &chosen->kernel, o->functions.v[i], say, err))
			return -1;
	return selection_add(o, &chosen->kernel, &chosen->functions, err);
}

void chosen_free(struct chosen *chosen)
{
	wanted_free(&chosen->wanted);
	strings_free(&chosen->functions);
	kernel_close(&chosen->kernel);
}
