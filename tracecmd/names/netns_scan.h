/* SPDX-License-Identifier: GPL-2.0 */
/* netns_scan.h - find the network namespaces of the machine and their names */
#ifndef _RECORD_SKB_NETNS_SCAN_H
#define _RECORD_SKB_NETNS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "names/container_names.h"

/**
 * struct netns_found - a network namespace and its name
 * @inode: inode number of the namespace
 * @cookie: cookie of the namespace (SO_NETNS_COOKIE); 0 before netns_found_cookie(), or if the cookie
 *	is unknown
 * @path: a file with which the namespace can be opened
 * @label: name of the namespace
 * @generated: true if @label is a name of ip-netns(8) that a container runtime has generated, such as
 *	cni-UUID
 * @started: if @label names a process, its start time in ticks since the boot; otherwise 0
 * @pid: PID of this process
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
 * A namespace with a name of ip-netns(8) gets this name. Another namespace gets the name of a container or
 * pod: the one of the first process that is in a container. A namespace without containers gets the name of
 * its first process. The namespace of PID 1 is called "host".
 */
void netns_scan(const char *root, struct netns_list *list);
/* Find only the names of ip-netns(8). This takes much less time than netns_scan(). */
void netns_scan_mounts(const char *root, struct netns_list *list);
void netns_list_free(struct netns_list *list);

/*
 * Set the cookie of the namespace @found. To read the cookie, this process enters the namespace for a moment.
 */
void netns_found_cookie(struct netns_found *found);

/**
 * netns_found_is - check if the user means this namespace
 * @found: the namespace
 * @name: what the user gave: the name of the namespace; NAMESPACE/NAME of a pod; or at least 12
 *	characters of the ID of a container
 */
bool netns_found_is(const struct netns_found *found, const char *name);

/*
 * Read the name of a process into @name of @size bytes, and its start time in ticks since the boot. @root is
 * the directory in front of all paths. Return false if the process does not exist.
 */
bool netns_read_process(const char *root, unsigned int pid, char *name, size_t size,
			unsigned long long *started);

#endif
