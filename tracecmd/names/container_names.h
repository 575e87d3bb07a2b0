/* SPDX-License-Identifier: GPL-2.0 */
/* container_names.h - find the name of the container or pod of a process */
#ifndef _RECORD_SKB_CONTAINER_NAMES_H
#define _RECORD_SKB_CONTAINER_NAMES_H

#include <stdbool.h>

#include "record_skb.h"

/**
 * struct netns_label - the name of a network namespace
 * @kind: enum record_skb_netns_kind; RECORD_SKB_NETNS_SEEN without a name
 * @name: the name, any bytes
 * @detail: see enum record_skb_netns_kind
 */
struct netns_label {
	unsigned int kind;
	char name[RECORD_SKB_NETNS_NAME_LEN];
	char detail[RECORD_SKB_NETNS_DETAIL_LEN];
};

/**
 * container_find - find the container of a process by its cgroup and the files of the container runtime
 * @root: directory in front of all paths; "" except in tests
 * @cgroup: content of /proc/PID/cgroup
 * @label: set to the name of the container or pod. If the runtime's file cannot be read, the name is the
 *	beginning of the container's id
 *
 * Any user can give cgroups of an own session any name. So such cgroups count only if the files of the same
 * user's podman confirm the container.
 *
 * Return true if the process is in a container.
 */
bool container_find(const char *root, const char *cgroup, struct netns_label *label);

#endif /* _RECORD_SKB_CONTAINER_NAMES_H */
