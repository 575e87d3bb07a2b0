/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_EMIT_H
#define RECORD_SKB_EMIT_H

#include <linux/types.h>
#include <record_skb.h>

struct match;
struct point;
struct sk_buff;

void emit_packet(const struct point *point, const struct sk_buff *skb, const struct match *m,
		 enum record_skb_how how);
void emit_other(const struct point *point, const struct sk_buff *skb);
void emit_return(unsigned long func, u32 pkt, unsigned long ret);

#endif
