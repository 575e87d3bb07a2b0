/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_REPORT_OPTIONS_H
#define _RECORD_SKB_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"
#include "input/joined_reader.h"
#include "hosts/hosts.h"
#include "model/packet_filter.h"
#include "output/assertions.h"
#include "output/flows.h"
#include "output/latency.h"
#include "output/summary.h"

enum show {
	SHOW_SUMMARY,
	SHOW_SERVERS,
	SHOW_TABLE,
	SHOW_PACKET,
	SHOW_FLOWS,
	SHOW_JSON,
	SHOW_PCAP,
	SHOW_PERFETTO,
	SHOW_HTML,
	SHOW_KERNELSHARK,
	SHOW_ASSERT,
	SHOW_FLAMEGRAPH,
	SHOW_LATENCY,
	SHOW_SLOWEST,
	SHOW_WHY,
	SHOW_BYTES,
	SHOW_REQUESTS,
	SHOW_DIFF
};

/**
 * struct options - the parsed command line
 * @input: name of the recording; of the first one if several are joined
 * @files: the recordings to join
 * @nr_files: number of entries in @files; 0 if only one recording is read
 * @summary: for --html: the text of the summary, set after the options were parsed
 * @words: @files and @offsets as arguments of a shell command, to print the next command for the user; NULL
 *	if only one recording is read
 * @offsets: the arguments of --offset
 * @nr_offsets: number of entries in @offsets
 * @show: format of the report
 * @packet: for SHOW_PACKET: number of the packet
 * @slowest: for SHOW_SLOWEST: maximum number of packets
 * @bytes_flow: for SHOW_BYTES: number of the flow, 0 for all flows
 * @why: for SHOW_WHY: number of the packet, 0 for all packets
 * @other: for SHOW_DIFF: name of the second recording
 * @other_chosen: for SHOW_DIFF: selection of packets of the second recording
 * @pcap: for SHOW_PCAP: name of the capture file
 * @file: for SHOW_PERFETTO, SHOW_HTML and SHOW_KERNELSHARK: name of the file to write
 * @assertions: for SHOW_ASSERT: the assertions to check
 * @columns: for SHOW_TABLE: argument of --columns; NULL for the default columns
 * @is_whole: for SHOW_PACKET: show the calls and graphs in which the packet is nested
 * @is_wide: show all columns of the table, even if they do not fit
 * @is_finding: for SHOW_SUMMARY: print only the finding and the next command
 * @is_json: print JSON objects, if the format @show has a JSON form
 * @latency_group: for SHOW_LATENCY: what the packets of a group have in common
 * @sort: argument of --sort; NULL for the default order
 * @top: argument of --top; 0 for all rows
 * @chosen: selection of packets
 * @strict: exit with an error status if rows were lost
 */
struct options {
	const char *input;
	struct host_file files[MAX_HOSTS];
	unsigned int nr_files;
	char *words;
	char *summary;
	struct host_offset offsets[MAX_HOSTS];
	unsigned int nr_offsets;
	enum show show;
	uint32_t packet;
	uint32_t slowest;
	uint32_t why;
	uint32_t bytes_flow;
	const char *other;
	struct chosen other_chosen;
	const char *pcap;
	const char *file;
	struct assertions *assertions;
	const char *columns;
	bool is_wide, is_whole, is_finding, is_json;
	enum latency_group latency_group;
	const char *sort;
	uint32_t top;
	struct chosen chosen;
	bool strict;
	bool is_chosen; /* @show was set by an option and is not the default */
};

/**
 * options_parse - parse the command line
 * @options: filled in; must be released with options_free(), even on failure
 * @argc: number of arguments
 * @argv: the arguments, which may be reordered
 * @err: set on failure
 *
 * Return: 0; 1 if the program should exit successfully, as after --help; -1 on error.
 */
int options_parse(struct options *options, int argc, char **argv, struct err *err);
/*
 * Return: the options for a command line with FINDING_ARG. trace-cmd record-skb runs report-skb with this
 * argument, which options_parse() does not know.
 */
struct options options_for_finding(const char *input);
void options_free(struct options *options);

#endif
