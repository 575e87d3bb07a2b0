/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_WHERE_H
#define _RECORD_SKB_WHERE_H

#include "err.h"

/**
 * where_find - turn names of an interface and a network namespace into the kernel's numbers
 * @netns: a name of ip-netns(8), a PID or an inode number; NULL for any
 * @interface: a name in that namespace, or in the caller's; NULL or "any" for any
 * @netns_inode, @ifindex: filled in; 0 for any
 * @err: which of them does not exist
 *
 * Returns 0 or -1.
 */
int where_find(const char *netns, const char *interface, unsigned int *netns_inode,
	       unsigned int *ifindex, struct err *err);

#endif
