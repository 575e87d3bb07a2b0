/* SPDX-License-Identifier: GPL-2.0 */
/* -g FUNC: probe points beside the table's. */
#ifndef _RECORD_SKB_EXTRA_POINTS_H
#define _RECORD_SKB_EXTRA_POINTS_H

#include <stdbool.h>

#include "err.h"
#include "kernel.h"
#include "record_skb.h"

/**
 * struct extra_points - functions that are to be probe points, beside the table's
 * @v: what the module is told of them; owned
 * @n: how many
 */
struct extra_points {
	struct record_skb_point *v;
	size_t n;
};

/**
 * extra_points_add - the functions that "-g PATTERN" means
 * @extra: those that it does not have yet are added
 * @kernel: its functions are read
 * @pattern: a name, or a glob of names
 * @say: is told which functions of a glob are left out because somebody else redirects them
 * @err: why a name cannot be a probe point, or none of the glob's can
 *
 * Returns 0 or -1.
 */
int extra_points_add(struct extra_points *extra, struct kernel *kernel, const char *pattern,
		     void (*say)(const char *text), struct err *err);
void extra_points_free(struct extra_points *extra);

bool extra_points_is_glob(const char *pattern);

/* Say that none of the @matches functions that @pattern matches can be one; why not the @last. Returns -1. */
int extra_points_none(const char *pattern, size_t matches, const struct err *last, struct err *err);

#endif
