/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_NAT_H
#define RECORD_SKB_NAT_H

#include "tuple.h"

struct sk_buff;

bool nat_tuples(const struct sk_buff *skb, struct tuple *sent, struct tuple *answer, u64 *net);

#endif
