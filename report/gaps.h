/* SPDX-License-Identifier: GPL-2.0 */
/* gaps.h - the gaps of a recording: each packet's, each conversation's, and the longest */
#ifndef _REPORT_SKB_GAPS_H
#define _REPORT_SKB_GAPS_H

#include "gap.h"

struct gaps;

typedef void gap_sink(void *data, const struct gap *gap, uint32_t flow, unsigned int dir);

/**
 * gaps_new - look for gaps
 * @stations: where packets were when
 * @each: is told of each; may be NULL
 * @data: for it
 */
struct gaps *gaps_new(struct stations *stations, gap_sink *each, void *data);
void gaps_free(struct gaps *gaps);

/* The next packet, in the order of numbers. Returns which direction of its flow it goes: 0 as the first. */
unsigned int gaps_packet(struct gaps *gaps, const struct packet *packet);

/* The longest that is anybody's but of who asked in his own time; NULL if there is none. */
const struct gap *gaps_longest(const struct gaps *gaps);
/* Whether that is worth a line of its own: 1 ms, and ten times as long as most. */
bool gaps_stands_out(const struct gaps *gaps);

#endif
