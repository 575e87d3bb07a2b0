// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "hash_table.h"
#include "hosts/hosts.h"
#include "model/devices.h"

struct devices {
	struct device **v; /* by number */
	size_t n;
	struct table table; /* table of struct device, by a hash of all its properties */
	uint16_t last;
	uint16_t first_of_host[MAX_HOSTS]; /* number of the first device of each host, plus 1 */
	bool many_netns;		   /* a host has devices in more than one namespace */
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
	table_free(&devices->table);
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

static bool is_device(const struct device *device, const char *name, uint32_t netns,
		      uint64_t cookie)
{
	return device->netns == netns && device->cookie == cookie && !strcmp(device->name, name);
}

/* Return: the device; NULL if it is new. *@key is set to the key of this device. */
static const struct device *find_device(const struct devices *devices, const char *name,
					uint32_t netns, uint64_t cookie, struct table_key *key)
{
	const uint64_t numbers = cookie ^ (uint64_t)netns << 32;
	const struct device *device;

	*key = (struct table_key){ .number = hash_text(HASH_BEGIN ^ numbers, name) };
	/* If another device has the same hash, try the next numbers. */
	for (; (device = table_find(&devices->table, *key)); key->number++) {
		if (is_device(device, name, netns, cookie))
			return device;
	}
	return NULL;
}

/* Note if a host has devices in more than one namespace. */
static void compare_netns(struct devices *devices, const struct device *device)
{
	uint16_t *first = &devices->first_of_host[hosts_of_netns(device->netns)];
	const struct device *other = *first ? devices->v[*first - 1] : device;

	devices->many_netns |= device->netns != other->netns || device->cookie != other->cookie;
	if (!*first)
		*first = device->number + 1;
}

static uint16_t add_device(struct devices *devices, const char *name, uint32_t netns,
			   uint64_t cookie, struct table_key key)
{
	struct device **v = realloc(devices->v, (devices->n + 1) * sizeof(*v)), *device;

	if (!v)
		return NO_DEVICE;
	devices->v = v;
	device = table_add(&devices->table, key, calloc(1, sizeof(*device)));
	if (!device)
		return NO_DEVICE;
	strncpy(device->name, name, DEVICE_NAME_LEN);
	escape_text(device->text, sizeof(device->text), device->name);
	device->number = devices->n;
	device->netns = netns;
	device->cookie = cookie;
	v[devices->n++] = device;
	compare_netns(devices, device);
	return device->number;
}

uint16_t devices_add(struct devices *devices, const char *name, uint32_t netns)
{
	const uint64_t cookie = netns_names_cookie(devices->names, netns);
	const struct device *device;
	struct table_key key;
	uint16_t number;

	if (!*name)
		return NO_DEVICE;
	if (devices->n && is_device(devices->v[devices->last], name, netns, cookie))
		return devices->last;
	device = find_device(devices, name, netns, cookie, &key);
	if (device)
		return devices->last = device->number;
	if (devices->n == NO_DEVICE)
		return NO_DEVICE;
	number = add_device(devices, name, netns, cookie, key);
	if (number != NO_DEVICE)
		devices->last = number;
	return number;
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
	return !devices->many_netns;
}
