// SPDX-License-Identifier: GPL-2.0
/* completeness.c - describe whether a recording is complete */
#include "output/completeness.h"

const char *words_completeness(const struct lost_events *losses, const struct ring_end *end,
			       bool has_beginning)
{
	bool overwritten = false;

	for (size_t i = 0; i < losses->n; i++) {
		/*
		 * A loss at the beginning of a ring only means that older rows were overwritten. Overwritten
		 * rows do not count as lost.
		 */
		if (!end->is || losses->v[i].from)
			return "no: entries were lost";
		overwritten = true;
	}
	if (losses->calls)
		return "no: function calls are missing, because function_graph's return stack was full";
	if (overwritten)
		return "a ring: its oldest entries were overwritten";
	return has_beginning ? "yes: no entries lost" : "no: its beginning is missing";
}
