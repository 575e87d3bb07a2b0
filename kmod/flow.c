// SPDX-License-Identifier: GPL-2.0
/*
 * flow.c - number the flows, and remember which belong to the followed command
 *
 * A fixed table of buckets, filled from ftrace callbacks on any CPU and emptied only while nothing is
 * armed. So an entry, once published, stays, and a reader needs no lock: the state word is released
 * after the key is written (flow_claim) and acquired before it is compared (flow_lookup).
 */
#include <linux/jhash.h>
#include <linux/vmalloc.h>

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
	u16 zero;
};

struct flow {
	atomic_t state;
	u32 number;
	bool followed;
	struct flow_key key;
};

static struct flow *flows;

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

static struct flow *flow_lookup(struct flow *bucket, const struct flow_key *key)
{
	int i;

	for (i = 0; i < FLOW_WAYS; i++) {
		/* Pairs with the release in flow_claim(). */
		if (atomic_read_acquire(&bucket[i].state) == FLOW_USED &&
		    !memcmp(&bucket[i].key, key, sizeof(*key)))
			return &bucket[i];
	}
	return NULL;
}

static struct flow *flow_claim(struct flow *bucket, const struct flow_key *key)
{
	int i;

	for (i = 0; i < FLOW_WAYS; i++) {
		struct flow *flow = &bucket[i];

		if (atomic_read(&flow->state) != FLOW_FREE ||
		    atomic_cmpxchg(&flow->state, FLOW_FREE, FLOW_BUSY) != FLOW_FREE)
			continue;
		flow->key = *key;
		flow->followed = false;
		flow->number = stat_number(STAT_FLOWS);
		/* Pairs with the acquire in flow_lookup(). */
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
	return flow_lookup(bucket, &key) ?: flow_claim(bucket, &key);
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

/**
 * flow_is_followed() - whether flow_follow() was called for the tuple's flow, in either direction
 * @t: a tuple with a family
 */
bool flow_is_followed(const struct tuple *t)
{
	struct flow_key key;
	struct flow *flow;

	flow_key(t, &key);
	flow = flow_lookup(flow_bucket(&key), &key);
	return flow && READ_ONCE(flow->followed);
}

/**
 * flow_follow() - remember that the tuple's flow belongs to a followed task
 * @t: a tuple with a family
 */
void flow_follow(const struct tuple *t)
{
	struct flow *flow = flow_get(t);

	if (flow)
		WRITE_ONCE(flow->followed, true);
}

/* Only while nothing is armed. */
void flow_forget_all(void)
{
	memset(flows, 0, sizeof(*flows) * FLOW_BUCKETS * FLOW_WAYS);
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
