/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_OPTIONS_H
#define _REPORT_SKB_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"
#include "selection.h"

enum show {
	SHOW_LINES,
	SHOW_PACKET,
	SHOW_FLOWS,
	SHOW_JSON,
	SHOW_PCAP,
	SHOW_FOLDED,
	SHOW_LATENCY,
	SHOW_SLOWEST,
	SHOW_WHY,
	SHOW_DIFF
};

/**
 * struct options - what the command line asks for
 * @input: the recording
 * @show: one way to show it
 * @packet: number of the packet that SHOW_PACKET is about
 * @slowest: how many packets SHOW_SLOWEST shows
 * @why: the packet that SHOW_WHY is about, 0 for all
 * @other: the recording that SHOW_DIFF compares with
 * @other_chosen: which of its packets
 * @pcap: name of the file that SHOW_PCAP writes
 * @columns: of SHOW_LINES, as they were given; NULL for the usual ones
 * @chosen: which packets
 * @no_overhead: durations without what recording them cost
 * @strict: losses are an error
 */
struct options {
	const char *input;
	enum show show;
	uint32_t packet;
	uint32_t slowest;
	uint32_t why;
	const char *other;
	struct chosen other_chosen;
	const char *pcap;
	const char *columns;
	struct chosen chosen;
	bool no_overhead;
	bool strict;
};

/**
 * options_parse - read the command line
 * @options: filled in; options_free() in any case
 * @argc: as main() has it
 * @argv: its words may change places
 * @err: what is wrong with it
 *
 * Returns 1 if all is done already, as with --help, and -1 on error.
 */
int options_parse(struct options *options, int argc, char **argv, struct err *err);
void options_free(struct options *options);

#endif
