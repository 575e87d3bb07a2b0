// SPDX-License-Identifier: GPL-2.0
/*
 * skb_table.c - remember the skbs of matching packets until the skbs are freed
 *
 * The table has a fixed size. Its key is the address of the skb. A lookup takes no lock: the key is written
 * with release semantics after the rest of the entry. A lookup reads the key first, with acquire semantics.
 * Adding an entry takes the lock of the bucket. If two CPUs handle a shared skb at the same time, one CPU
 * adds the skb and the other finds it.
 *
 * The keys of a bucket fill one cache line, and a lookup of an skb that is not in the table reads only that
 * line.
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

#include "notrace_lock.h"
#include "counters.h"
#include "skb_table.h"

/*
 * The table has half a million entries in buckets of eight. With 65,536 tracked packets and an even hash,
 * less than one packet is expected to find its bucket full.
 */
#define TRACK_BITS 16
#define TRACK_WAYS 8

/* Largest value of @since, in microseconds: half an hour. */
#define SINCE_MASK ((1U << 31) - 1)

/* Size of the table that counts the copies of each packet, as a power of two. */
#define COUNT_BITS 16

struct track_bucket {
	atomic_long_t key[TRACK_WAYS];
} ____cacheline_aligned;

/*
 * struct skb_table - the tracked packets of one recording
 * @bucket: the keys, which are skb addresses; 0 in a free entry
 * @numbers: the entries
 * @copies: counters of copies: the packet number in the upper half, the number of copies of this packet in
 *	the lower half
 * @uncounted: number of copies of packets that have lost their counter to another packet
 * @stats: statistics of the recording, which also number the packets
 */
struct skb_table {
	struct track_bucket bucket[1 << TRACK_BITS];
	struct match numbers[1 << TRACK_BITS][TRACK_WAYS];
	atomic64_t copies[1 << COUNT_BITS];
	atomic_t uncounted;
	struct stats *stats;
};

/* Locks for the buckets of all recordings' tables. */
static struct notrace_locks locks = HIDDEN_LOCKS;

atomic_t record_skb_track_hint[1 << TRACK_HINT_BITS] ____cacheline_aligned_in_smp;

/*
 * Callbacks look up an skb only if its hint is set. Therefore the hint must be set before the key of the
 * skb is added, and cleared after the key was removed.
 */
static void count_packet(const struct sk_buff *skb)
{
	atomic_inc(skb_table_hint(skb));
	busy_add_packet();
}

static void uncount_packet(const struct sk_buff *skb)
{
	busy_remove_packet();
	atomic_dec(skb_table_hint(skb));
}

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
 * skb_table_at() - look up a packet; skb_table_any() must be true
 * @t: table of a recording
 * @skb: the packet, which is not being freed
 *
 * Another CPU may change the returned entry at any time, because an skb can be shared.
 *
 * Return: the entry of the packet, NULL if it is not tracked.
 */
const struct match *skb_table_at(const struct skb_table *t, const struct sk_buff *skb)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	const int way = track_way(&t->bucket[hash], skb);

	return way < 0 ? NULL : &t->numbers[hash][way];
}

/* Variant of skb_table_knows() for callers that have tested skb_table_any(). */
bool skb_table_has(const struct skb_table *t, const struct sk_buff *skb)
{
	return track_way(&t->bucket[hash_ptr(skb, TRACK_BITS)], skb) >= 0;
}

/*
 * Return: the next number for a copy of the packet @pkt. If two packets need the same counter, the packet
 * with the larger number gets the counter. Later copies of the other packet get numbers from
 * RECORD_SKB_COPY_UNCOUNTED on.
 */
static u32 copy_number(struct skb_table *t, u32 pkt)
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

/*
 * Add an skb to a bucket. The caller holds the lock of the bucket.
 * @from: the packet that @skb is a copy of, NULL if @skb is a new packet
 * Return: false if the bucket is full; the statistics then count a packet that is not tracked.
 */
static bool track_put(struct skb_table *t, u32 hash, const struct sk_buff *skb,
		      const struct match *from, struct match *m)
{
	struct track_bucket *bucket = &t->bucket[hash];
	int way;

	m->pkt = from ? from->pkt : stat_number(t->stats, NUMBER_PACKETS);
	way = track_way(bucket, NULL);
	if (way < 0) {
		m->copy = RECORD_SKB_COPY_UNKNOWN;
		stat_inc(t->stats, STAT_LOST_TRACKED);
		return false;
	}
	m->copy = from ? copy_number(t, from->pkt) : 0;
	t->numbers[hash][way] = *m;
	count_packet(skb);
	/* Pairs with the acquire in track_way(). */
	atomic_long_set_release(&bucket->key[way], (long)skb);
	return true;
}

static bool track_add(struct skb_table *t, const struct sk_buff *skb, const struct match *from,
		      struct match *m)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	const unsigned long flags = notrace_lock(&locks, hash);
	bool added = false;

	if (!skb_table_find(t, skb, m))
		added = track_put(t, hash, skb, from, m);
	notrace_unlock(&locks, hash, flags);
	return added;
}

static u32 now_us(void)
{
	return (u32)div_u64(ktime_get_mono_fast_ns(), NSEC_PER_USEC) & SINCE_MASK;
}

/**
 * skb_table_new() - number a packet and track it until skb_table_forget()
 * @t: table of a recording
 * @skb: the packet
 * @m: contains the flow and namespace of the packet; the packet and copy numbers are filled in
 *
 * Return: false if the packet is tracked already, or if the bucket is full. In the second case, the packet
 * still gets a number, and the statistics count a packet that is not tracked.
 */
bool skb_table_new(struct skb_table *t, const struct sk_buff *skb, struct match *m)
{
	bool added;

	m->since = now_us();
	m->first = m->dropped = false;
	added = track_add(t, skb, NULL, m);
	m->first = added || m->copy == RECORD_SKB_COPY_UNKNOWN;
	return added;
}

/**
 * skb_table_copy() - track a copy of a packet until skb_table_forget()
 * @t: table of a recording
 * @skb: the copy
 * @from: numbers of the packet that was copied
 * @m: set to the entry of the copy
 *
 * Return: false if the copy is tracked already, or if the bucket is full. In the second case, the
 * statistics count a copy that is not tracked.
 */
bool skb_table_copy(struct skb_table *t, const struct sk_buff *skb, const struct match *from,
		    struct match *m)
{
	*m = *from;
	m->first = m->dropped = false;
	return track_add(t, skb, from, m);
}

/**
 * skb_table_moved() - update a packet that has changed its namespace or has got a flow
 * @t: table of a recording
 * @skb: a packet that skb_table_find() knows
 * @m: the new entry
 */
void skb_table_moved(struct skb_table *t, const struct sk_buff *skb, const struct match *m)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	const int way = track_way(&t->bucket[hash], skb);

	if (way >= 0)
		t->numbers[hash][way] = *m;
}

/**
 * skb_table_drop() - mark a packet as dropped before it is freed
 * @t: table of a recording
 * @skb: the packet, which has no other owner
 * @m: set to the entry
 *
 * Return: true if the packet is tracked and was not marked before.
 */
bool skb_table_drop(struct skb_table *t, const struct sk_buff *skb, struct match *m)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	const int way = skb_table_any() ? track_way(&t->bucket[hash], skb) : -1;

	if (way < 0 || t->numbers[hash][way].dropped)
		return false;
	t->numbers[hash][way].dropped = true;
	*m = t->numbers[hash][way];
	return true;
}

/**
 * skb_table_forget() - remove an skb that is being freed, because its address may be reused
 * @t: table of a recording
 * @skb: the packet
 * @m: set to the entry
 *
 * Return: true if the packet was tracked.
 */
bool skb_table_forget(struct skb_table *t, const struct sk_buff *skb, struct match *m)
{
	const u32 hash = hash_ptr(skb, TRACK_BITS);
	int way;

	if (!skb_table_any())
		return false;
	way = track_way(&t->bucket[hash], skb);
	if (way < 0)
		return false;
	*m = t->numbers[hash][way];
	if (atomic_long_cmpxchg(&t->bucket[hash].key[way], (long)skb, 0) != (long)skb)
		return false;
	uncount_packet(skb);
	return true;
}

/* Return: the time since the packet was first seen, in microseconds. */
u32 skb_table_age_us(const struct match *m)
{
	return (now_us() - m->since) & SINCE_MASK;
}

/**
 * skb_table_find_old() - find a packet that is older than a given time
 * @t: table of a recording
 * @us: the minimum age in microseconds
 * @m: set to the entry
 *
 * This scans the whole table and may sleep.
 *
 * Return: true if there is such a packet.
 */
bool skb_table_find_old(const struct skb_table *t, u32 us, struct match *m)
{
	u32 hash, way;

	for (hash = 0; skb_table_any() && hash < ARRAY_SIZE(t->bucket); hash++) {
		if (!(hash % 4096))
			cond_resched();
		for (way = 0; way < TRACK_WAYS; way++) {
			const atomic_long_t *key = &t->bucket[hash].key[way];
			const long skb = atomic_long_read_acquire(key);

			if (!skb)
				continue;
			*m = t->numbers[hash][way];
			/*
			 * Read the entry before its key is read for the second time. The second read shows
			 * if another CPU has reused the entry.
			 */
			smp_rmb();
			if (atomic_long_read(key) == skb && !m->dropped &&
			    skb_table_age_us(m) >= us)
				return true;
		}
	}
	return false;
}

static void forget_keys(struct skb_table *t)
{
	u32 hash, way;
	long skb;

	for (hash = 0; hash < ARRAY_SIZE(t->bucket); hash++) {
		for (way = 0; way < TRACK_WAYS; way++) {
			skb = atomic_long_read(&t->bucket[hash].key[way]);
			if (skb)
				uncount_packet((const struct sk_buff *)skb);
		}
	}
}

/* Remove all packets. The recording must not be armed. */
void skb_table_forget_all(struct skb_table *t)
{
	if (skb_table_any())
		forget_keys(t);
	/* Entries without a key are never read, so clearing the keys is enough. */
	memset(t->bucket, 0, sizeof(t->bucket));
	memset(t->copies, 0, sizeof(t->copies));
	atomic_set(&t->uncounted, 0);
}

/**
 * skb_table_new_table() - allocate the table of a recording
 * @stats: statistics of the recording, which also number the packets
 *
 * Return: the table, for skb_table_free_table(); NULL if memory is short.
 */
struct skb_table *skb_table_new_table(struct stats *stats)
{
	struct skb_table *t = vzalloc(sizeof(*t));

	if (t)
		t->stats = stats;
	return t;
}

/* Free a table. No callback may use it any more. */
void skb_table_free_table(struct skb_table *t)
{
	if (t)
		skb_table_forget_all(t);
	vfree(t);
}
