/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SKB_COPIES_H
#define RECORD_SKB_SKB_COPIES_H

#include <record_skb.h>

struct hit;
struct match;
struct recording;
struct sk_buff;

void skb_copies_made(const struct recording *r, const struct sk_buff *from, const struct match *of,
		     enum record_skb_copy_kind kind, unsigned long func, unsigned long ret);
void skb_copies_header(const struct recording *r, const struct hit *hit);
void skb_copies_parts(const struct recording *r, const struct sk_buff *skb, const struct match *m);

#endif
