// SPDX-License-Identifier: GPL-2.0
/* completeness.c - describe whether a recording is complete */
#include <stdio.h>

#include "output/completeness.h"

const char *words_module_losses(char *buf, const struct module_losses *losses)
{
	const struct {
		uint64_t n;
		const char *one, *many;
	} kinds[] = {
		{ losses->probes, "probe call not examined", "probe calls not examined" },
		{ losses->tasks, "child of the command not followed",
		  "children of the command not followed" },
		{ losses->flows, "flow forgotten", "flows forgotten" },
		{ losses->packets, "packet forgotten before its end",
		  "packets forgotten before their end" },
		{ losses->frames, "match without a graph", "matches without a graph" },
		{ losses->graphs, "graph may lack functions", "graphs may lack functions" },
		{ losses->others, "unknown loss", "unknown losses" },
	};
	int len = 0;

	*buf = '\0';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].n)
			len += snprintf(buf + len, MODULE_LOSSES_LEN - len, "%s%llu %s",
					len ? ", " : "", (unsigned long long)kinds[i].n,
					kinds[i].n == 1 ? kinds[i].one : kinds[i].many);
	}
	return buf;
}

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
	if (module_losses_any(&losses->module))
		return "no: the module did not record everything";
	if (losses->calls)
		return "no: function calls are missing, because function_graph's return stack was full";
	if (overwritten)
		return "a ring: its oldest entries were overwritten";
	return has_beginning ? "yes: no entries lost" : "no: its beginning is missing";
}
