/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SHARING_H
#define RECORD_SKB_SHARING_H

#include <linux/types.h>
#include <record_skb.h>

#include "gate_stack.h"

struct hit;

gate_fn *share_decide(const struct hit *hit);

#endif
