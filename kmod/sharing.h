/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SHARING_H
#define RECORD_SKB_SHARING_H

#include <linux/types.h>
#include <record_skb.h>

#include "gate_stack.h"

struct hit;
struct list_head;

gate_fn *share_decide(const struct hit *hit);
gate_fn *sharing_next_piece(const struct gate_frame *frame, struct list_head *rest,
			    struct list_head *piece);

/* Defined in pause_gates.c. */
gate_fn *gate_entry(const struct gate_frame *frame);

#endif
