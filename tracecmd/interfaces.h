/* SPDX-License-Identifier: GPL-2.0 */
/* -i and --netns: interfaces and network namespaces as the numbers that the kernel has for them. */
#ifndef _RECORD_SKB_INTERFACES_H
#define _RECORD_SKB_INTERFACES_H

#include "err.h"
#include "record_skb.h"
#include "strlist.h"

/**
 * interfaces_find - turn names of interfaces and network namespaces into numbers
 * @options: its nr_where and where are filled in
 * @netnses: as netns_open() takes them; none for any
 * @interfaces: names in these namespaces, or in the caller's; none, or "any" among them, for any
 * @err: which of them does not exist
 *
 * An interface has to be in one of the namespaces, not in all. Returns 0 or -1.
 */
int interfaces_find(struct record_skb_options *options, const struct strings *netnses,
		    const struct strings *interfaces, struct err *err);

#endif
