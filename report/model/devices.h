/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_DEVICES_H
#define _RECORD_SKB_DEVICES_H

#include <stdint.h>

#include "escape.h"
#include "event.h"
#include "model/netns_names.h"

/**
 * struct device - a network device that packets passed through
 * @name: name of the device, which can contain any bytes and must not be printed
 * @text: name of the device, escaped for a terminal
 * @kind: kind of the device, such as "vxlan" or "vrf"; empty if it has none or is not known
 * @number: number of the device, from 0
 * @netns: inode number of the network namespace, 0 if not known
 * @cookie: cookie of the namespace, 0 if not known
 */
struct device {
	char name[DEVICE_NAME_LEN + 1];
	char text[ESCAPED_LEN(DEVICE_NAME_LEN)];
	char kind[DEVICE_NAME_LEN + 1];
	uint16_t number;
	uint32_t netns;
	uint64_t cookie;
};

#define NO_DEVICE UINT16_MAX

struct devices;

struct devices *devices_new(void);
void devices_free(struct devices *devices);

/*
 * Set the names of network namespaces, which must outlive @devices. If they are not set, texts contain the
 * inode numbers of namespaces.
 */
void devices_set_netns_names(struct devices *devices, const struct netns_names *names);
/* Return: the name of the device's namespace, NULL if it is not known. */
const struct netns_name *devices_netns_name(const struct devices *devices,
					    const struct device *device);
/*
 * Write the namespace of a device to @buf, in the form of netns_names_text(). @buf has NETNS_TEXT_LEN bytes.
 * Return: @buf.
 */
const char *devices_netns_text(const struct devices *devices, const struct device *device,
			       char *buf);
/* Return: the names of namespaces; NULL if they were not set. */
const struct netns_names *devices_netns_names(const struct devices *devices);

/**
 * devices_add - get the number of a device; a new device is added
 * @devices: devices of the trace
 * @name: name of the device
 * @netns: inode number of its network namespace
 *
 * Return: the number; NO_DEVICE if @name is empty, there is not enough memory, or there are too many devices.
 */
uint16_t devices_add(struct devices *devices, const char *name, uint32_t netns);

/* Set the kind of a device. @number may be NO_DEVICE. */
void devices_set_kind(struct devices *devices, uint16_t number, const char *kind);

/* Return: the device with this number, from 0; NULL if the number is not used. */
const struct device *devices_get(const struct devices *devices, uint16_t number);

/**
 * devices_one_netns - check if all devices of a host are in one namespace, so that the namespace need not be
 * printed
 * @devices: devices of the trace
 *
 * Return: 1 if all devices of each host are in the same network namespace, otherwise 0.
 */
int devices_one_netns(const struct devices *devices);

#endif
