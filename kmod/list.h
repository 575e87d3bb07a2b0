/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_LIST_H
#define RECORD_SKB_LIST_H

#include "gate.h"

struct frame;
struct list_head;

gate_fn *list_next_piece(const struct frame *frame, struct list_head *rest,
			 struct list_head *piece);

#endif
