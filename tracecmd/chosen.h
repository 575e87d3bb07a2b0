/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_CHOSEN_H
#define _RECORD_SKB_CHOSEN_H

#include "err.h"
#include "kernel.h"
#include "options.h"
#include "strlist.h"
#include "wanted.h"

/**
 * struct chosen - the functions of this kernel that the options come to
 * @kernel: what it has
 * @wanted: probe points beside the table's
 * @functions: to record beside the gate and all probe points; none if all are recorded
 */
struct chosen {
	struct kernel kernel;
	struct wanted wanted;
	struct strings functions;
};

/**
 * chosen_make - look all functions up that the user names
 * @chosen: filled in; chosen_free() it whatever this returns
 * @options: the user's
 * @tracefs: its directory
 * @say: is told what is left out of a glob
 * @err: what cannot be had, and why
 *
 * Returns 0 or -1.
 */
int chosen_make(struct chosen *chosen, const struct options *options, const char *tracefs,
		void (*say)(const char *text), struct err *err);
void chosen_free(struct chosen *chosen);

#endif
