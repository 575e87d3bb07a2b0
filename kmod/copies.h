/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_COPIES_H
#define RECORD_SKB_COPIES_H

struct match;
struct sk_buff;

void copies_start(void);
void copies_stop(void);
void copies_parts(const struct sk_buff *skb, const struct match *m);

#endif
