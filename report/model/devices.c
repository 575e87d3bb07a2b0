// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "hosts/hosts.h"
#include "model/devices.h"

struct devices {
	struct device **v;
	size_t n;
	uint16_t last;
	const struct netns_names *names;
};

struct devices *devices_new(void)
{
	return calloc(1, sizeof(struct devices));
}

void devices_free(struct devices *devices)
{
	if (!devices)
		return;
	for (size_t i = 0; i < devices->n; i++)
		free(devices->v[i]);
	free(devices->v);
	free(devices);
}

void devices_set_netns_names(struct devices *devices, const struct netns_names *names)
{
	devices->names = names;
}

const struct netns_names *devices_netns_names(const struct devices *devices)
{
	return devices->names;
}

const struct netns_name *devices_netns_name(const struct devices *devices,
					    const struct device *device)
{
	return netns_names_find(devices->names, device->netns, device->cookie);
}

const char *devices_netns_text(const struct devices *devices, const struct device *device,
			       char *buf)
{
	return netns_names_text(devices->names, buf, NETNS_TEXT_LEN, device->netns, device->cookie);
}

static int is_device(const struct device *device, const char *name, uint32_t netns, uint64_t cookie)
{
	return device->netns == netns && device->cookie == cookie && !strcmp(device->name, name);
}

uint16_t devices_add(struct devices *devices, const char *name, uint32_t netns)
{
	const uint64_t cookie = netns_names_cookie(devices->names, netns);
	struct device *device, **v;

	if (!*name)
		return NO_DEVICE;
	if (devices->n && is_device(devices->v[devices->last], name, netns, cookie))
		return devices->last;
	for (size_t i = 0; i < devices->n; i++) {
		if (is_device(devices->v[i], name, netns, cookie))
			return devices->last = i;
	}

	if (devices->n == NO_DEVICE)
		return NO_DEVICE;
	device = calloc(1, sizeof(*device));
	v = realloc(devices->v, (devices->n + 1) * sizeof(*v));
	if (v)
		devices->v = v;
	if (!device || !v) {
		free(device);
		return NO_DEVICE;
	}
	strncpy(device->name, name, DEVICE_NAME_LEN);
	escape_text(device->text, sizeof(device->text), device->name);
	device->netns = netns;
	device->cookie = cookie;
	v[devices->n] = device;
	return devices->last = devices->n++;
}

void devices_set_kind(struct devices *devices, uint16_t number, const char *kind)
{
	if (number < devices->n && *kind && !devices->v[number]->kind[0])
		strncpy(devices->v[number]->kind, kind, DEVICE_NAME_LEN);
}

const struct device *devices_get(const struct devices *devices, uint16_t number)
{
	return number < devices->n ? devices->v[number] : NULL;
}

int devices_one_netns(const struct devices *devices)
{
	uint32_t first[MAX_HOSTS] = { 0 };
	unsigned int host;

	for (unsigned int i = 0; i < devices->n; i++) {
		host = hosts_of_netns(devices->v[i]->netns);
		if (first[host] && (devices->v[i]->netns != devices->v[first[host] - 1]->netns ||
				    devices->v[i]->cookie != devices->v[first[host] - 1]->cookie))
			return 0;
		if (!first[host])
			first[host] = i + 1;
	}
	return 1;
}
