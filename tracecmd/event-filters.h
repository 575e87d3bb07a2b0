/* SPDX-License-Identifier: GPL-2.0 */
/* The filters that events have in tracefs. */
#ifndef _RECORD_SKB_EVENT_FILTERS_H
#define _RECORD_SKB_EVENT_FILTERS_H

#include "strlist.h"

/**
 * struct event_filters - the events that have a filter
 * @files: below tracefs, "events/sched/sched_switch/filter"
 * @texts: what they say, in the same order
 */
struct event_filters {
	struct strings files;
	struct strings texts;
};

/* Add all that are set. */
void event_filters_read(struct event_filters *filters);

/* Set what differs back to what it was. Returns 0 or the last negative errno, and the file in @failed. */
int event_filters_restore(const struct event_filters *was, const char **failed);
void event_filters_free(struct event_filters *filters);

#endif
