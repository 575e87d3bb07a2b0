/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_DIFF_H
#define _REPORT_SKB_DIFF_H

#include <stdbool.h>

#include "err.h"

/**
 * diff_print - how much time functions and gaps take of a packet in one recording and in another
 * @before: the one
 * @after: the other
 * @no_overhead: durations without what recording them cost
 * @err: why not
 *
 * Prints a line for each, those first whose time changed most. Returns 1 if all is said but entries
 * were lost in one of them, and -1 on error.
 */
int diff_print(const char *before, const char *after, bool no_overhead, struct err *err);

#endif
