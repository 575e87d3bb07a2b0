/* SPDX-License-Identifier: GPL-2.0 */
/* An instance of tracing that looks like all of tracing. */
#ifndef _RECORD_SKB_VIEW_H
#define _RECORD_SKB_VIEW_H

#include "err.h"

/**
 * view_show - from now on this process, and what it starts, sees an instance where tracefs is
 * @instance: its name
 * @err: why not
 *
 * In a mount namespace of its own. What an instance has not (available_filter_functions, kprobe_events, ...)
 * is still the top's, but set_graph_function and set_graph_notrace, which are one for the whole kernel: there
 * trace-cmd would take away what others have put. And there are no other instances. Returns 0 or -1.
 */
int view_show(const char *instance, struct err *err);

#endif
