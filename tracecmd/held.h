/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_HELD_H
#define _RECORD_SKB_HELD_H

#include "strlist.h"

/**
 * held_read - which functions somebody has redirected: ftrace lets only one at a time do that
 * @tracefs: its directory
 * @held: their names are added to it
 */
void held_read(const char *tracefs, struct strings *held);

/**
 * held_by - if a function is redirected, say by whom
 * @held: from held_read()
 * @function: its name
 *
 * Returns words for the user, to be freed; NULL if it is free.
 */
char *held_by(const struct strings *held, const char *function);

#endif
