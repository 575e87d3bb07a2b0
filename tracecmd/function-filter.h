/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_FUNCTION_FILTER_H
#define _RECORD_SKB_FUNCTION_FILTER_H

#include "err.h"
#include "strlist.h"

/**
 * function_filter_add - let the function tracers see these functions too
 * @dir: from tracefs_find()
 * @names: the functions
 * @err: why not
 *
 * Does nothing while the filter lets all functions through. Returns 0 or -1.
 */
int function_filter_add(const char *dir, const struct strings *names, struct err *err);

#endif
