/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tcp_coverage.h - remember which bytes of TCP streams have been seen, to recognise retransmissions
 *
 * A stream is the data in one direction of a connection, as one device received them, or as they were sent.
 * The use of memory is limited. When the limit is reached, the streams that had no segment for the longest
 * time are forgotten. In a stream with many gaps, the oldest bytes are forgotten. A retransmission of
 * forgotten bytes is not recognised.
 */
#ifndef _RECORD_SKB_TCP_COVERAGE_H
#define _RECORD_SKB_TCP_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "flow_text.h"

struct tcp_coverage;

struct tcp_coverage *tcp_coverage_new(void);
void tcp_coverage_free(struct tcp_coverage *segments);

/**
 * struct segment - a TCP segment at its first probe point
 * @flow: addresses and ports
 * @netns: inode number of the network namespace
 * @device: device that received the segment; NO_DEVICE for sent segments
 * @flags: TCP flags
 * @seq: sequence number of the first byte, or of the SYN
 * @payload: number of payload bytes
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
 * tcp_coverage_add - add a segment to the bytes that have been seen
 * @segments: bytes seen so far
 * @segment: the segment
 *
 * Return: true if the segment has a payload, a SYN or a FIN, and if all of these were seen before.
 */
bool tcp_coverage_add(struct tcp_coverage *segments, const struct segment *segment);

#endif
