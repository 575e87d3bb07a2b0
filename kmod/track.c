// SPDX-License-Identifier: GPL-2.0
/*
 * track.c - a packet that matched stays matched until it is freed
 *
 * A fixed table keyed by the skb's address. An skb is in one place at a time, so its entry has one
 * writer; different skbs meet only when they claim a slot (cmpxchg). The key is released after the
 * numbers are written and acquired before they are read.
 */
#include <linux/hash.h>
#include <linux/skbuff.h>
#include <linux/vmalloc.h>

#include "stats.h"
#include "track.h"

/*
 * Half a million in buckets of eight: of 65,536 packets at addresses spread by the hash, less than one
 * is expected to find its bucket full.
 */
#define TRACK_BITS	16
#define TRACK_WAYS	8

#define TRACK_BUSY	1UL

struct track {
	atomic_long_t key;
	u32 pkt;
	u32 flow;
};

static struct track *tracks;
/* Lets the packets of a machine on which nothing matched skip the table. */
static atomic_t tracked;

static struct track *track_bucket(const struct sk_buff *skb)
{
	return &tracks[hash_ptr(skb, TRACK_BITS) * TRACK_WAYS];
}

static struct track *track_lookup(const struct sk_buff *skb)
{
	struct track *bucket;
	int i;

	if (!atomic_read(&tracked))
		return NULL;
	bucket = track_bucket(skb);
	for (i = 0; i < TRACK_WAYS; i++) {
		/* Pairs with the release in track_add(). */
		if (atomic_long_read_acquire(&bucket[i].key) == (long)skb)
			return &bucket[i];
	}
	return NULL;
}

/**
 * track_find() - whether this packet matched before
 * @skb: the packet
 * @pkt: set to its number if so
 * @flow: set to its flow's number if so
 */
bool track_find(const struct sk_buff *skb, u32 *pkt, u32 *flow)
{
	struct track *t = track_lookup(skb);

	if (!t)
		return false;
	*pkt = t->pkt;
	*flow = t->flow;
	return true;
}

static void track_one(const struct sk_buff *skb, u32 pkt, u32 flow)
{
	struct track *bucket = track_bucket(skb);
	int i;

	for (i = 0; i < TRACK_WAYS; i++) {
		if (atomic_long_read(&bucket[i].key) ||
		    atomic_long_cmpxchg(&bucket[i].key, 0, TRACK_BUSY))
			continue;
		bucket[i].pkt = pkt;
		bucket[i].flow = flow;
		atomic_inc(&tracked);
		/* Pairs with the acquire in track_lookup(). */
		atomic_long_set_release(&bucket[i].key, (long)skb);
		return;
	}
	stat_inc(STAT_LOST_TRACKED);
}

/**
 * track_add() - remember a packet until track_forget()
 * @skb: a packet that track_find() does not know
 * @pkt: its number
 * @flow: its flow's number
 *
 * The skbs it is made of (fragments to be sent, segments merged by GRO) travel on their own
 * later: they are the same packet. Counted as lost if there is no room.
 */
void track_add(const struct sk_buff *skb, u32 pkt, u32 flow)
{
	const struct sk_buff *part;

	track_one(skb, pkt, flow);
	skb_walk_frags(skb, part)
		if (!track_lookup(part))
			track_one(part, pkt, flow);
}

/* The packet is being freed: its address may be another's next. */
void track_forget(const struct sk_buff *skb)
{
	struct track *t = track_lookup(skb);

	if (t && atomic_long_cmpxchg(&t->key, (long)skb, 0) == (long)skb)
		atomic_dec(&tracked);
}

/* Only while nothing is armed. */
void track_forget_all(void)
{
	memset(tracks, 0, sizeof(*tracks) * TRACK_WAYS << TRACK_BITS);
	atomic_set(&tracked, 0);
}

int track_init(void)
{
	tracks = vzalloc(sizeof(*tracks) * TRACK_WAYS << TRACK_BITS);
	return tracks ? 0 : -ENOMEM;
}

void track_exit(void)
{
	vfree(tracks);
}
