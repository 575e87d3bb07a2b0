/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_UNTIL_H
#define RECORD_SKB_UNTIL_H

#include <linux/types.h>

#include "filter.h"

struct questions;

/*
 * struct until - what ends a recording that is a ring
 * @ring: it is one
 * @on: bit mask of 1 << enum record_skb_by
 * @slower_us: how long a packet may be there
 * @unanswered_ns: how long its answer may take
 * @after_ns: what comes behind the end is recorded for so long
 * @match: which packet ends it
 * @nr_reasons: how many of @reasons there are
 * @reasons: for which a packet is thrown away; any if there are none
 * @questions: what is not answered yet; NULL if nobody asks
 */
struct until {
	bool ring;
	u32 on;
	u32 slower_us;
	u64 unanswered_ns;
	u64 after_ns;
	struct filter match;
	u32 nr_reasons;
	char reasons[RECORD_SKB_MAX_REASONS][RECORD_SKB_REASON_LEN];
	struct questions *questions;
};

int until_create(struct until *u, const struct record_skb_ring *want);
void until_destroy(struct until *u);
bool until_has_reason(const struct until *u, const char *name);

#endif
