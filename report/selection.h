/* SPDX-License-Identifier: GPL-2.0 */
/* selection.h - the packets that are to be shown, of all that are in the recording */
#ifndef _REPORT_SKB_SELECTION_H
#define _REPORT_SKB_SELECTION_H

#include "err.h"
#include "packets.h"

/**
 * struct chosen - which packets are asked for: those that all of this is true of
 * @expression: in tcpdump's language, of what some device or function saw; NULL for any
 * @by_flow: only those of one flow
 * @flow: its number
 * @verdicts: bits of enum verdict, of the packet or one of its copies; 0 for any
 * @from: microseconds of the trace's clock; it was there then or later
 * @to: likewise, then or earlier
 */
struct chosen {
	char *expression;
	bool by_flow;
	uint32_t flow;
	unsigned int verdicts;
	uint64_t from, to;
};

/* Whether not all packets are. */
bool chosen_any(const struct chosen *chosen);

struct selection;

/**
 * selection_new - the packets that are chosen
 * @chosen: which; stays in use
 * @err: what is wrong with the expression
 */
struct selection *selection_new(const struct chosen *chosen, struct err *err);
void selection_free(struct selection *selection);

/**
 * selection_set_output - where to hand them on
 * @selection: of selection_new()
 * @output: where to
 * @data: for it
 * @packets: where they come from
 */
void selection_set_output(struct selection *selection, const struct output *output, void *data,
			  struct packets *packets);

/* To be given to packets_new(), with the selection as data. */
extern const struct output selection_output;

/*
 * For reader_add_sink(), behind the sink of the packets, with the selection as data: what the expression is
 * asked about.
 */
extern const struct sink selection_sink;

/* Say on standard error how many of how many there were. */
void selection_say(const struct selection *selection);

#endif
