/* SPDX-License-Identifier: GPL-2.0 */
/* Network namespaces by name, PID or inode number. */
#ifndef _RECORD_SKB_NETNS_H
#define _RECORD_SKB_NETNS_H

#include "err.h"

/**
 * netns_open - open a network namespace
 * @name: of ip-netns(8), which comes first where it is a number, too; a PID; or an inode number
 * @err: why there is none
 *
 * Returns a file, or -1.
 */
int netns_open(const char *name, struct err *err);

/* The caller's own. */
int netns_open_own(struct err *err);

unsigned int netns_inode(int netns);

/* The index of an interface in it, 0 if it has none by that name. */
unsigned int netns_interface(int netns, const char *interface);

/**
 * netns_each - visit the network namespaces there are, each once; no more than 64 of them
 * @visit: called inside of it; @name is NULL for the caller's own, which comes first, a name of
 *	ip-netns(8), or the PID of a process in it
 * @data: of @visit
 */
void netns_each(void (*visit)(const char *name, void *data), void *data);

#endif
