/* SPDX-License-Identifier: GPL-2.0 */
/*
 * streams_output.h - print byte streams (--bytes) and requests (--requests, and the section of other
 * outputs)
 */
#ifndef _RECORD_SKB_STREAMS_OUTPUT_H
#define _RECORD_SKB_STREAMS_OUTPUT_H

#include "output/bytes.h"
#include "model/request_times.h"
#include "output/requests_table.h"
#include "report_options.h"

/**
 * struct streams_output - the objects that print streams and requests
 * @reader: the reader of the recording
 * @streams: the streams, NULL if the selected output does not need them
 * @bytes: prints the pieces for --bytes; NULL for other outputs
 * @requests: finds the requests, NULL for --bytes
 * @table: collects the requests, NULL for --pcap
 * @times: collects the times of the requests for --pcap
 * @requests_options: options of @table
 */
struct streams_output {
	struct reader *reader;
	struct byte_streams *streams;
	struct bytes *bytes;
	struct requests *requests;
	struct requests_table *table;
	struct request_times *times;
	struct requests_options requests_options;
};

/* Prepare --bytes, --requests, or the requests that another output shows or uses. */
int streams_output_prepare(struct streams_output *output, const struct options *options,
			   struct reader *reader, struct err *err);
/*
 * End the streams, and pass on the last pieces and requests. Call this function before the output of packets
 * ends.
 */
int streams_output_end(struct streams_output *output, struct err *err);
/* Print the end of --bytes or --requests. */
int streams_output_print(struct streams_output *output, const struct options *options,
			 struct err *err);
void streams_output_free(struct streams_output *output);

#endif
