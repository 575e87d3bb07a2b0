/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PREFILTER_H
#define RECORD_SKB_PREFILTER_H

#include <linux/types.h>

#include "arch/arch.h"

struct active_config;
struct hit;
struct module;

/*
 * The prefilter rejects calls of probe points that no recording wants, before anything else is done. It
 * rejects almost every call. Most packets are TCP or UDP with ports that no recording asks for. They are not
 * tracked, and no followed task sends them. prefilter_rejects() tests these conditions without reading the
 * data of any recording. For the remaining calls, prefilter_passes_call() tests all terms of the filters.
 */

#define PREFILTER_BITS 11

/* Index of the argument that is the skb or the socket. */
#define PREFILTER_ARG	  3U
#define PREFILTER_MAX_ARG 2
/* The network header is at skb->data. */
#define PREFILTER_AT_DATA (1U << 10)
/* The packet or call may be the first one of a followed task. */
#define PREFILTER_SENDER (1U << 11)
/*
 * The argument is not an skb, or the headers of the skb do not matter. One of the following flags is also
 * set.
 */
#define PREFILTER_OTHER (1U << 2)
/* At this point, an skb is copied or freed, which matters only for tracked skbs. */
#define PREFILTER_TRACKED (1U << 3)
/* At this point, only calls by tasks inside a gate matter. */
#define PREFILTER_INSIDE (1U << 4)
/* The call reports the verdict of an nftables rule. Skip the call while no skb is tracked. */
#define PREFILTER_RULE (1U << 5)
/* The argument is a struct xdp_buff. The ports of its frame tell whether a recording may want the call. */
#define PREFILTER_XDP (1U << 12)
/* At this point, only calls by followed tasks matter. */
#define PREFILTER_CALL (1U << 6)
/* The argument is a socket. Its ports tell whether a recording may want the call. */
#define PREFILTER_SOCK (1U << 7)
/*
 * The call is about packets that the socket receives. Without this flag, it is about packets that the socket
 * sends.
 */
#define PREFILTER_RX (1U << 8)
/* The next argument is a struct msghdr, which may contain another peer address. */
#define PREFILTER_MSG (1U << 9)

/*
 * struct prefilter - the probe points in a hash table
 * @factor: factor of the hash; it changes only while ftrace calls none of the points
 * @probe.ip: address of the point, 0 in an empty slot; a probe point without a slot takes the slow path
 * @probe.flags: PREFILTER_*
 */
struct prefilter {
	u64 factor;
	struct prefilter_probe {
		unsigned long ip;
		u64 flags;
	} probe[1 << PREFILTER_BITS];
};

extern struct prefilter record_skb_prefilter;

void prefilter_start(const struct active_config *a);
void prefilter_forget_module(const struct module *mod);
bool prefilter_passes_call(const struct hit *hit);
arch_noendbr bool prefilter_rejects(unsigned long a0, unsigned long a1, unsigned long a2,
				    unsigned long a3, unsigned long a4, unsigned long a5,
				    unsigned long return_address);

static __always_inline u32 prefilter_slot(unsigned long ip, u64 factor)
{
	return (ip * factor) >> (64 - PREFILTER_BITS);
}

#endif
