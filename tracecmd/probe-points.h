/* SPDX-License-Identifier: GPL-2.0 */
/* Ask the module for probe points. */
#ifndef _RECORD_SKB_PROBE_POINTS_H
#define _RECORD_SKB_PROBE_POINTS_H

#include <stdbool.h>

#include "err.h"
#include "extra-points.h"
#include "kernel.h"
#include "strlist.h"

/**
 * probe_points_add_table - all places of the table
 * @session: from session_open()
 * @follow: tasks are followed: those places as well that are of use then
 * @kernel: what it makes impossible is left out
 * @names: the functions that became probe points are added
 * @lacks_points: set to whether one is left out by which a packet's end would tell what became of it
 * @say: is told what is left out, for what is missing in a trace has to be known
 * @err: why none of it can be
 *
 * Returns 0 or -1.
 */
int probe_points_add_table(int session, bool follow, const struct kernel *kernel,
			   struct strings *names, bool *lacks_points, void (*say)(const char *text),
			   struct err *err);

/* The same for those of -g, each of which has to be one. Returns 0 or -1. */
int probe_points_add_extra(int session, const struct extra_points *extra, struct strings *names,
			   struct err *err);

#endif
