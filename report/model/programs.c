// SPDX-License-Identifier: GPL-2.0
/* programs.c - the BPF programs that have run on a packet, and their results as text */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/programs.h"

/* Results of XDP and tc programs that drop the packet. */
enum { XDP_ABORTED_RESULT = 0, XDP_DROP_RESULT = 1, TC_SHOT_RESULT = 2 };

static const char *const xdp_results[] = {
	"XDP_ABORTED", "XDP_DROP", "XDP_PASS", "XDP_TX", "XDP_REDIRECT",
};

/*
 * Names of the results of tc programs, beginning with the result -1. Programs in a tcx chain use the same
 * numbers.
 */
static const char *const tc_results[] = {
	"TC_ACT_UNSPEC", "TC_ACT_OK",	  "TC_ACT_RECLASSIFY", "TC_ACT_SHOT",	  "TC_ACT_PIPE",
	"TC_ACT_STOLEN", "TC_ACT_QUEUED", "TC_ACT_REPEAT",     "TC_ACT_REDIRECT", "TC_ACT_TRAP",
};

static bool is_tc(const struct program_facts *facts)
{
	return facts->type == PROGRAM_TC_CLASSIFIER || facts->type == PROGRAM_TC_ACTION;
}

void programs_add(struct programs *programs, const struct program_facts *facts)
{
	struct program_facts *v;

	programs->is_last = false;
	if (programs->n == MAX_PROGRAMS)
		return;
	v = realloc(programs->v, (programs->n + 1) * sizeof(*v));
	if (!v)
		return;
	v[programs->n++] = *facts;
	programs->v = v;
	programs->is_last = true;
}

void programs_free(struct programs *programs)
{
	free(programs->v);
	*programs = (struct programs){ NULL };
}

/*
 * A classifier without "direct-action" returns a class, which may have the number of TC_ACT_SHOT. So a tc
 * program has only dropped the copy if the kernel gives a reason of its tc hooks.
 */
const struct program_facts *programs_dropping(const struct programs *programs, const char *reason)
{
	const struct program_facts *last;

	if (!programs->is_last)
		return NULL;
	last = &programs->v[programs->n - 1];
	if (last->type == PROGRAM_XDP)
		return last->result == XDP_ABORTED_RESULT || last->result == XDP_DROP_RESULT ?
			       last :
			       NULL;
	return is_tc(last) && last->result == TC_SHOT_RESULT && !strncmp(reason, "TC_", 3) ? last :
											     NULL;
}

const char *program_result(const struct program_facts *facts)
{
	const unsigned int place = facts->result + (is_tc(facts) ? 1u : 0u);

	if (facts->type == PROGRAM_XDP)
		return place < sizeof(xdp_results) / sizeof(*xdp_results) ? xdp_results[place] :
									    NULL;
	if (is_tc(facts))
		return place < sizeof(tc_results) / sizeof(*tc_results) ? tc_results[place] : NULL;
	return NULL;
}

const char *program_kind(const struct program_facts *facts)
{
	if (facts->type == PROGRAM_XDP)
		return "xdp";
	return is_tc(facts) ? "tc" : "other";
}

const char *words_program(char *buf, const struct program_facts *facts)
{
	static const char *const sides[] = { "", " (ingress)", " (egress)" };
	char name[ESCAPED_LEN(RECORD_SKB_PROGRAM_NAME_LEN)], dev[ESCAPED_LEN(DEVICE_NAME_LEN)];

	snprintf(buf, PROGRAM_TEXT_LEN, "%s program%s%s (id %u)%s%s%s",
		 facts->type == PROGRAM_XDP ? "XDP" :
		 is_tc(facts)		    ? "tc" :
					      "BPF",
		 facts->name[0] ? " " : "", escape_text(name, sizeof(name), facts->name), facts->id,
		 facts->dev[0] ? " on " : "", escape_text(dev, sizeof(dev), facts->dev),
		 is_tc(facts) && facts->dir < 3 ? sides[facts->dir] : "");
	return buf;
}
