/* SPDX-License-Identifier: LGPL-2.1 */
/* stream_standin.h - a canned trace as a stream that KernelShark has open, for kshark/index.c alone */
#ifndef _TEST_PLUGIN_STREAM_STANDIN_H
#define _TEST_PLUGIN_STREAM_STANDIN_H

#include <libkshark.h>

#include "canned.h"
#include "kshark/index.h"

/**
 * struct stream_standin - one stream
 * @stream: as KernelShark has it, as far as an index looks at it
 * @tep: of its file
 * @trace: its rows
 * @rows: what KernelShark makes of each
 * @marks: its own rows, in front of those before which some are missing
 * @by_time: all of these
 * @n: how many
 */
struct stream_standin {
	struct kshark_data_stream stream;
	struct tep_handle *tep;
	struct canned_trace *trace;
	struct kshark_entry rows[CANNED_ROWS], marks[CANNED_ROWS];
	struct kshark_entry *by_time[2 * CANNED_ROWS];
	size_t n;
};

/* A stream of @trace, whose rows have their data (canned_own_data()); there is one at a time. */
void stream_standin_open(struct stream_standin *standin, struct canned_trace *trace,
			 struct tep_handle *tep);
void stream_standin_close(struct stream_standin *standin);

/* Load it, as often as one likes: row by row of one CPU after the other. */
void stream_standin_load(struct stream_standin *standin, struct index *index);

#endif /* _TEST_PLUGIN_STREAM_STANDIN_H */
