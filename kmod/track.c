// SPDX-License-Identifier: GPL-2.0
/*
 * track.c - a packet that matched stays matched until it is freed
 *
 * A fixed table keyed by the skb's address. Looking a packet up takes no lock: the key is released
 * after what it stands for is written and acquired before that is read. Adding takes the bucket's,
 * so that of two CPUs that hold a shared skb one adds it and the other finds it.
 *
 * The keys of a bucket are one cache line, which is all that an skb pays that is not here.
 */
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/skbuff.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>
#include <record_skb.h>

#include "hidden-lock.h"
#include "stats.h"
#include "track.h"

/*
 * Half a million in buckets of eight: of 65,536 packets at addresses spread by the hash, less than one
 * is expected to find its bucket full.
 */
#define TRACK_BITS 16
#define TRACK_WAYS 8

/* What fits into @since; half an hour. */
#define SINCE_MASK ((1U << 31) - 1)

/* Packets whose copies are counted at the same time. */
#define COUNT_BITS 16

struct track_bucket {
	atomic_long_t key[TRACK_WAYS];
} ____cacheline_aligned;

/*
 * struct track - the packets of one recording
 * @copies: the number of a packet in the upper half, how many copies it has in the lower
 * @uncounted: copies of packets whose count was given up
 * @stats: numbers and counts
 */
struct track {
	struct track_bucket bucket[1 << TRACK_BITS];
	struct match of[1 << TRACK_BITS][TRACK_WAYS];
	atomic64_t copies[1 << COUNT_BITS];
	atomic_t uncounted;
	struct stats *stats;
};

/* Of all tables. */
static struct hidden_locks locks = HIDDEN_LOCKS;

static int track_way(const struct track_bucket *bucket, const struct sk_buff *skb)
{
	int i;

	for (i = 0; i < TRACK_WAYS; i++) {
		/* Pairs with the release in track_put(). */
		if (atomic_long_read_acquire(&bucket->key[i]) == (long)skb)
			return i;
	}
	return -1;
}

/**
 * track_at() - what is remembered of a packet, where any are
 * @t: of which recording
 * @skb: the packet, which is not being freed
 *
 * Return: NULL if it is not. Another CPU may change it: an skb can be shared.
 */
const struct match *track_at(const struct track *t, const struct sk_buff *skb)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	const int way = track_way(&t->bucket[hash], skb);

	return way < 0 ? NULL : &t->of[hash][way];
}

/* track_knows() where any are remembered. */
bool track_has(const struct track *t, const struct sk_buff *skb)
{
	return track_way(&t->bucket[hash_ptr(skb, TRACK_BITS)], skb) >= 0;
}

/*
 * The next number for a copy of a packet. Of two packets that share a counter the later one has it, and
 * the copies of the other that are made from then on have numbers beyond those that are counted.
 */
static u32 copy_number(struct track *t, u32 pkt)
{
	atomic64_t *count = &t->copies[pkt % ARRAY_SIZE(t->copies)];
	s64 was = atomic64_read(count);
	u64 now;

	do {
		if (upper_32_bits(was) > pkt)
			return RECORD_SKB_COPY_UNCOUNTED + atomic_inc_return(&t->uncounted);
		now = upper_32_bits(was) == pkt ? was + 1 : (u64)pkt << 32 | 1;
	} while (!atomic64_try_cmpxchg(count, &was, now));
	return lower_32_bits(now);
}

/* @from is what it is a copy of, NULL for a new packet of @m->flow. The bucket is locked. */
static bool track_put(struct track *t, u32 hash, const struct sk_buff *skb,
		      const struct match *from, struct match *m)
{
	struct track_bucket *bucket = &t->bucket[hash];
	int way;

	m->pkt = from ? from->pkt : stat_number(t->stats, STAT_PACKETS);
	way = track_way(bucket, NULL);
	if (way < 0) {
		m->copy = RECORD_SKB_COPY_UNKNOWN;
		stat_inc(t->stats, STAT_LOST_TRACKED);
		return false;
	}
	m->copy = from ? copy_number(t, from->pkt) : 0;
	t->of[hash][way] = *m;
	atomic_inc(&record_skb_busy.tracked);
	/* Pairs with the acquire in track_way(). */
	atomic_long_set_release(&bucket->key[way], (long)skb);
	return true;
}

static bool track_add(struct track *t, const struct sk_buff *skb, const struct match *from,
		      struct match *m)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	const unsigned long flags = hidden_lock(&locks, hash);
	bool added = false;

	if (!track_find(t, skb, m))
		added = track_put(t, hash, skb, from, m);
	hidden_unlock(&locks, hash, flags);
	return added;
}

static u32 now_us(void)
{
	return (u32)div_u64(ktime_get_mono_fast_ns(), NSEC_PER_USEC) & SINCE_MASK;
}

/**
 * track_new() - number a packet and remember it until track_forget()
 * @t: of which recording
 * @skb: the packet
 * @m: its flow and where it is; its numbers are filled in
 *
 * Return: false if it was there already, or if there is no room (counted); then it has a number all
 * the same.
 */
bool track_new(struct track *t, const struct sk_buff *skb, struct match *m)
{
	bool added;

	m->since = now_us();
	m->first = m->dropped = false;
	added = track_add(t, skb, NULL, m);
	m->first = added || m->copy == RECORD_SKB_COPY_UNKNOWN;
	return added;
}

/**
 * track_copy() - remember a copy of a packet until track_forget()
 * @t: of which recording
 * @skb: the copy
 * @from: what it is a copy of
 * @m: filled in
 *
 * Return: false if it was there already, or if there is no room (counted).
 */
bool track_copy(struct track *t, const struct sk_buff *skb, const struct match *from,
		struct match *m)
{
	*m = *from;
	m->first = m->dropped = false;
	return track_add(t, skb, from, m);
}

/**
 * track_moved() - the packet is in another namespace now, or its flow is known
 * @t: of which recording
 * @skb: a packet that track_find() knows
 * @m: what it is now
 */
void track_moved(struct track *t, const struct sk_buff *skb, const struct match *m)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	const int way = track_way(&t->bucket[hash], skb);

	if (way >= 0)
		t->of[hash][way] = *m;
}

/**
 * track_drop() - the skb is thrown away, and is freed next
 * @t: of which recording
 * @skb: the packet, which nobody else has any more
 * @m: set to what it is
 *
 * Return: whether it was remembered, and not said to be thrown away before.
 */
bool track_drop(struct track *t, const struct sk_buff *skb, struct match *m)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	const int way = track_any() ? track_way(&t->bucket[hash], skb) : -1;

	if (way < 0 || t->of[hash][way].dropped)
		return false;
	t->of[hash][way].dropped = true;
	*m = t->of[hash][way];
	return true;
}

/**
 * track_forget() - the skb is being freed: its address may be another's next
 * @t: of which recording
 * @skb: the packet
 * @m: set to what it was
 *
 * Return: whether it was remembered.
 */
bool track_forget(struct track *t, const struct sk_buff *skb, struct match *m)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	int way;

	if (!track_any())
		return false;
	way = track_way(&t->bucket[hash], skb);
	if (way < 0)
		return false;
	*m = t->of[hash][way];
	if (atomic_long_cmpxchg(&t->bucket[hash].key[way], (long)skb, 0) != (long)skb)
		return false;
	atomic_dec(&record_skb_busy.tracked);
	return true;
}

/* How long ago its packet was first seen. */
u32 track_age_us(const struct match *m)
{
	return (now_us() - m->since) & SINCE_MASK;
}

/**
 * track_find_old() - find a packet that has been there for long
 * @t: of which recording
 * @us: at least so many microseconds
 * @m: filled in
 *
 * Return: whether there is one. It goes through the whole table, and may sleep.
 */
bool track_find_old(const struct track *t, u32 us, struct match *m)
{
	u32 hash, way;

	for (hash = 0; track_any() && hash < ARRAY_SIZE(t->bucket); hash++) {
		if (!(hash % 4096))
			cond_resched();
		for (way = 0; way < TRACK_WAYS; way++) {
			const atomic_long_t *key = &t->bucket[hash].key[way];
			const long skb = atomic_long_read_acquire(key);

			if (!skb)
				continue;
			*m = t->of[hash][way];
			/* Not what another has written meanwhile. */
			smp_rmb();
			if (atomic_long_read(key) == skb && !m->dropped && track_age_us(m) >= us)
				return true;
		}
	}
	return false;
}

static int nr_keys(const struct track *t)
{
	u32 hash, way;
	int nr = 0;

	for (hash = 0; hash < ARRAY_SIZE(t->bucket); hash++)
		for (way = 0; way < TRACK_WAYS; way++)
			nr += !!atomic_long_read(&t->bucket[hash].key[way]);
	return nr;
}

/* Only while its recording is not armed. */
void track_forget_all(struct track *t)
{
	if (track_any())
		atomic_sub(nr_keys(t), &record_skb_busy.tracked);
	/* What is under no key is not read. */
	memset(t->bucket, 0, sizeof(t->bucket));
	memset(t->copies, 0, sizeof(t->copies));
	atomic_set(&t->uncounted, 0);
}

/**
 * track_new_table() - room for the packets of a recording
 * @stats: where they are numbered and counted
 *
 * Return: for track_free_table(), NULL if there is no memory.
 */
struct track *track_new_table(struct stats *stats)
{
	struct track *t = vzalloc(sizeof(*t));

	if (t)
		t->stats = stats;
	return t;
}

/* No callback looks at it any more. */
void track_free_table(struct track *t)
{
	if (t)
		track_forget_all(t);
	vfree(t);
}
