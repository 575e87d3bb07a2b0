/* SPDX-License-Identifier: GPL-2.0 */
/* device_path.h - find the devices that a packet passes through, and its frames there */
#ifndef _RECORD_SKB_DEVICE_PATH_H
#define _RECORD_SKB_DEVICE_PATH_H

#include "model/packets.h"

/**
 * device_path_add - add the device of a probe point to the path of a copy, if the copy is at a device there
 * @devices: devices of the recording
 * @frames: receives the frame; NULL if frames are not wanted
 * @copy: copy of the packet
 * @at: time and context
 * @seen: the probe
 */
void device_path_add(struct devices *devices, struct captured_frames *frames, struct copy *copy,
		     const struct moment *at, const struct packet_seen *seen);

#endif
