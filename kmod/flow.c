// SPDX-License-Identifier: GPL-2.0
/*
 * flow.c - number the flows, and remember which belong to the followed command
 *
 * A flow is known by its two ends in a network namespace: what has the same ends in another one is
 * another's. A packet that goes from one namespace to another, or whose addresses are changed, takes
 * its flow along: the table has its ends there too, with the same number.
 *
 * A fixed table of buckets. Where one is full, what was not seen for the longest time is given up.
 * Looking up takes no lock: an entry's sequence number says whether it changed meanwhile. Writers
 * hold the bucket's lock.
 */
#include <linux/jiffies.h>
#include <linux/random.h>
#include <linux/vmalloc.h>
#include <net/ipv6.h>

#include "flow.h"
#include "hidden-lock.h"
#include "stats.h"

#define FLOW_BUCKETS 4096
#define FLOW_WAYS    8

/*
 * @net: cookie of the namespace, which no other one has had or will have
 * @local: one end only, of a socket
 */
struct flow_key {
	struct in6_addr addr[2];
	u64 net;
	u16 port[2];
	u8 family;
	u8 proto;
	u16 local;
};

/* It is looked at by words. */
#define KEY_WORDS (sizeof(struct flow_key) / sizeof(u64))

/*
 * @seq: odd while @key and @number are written, 0 if there is nothing here yet
 * @seen: when it was looked up last, in jiffies
 * @counted: packets of it were seen, not only calls
 */
struct flow {
	u32 seq;
	u32 number;
	u32 seen;
	bool followed;
	bool counted;
	struct flow_key key;
};

/*
 * struct flows - those of one recording
 * @seed: so that nobody can tell from outside which flows meet in a bucket
 * @locals: how many local ends were followed, ever: without any, nobody looks for them
 * @stats: numbers and counts
 */
struct flows {
	struct flow flow[FLOW_BUCKETS * FLOW_WAYS];
	u64 seed[KEY_WORDS];
	atomic_t locals;
	struct stats *stats;
};

/* Of all tables. */
static struct hidden_locks locks = HIDDEN_LOCKS;

/* It is looked up now. Who writes what others read takes it away from their caches. */
static __always_inline void flow_see(struct flow *flow)
{
	const u32 now = jiffies;

	if (READ_ONCE(flow->seen) != now)
		WRITE_ONCE(flow->seen, now);
}

/* The same key for both directions: an end comes first that is no greater than the other, by some order. */
static __always_inline void flow_key(const struct tuple *t, u64 net, struct flow_key *key)
{
	const u64 *s = (const u64 *)&t->saddr, *d = (const u64 *)&t->daddr;
	bool src = t->sport > t->dport;

	if (s[0] != d[0])
		src = s[0] > d[0];
	else if (s[1] != d[1])
		src = s[1] > d[1];
	/* All of it: it is compared and hashed by words. */
	key->addr[src] = t->saddr;
	key->addr[!src] = t->daddr;
	key->net = net;
	key->port[src] = t->sport;
	key->port[!src] = t->dport;
	key->family = t->family;
	key->proto = t->proto;
	key->local = 0;
}

static __always_inline u64 mix(u64 a, u64 b)
{
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

/* Products of what nobody knows: a tenth of jhash(). */
static __always_inline u32 flow_bucket(const struct flows *f, const struct flow_key *key)
{
	const u64 *words = (const u64 *)key;

	BUILD_BUG_ON(KEY_WORDS != 6 || sizeof(*key) % sizeof(u64));
	return (mix(words[0] ^ f->seed[0], words[1] ^ f->seed[1]) ^
		mix(words[2] ^ f->seed[2], words[3] ^ f->seed[3]) ^
		mix(words[4] ^ f->seed[4], words[5] ^ f->seed[5])) %
	       FLOW_BUCKETS;
}

static __always_inline bool flow_key_is(const struct flow_key *one, const struct flow_key *other)
{
	const u64 *a = (const u64 *)one, *b = (const u64 *)other;

	/* What differs first: the ports, and where. */
	return a[5] == b[5] && a[4] == b[4] && a[0] == b[0] && a[1] == b[1] && a[2] == b[2] &&
	       a[3] == b[3];
}

/* The entry's number and whether it is followed, if it has this key. */
static bool flow_read(const struct flow *flow, const struct flow_key *key, u32 *number,
		      bool *followed)
{
	/* Pairs with the release at the end of flow_write(). */
	const u32 seq = smp_load_acquire(&flow->seq);

	if (!seq || seq & 1 || !flow_key_is(&flow->key, key))
		return false;
	*number = READ_ONCE(flow->number);
	*followed = READ_ONCE(flow->followed);
	/* Pairs with the barrier at the beginning of flow_write(). */
	smp_rmb();
	return READ_ONCE(flow->seq) == seq;
}

/* The entry of a key, NULL if there is none. It counts as seen. */
static struct flow *flow_lookup(struct flows *f, const struct flow_key *key, u32 *number,
				bool *followed)
{
	struct flow *flow = &f->flow[flow_bucket(f, key) * FLOW_WAYS];
	int i;

	for (i = 0; i < FLOW_WAYS; i++, flow++) {
		if (flow_read(flow, key, number, followed)) {
			flow_see(flow);
			return flow;
		}
	}
	return NULL;
}

/* With the bucket locked. */
static void flow_write(struct flow *flow, const struct flow_key *key, u32 number)
{
	const u32 seq = flow->seq;

	WRITE_ONCE(flow->seq, seq + 1);
	/* Pairs with the barrier in flow_read(). */
	smp_wmb();
	flow->key = *key;
	WRITE_ONCE(flow->number, number);
	WRITE_ONCE(flow->counted, false);
	WRITE_ONCE(flow->followed, false);
	flow_see(flow);
	/* Not 0 again after four billion changes; pairs with the acquire in flow_read(). */
	smp_store_release(&flow->seq, seq + 2 ?: 2);
}

/* A free entry, or the one that was not seen for the longest time; a socket that listens stays. */
static struct flow *flow_choose(struct flows *f, struct flow *bucket)
{
	struct flow *flow, *oldest = NULL;

	for (flow = bucket; flow < bucket + FLOW_WAYS; flow++) {
		if (!flow->seq)
			return flow;
		if (flow->key.local && flow->followed)
			continue;
		if (!oldest || (s32)(READ_ONCE(flow->seen) - READ_ONCE(oldest->seen)) < 0)
			oldest = flow;
	}
	stat_inc(f->stats, STAT_LOST_FLOWS);
	return oldest;
}

/* What becomes of the entry of a key. */
enum flow_change {
	FLOW_NUMBER, /* nothing: it is there */
	FLOW_FOLLOW,
	FLOW_UNFOLLOW,
};

/*
 * Make sure that the key is there and change it. A new one gets @number; a key of both ends gets a new
 * number if that is 0.
 *
 * Return: its number; 0 if there was no room, or if it has none.
 */
static u32 flow_put(struct flows *f, const struct flow_key *key, u32 number,
		    enum flow_change change)
{
	const u32 hash = flow_bucket(f, key);
	const unsigned long flags = hidden_lock(&locks, hash);
	struct flow *bucket = &f->flow[hash * FLOW_WAYS], *flow;

	for (flow = bucket; flow < bucket + FLOW_WAYS; flow++)
		if (flow->seq && flow_key_is(&flow->key, key))
			goto found;
	flow = flow_choose(f, bucket);
	if (!flow)
		goto unlock;
	flow_write(flow, key,
		   number || key->local ? number : stat_number(f->stats, STAT_FLOW_NUMBERS));
found:
	if (number && number != flow->number)
		flow_write(flow, key, number);
	/* A packet has brought it. */
	if (number)
		WRITE_ONCE(flow->counted, true);
	if (change == FLOW_FOLLOW && key->local && !flow->followed)
		atomic_inc(&f->locals);
	if (change != FLOW_NUMBER)
		WRITE_ONCE(flow->followed, change == FLOW_FOLLOW);
	number = flow->number;
unlock:
	hidden_unlock(&locks, hash, flags);
	return flow ? number : 0;
}

/**
 * flow_number() - the number of the tuple's flow, a new one if it is new
 * @f: of which recording
 * @t: a tuple with a family
 * @net: cookie of the namespace it is in
 *
 * Return: the number, from 1; 0 if the table is full (counted).
 */
u32 flow_number(struct flows *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));
	bool followed;
	u32 number;

	flow_key(t, net, &key);
	return flow_lookup(f, &key, &number, &followed) ? number :
							  flow_put(f, &key, 0, FLOW_NUMBER);
}

/**
 * flow_of_packet() - flow_number() of a packet's tuple: the flow counts as seen
 * @f: of which recording
 * @t: a tuple with a family
 * @net: cookie of the namespace it is in
 */
u32 flow_of_packet(struct flows *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));
	struct flow *flow;
	bool followed;
	u32 number, same;

	flow_key(t, net, &key);
	flow = flow_lookup(f, &key, &number, &followed);
	if (!flow) {
		number = flow_put(f, &key, 0, FLOW_NUMBER);
		/* Where it is being taken for another flow, what is read is not ours. */
		flow = flow_lookup(f, &key, &same, &followed);
	}
	if (flow && !READ_ONCE(flow->counted) && !xchg(&flow->counted, true))
		stat_inc(f->stats, STAT_FLOWS);
	return number;
}

/**
 * flow_known() - the number of the tuple's flow, 0 if it has none
 * @f: of which recording
 * @t: a tuple with a family
 * @net: cookie of the namespace it is in
 */
u32 flow_known(struct flows *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));
	bool followed;
	u32 number;

	flow_key(t, net, &key);
	return flow_lookup(f, &key, &number, &followed) ? number : 0;
}

static bool flow_key_followed(struct flows *f, const struct flow_key *key)
{
	bool followed;
	u32 number;

	return flow_lookup(f, key, &number, &followed) && followed;
}

/**
 * flow_is_followed() - whether the tuple's flow was followed, in either direction
 * @f: of which recording
 * @t: a packet's tuple, with a family
 * @net: cookie of the namespace it is in
 */
bool flow_is_followed(struct flows *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_key(t, net, &key);
	return flow_key_followed(f, &key);
}

/**
 * flow_follow() - remember that the tuple's flow belongs to a followed task
 * @f: of which recording
 * @t: a tuple with a family and both ends
 * @net: cookie of the namespace it is in
 */
void flow_follow(struct flows *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_key(t, net, &key);
	if (!flow_key_followed(f, &key))
		flow_put(f, &key, 0, FLOW_FOLLOW);
}

/**
 * flow_unfollow() - the tuple's flow is somebody else's now, wherever it went
 * @f: of which recording
 * @t: its tuple
 * @net: cookie of the namespace it is in
 */
void flow_unfollow(struct flows *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));
	unsigned long flags;
	bool followed;
	u32 number, i;

	flow_key(t, net, &key);
	if (!flow_lookup(f, &key, &number, &followed))
		return;
	/* Seldom: a process has the same ends that one which is followed had. */
	for (i = 0; i < FLOW_BUCKETS * FLOW_WAYS; i++) {
		if (READ_ONCE(f->flow[i].number) != number)
			continue;
		flags = hidden_lock(&locks, i / FLOW_WAYS);
		if (f->flow[i].number == number)
			WRITE_ONCE(f->flow[i].followed, false);
		hidden_unlock(&locks, i / FLOW_WAYS, flags);
	}
}

/**
 * flow_carry() - a packet takes its flow to other ends or into another namespace
 * @f: of which recording
 * @number: the flow's
 * @t: the ends it had
 * @net: cookie of the namespace where it had them
 * @to: the ends it has now, or its answers will have
 * @to_net: and where
 *
 * Return: false if @t is not of this flow: what is around a packet, for example.
 */
bool flow_carry(struct flows *f, u32 number, const struct tuple *t, u64 net, const struct tuple *to,
		u64 to_net)
{
	bool followed, there_followed;
	struct flow_key key __attribute__((__uninitialized__));
	u32 known, there;

	flow_key(t, net, &key);
	if (!flow_lookup(f, &key, &known, &followed) || known != number)
		return false;
	flow_key(to, to_net, &key);
	if (!flow_lookup(f, &key, &there, &there_followed) || there != number ||
	    there_followed != followed)
		flow_put(f, &key, number, followed ? FLOW_FOLLOW : FLOW_UNFOLLOW);
	return true;
}

/* The key of one end of a flow, whoever the other is. */
static void flow_local_key(const struct tuple *t, const struct in6_addr *addr, u16 port, u64 net,
			   struct flow_key *key)
{
	*key = (struct flow_key){
		.family = t->family,
		.proto = t->proto,
		.local = 1,
		.net = net,
	};
	if (addr)
		key->addr[0] = *addr;
	key->port[0] = port;
}

/* Whether any local end was followed: without any, nobody need ask for one. */
bool flow_any_local(const struct flows *f)
{
	return atomic_read(&f->locals);
}

/**
 * flow_local_is_followed() - whether the tuple's destination is a followed local end
 * @f: of which recording
 * @t: a packet's tuple, with a family
 * @net: cookie of the namespace it is in
 */
bool flow_local_is_followed(struct flows *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_local_key(t, &t->daddr, t->dport, net, &key);
	if (flow_key_followed(f, &key))
		return true;
	flow_local_key(t, NULL, t->dport, net, &key);
	return flow_key_followed(f, &key);
}

/**
 * flow_follow_local() - remember that whatever comes to the tuple's source belongs to a followed task
 * @f: of which recording
 * @t: a socket's tuple with a port of its own; an address of 0 is any
 * @net: cookie of the namespace the socket is in
 * @also_v4: an IPv6 socket bound to any address receives IPv4 too
 */
void flow_follow_local(struct flows *f, const struct tuple *t, u64 net, bool also_v4)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_local_key(t, &t->saddr, t->sport, net, &key);
	flow_put(f, &key, 0, FLOW_FOLLOW);
	if (also_v4 && t->family == AF_INET6 && ipv6_addr_any(&t->saddr)) {
		key.family = AF_INET;
		flow_put(f, &key, 0, FLOW_FOLLOW);
	}
}

static void flow_unfollow_key(struct flows *f, const struct flow_key *key)
{
	if (flow_key_followed(f, key))
		flow_put(f, key, 0, FLOW_UNFOLLOW);
}

/**
 * flow_unfollow_local() - the socket has ended: its port may be another's next
 * @f: of which recording
 * @t: its tuple
 * @net: cookie of its namespace
 * @also_v4: an IPv6 socket that received IPv4 too
 *
 * Flows that were followed because of it stay so.
 */
void flow_unfollow_local(struct flows *f, const struct tuple *t, u64 net, bool also_v4)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_local_key(t, &t->saddr, t->sport, net, &key);
	flow_unfollow_key(f, &key);
	/* It may have got its address only after it was followed. */
	flow_local_key(t, NULL, t->sport, net, &key);
	flow_unfollow_key(f, &key);
	if (also_v4 && t->family == AF_INET6) {
		key.family = AF_INET;
		flow_unfollow_key(f, &key);
	}
}

/* Only while its recording is not armed. */
void flow_forget_all(struct flows *f)
{
	memset(f->flow, 0, sizeof(f->flow));
	atomic_set(&f->locals, 0);
	get_random_bytes(f->seed, sizeof(f->seed));
}

/**
 * flows_new() - room for the flows of a recording
 * @stats: where they are numbered and counted
 *
 * Return: for flows_free(), NULL if there is no memory.
 */
struct flows *flows_new(struct stats *stats)
{
	struct flows *f = vzalloc(sizeof(*f));

	if (f)
		f->stats = stats;
	return f;
}

/* No callback looks at it any more. */
void flows_free(struct flows *f)
{
	vfree(f);
}
