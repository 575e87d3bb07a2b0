/* SPDX-License-Identifier: GPL-2.0 */
/*
 * netns_scan.h - find the network namespaces of the machine and their names, and write the names into the
 * recording
 */
#ifndef _RECORD_SKB_NETNS_SCAN_H
#define _RECORD_SKB_NETNS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "names/container_names.h"

/**
 * struct netns_found - a network namespace and its name
 * @inode: inode number
 * @cookie: its cookie (SO_NETNS_COOKIE); 0 until netns_found_cookie() was called, or if it is not known
 * @path: a file with which the namespace can be opened
 * @label: its name
 * @generated: true if the name of ip-netns(8) was made up by a container runtime, such as cni-UUID
 * @started: start time of the process that @label names, in ticks since the boot; 0 for other names
 * @pid: that process
 */
struct netns_found {
	unsigned int inode;
	uint64_t cookie;
	char *path;
	struct netns_label label;
	bool generated;
	unsigned long long started;
	unsigned int pid;
};

/* struct netns_list - all namespaces that were found */
struct netns_list {
	struct netns_found *v;
	size_t n;
};

/**
 * netns_scan - find all network namespaces that have a process or a name of ip-netns(8)
 * @root: directory in front of all paths; "" except in tests
 * @list: empty; filled in
 *
 * The name of a namespace is its name of ip-netns(8). Without one, it is the container or pod of its first
 * process that is in one. Otherwise it is the name of the first process. The namespace of PID 1 is the host.
 */
void netns_scan(const char *root, struct netns_list *list);
/* Like netns_scan(), but find only the names of ip-netns(8). This takes much less time. */
void netns_scan_mounts(const char *root, struct netns_list *list);
void netns_list_free(struct netns_list *list);

/* Set the cookie of a namespace. This process enters the namespace for a moment. */
void netns_found_cookie(struct netns_found *found);

/**
 * netns_found_is - check if a user means this namespace
 * @found: the namespace
 * @name: its name; NAMESPACE/NAME of a pod; or at least 12 characters of the id of a container
 */
bool netns_found_is(const struct netns_found *found, const char *name);

struct netns_names;

/**
 * netns_names_begin - find the names of all namespaces of the machine
 * @session: session of the module, which is not armed yet
 *
 * A namespace may disappear after its first packet, and before its name is looked up. So this function
 * remembers the names that exist before the recording.
 *
 * Return: the state, to be passed to netns_names_end().
 */
struct netns_names *netns_names_begin(int session);

/*
 * Pass the names of new namespaces to the module. Call this when the session is readable, and ten times a
 * second: a container runtime creates a namespace before the container has a name.
 */
void netns_names_update(struct netns_names *names);

/*
 * Return the time in milliseconds after which netns_names_update() may be called; 0 for now. The pauses limit
 * the searches to a quarter of a CPU. @names may be NULL.
 */
int netns_names_pause_msec(const struct netns_names *names);

/* Pass the last names to the module. Call this before the module is disarmed. @names may be NULL. */
void netns_names_end(struct netns_names *names);

#endif
