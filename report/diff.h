/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_DIFF_H
#define _REPORT_SKB_DIFF_H

#include <stdbool.h>

#include "err.h"
#include "selection.h"

/**
 * struct diff_side - what is compared
 * @path: the recording
 * @chosen: which of its packets
 */
struct diff_side {
	const char *path;
	const struct chosen *chosen;
};

/**
 * diff_print - how much time functions and gaps take of one recording's packets and of another's
 * @before: the one
 * @after: the other, or other packets of the same
 * @no_overhead: durations without what recording them cost
 * @err: why not
 *
 * Prints a line for each, those first whose time changed most. Returns 1 if all is said but entries
 * were lost in one of them, and -1 on error.
 */
int diff_print(const struct diff_side *before, const struct diff_side *after, bool no_overhead,
	       struct err *err);

#endif
