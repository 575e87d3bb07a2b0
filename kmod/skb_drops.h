/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SKB_DROPS_H
#define RECORD_SKB_SKB_DROPS_H

struct hit;
struct recording;

int skb_drops_init(void);
void skb_drops_forget_all(const struct recording *r);
int skb_drops_start(void);
void skb_drops_stop(void);
void skb_drops_enqueue(const struct recording *r, const struct hit *hit);

#endif
