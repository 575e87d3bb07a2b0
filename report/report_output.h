/* SPDX-License-Identifier: GPL-2.0 */
/* report_output.h - the objects of the output that the options select */
#ifndef _RECORD_SKB_REPORT_OUTPUT_H
#define _RECORD_SKB_REPORT_OUTPUT_H

#include "early_output.h"
#include "exports.h"
#include "model/packet_filter.h"
#include "output/flamegraph.h"
#include "output/flows.h"
#include "output/latency.h"
#include "output/packet_graph.h"
#include "output/packet_table.h"
#include "output/pcapng.h"
#include "output/slowest.h"
#include "output/summary.h"
#include "output/terminal.h"
#include "output/whole_graph.h"
#include "output/why.h"
#include "streams_output.h"

/*
 * All objects that the outputs of the report use. An object that the selected output does not need is NULL.
 */
struct report_output {
	struct packets *packets;
	struct packet_filter *filter;
	struct stages *stages;
	struct latency_options latency_options;
	struct flows_options flows_options;
	struct latency *latency;
	struct overview *overview;
	struct socket_reads *reads;
	struct explanations *explanations;
	struct drop_evidence *evidence;
	struct resets *resets;
	struct summary_options summary_options;
	struct summary *summary;
	struct why_options why_options;
	struct slowest *slowest;
	struct why *why;
	struct packet_table *table;
	struct flows *flows;
	struct streams_output streams;
	struct flamegraph *flamegraph;
	struct packet_graph *graph;
	struct whole_graph *whole;
	struct pcapng *pcapng;
	struct exports exports;
	struct captured_frames *frames;
	struct terminal *terminal;
	struct progress progress;
	struct early_output early;
	const struct output *output;
	void *output_data;
};

/**
 * report_output_prepare - create the objects of the selected output, after the recording was opened
 * @shown: filled in; @shown->filter and @shown->terminal are set, and the other members are 0
 * @options: the command line
 * @reader: the recording
 * @err: set on failure
 *
 * Return: 0; -1 on failure. In both cases, the caller must call report_output_free().
 */
int report_output_prepare(struct report_output *shown, const struct options *options,
			  struct reader *reader, struct err *err);
/* Pass the events of the recording to all objects. Call this function before reader_run(). */
void report_output_add_observers(const struct report_output *shown, struct reader *reader);
/* Free all objects, including the filter. */
void report_output_free(struct report_output *shown);

#endif
