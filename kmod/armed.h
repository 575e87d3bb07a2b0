/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_ARMED_H
#define RECORD_SKB_ARMED_H

#include <linux/hash.h>
#include <linux/types.h>

#include "filter.h"
#include "points.h"
#include "recording.h"
#include "until.h"

#define ARMED_HASH_BITS 11

/*
 * struct armed - what is being recorded, for as long as it is
 *
 * It does not change: callbacks read it without a lock. The programs are the session's, which
 * outlives it.
 *
 * @of: the recording
 * @filter: the programs
 * @options: as the session has them, but that what cannot be done is off (tracking, the pause)
 * @until: what ends it, of a ring
 * @epoch: tells one arming from the next; never 0
 * @points: the user's and the module's own, in the directions that are wanted
 * @by_ip: open hash of a point's address
 */
struct armed {
	struct recording *of;
	struct filter filter;
	struct record_skb_options options;
	struct until until;
	u32 epoch;
	struct points points;
	struct point *by_ip[1 << ARMED_HASH_BITS];
};

struct armed *armed_new(struct recording *of, const struct filter *filter,
			const struct record_skb_options *options, const struct until *until,
			const struct points *users, const struct points *alone);
struct armed *armed_without(const struct armed *a, const struct module *mod);
void armed_free(struct armed *a);

void armed_publish(const struct armed *a);
void armed_withdraw(const struct armed *a);
void armed_over(const struct armed *a);

static inline u32 armed_hash(unsigned long ip)
{
	return hash_long(ip, ARMED_HASH_BITS);
}

/* The point at an address, NULL if none. */
static inline const struct point *armed_point(const struct armed *a, unsigned long ip)
{
	u32 i;

	for (i = armed_hash(ip); a->by_ip[i]; i = (i + 1) % ARRAY_SIZE(a->by_ip))
		if (a->by_ip[i]->ip == ip)
			return a->by_ip[i];
	return NULL;
}

#endif
