// SPDX-License-Identifier: GPL-2.0
/* device_path.c - find the devices that a packet passes through, and its frames there */
#include <stdlib.h>
#include <string.h>

#include "model/packet_copies.h"
#include "model/device_path.h"

static bool goes_out(const struct packet_seen *seen)
{
	return seen->event->dir == RECORD_SKB_DIR_TX;
}

/*
 * Return: true if a device receives or transmits the packet at this probe point. On the receive path, this is
 * the first probe point with the device. On the transmit path, it is the driver's transmit function or the
 * caller of that function. The table of functions has all functions of the transmit path except those of some
 * drivers. So a function that is not in the table belongs to a driver.
 */
static bool is_on_the_wire(const struct packet_seen *seen, bool crosses)
{
	const struct function_facts *facts = seen->point->facts;

	if (!goes_out(seen))
		return crosses && seen->event->dir == RECORD_SKB_DIR_RX;
	return !facts || facts->role == ROLE_SENDS || facts->role == ROLE_DRIVES ||
	       facts->role == ROLE_CROSSES;
}

/*
 * Return: true if the frame was already stored. The same frame is seen in dev_hard_start_xmit(), in the
 * driver, and when the kernel tries again to transmit it. A frame that the device has received does not
 * count: a packet may leave by the device by which it came, and then its addresses may be translated.
 */
static bool is_seen_again(const struct hop *hop, const struct packet_seen *seen)
{
	return goes_out(seen) && hop->was_sent;
}

static size_t new_frame(struct captured_frames *frames, struct copy *copy)
{
	unsigned int capacity = copy->frames_capacity ? copy->frames_capacity * 2 : 2;
	size_t *more;

	if (copy->nr_frames == copy->frames_capacity) {
		more = realloc(copy->frames, capacity * sizeof(*more));
		if (!more)
			return NO_FRAME;
		copy->frames = more;
		copy->frames_capacity = capacity;
	}
	return copy->frames[copy->nr_frames++] = captured_frames_reserve(frames);
}

static void take_frame(struct captured_frames *frames, struct copy *copy, const struct moment *at,
		       const struct packet_seen *seen, uint16_t device)
{
	struct frame frame = {
		.ts = at->ts,
		.number = seen->event->pkt,
		.flow = seen->event->flow_number,
		.device = device,
		.dir = seen->event->dir,
		.ethertype = seen->event->flow.ethertype,
		.len = packet_len(seen),
		.caplen = seen->facts.data_len,
	};

	/* Do not store the padding of short frames. */
	if (frame.caplen > frame.len)
		frame.caplen = frame.len;
	if (frame.caplen > FRAME_MAX)
		frame.caplen = FRAME_MAX;
	memcpy(frame.data, seen->facts.data, frame.caplen);
	captured_frames_put(frames, new_frame(frames, copy), &frame);
}

void device_path_add(struct devices *devices, struct captured_frames *frames, struct copy *copy,
		     const struct moment *at, const struct packet_seen *seen)
{
	uint16_t device = devices_add(devices, seen->facts.dev, seen->facts.netns);
	/*
	 * The device of the packet is certain only after the OUTPUT hook: before it, an nftables rule may
	 * still change the device.
	 */
	const struct hop hop = { device, at->hosts_before, writes_len(seen) };
	bool crosses = copy_crosses(copy, &hop);
	const unsigned int end = path_end_of_host(&copy->path, at->hosts_before);
	struct hop *last = end ? &copy->path.hops[end - 1] : NULL;

	devices_set_kind(devices, device, seen->facts.dev_kind);
	if (frames && device != NO_DEVICE && last && seen->facts.data_len &&
	    is_on_the_wire(seen, crosses) && !is_seen_again(last, seen)) {
		take_frame(frames, copy, at, seen, device);
		last->was_sent = goes_out(seen);
	}
}
