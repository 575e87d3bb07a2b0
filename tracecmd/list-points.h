/* SPDX-License-Identifier: GPL-2.0 */
/* Print probe points: the table's, those of -g, and those that a glob could be. */
#ifndef _RECORD_SKB_LIST_POINTS_H
#define _RECORD_SKB_LIST_POINTS_H

#include <stdio.h>

#include "err.h"
#include "extra-points.h"
#include "kernel.h"

/* The table, and which of it this kernel lacks; @functions are NULL where that cannot be known. */
void list_points_table(FILE *out, const struct functions *functions);

void list_points_extra(FILE *out, const struct extra_points *extra);

/* What "-g @pattern" could be. @kernel has its functions read. Returns 0, or -1 if none can. */
int list_points_glob(FILE *out, const struct kernel *kernel, const char *pattern, struct err *err);

#endif
