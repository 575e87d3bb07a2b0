// SPDX-License-Identifier: GPL-2.0
/* crossing.c - the devices that a packet crosses, and its frames there */
#include <stdlib.h>
#include <string.h>

#include "copies.h"
#include "crossing.h"

static bool goes_out(const struct packet_seen *seen)
{
	return seen->event->dir == RECORD_SKB_DIR_TX;
}

/*
 * What a device sees is what comes from it, and what a driver is given. A driver's own function may be
 * one that nothing is known of; all others on the way out are in the table.
 */
static bool is_on_the_wire(const struct packet_seen *seen, bool crosses)
{
	const struct function_facts *facts = seen->point->facts;

	if (!goes_out(seen))
		return crosses && seen->event->dir == RECORD_SKB_DIR_RX;
	return !facts || facts->role == ROLE_SENDS || facts->role == ROLE_DRIVES ||
	       facts->role == ROLE_CROSSES;
}

/* dev_hard_start_xmit() and the driver see the same frame, and so do two attempts. */
static bool is_seen_again(const struct copy *copy, const struct packet_seen *seen)
{
	return goes_out(seen) && copy->nr_frames && copy->frame_hops == copy->path.n;
}

static size_t new_frame(struct frames *frames, struct copy *copy)
{
	unsigned int room = copy->room_frames ? copy->room_frames * 2 : 2;
	size_t *more;

	if (copy->nr_frames == copy->room_frames) {
		more = realloc(copy->frames, room * sizeof(*more));
		if (!more)
			return NO_FRAME;
		copy->frames = more;
		copy->room_frames = room;
	}
	copy->frame_hops = copy->path.n;
	return copy->frames[copy->nr_frames++] = frames_reserve(frames);
}

static void take_frame(struct frames *frames, struct copy *copy, const struct moment *at,
		       const struct packet_seen *seen, uint16_t device)
{
	struct frame frame = {
		.ts = at->ts,
		.number = seen->event->pkt,
		.device = device,
		.dir = seen->event->dir,
		.ethertype = seen->event->flow.ethertype,
		.len = packet_len(seen),
		.caplen = seen->facts.data_len,
	};

	/* Short frames are padded. */
	if (frame.caplen > frame.len)
		frame.caplen = frame.len;
	if (frame.caplen > FRAME_MAX)
		frame.caplen = FRAME_MAX;
	memcpy(frame.data, seen->facts.data, frame.caplen);
	frames_put(frames, new_frame(frames, copy), &frame);
}

void crossing_see(struct devices *devices, struct frames *frames, struct copy *copy,
		  const struct moment *at, const struct packet_seen *seen)
{
	uint16_t device = devices_add(devices, seen->facts.dev, seen->facts.netns);
	/* A rule in OUTPUT may still send it by another. */
	bool crosses = copy_crosses(copy, device, writes_len(seen));

	if (frames && device != NO_DEVICE && seen->facts.data_len &&
	    is_on_the_wire(seen, crosses) && !is_seen_again(copy, seen))
		take_frame(frames, copy, at, seen, device);
}
