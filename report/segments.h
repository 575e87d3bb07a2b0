/* SPDX-License-Identifier: GPL-2.0 */
/*
 * segments.h - which bytes of TCP's streams have been seen: what is seen again was transmitted again
 *
 * A stream is what one end sends to the other, as it is seen at one place. Of those that were not seen for
 * the longest time some are given up, so that memory does not grow with the trace, and of a stream with many
 * gaps the oldest bytes: then a retransmission may not be known as one.
 */
#ifndef _REPORT_SKB_SEGMENTS_H
#define _REPORT_SKB_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "flow_text.h"

struct segments;

struct segments *segments_new(void);
void segments_free(struct segments *segments);

/**
 * struct segment - a TCP segment where it was seen first
 * @flow: its addresses
 * @netns: inode number of the namespace it is in
 * @device: the device that it came from; of those that are sent the same for all
 * @flags: TCP's
 * @seq: of its first byte, or of its SYN
 * @payload: bytes
 */
struct segment {
	const struct flow *flow;
	uint32_t netns;
	uint16_t device;
	uint8_t flags;
	uint32_t seq;
	uint32_t payload;
};

/**
 * segments_see - a segment is seen
 * @segments: those seen before
 * @segment: it is one of them now
 *
 * Return: whether all of its bytes, its SYN or FIN among them, were seen before, and it has any.
 */
bool segments_see(struct segments *segments, const struct segment *segment);

#endif
