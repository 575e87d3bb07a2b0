/* SPDX-License-Identifier: GPL-2.0 */
/* crossing.h - the devices that a packet crosses, and its frames there */
#ifndef _REPORT_SKB_CROSSING_H
#define _REPORT_SKB_CROSSING_H

#include "packets.h"

/**
 * crossing_see - it stands at a point, of a device or not
 * @devices: of the recording
 * @frames: where frames go; NULL if none are wanted
 * @copy: of the packet
 * @at: when
 * @seen: where
 */
void crossing_see(struct devices *devices, struct frames *frames, struct copy *copy,
		  const struct moment *at, const struct packet_seen *seen);

#endif
