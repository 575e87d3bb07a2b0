/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_WHERE_H
#define RECORD_SKB_WHERE_H

#include <linux/types.h>
#include <record_skb.h>

struct sk_buff;

bool where_is_valid(const struct record_skb_step *steps, u32 nr);
bool where_holds(const struct record_skb_step *steps, u32 nr, const struct sk_buff *skb);

#endif
