/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _REPORT_SKB_DEVICES_H
#define _REPORT_SKB_DEVICES_H

#include <stdint.h>

#include "event.h"

/**
 * struct device - a network device as the packets on it tell
 * @name: its name
 * @netns: inode number of its network namespace, 0 if not known
 */
struct device {
	char name[DEVICE_NAME_LEN + 1];
	uint32_t netns;
};

#define NO_DEVICE UINT16_MAX

struct devices;

struct devices *devices_new(void);
void devices_free(struct devices *devices);

/**
 * devices_add - the number of a device, which is added if it is new
 * @devices: of the trace
 * @name: its name
 * @netns: the device's
 *
 * Returns NO_DEVICE for an empty name, without memory, and if there are too many.
 */
uint16_t devices_add(struct devices *devices, const char *name, uint32_t netns);

/* By number; the first is 0. NULL behind the last. */
const struct device *devices_get(const struct devices *devices, uint16_t number);

/**
 * devices_one_netns - whether all are in one namespace, so that it need not be said
 * @devices: of the trace
 */
int devices_one_netns(const struct devices *devices);

#endif
