/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SHARE_H
#define RECORD_SKB_SHARE_H

#include <linux/types.h>
#include <record_skb.h>

#include "frame.h"

struct armed;
struct list_head;

/*
 * struct share - what each recording has to say of one call
 * @nr: how many recordings there are
 * @a: one of them
 * @around: what the call is inside, for it
 * @mark: the frames before the call
 */
struct share {
	u32 nr;
	struct share_of {
		const struct armed *a;
		enum frame_state around;
	} of[RECORD_SKB_MAX_SHARED];
	struct stacked *mark;
};

void share_begin(struct share *s);
gate_fn *share_end(const struct share *s, unsigned long func, bool at_site);
gate_fn *share_next_piece(const struct frame *frame, struct list_head *rest,
			  struct list_head *piece);

/* side-gates.c */
gate_fn *gate_entry(const struct frame *frame);

#endif
