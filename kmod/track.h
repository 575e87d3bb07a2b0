/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_TRACK_H
#define RECORD_SKB_TRACK_H

#include <linux/types.h>

#include "busy.h"

struct sk_buff;

/*
 * struct match - which packet an skb is
 * @pkt: the packet's number
 * @copy: the skb's number among the packet's, RECORD_SKB_COPY_UNKNOWN if the skb is not remembered
 * @flow: its flow's number, 0 if not known
 * @since: when its packet was first seen, in microseconds of some clock; for track_age_us()
 * @first: its packet is seen here for the first time
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
	u64 net;
};

int track_init(void);
void track_exit(void);
void track_forget_all(void);
bool track_new(const struct sk_buff *skb, struct match *m);
bool track_copy(const struct sk_buff *skb, const struct match *from, struct match *m);
void track_moved(const struct sk_buff *skb, const struct match *m);
bool track_forget(const struct sk_buff *skb, struct match *m);
u32 track_age_us(const struct match *m);
bool track_find_old(u32 us, struct match *m);

const struct match *track_at(const struct sk_buff *skb);
bool track_has(const struct sk_buff *skb);

/* Whether anything is remembered. */
static inline bool track_any(void)
{
	return atomic_read(&record_skb_busy.tracked);
}

/* Whether this packet matched before; then @m is filled in. */
static inline bool track_find(const struct sk_buff *skb, struct match *m)
{
	const struct match *found = track_any() ? track_at(skb) : NULL;

	if (found)
		*m = *found;
	return found;
}

/* Whether this packet matched before. */
static inline bool track_knows(const struct sk_buff *skb)
{
	return track_any() && track_has(skb);
}

#endif
