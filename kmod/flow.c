// SPDX-License-Identifier: GPL-2.0
/*
 * flow.c - number the flows, and remember which belong to the followed command
 *
 * A fixed table of buckets, filled from ftrace callbacks on any CPU and emptied only while
 * nothing is armed. So an entry, once published, stays, and a reader needs no lock: the state
 * word is released after the key is written (flow_claim) and acquired before it is compared
 * (flow_next).
 */
#include <linux/jhash.h>
#include <linux/vmalloc.h>
#include <net/ipv6.h>

#include "flow.h"
#include "stats.h"

#define FLOW_BUCKETS	4096
#define FLOW_WAYS	8

enum { FLOW_FREE, FLOW_BUSY, FLOW_USED };

struct flow_key {
	struct in6_addr addr[2];
	u16 port[2];
	u8 family;
	u8 proto;
	/* One end only, of a socket in @netns. */
	u16 local;
	u32 netns;
};

struct flow {
	atomic_t state;
	u32 number;
	bool followed;
	struct flow_key key;
};

static struct flow *flows;
/* How many local ends were followed, ever: without any, nobody looks for them. */
static atomic_t locals;

/* The same key for both directions: the smaller end comes first. */
static void flow_key(const struct tuple *t, struct flow_key *key)
{
	int order = memcmp(&t->saddr, &t->daddr, sizeof(t->saddr));
	int src = order ? order > 0 : t->sport > t->dport;

	memset(key, 0, sizeof(*key));
	key->addr[src] = t->saddr;
	key->addr[!src] = t->daddr;
	key->port[src] = t->sport;
	key->port[!src] = t->dport;
	key->family = t->family;
	key->proto = t->proto;
}

static struct flow *flow_bucket(const struct flow_key *key)
{
	u32 hash = jhash2((const u32 *)key, sizeof(*key) / sizeof(u32), 0);

	return &flows[(hash % FLOW_BUCKETS) * FLOW_WAYS];
}

/*
 * The next one with this key behind @flow, from the bucket's first on if that is NULL. Two CPUs may
 * have claimed the key in the same instant, so there may be two.
 */
static struct flow *flow_next(struct flow *bucket, const struct flow_key *key, struct flow *flow)
{
	for (flow = flow ? flow + 1 : bucket; flow < bucket + FLOW_WAYS; flow++) {
		/* Pairs with the release in flow_claim(). */
		if (atomic_read_acquire(&flow->state) == FLOW_USED &&
		    !memcmp(&flow->key, key, sizeof(*key)))
			return flow;
	}
	return NULL;
}

static struct flow *flow_lookup(struct flow *bucket, const struct flow_key *key)
{
	return flow_next(bucket, key, NULL);
}

/* A key of both ends is a flow and gets a number. */
static struct flow *flow_claim(struct flow *bucket, const struct flow_key *key, bool number)
{
	int i;

	for (i = 0; i < FLOW_WAYS; i++) {
		struct flow *flow = &bucket[i];

		if (atomic_read(&flow->state) != FLOW_FREE ||
		    atomic_cmpxchg(&flow->state, FLOW_FREE, FLOW_BUSY) != FLOW_FREE)
			continue;
		flow->key = *key;
		flow->followed = false;
		flow->number = number ? stat_number(STAT_FLOWS) : 0;
		/* Pairs with the acquire in flow_next(). */
		atomic_set_release(&flow->state, FLOW_USED);
		return flow;
	}
	stat_inc(STAT_LOST_FLOWS);
	return NULL;
}

static struct flow *flow_get(const struct tuple *t)
{
	struct flow_key key;
	struct flow *bucket;

	flow_key(t, &key);
	bucket = flow_bucket(&key);
	return flow_lookup(bucket, &key) ?: flow_claim(bucket, &key, true);
}

/**
 * flow_number() - the number of the tuple's flow, a new one if it is new
 * @t: a tuple with a family
 *
 * Two CPUs that see the first packets of one flow in the same instant may number it twice.
 *
 * Return: the number, from 1; 0 if the table is full (counted).
 */
u32 flow_number(const struct tuple *t)
{
	struct flow *flow = flow_get(t);

	return flow ? flow->number : 0;
}

static bool flow_key_followed(const struct flow_key *key)
{
	struct flow *bucket = flow_bucket(key), *flow = NULL;

	while ((flow = flow_next(bucket, key, flow)))
		if (READ_ONCE(flow->followed))
			return true;
	return false;
}

/* The key of one end of a flow, whoever the other is. */
static void flow_local_key(const struct tuple *t, const struct in6_addr *addr, u16 port,
			   u32 netns, struct flow_key *key)
{
	*key = (struct flow_key) {
		.family = t->family, .proto = t->proto, .local = 1, .netns = netns,
	};
	if (addr)
		key->addr[0] = *addr;
	key->port[0] = port;
}

/* Whether any local end was followed: without any, nobody need ask for one. */
bool flow_any_local(void)
{
	return atomic_read(&locals);
}

/**
 * flow_local_is_followed() - whether the tuple's destination is a followed local end
 * @t: a packet's tuple, with a family
 * @netns: inode number of the namespace it is in
 */
bool flow_local_is_followed(const struct tuple *t, u32 netns)
{
	struct flow_key key;

	flow_local_key(t, &t->daddr, t->dport, netns, &key);
	if (flow_key_followed(&key))
		return true;
	flow_local_key(t, NULL, t->dport, netns, &key);
	return flow_key_followed(&key);
}

/**
 * flow_is_followed() - whether the tuple's flow was followed, in either direction
 * @t: a packet's tuple, with a family
 */
bool flow_is_followed(const struct tuple *t)
{
	struct flow_key key;

	flow_key(t, &key);
	return flow_key_followed(&key);
}

/**
 * flow_follow() - remember that the tuple's flow belongs to a followed task
 * @t: a tuple with a family and both ends
 */
void flow_follow(const struct tuple *t)
{
	struct flow *flow = flow_get(t);

	if (flow)
		WRITE_ONCE(flow->followed, true);
}

static void flow_unfollow_key(const struct flow_key *key)
{
	struct flow *bucket = flow_bucket(key), *flow = NULL;

	while ((flow = flow_next(bucket, key, flow)))
		WRITE_ONCE(flow->followed, false);
}

/* The tuple's flow is somebody else's now. */
void flow_unfollow(const struct tuple *t)
{
	struct flow_key key;

	flow_key(t, &key);
	flow_unfollow_key(&key);
}

/**
 * flow_follow_local() - remember that whatever comes to the tuple's source belongs to a followed task
 * @t: a socket's tuple with a port of its own; an address of 0 is any
 * @netns: inode number of the namespace the socket is in
 * @also_v4: an IPv6 socket bound to any address receives IPv4 too
 */
void flow_follow_local(const struct tuple *t, u32 netns, bool also_v4)
{
	struct tuple v4;
	struct flow_key key;
	struct flow *flow;

	flow_local_key(t, &t->saddr, t->sport, netns, &key);
	flow = flow_lookup(flow_bucket(&key), &key) ?: flow_claim(flow_bucket(&key), &key, false);
	if (!flow)
		return;
	if (!READ_ONCE(flow->followed)) {
		WRITE_ONCE(flow->followed, true);
		atomic_inc(&locals);
	}
	if (also_v4 && t->family == AF_INET6 && ipv6_addr_any(&t->saddr)) {
		v4 = *t;
		v4.family = AF_INET;
		flow_follow_local(&v4, netns, false);
	}
}

/**
 * flow_unfollow_local() - the socket has ended: its port may be another's next
 * @t: its tuple
 * @netns: inode number of its namespace
 *
 * Flows that were followed because of it stay so.
 */
void flow_unfollow_local(const struct tuple *t, u32 netns)
{
	struct tuple any = *t;
	struct flow_key key;

	flow_local_key(t, &t->saddr, t->sport, netns, &key);
	flow_unfollow_key(&key);
	/* It may have got its address only after it was followed. */
	flow_local_key(t, NULL, t->sport, netns, &key);
	flow_unfollow_key(&key);
	if (t->family == AF_INET6) {
		any.family = AF_INET;
		flow_local_key(&any, NULL, t->sport, netns, &key);
		flow_unfollow_key(&key);
	}
}

/* Only while nothing is armed. */
void flow_forget_all(void)
{
	memset(flows, 0, sizeof(*flows) * FLOW_BUCKETS * FLOW_WAYS);
	atomic_set(&locals, 0);
}

int flow_init(void)
{
	flows = vzalloc(sizeof(*flows) * FLOW_BUCKETS * FLOW_WAYS);
	return flows ? 0 : -ENOMEM;
}

void flow_exit(void)
{
	vfree(flows);
}
