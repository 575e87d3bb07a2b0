/* SPDX-License-Identifier: GPL-2.0 */
/* function-times.h - the graph's functions as they are entered and left, and how long each took */
#ifndef _REPORT_SKB_FUNCTION_TIMES_H
#define _REPORT_SKB_FUNCTION_TIMES_H

#include "rows.h"
#include "sinks.h"
#include "table.h"

/**
 * struct function_times - the functions that are open now
 * @stacks: of each task
 * @cost: what is taken off for recording them
 * @sinks: who is told of each: entered, left, abandoned
 */
struct function_times {
	struct table stacks;
	struct graph_cost cost;
	const struct sinks *sinks;
};

void function_times_init(struct function_times *times, const struct sinks *sinks);
void function_times_free(struct function_times *times);

/* @row is an entry to @name, NULL if the trace does not say to what; @label: whose it is. */
void function_times_enter(struct function_times *times, const struct moment *at,
			  const struct row *row, const struct name *name,
			  const struct graph_label *label);

/* @row is an exit from @name, read from @record, the event of which has @fields. */
void function_times_leave(struct function_times *times, const struct moment *at,
			  const struct row *row, const struct name *name,
			  const struct event_fields *fields, const struct tep_record *record);

/* Rows of a CPU are lost: abandon what is open there, and in each task that may have been there. */
void function_times_lost(struct function_times *times, const struct moment *at);

/* There are no more rows: abandon what is open. */
void function_times_end(struct function_times *times, const struct moment *at);

#endif
