// SPDX-License-Identifier: GPL-2.0
/* fast.c - what of the points and the filter is looked at first, put together for it */
#include <linux/module.h>
#include <linux/string.h>

#include "armed.h"
#include "fast.h"

/* That no two of a hundred points have the same slot comes out about one time in ten. */
#define TRIES 200

struct fast record_skb_fast __read_mostly;

static bool has_place(const struct point *point)
{
	return point->kind == RECORD_SKB_KIND_SKB;
}

/* Return: how many found their slot taken. */
static u32 place(const struct points *p, u64 factor)
{
	struct fast_point *at;
	u32 i, nr_left = 0;

	memset(record_skb_fast.point, 0, sizeof(record_skb_fast.point));
	for (i = 0; i < p->nr; i++) {
		if (!has_place(&p->point[i]))
			continue;
		at = &record_skb_fast.point[fast_slot(p->point[i].ip, factor)];
		if (at->ip) {
			nr_left++;
			continue;
		}
		at->offset = p->point[i].offset;
		at->at_data = !!(p->point[i].flags & RECORD_SKB_POINT_AT_DATA);
		at->ip = p->point[i].ip;
	}
	return nr_left;
}

/**
 * fast_forget_module() - its functions' addresses may be other functions' next
 * @mod: the module; NULL for all points
 */
void fast_forget_module(const struct module *mod)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(record_skb_fast.point); i++) {
		struct fast_point *point = &record_skb_fast.point[i];

		if (!mod || within_module(point->ip, mod))
			WRITE_ONCE(point->ip, 0);
	}
}

/* Nothing is hooked any more. */
void fast_stop(void)
{
	fast_forget_module(NULL);
}

/**
 * fast_start() - before the points are hooked
 * @a: what is to be armed
 */
void fast_start(const struct armed *a)
{
	u64 factor = GOLDEN_RATIO_64;
	int tries = TRIES;

	fast_stop();
	if (!a->filter.sieve.ports)
		return;
	record_skb_fast.ports = *a->filter.sieve.ports;
	while (place(&a->points, factor) && --tries)
		factor = factor * GOLDEN_RATIO_64 | 1;
	record_skb_fast.factor = factor;
}
