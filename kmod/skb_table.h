/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_SKB_TABLE_H
#define RECORD_SKB_SKB_TABLE_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/types.h>

#include "counters.h"

struct sk_buff;
struct stats;
struct skb_table;

/*
 * struct match - identity of the packet in an skb
 * @pkt: the packet's number
 * @copy: number of the skb among the packet's copies, RECORD_SKB_COPY_UNKNOWN if the skb is not tracked
 * @flow: number of the packet's flow, 0 if not known
 * @since: time when the packet was first seen, in microseconds; for skb_table_age_us()
 * @first: true if this is the first time that the packet is seen
 * @netns: inode number of the namespace in which the packet was seen last, 0 if not known
 * @dropped: true if the packet was dropped and is being freed
 * @net: cookie of the namespace in which the packet was last known to belong to the flow, 0 if not known
 */
struct match {
	u32 pkt;
	u32 copy;
	u32 flow;
	u32 since : 31;
	u32 first : 1;
	u32 netns;
	bool dropped;
	u64 net;
};

/*
 * For each hash value, the number of tracked skbs with this hash in all recordings. The prefilter reads the
 * number of the packet's hash for every packet while any skb is tracked. Writes are rare: a number changes
 * only when the module starts or stops tracking an skb.
 */
#define TRACK_HINT_BITS 14

extern atomic_t record_skb_track_hint[1 << TRACK_HINT_BITS];

struct skb_table *skb_table_new_table(struct stats *stats);
void skb_table_free_table(struct skb_table *t);
void skb_table_forget_all(struct skb_table *t);
bool skb_table_new(struct skb_table *t, const struct sk_buff *skb, struct match *m);
bool skb_table_copy(struct skb_table *t, const struct sk_buff *skb, const struct match *from,
		    struct match *m);
void skb_table_moved(struct skb_table *t, const struct sk_buff *skb, const struct match *m);
bool skb_table_drop(struct skb_table *t, const struct sk_buff *skb, struct match *m);
bool skb_table_forget(struct skb_table *t, const struct sk_buff *skb, struct match *m);
u32 skb_table_age_us(const struct match *m);
bool skb_table_find_old(const struct skb_table *t, u32 us, struct match *m);

const struct match *skb_table_at(const struct skb_table *t, const struct sk_buff *skb);
bool skb_table_has(const struct skb_table *t, const struct sk_buff *skb);

static __always_inline atomic_t *skb_table_hint(const struct sk_buff *skb)
{
	return &record_skb_track_hint[hash_ptr(skb, TRACK_HINT_BITS)];
}

/* Return: false if no recording tracks the skb; true if a recording may track it. */
static __always_inline bool skb_table_may_know(const struct sk_buff *skb)
{
	return atomic_read(skb_table_hint(skb));
}

/* Return: true if any recording may track an skb. */
static inline bool skb_table_any(void)
{
	return busy_with_packets();
}

/* Return: true if this packet matched before; then @m is filled in. */
static inline bool skb_table_find(const struct skb_table *t, const struct sk_buff *skb,
				  struct match *m)
{
	const struct match *found = skb_table_any() ? skb_table_at(t, skb) : NULL;

	if (found)
		*m = *found;
	return found;
}

/* Return: true if this packet matched before. */
static inline bool skb_table_knows(const struct skb_table *t, const struct sk_buff *skb)
{
	return skb_table_any() && skb_table_has(t, skb);
}

#endif
