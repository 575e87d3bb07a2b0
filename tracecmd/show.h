/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_SHOW_H
#define _RECORD_SKB_SHOW_H

#include <stdio.h>

#include "chosen.h"
#include "filter.h"
#include "options.h"

/* Print the table of probe points, and which of them this kernel has if that can be known. */
void show_points(FILE *out);

/**
 * show_plan - print what a recording would be made of
 * @out: where to
 * @options: the user's
 * @expression: in tcpdump's language; NULL for none
 * @filter: what it compiles to
 * @chosen: functions that were looked up; none if the user may not
 */
void show_plan(FILE *out, const struct options *options, const char *expression,
	       const struct filter *filter, const struct chosen *chosen);

#endif
