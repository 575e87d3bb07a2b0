/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_DROPS_AND_RULES_H
#define RECORD_SKB_DROPS_AND_RULES_H

#include <linux/types.h>

struct hit;
struct recording;

int skb_drops_init(void);
void skb_drops_forget_all(const struct recording *r);
int skb_drops_start(void);
void skb_drops_stop(void);
void skb_drops_enqueue(const struct recording *r, const struct hit *hit);

bool nft_rules_hold(void);
void nft_rules_release(void);
void nft_rules_seen(const struct recording *of, const struct hit *hit);

#endif
