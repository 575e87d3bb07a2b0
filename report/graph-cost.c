// SPDX-License-Identifier: GPL-2.0
/*
 * graph-cost.c - what recording a call cost on the machine that was recorded
 *
 * The recording begins with calls of a function that does nothing. What they took is what function_graph
 * took: partly in the function's own duration, and partly around it, in its caller's. What the caller took
 * for itself stands in it with one call as with many.
 */
#include <string.h>

#include "graph-cost.h"
#include "input.h"
#include "record_skb.h"
#include "rows.h"

/* The least so far: of a call, of its caller with one of them, and with @many. */
struct learning {
	struct rows rows;
	uint64_t inside, with_one, with_many;
	unsigned int many;
	unsigned int calls; /* since the last caller */
};

static void keep_least(uint64_t *least, uint64_t took)
{
	if (!*least || took < *least)
		*least = took;
}

static void function_left(struct learning *learning, const char *name, uint64_t took)
{
	if (!strcmp(name, RECORD_SKB_NOTHING)) {
		learning->calls++;
		keep_least(&learning->inside, took);
	} else if (!strcmp(name, RECORD_SKB_CALIBRATION)) {
		keep_least(learning->calls > 1 ? &learning->with_many : &learning->with_one, took);
		if (learning->calls > 1)
			learning->many = learning->calls;
		learning->calls = 0;
	}
}

static void read_exit(struct learning *learning, const struct row *row,
		      const struct tep_record *record)
{
	const struct event_fields *fields = &learning->rows.fields[EVENT_EXIT];
	const char *name = row->readable ? tep_find_function(learning->rows.tep, row->func) : NULL;
	uint64_t from, to;

	if (name && !event_field_read(fields, FIELD_CALLTIME, record, &from) &&
	    !event_field_read(fields, FIELD_RETTIME, record, &to) && to > from)
		function_left(learning, name, to - from);
}

static void learn(struct learning *learning, struct input *input)
{
	const struct tep_record *record;
	struct row row;
	bool renewed;

	rows_find(&learning->rows, input_tep(input));
	while ((record = input_next(input, &renewed))) {
		if (renewed)
			rows_find(&learning->rows, input_tep(input));
		if (rows_read(&learning->rows, record, &row) != ROW_READ)
			continue;
		/* From here on the machine works for packets. */
		if (row.kind == EVENT_PACKET || row.kind == EVENT_CALL || record->missed_events)
			return;
		if (row.kind == EVENT_EXIT)
			read_exit(learning, &row, record);
	}
}

int graph_cost_learn(struct graph_cost *cost, const char *path, struct err *err)
{
	struct learning learning = { .calls = 0 };
	struct input *input = input_open(path, err);
	uint64_t call;

	if (!input)
		return -1;
	learn(&learning, input);
	input_close(input);
	if (learning.with_many <= learning.with_one || !learning.with_one)
		return err_set(
			err,
			"'%s' does not say what recording a call cost: it was recorded without "
			"--calibrate, lacks its beginning, or has one level of calls or other CPUs only",
			path);
	call = (learning.with_many - learning.with_one) / (learning.many - 1);
	cost->inside = learning.inside;
	cost->outside = call > learning.inside ? call - learning.inside : 0;
	return 0;
}
