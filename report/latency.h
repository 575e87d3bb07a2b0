/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_LATENCY_H
#define _REPORT_SKB_LATENCY_H

#include "gaps.h"

struct latency;

/**
 * latency_new - where the time goes: of each flow and direction, from station to station
 * @stations: where packets were when
 * @packets: where the devices are from; it may be set only before the first packet comes
 * @output: that is given the packets, too, and after whose end the longest gap is said on standard
 *	error if it stands out; NULL for a table of its own
 * @data: for it
 */
struct latency *latency_new(struct stations *stations, struct packets **packets,
			    const struct output *output, void *data);
void latency_free(struct latency *latency);

/* @data is the struct latency. */
extern const struct output latency_output;

/* The line that says the longest gap in words, on standard error, if it stands out. */
void latency_say(const struct latency *latency);

#endif
