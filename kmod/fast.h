/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_FAST_H
#define RECORD_SKB_FAST_H

#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/skbuff.h>

#include "busy.h"
#include "pause.h"
#include "sieve.h"
#include "track.h"

/*
 * The commonest call of all: an skb with UDP or TCP over IPv4, neither options nor fragments, to and from
 * ports that nobody asks for, and no packet on its way that matched. In as few instructions as can be.
 * What is not here, or is not that, is for passes.h to judge.
 */

#define FAST_BITS 11

/*
 * struct fast - by what that is decided, from before the points are hooked until none of them is any more
 * @factor: of the hash of a point's address
 * @point: in the slot that it hashes to, or not at all
 * @point.ip: 0 where there is none
 * @point.offset: where its skb stands among the registers that a callback is given
 * @point.at_data: the network header is at skb->data
 * @ports: those that are asked for
 *
 * It is part of the module, so that it needs no lock and no grace period: callbacks are gone before it is
 * filled anew.
 */
struct fast {
	u64 factor;
	struct fast_point {
		unsigned long ip;
		u32 offset;
		u32 at_data;
	} point[1 << FAST_BITS];
	struct sieve_ports ports;
};

extern struct fast record_skb_fast;

struct armed;
struct module;

void fast_start(const struct armed *a);
void fast_stop(void);
void fast_forget_module(const struct module *mod);

static __always_inline u32 fast_slot(unsigned long ip, u64 factor)
{
	return (ip * factor) >> (64 - FAST_BITS);
}

static __always_inline bool fast_passes_skb(const struct sk_buff *skb, bool at_data)
{
	const struct sieve_ports *ports = &record_skb_fast.ports;
	const u32 size = sizeof(struct iphdr) + 2 * sizeof(__be16);
	const struct iphdr *ih;
	const __be16 *port;

	/* Never before skb->head. */
	if (at_data) {
		ih = (const struct iphdr *)skb->data;
		if ((const u8 *)ih + size > skb_tail_pointer(skb))
			return false;
	} else {
		ih = (const struct iphdr *)skb_network_header(skb);
		if (skb->network_header + size > skb->tail)
			return false;
	}
	if (*(const u8 *)ih != 0x45 || (skb->protocol != htons(ETH_P_IP) && skb->protocol))
		return false;
	if (ih->frag_off & htons(IP_OFFSET) ||
	    (ih->protocol != IPPROTO_UDP && ih->protocol != IPPROTO_TCP))
		return false;
	port = (const __be16 *)(ih + 1);
	return !sieve_has_ports(ports, port[0], port[1]);
}

/*
 * Whether no packet is remembered and the current task is in no graph. Mostly nobody is in a gate; but a
 * reader that is looked for sleeps in one for hours, and then it is the mark that tells: in an open graph a
 * task has none (frame_push()).
 */
static __always_inline bool fast_is_outside(void)
{
	return !busy_with_any() || (!track_any() && pause_is_marked(current));
}

/* Whether the call of a point at @ip surely is nobody's that is recorded. Any context. */
static __always_inline bool fast_passes(unsigned long ip, const struct ftrace_regs *fregs)
{
	const struct fast_point *point;
	const struct sk_buff *skb;

	if (!fast_is_outside())
		return false;
	point = &record_skb_fast.point[fast_slot(ip, READ_ONCE(record_skb_fast.factor))];
	if (point->ip != ip)
		return false;
	skb = *(const struct sk_buff **)((const char *)fregs + point->offset);
	/* NULL or an error. */
	if ((unsigned long)skb + MAX_ERRNO <= MAX_ERRNO)
		return false;
	return fast_passes_skb(skb, point->at_data);
}

#endif
