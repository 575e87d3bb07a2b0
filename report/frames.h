/* SPDX-License-Identifier: GPL-2.0 */
/*
 * frames.h - what devices saw, for a capture file
 *
 * A frame's place among the others is known when it is seen, what became of its packet only much later. So
 * they wait in a temporary file, and are handed out in the order of time in the end.
 */
#ifndef _REPORT_SKB_FRAMES_H
#define _REPORT_SKB_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Most bytes of a frame that are kept; the module records fewer. */
#define FRAME_MAX     256
#define FRAME_COMMENT 400

/**
 * struct frame - a packet as it was on one device
 * @ts: when
 * @number: of the packet
 * @device: number of the device
 * @dir: enum record_skb_dir
 * @ethertype: of the packet
 * @len: on the wire, from the network header on
 * @caplen: bytes in @data, at most @len
 * @data: the first bytes from the network header on
 */
struct frame {
	uint64_t ts;
	uint32_t number;
	uint16_t device;
	uint8_t dir;
	uint16_t ethertype;
	uint32_t len;
	uint32_t caplen;
	uint8_t data[FRAME_MAX];
};

struct frames;

struct frames *frames_new(struct err *err);
void frames_free(struct frames *frames);

/* A place in the order of time for a frame that is seen now; NO_FRAME without memory. */
#define NO_FRAME SIZE_MAX
size_t frames_reserve(struct frames *frames);

/* Put a frame into its place. */
void frames_put(struct frames *frames, size_t place, const struct frame *frame);

/* Remark on the frames at @places what became of it. */
void frames_remark(struct frames *frames, const size_t *places, unsigned int n,
		   const char *comment);

typedef void frame_sink(void *data, const struct frame *frame, const char *comment);

/* Go through all that have a comment. Fails if they could not be kept. */
int frames_each(struct frames *frames, frame_sink *each, void *data, struct err *err);

#endif
