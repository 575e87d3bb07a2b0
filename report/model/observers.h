/* SPDX-License-Identifier: GPL-2.0 */
/* observers.h - the list of observers, and a macro that calls them */
#ifndef _RECORD_SKB_OBSERVERS_H
#define _RECORD_SKB_OBSERVERS_H

#include "input/reader.h"

/* The observers, in the order in which they are called. @v has @n observers. */
struct observers {
	struct {
		const struct observer *observer;
		void *data;
	} v[MAX_OBSERVERS];
	int n;
};

/*
 * Call the callback @what of all observers that have it. Example: notify_observers(observers, left, at,
 * function).
 */
#define notify_observers(observers, what, ...)                                             \
	do {                                                                               \
		for (int i_ = 0; i_ < (observers)->n; i_++) {                              \
			if ((observers)->v[i_].observer->what)                             \
				(observers)->v[i_].observer->what((observers)->v[i_].data, \
								  __VA_ARGS__);            \
		}                                                                          \
	} while (0)

#endif
