/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RECORD_SKB_WHERE_H
#define _RECORD_SKB_WHERE_H

#include "err.h"
#include "record_skb.h"
#include "strlist.h"

/**
 * where_find - turn names of interfaces and network namespaces into the kernel's numbers
 * @options: nr_where and where of which are filled in
 * @netnses: names of ip-netns(8), PIDs or inode numbers; none for any
 * @interfaces: names in these namespaces, or in the caller's; none, or "any" among them, for any
 * @err: which of them does not exist
 *
 * An interface has to be in one of the namespaces, not in all. Returns 0 or -1.
 */
int where_find(struct record_skb_options *options, const struct strings *netnses,
	       const struct strings *interfaces, struct err *err);

#endif
