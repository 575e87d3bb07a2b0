/* SPDX-License-Identifier: GPL-2.0 */
/* sinks.h - those who want to know what happens, and how they are told */
#ifndef _REPORT_SKB_SINKS_H
#define _REPORT_SKB_SINKS_H

#include "reader.h"

/* The first @n of @v, in this order. */
struct sinks {
	struct {
		const struct sink *sink;
		void *data;
	} v[MAX_SINKS];
	int n;
};

/* tell(sinks, left, at, function): each that has a function for it */
#define tell(sinks, what, ...)                                                               \
	do {                                                                                 \
		for (int i_ = 0; i_ < (sinks)->n; i_++) {                                    \
			if ((sinks)->v[i_].sink->what)                                       \
				(sinks)->v[i_].sink->what((sinks)->v[i_].data, __VA_ARGS__); \
		}                                                                            \
	} while (0)

#endif
