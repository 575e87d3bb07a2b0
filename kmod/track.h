/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_TRACK_H
#define RECORD_SKB_TRACK_H

#include <linux/types.h>

struct sk_buff;

int track_init(void);
void track_exit(void);
void track_forget_all(void);
bool track_find(const struct sk_buff *skb, u32 *pkt, u32 *flow);
void track_add(const struct sk_buff *skb, u32 pkt, u32 flow);
void track_forget(const struct sk_buff *skb);

#endif
