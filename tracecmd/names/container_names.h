/* SPDX-License-Identifier: GPL-2.0 */
/*
 * container_names.h - find the name of the container or pod of a process, in the JSON files of container
 * runtimes
 */
#ifndef _RECORD_SKB_CONTAINER_NAMES_H
#define _RECORD_SKB_CONTAINER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record_skb.h"

/*
 * The functions below get a pointer to a JSON value, which may be NULL or damaged. Nested values are skipped
 * without recursion, so a hostile file cannot exhaust the stack.
 */

/* Return the value of the member @key of an object; NULL if @json is not an object or lacks the member. */
const char *json_member(const char *json, const char *key);

/* Return the first element of an array, or NULL. */
const char *json_first(const char *json);

/* Return the element after @element of an array, or NULL. */
const char *json_next(const char *element);

/*
 * Copy a string to @buf, without its quotes and escapes. Return false if @json is not a string, is empty, or
 * does not fit.
 */
bool json_text(const char *json, char *buf, size_t size);

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

/*
 * Like container_find(), but with the id of a cgroup (v2) instead of a process, which may have exited. Return
 * false if the cgroup is not that of a container, or does not exist any more.
 */
bool container_find_cgroup(uint64_t id, struct netns_label *label);

/* Return true if the runtime's file could not be read, so that the name is the beginning of the id. */
bool container_lacks_name(const struct netns_label *label);

#endif
