/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PORTS_H
#define RECORD_SKB_PORTS_H

#include <linux/bitmap.h>
#include <linux/types.h>

/*
 * struct port_set - a set of source ports and a set of destination ports: a bit for each port in network byte
 * order
 */
struct port_set {
	DECLARE_BITMAP(src, 1 << 16);
	DECLARE_BITMAP(dst, 1 << 16);
};

/*
 * The ports that any recording wants (prefilter.c). A TCP or UDP packet without any of these ports does not
 * match, unless a followed task is sending it. While a recording is armed, ports may only be added.
 */
extern struct port_set record_skb_ports;

static __always_inline bool port_set_has(const struct port_set *set, __be16 sport, __be16 dport)
{
	return test_bit((__force u16)sport, set->src) || test_bit((__force u16)dport, set->dst);
}

/* Return: true if the set contains the port both as source port and as destination port. */
static inline bool port_set_has_both(const struct port_set *set, __be16 port)
{
	return test_bit((__force u16)port, set->src) && test_bit((__force u16)port, set->dst);
}

/* Add a port as source port and as destination port. This can be called on any CPU in any context. */
static inline void port_set_add(struct port_set *set, __be16 port)
{
	if (port_set_has_both(set, port))
		return;
	set_bit((__force u16)port, set->src);
	set_bit((__force u16)port, set->dst);
}

#endif
