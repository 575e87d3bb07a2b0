/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_TRACK_H
#define RECORD_SKB_TRACK_H

#include <linux/types.h>

#include "busy.h"

struct sk_buff;
struct stats;
struct track;

/*
 * struct match - which packet an skb is
 * @pkt: the packet's number
 * @copy: the skb's number among the packet's, RECORD_SKB_COPY_UNKNOWN if the skb is not remembered
 * @flow: its flow's number, 0 if not known
 * @since: when its packet was first seen, in microseconds of some clock; for track_age_us()
 * @first: its packet is seen here for the first time
 * @dropped: it has been thrown away, and is being freed
 * @netns: inode number of the namespace it was seen in last, 0 if not known
 * @net: cookie of the namespace in which it was last known as that flow's, 0 if not known
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

struct track *track_new_table(struct stats *stats);
void track_free_table(struct track *t);
void track_forget_all(struct track *t);
bool track_new(struct track *t, const struct sk_buff *skb, struct match *m);
bool track_copy(struct track *t, const struct sk_buff *skb, const struct match *from,
		struct match *m);
void track_moved(struct track *t, const struct sk_buff *skb, const struct match *m);
bool track_drop(struct track *t, const struct sk_buff *skb, struct match *m);
bool track_forget(struct track *t, const struct sk_buff *skb, struct match *m);
u32 track_age_us(const struct match *m);
bool track_find_old(const struct track *t, u32 us, struct match *m);

const struct match *track_at(const struct track *t, const struct sk_buff *skb);
bool track_has(const struct track *t, const struct sk_buff *skb);

/* Whether anything is remembered, of whatever recording. */
static inline bool track_any(void)
{
	return atomic_read(&record_skb_busy.tracked);
}

/* Whether this packet matched before; then @m is filled in. */
static inline bool track_find(const struct track *t, const struct sk_buff *skb, struct match *m)
{
	const struct match *found = track_any() ? track_at(t, skb) : NULL;

	if (found)
		*m = *found;
	return found;
}

/* Whether this packet matched before. */
static inline bool track_knows(const struct track *t, const struct sk_buff *skb)
{
	return track_any() && track_has(t, skb);
}

#endif
