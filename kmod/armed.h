/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_ARMED_H
#define RECORD_SKB_ARMED_H

#include <linux/types.h>

#include "filter.h"
#include "points.h"
#include "until.h"

#define ARMED_HASH_BITS 11

/*
 * struct armed - what is being recorded, for as long as it is
 *
 * It does not change: callbacks read it without a lock. The programs are the session's, which
 * outlives it.
 *
 * @filter: the programs
 * @options: as the session has them, but that what cannot be done is off (tracking, the pause)
 * @until: what ends it, of a ring
 * @epoch: tells one arming from the next; never 0
 * @points: the user's and the module's own, in the directions that are wanted
 * @by_ip: open hash from a point's address to its index in @points plus 1
 */
struct armed {
	struct filter filter;
	struct record_skb_options options;
	struct until until;
	u32 epoch;
	struct points points;
	u16 by_ip[1 << ARMED_HASH_BITS];
};

struct armed *armed_new(const struct filter *filter, const struct record_skb_options *options,
			const struct until *until, const struct points *users);
struct armed *armed_without(const struct armed *a, const struct module *mod);
void armed_free(struct armed *a);
const struct point *armed_point(const struct armed *a, unsigned long ip);

void armed_publish(const struct armed *a);
void armed_withdraw(void);
void armed_over(void);
const struct armed *armed_get(void);

extern u32 record_skb_epoch;

/* Of what is recorded, or was until just now; 0 if nothing. Any context. */
static inline u32 armed_epoch(void)
{
	return READ_ONCE(record_skb_epoch);
}

#endif
