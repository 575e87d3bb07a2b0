/* SPDX-License-Identifier: GPL-2.0 */
/* netns.h - find network namespaces and interfaces by name */
#ifndef _RECORD_SKB_NETNS_H
#define _RECORD_SKB_NETNS_H

#include "err.h"
#include "record_skb.h"
#include "text.h"

/**
 * netns_open - open a network namespace
 * @name: what the user gave. First, it is tried as a name of ip-netns(8), then as a PID or an inode
 *	number. Last, it is tried as the name of a container, of a pod (or NAMESPACE/POD), of the first
 *	process in a namespace, or as "host"
 * @err: set to the reason if no such namespace exists
 *
 * Returns a file descriptor, or -1.
 */
int netns_open(const char *name, struct err *err);

/* Open the network namespace of this process. Returns a file descriptor, or -1. */
int netns_open_own(struct err *err);

unsigned int netns_inode(int netns);

/*
 * Return the index of the interface named @interface in the network namespace @netns; 0 if no such interface
 * exists.
 */
unsigned int netns_interface(int netns, const char *interface);

/**
 * netns_each - visit each network namespace once, at most 64 of them
 * @visit: called after this process has entered the namespace. @name is a name of ip-netns(8), or the
 *	PID of a process in the namespace as text. The first call is for the namespace of this process,
 *	with @name NULL
 * @data: passed to @visit
 */
void netns_each(void (*visit)(const char *name, void *data), void *data);

/**
 * interfaces_find - translate names of interfaces and network namespaces into numbers
 * @options: the numbers are stored in the members where and nr_where
 * @netnses: names of namespaces, as for netns_open(). If the list is empty, interfaces are not
 *	restricted to namespaces
 * @interfaces: names of interfaces in @netnses, or in the namespace of this process if @netnses is
 *	empty. If the list is empty or has "any", any interface is right
 * @err: set to a message with the name that does not exist
 *
 * Each interface has to exist in at least one of the namespaces. Returns 0 or -1.
 */
int interfaces_find(struct record_skb_options *options, const struct strings *netnses,
		    const struct strings *interfaces, struct err *err);

#endif /* _RECORD_SKB_NETNS_H */
