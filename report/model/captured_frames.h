/* SPDX-License-Identifier: GPL-2.0 */
/*
 * captured_frames.h - store the frames of packets at each device, to write them to a capture file
 *
 * A capture file has the frames in order of time, and each frame has the outcome of its packet as a comment.
 * But the outcome is not known yet when a frame is seen. Therefore frames are stored in a temporary file, and
 * are read in order of time at the end.
 */
#ifndef _RECORD_SKB_CAPTURED_FRAMES_H
#define _RECORD_SKB_CAPTURED_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Maximum number of stored bytes of a frame. The module records fewer bytes of each packet. */
#define FRAME_MAX     256
#define FRAME_COMMENT 1000

/**
 * struct frame - a packet at one device
 * @ts: time
 * @number: number of the packet
 * @flow: number of the packet's flow, 0 if not known
 * @device: number of the device
 * @dir: enum record_skb_dir
 * @ethertype: ethertype of the packet
 * @len: length on the wire, from the start of the network header
 * @caplen: number of bytes in @data, at most @len
 * @data: first bytes of the packet, from the network header
 */
struct frame {
	uint64_t ts;
	uint32_t number, flow;
	uint16_t device;
	uint8_t dir;
	uint16_t ethertype;
	uint32_t len;
	uint32_t caplen;
	uint8_t data[FRAME_MAX];
};

struct captured_frames;

struct captured_frames *captured_frames_new(struct err *err);
void captured_frames_free(struct captured_frames *frames);

/*
 * Reserve the place of the next frame. The caller must reserve places in order of time. Return: the place;
 * NO_FRAME if there is not enough memory.
 */
#define NO_FRAME SIZE_MAX
size_t captured_frames_reserve(struct captured_frames *frames);

/* Store a frame in a reserved place. */
void captured_frames_put(struct captured_frames *frames, size_t place, const struct frame *frame);

/* Set the comment of all frames at @places. They must be frames of one packet. */
void captured_frames_remark(struct captured_frames *frames, const size_t *places, unsigned int n,
			    const char *comment);

typedef void frame_callback(void *data, const struct frame *frame, const char *comment);

/* Call @each for each frame that has a comment. Return: -1 if the frames could not be stored. */
int captured_frames_each(struct captured_frames *frames, frame_callback *each, void *data,
			 struct err *err);

#endif
