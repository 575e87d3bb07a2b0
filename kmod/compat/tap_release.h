/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COMPAT_TAP_RELEASE_H
#define RECORD_SKB_COMPAT_TAP_RELEASE_H

#include <linux/skbuff.h>
#include <linux/version.h>

#include "probes.h"

/*
 * Functions with which packet sockets release a packet. From 6.8 on, kfree_skb_reason() releases all packets.
 * Its reason is SKB_CONSUMED for a packet that the kernel does not count as dropped. From 6.11 on
 * (e2e7d78d9a25, "af_packet: use sk_skb_reason_drop to free rx packets"), packet sockets call
 * sk_skb_reason_drop() instead. Remove this when the support for Linux 6.1 ends.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define COMPAT_TAP_SITES                                                                     \
	{                                                                                    \
		"sk_skb_reason_drop", NULL, "sock", RECORD_SKB_DECISION_TAP, 1, TAP_RELEASES \
	}

static inline bool compat_tap_drops(const struct hit *hit, bool drops)
{
	return (u32)hit->arg[2] != SKB_CONSUMED;
}
#else
#define COMPAT_TAP_SITES                                                                 \
	{ "kfree_skb_reason", NULL, "sk_buff", RECORD_SKB_DECISION_TAP, 0, TAP_DROPS },  \
	{                                                                                \
		"consume_skb", NULL, "sk_buff", RECORD_SKB_DECISION_TAP, 0, TAP_RELEASES \
	}

static inline bool compat_tap_drops(const struct hit *hit, bool drops)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	return drops && (u32)hit->arg[1] != SKB_CONSUMED;
#else
	return drops;
#endif
}
#endif

#endif
