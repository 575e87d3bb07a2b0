/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * stream_standin.h - a canned trace in the form of an open KernelShark stream, to test kshark/index.c alone
 */
#ifndef _TEST_PLUGIN_STREAM_STANDIN_H
#define _TEST_PLUGIN_STREAM_STANDIN_H

#include <libkshark.h>

#include "canned.h"
#include "kshark/index.h"

/**
 * struct stream_standin - an open stream
 * @stream: KernelShark's stream, with the members that an index uses
 * @tep: event formats of the trace
 * @trace: the canned rows
 * @rows: KernelShark's entries for these rows
 * @marks: KernelShark's entries for losses, which come before the rows with a loss mark
 * @by_time: all entries, sorted by time
 * @n: number of elements in @by_time
 */
struct stream_standin {
	struct kshark_data_stream stream;
	struct tep_handle *tep;
	struct canned_trace *trace;
	struct kshark_entry rows[CANNED_ROWS], marks[CANNED_ROWS];
	struct kshark_entry *by_time[2 * CANNED_ROWS];
	size_t n;
};

/*
 * Open a stream of @trace. The caller must have called canned_own_data() for the trace. Only one stream may
 * be open.
 */
void stream_standin_open(struct stream_standin *standin, struct canned_trace *trace,
			 struct tep_handle *tep);
void stream_standin_close(struct stream_standin *standin);

/*
 * Load the stream, all rows of one CPU before those of the next, as KernelShark does. This function may be
 * called again.
 */
void stream_standin_load(struct stream_standin *standin, struct index *index);

#endif /* _TEST_PLUGIN_STREAM_STANDIN_H */
