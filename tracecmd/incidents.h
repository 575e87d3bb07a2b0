/* SPDX-License-Identifier: GPL-2.0 */
/* --keep: the last few rings that a packet has ended, each a file of its own. */
#ifndef _RECORD_SKB_INCIDENTS_H
#define _RECORD_SKB_INCIDENTS_H

#include "err.h"
#include "strlist.h"

/**
 * incidents_check - see that no file of anybody's is in the way
 * @file: where each is written before it has its name
 * @err: it is there
 *
 * Returns 0 or -1.
 */
int incidents_check(const char *file, struct err *err);

/**
 * incidents_add - give what was written a name with the time of day
 * @files: those of this recording, oldest first; gets one more
 * @file: what was written: trace.dat becomes trace-20261122-101502.345.dat
 * @keep: so many of @files stay; the oldest is removed
 * @err: why not; then @file is still there
 *
 * Returns its name, owned by @files, or NULL.
 */
const char *incidents_add(struct strings *files, const char *file, unsigned long keep,
			  struct err *err);

#endif
