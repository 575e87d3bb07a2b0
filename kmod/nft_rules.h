/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_NFT_RULES_H
#define RECORD_SKB_NFT_RULES_H

#include <linux/types.h>

struct hit;
struct recording;

bool nft_rules_hold(void);
void nft_rules_release(void);
void nft_rules_seen(const struct recording *of, const struct hit *hit);

#endif
