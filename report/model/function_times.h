/* SPDX-License-Identifier: GPL-2.0 */
/* function_times.h - track the functions of the call graph and compute the duration of each function */
#ifndef _RECORD_SKB_FUNCTION_TIMES_H
#define _RECORD_SKB_FUNCTION_TIMES_H

#include "rows.h"
#include "model/observers.h"
#include "hash_table.h"

/**
 * struct function_times - the functions that are currently open
 * @stacks: one stack of open functions for each task
 * @observers: receive the callbacks entered, left, abandoned and missing
 */
struct function_times {
	struct table stacks;
	const struct observers *observers;
};

void function_times_init(struct function_times *times, const struct observers *observers);
void function_times_free(struct function_times *times);

/*
 * Process @row, which is an entry of the function @name. @name is NULL if the function is not known. @label
 * gives the packet that the function processes.
 */
void function_times_enter(struct function_times *times, const struct moment *at,
			  const struct row *row, const struct name *name,
			  const struct graph_label *label);

/* Process @row, which is an exit of the function @name. @fields are the fields of the event in @record. */
void function_times_leave(struct function_times *times, const struct moment *at,
			  const struct row *row, const struct name *name,
			  const struct event_fields *fields, const struct tep_record *record);

/* Report the calls that are missing before @row. @row is the exit of a function. */
void function_times_missing(struct function_times *times, const struct moment *at,
			    const struct row *row, const struct graph_missing *missing);

/*
 * Abandon the open functions of all tasks, because lost rows may belong to any task. An idle task runs on one
 * CPU only, so abandon only the idle task of the CPU where rows were lost.
 */
void function_times_lost(struct function_times *times, const struct moment *at);

/* Abandon all open functions after the last row. */
void function_times_end(struct function_times *times, const struct moment *at);

#endif
