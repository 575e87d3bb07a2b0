/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_MATCH_H
#define RECORD_SKB_MATCH_H

#include "tuple.h"

struct bpf_prog;
struct point;
struct session;

/*
 * struct match - what a matching packet is
 * @pkt: its number
 * @flow: its flow's number, 0 if not known
 */
struct match {
	u32 pkt;
	u32 flow;
};

bool match_skb(const struct session *s, const struct point *point, const struct sk_buff *skb,
	       struct match *m);

const struct net_device *match_device(const struct sk_buff *skb);
u32 match_netns(const struct sk_buff *skb);

#endif
