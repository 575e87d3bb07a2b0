/* SPDX-License-Identifier: GPL-2.0 */
/* Of the kernel's events trace-cmd is shown those of a recording only. */
#ifndef _RECORD_SKB_OWN_EVENTS_H
#define _RECORD_SKB_OWN_EVENTS_H

#include <stdbool.h>

#include "options.h"

/*
 * Before and after a recording trace-cmd takes away the filters of all systems of events, one by one,
 * and each time the kernel waits until nobody uses the filter: seconds, for about a hundred systems. It
 * has no option against that. So in its mount namespace there are no more of them than it needs.
 */

/* Whether that can be done: the user asks for no other events, and it works on this machine. */
bool own_events_will_do(const struct options *o);

/* In the process that is going to be trace-cmd, in a mount namespace of its own. Returns 0 or -1. */
int own_events_show(void);

#endif
