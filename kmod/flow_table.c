// SPDX-License-Identifier: GPL-2.0
/*
 * flow_table.c - number the flows, and remember which of them belong to followed tasks
 *
 * A flow is identified by its two ends and a network namespace. An end is an address and a port. The same
 * two ends in another namespace are another flow. If a packet moves to another namespace, or if NAT changes
 * its addresses, the new ends get an entry with the same flow number.
 *
 * The table has a fixed number of buckets. If a bucket is full, a new flow replaces the flow that was not
 * seen for the longest time. Lookups take no lock: the sequence number of an entry shows if the entry
 * changed during the lookup. Writers hold the lock of the bucket.
 */
#include <linux/jiffies.h>
#include <linux/random.h>
#include <linux/vmalloc.h>
#include <net/ipv6.h>
#include <net/tcp.h>

#include "flow_table.h"
#include "notrace_lock.h"
#include "counters.h"

#define FLOW_BUCKETS 4096
#define FLOW_WAYS    8

/* Number of slots for TCP connections that are being closed. A newer connection may replace an older one. */
#define CLOSING_SLOTS 1024

/*
 * struct flow_key - identifies a flow, or the local end of a socket
 * @net: cookie of the namespace; cookies are never reused
 * @local: the key contains only the local end of a socket
 */
struct flow_key {
	struct in6_addr addr[2];
	u64 net;
	u16 port[2];
	u8 family;
	u8 proto;
	u16 local;
};

/* Keys are compared and hashed word by word. */
#define KEY_WORDS (sizeof(struct flow_key) / sizeof(u64))

/*
 * struct flow - an entry of the flow table
 * @seq: odd while @key and @number are being written, 0 for a free entry
 * @seen: time of the last lookup, in jiffies
 * @counted: true if a packet of the flow was seen; false if only socket calls were seen
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
 * struct flow_table - the flows of one recording
 * @flow: the table
 * @seed: random, so that a sender cannot choose flows that share a bucket
 * @locals: number of times that a local end became followed; if it is 0, local ends are not looked up
 * @ports: one port of each followed flow that has ports, and each followed local port; ports are never
 *	removed
 * @closing: TCP flows in which only one end has sent a FIN. The upper half of an element is the number of the
 *	flow. The lower half is tuple_sender() of the end that has sent the FIN.
 * @stats: counters of the recording; one of them gives each new flow its number
 */
struct flow_table {
	struct flow flow[FLOW_BUCKETS * FLOW_WAYS];
	u64 seed[KEY_WORDS];
	atomic_t locals;
	struct port_set ports;
	atomic64_t closing[CLOSING_SLOTS];
	struct stats *stats;
};

/* Locks for the buckets of all tables. */
static struct notrace_locks locks = HIDDEN_LOCKS;

/*
 * Store the time of a lookup. Write only if the time has changed, because a write evicts the cache line
 * from the caches of other CPUs.
 */
static __always_inline void flow_see(struct flow *flow)
{
	const u32 now = jiffies;

	if (READ_ONCE(flow->seen) != now)
		WRITE_ONCE(flow->seen, now);
}

/*
 * Make the key of a flow. The smaller end comes first, so that packets of both directions have the same
 * key.
 */
static __always_inline void flow_key(const struct tuple *t, u64 net, struct flow_key *key)
{
	const u64 *s = (const u64 *)&t->saddr, *d = (const u64 *)&t->daddr;
	bool src = t->sport > t->dport;

	if (s[0] != d[0])
		src = s[0] > d[0];
	else if (s[1] != d[1])
		src = s[1] > d[1];
	/* Set every byte, because keys are compared and hashed by words. */
	key->addr[src] = t->saddr;
	key->addr[!src] = t->daddr;
	key->net = net;
	key->port[src] = t->sport;
	key->port[!src] = t->dport;
	key->family = t->family;
	key->proto = t->proto;
	key->local = 0;
}

static __always_inline u64 mix_words(u64 a, u64 b)
{
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

/* Hash a key. Multiplications with secret numbers take a tenth of the time of jhash(). */
static __always_inline u32 flow_bucket(const struct flow_table *f, const struct flow_key *key)
{
	const u64 *words = (const u64 *)key;

	BUILD_BUG_ON(KEY_WORDS != 6 || sizeof(*key) % sizeof(u64));
	return (mix_words(words[0] ^ f->seed[0], words[1] ^ f->seed[1]) ^
		mix_words(words[2] ^ f->seed[2], words[3] ^ f->seed[3]) ^
		mix_words(words[4] ^ f->seed[4], words[5] ^ f->seed[5])) %
	       FLOW_BUCKETS;
}

static __always_inline bool flow_key_is(const struct flow_key *one, const struct flow_key *other)
{
	const u64 *a = (const u64 *)one, *b = (const u64 *)other;

	/* Compare the ports and the namespace first, because they differ most often. */
	return a[5] == b[5] && a[4] == b[4] && a[0] == b[0] && a[1] == b[1] && a[2] == b[2] &&
	       a[3] == b[3];
}

/* Read the number and the followed flag of an entry. Return: true if the entry has this key. */
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

/* Look up a key, and store the time of the lookup. Return: the entry, NULL if the key is not in the table. */
static struct flow *flow_lookup(struct flow_table *f, const struct flow_key *key, u32 *number,
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

/* Write an entry. The caller holds the lock of the bucket. */
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
	/* Skip 0 when the number wraps around. Pairs with the acquire in flow_read(). */
	smp_store_release(&flow->seq, seq + 2 ?: 2);
}

/*
 * Choose an entry for a new flow: a free one, or else the one whose flow has been idle for the longest time.
 * The entries of followed local ends are never replaced.
 *
 * Return: the entry; NULL if all entries of the bucket are those of followed local ends.
 */
static struct flow *flow_choose(struct flow_table *f, struct flow *bucket)
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

/* The change that flow_put() makes to an entry. */
enum flow_change {
	FLOW_NUMBER, /* change nothing; add the entry if it is missing */
	FLOW_FOLLOW,
	FLOW_UNFOLLOW,
};

static void ask_for_port(struct flow_table *f, __be16 port)
{
	port_set_add(&f->ports, port);
	port_set_add(&record_skb_ports, port);
}

/*
 * Let the packets of a followed flow pass the prefilter, in both directions. Adding one of the two ports is
 * enough. The greater port is added, because fewer other flows are likely to use it. The prefilter does not
 * reject packets without readable ports, such as later fragments.
 */
static void ask_for_key(struct flow_table *f, const struct flow_key *key)
{
	const __be16 one = htons(key->port[0]), other = htons(key->port[1]);

	if (key->local)
		ask_for_port(f, one);
	else if (!port_set_has_both(&f->ports, one) && !port_set_has_both(&f->ports, other))
		ask_for_port(f, key->port[0] > key->port[1] ? one : other);
}

/*
 * Find or add the entry of a key, and change the entry. @number is a number for the flow. If it is 0, an old
 * entry keeps its number, and a new one gets the next number. A local end has many flows, and gets no number.
 *
 * Return: number of the flow; 0 if the bucket was full or the entry has no number.
 */
static u32 flow_put(struct flow_table *f, const struct flow_key *key, u32 number,
		    enum flow_change change)
{
	const u32 hash = flow_bucket(f, key);
	struct flow *bucket = &f->flow[hash * FLOW_WAYS], *flow;
	unsigned long flags;

	/* Add the port before any callback can see that the flow is followed. */
	if (change == FLOW_FOLLOW && parse_has_ports(key->proto))
		ask_for_key(f, key);
	flags = notrace_lock(&locks, hash);
	for (flow = bucket; flow < bucket + FLOW_WAYS; flow++)
		if (flow->seq && flow_key_is(&flow->key, key))
			goto found;
	flow = flow_choose(f, bucket);
	if (!flow)
		goto unlock;
	flow_write(flow, key, number || key->local ? number : stat_number(f->stats, NUMBER_FLOWS));
found:
	if (number && number != flow->number)
		flow_write(flow, key, number);
	/* Callers pass a number only for a tracked packet, so a packet of the flow was seen. */
	if (number)
		WRITE_ONCE(flow->counted, true);
	if (change == FLOW_FOLLOW && key->local && !flow->followed)
		atomic_inc(&f->locals);
	if (change != FLOW_NUMBER)
		WRITE_ONCE(flow->followed, change == FLOW_FOLLOW);
	number = flow->number;
unlock:
	notrace_unlock(&locks, hash, flags);
	return flow ? number : 0;
}

/* Return: the number of a flow with this key, 0 for an unknown flow. */
static u32 flow_key_number(struct flow_table *f, const struct flow_key *key)
{
	bool followed;
	u32 number;

	return flow_lookup(f, key, &number, &followed) ? number : 0;
}

/**
 * flow_table_number() - get the number of a flow; a new flow gets a new number
 * @f: flow table of the recording
 * @t: a tuple with an address family
 * @net: cookie of its namespace
 *
 * Return: the number, from 1; 0 if the table is full. The statistics then count a lost flow.
 */
u32 flow_table_number(struct flow_table *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_key(t, net, &key);
	return flow_key_number(f, &key) ?: flow_put(f, &key, 0, FLOW_NUMBER);
}

/**
 * flow_table_of_packet() - get the number of a packet's flow, and count the flow at its first packet
 * @f: flow table of the recording
 * @t: a tuple with an address family
 * @net: cookie of its namespace
 */
u32 flow_table_of_packet(struct flow_table *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));
	struct flow *flow;
	bool followed;
	u32 number, same;

	flow_key(t, net, &key);
	flow = flow_lookup(f, &key, &number, &followed);
	if (!flow) {
		number = flow_put(f, &key, 0, FLOW_NUMBER);
		/*
		 * Look up the new entry. The lookup fails if the entry is already being reused for another
		 * flow.
		 */
		flow = flow_lookup(f, &key, &same, &followed);
	}
	if (flow && !READ_ONCE(flow->counted) && !xchg(&flow->counted, true))
		stat_inc(f->stats, STAT_FLOWS);
	return number;
}

/**
 * flow_table_known() - get the number of a known flow
 * @f: flow table of the recording
 * @t: a tuple with an address family
 * @net: cookie of its namespace
 *
 * Return: the number, 0 for an unknown flow.
 */
u32 flow_table_known(struct flow_table *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_key(t, net, &key);
	return flow_key_number(f, &key);
}

static bool flow_key_followed(struct flow_table *f, const struct flow_key *key)
{
	bool followed;
	u32 number;

	return flow_lookup(f, key, &number, &followed) && followed;
}

/* Return: true if the flow of the packet with the tuple @t is followed. */
bool flow_table_is_followed(struct flow_table *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_key(t, net, &key);
	return flow_key_followed(f, &key);
}

/* Mark the flow with the tuple @t as belonging to a followed task. @t has both ends. */
void flow_table_follow(struct flow_table *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_key(t, net, &key);
	if (!flow_key_followed(f, &key))
		flow_put(f, &key, 0, FLOW_FOLLOW);
}

/**
 * flow_table_unfollow() - stop following a flow that another task owns now
 * @f: flow table of the recording
 * @t: tuple of the flow
 * @net: cookie of its namespace
 */
void flow_table_unfollow(struct flow_table *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));
	unsigned long flags;
	bool followed;
	u32 number, i;

	flow_key(t, net, &key);
	if (!flow_lookup(f, &key, &number, &followed))
		return;
	/*
	 * After NAT or a move to another namespace, other entries have the same number. Scan the whole table.
	 * This is slow, but rare: another process uses the ends of a followed process.
	 */
	for (i = 0; i < FLOW_BUCKETS * FLOW_WAYS; i++) {
		if (READ_ONCE(f->flow[i].number) != number)
			continue;
		flags = notrace_lock(&locks, i / FLOW_WAYS);
		if (f->flow[i].number == number)
			WRITE_ONCE(f->flow[i].followed, false);
		notrace_unlock(&locks, i / FLOW_WAYS, flags);
	}
}

/**
 * flow_table_carry() - add another pair of ends to a flow, after NAT or a move to another namespace
 * @f: flow table of the recording
 * @number: number of the flow
 * @t: tuple with the ends that the flow has already
 * @net: cookie of the namespace of @t
 * @to: tuple with the new ends, of the packet or of its answers
 * @to_net: cookie of the namespace of @to
 *
 * Return: false if @t does not belong to this flow, for example if it has the outer headers of a tunnel.
 */
bool flow_table_carry(struct flow_table *f, u32 number, const struct tuple *t, u64 net,
		      const struct tuple *to, u64 to_net)
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

/* Make the key of a local end, without a peer. */
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

/*
 * Return: the ports of followed flows. Every packet of a followed flow that has ports has at least one of
 * these ports.
 */
const struct port_set *flow_table_ports(const struct flow_table *f)
{
	return &f->ports;
}

/* Return: true if any local end was followed. If not, callers need not look up local ends. */
bool flow_table_any_local(const struct flow_table *f)
{
	return atomic_read(&f->locals);
}

/* Return: true if the destination of the packet with the tuple @t is a followed local end. */
bool flow_table_local_is_followed(struct flow_table *f, const struct tuple *t, u64 net)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_local_key(t, &t->daddr, t->dport, net, &key);
	if (flow_key_followed(f, &key))
		return true;
	flow_local_key(t, NULL, t->dport, net, &key);
	return flow_key_followed(f, &key);
}

/**
 * flow_table_follow_local() - follow all packets to the local end of a socket
 * @f: flow table of the recording
 * @t: tuple of the socket, with a local port; address 0 stands for any local address
 * @net: cookie of the socket's namespace
 * @also_v4: true if the socket is an IPv6 socket that also receives IPv4 packets
 */
void flow_table_follow_local(struct flow_table *f, const struct tuple *t, u64 net, bool also_v4)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_local_key(t, &t->saddr, t->sport, net, &key);
	flow_put(f, &key, 0, FLOW_FOLLOW);
	if (also_v4 && t->family == AF_INET6 && ipv6_addr_any(&t->saddr)) {
		key.family = AF_INET;
		flow_put(f, &key, 0, FLOW_FOLLOW);
	}
}

static void flow_unfollow_key(struct flow_table *f, const struct flow_key *key)
{
	if (flow_key_followed(f, key))
		flow_put(f, key, 0, FLOW_UNFOLLOW);
}

/**
 * flow_table_unfollow_local() - stop following the local end of a socket that was closed
 * @f: flow table of the recording
 * @t: tuple of the socket
 * @net: cookie of its namespace
 * @also_v4: true if the socket was an IPv6 socket that also received IPv4 packets
 *
 * Another socket may use the port next. Flows of the closed socket that are known already stay followed.
 */
void flow_table_unfollow_local(struct flow_table *f, const struct tuple *t, u64 net, bool also_v4)
{
	struct flow_key key __attribute__((__uninitialized__));

	flow_local_key(t, &t->saddr, t->sport, net, &key);
	flow_unfollow_key(f, &key);
	/*
	 * Remove the key without an address, too, because the socket may have got its address after it was
	 * followed.
	 */
	flow_local_key(t, NULL, t->sport, net, &key);
	flow_unfollow_key(f, &key);
	if (also_v4 && t->family == AF_INET6) {
		key.family = AF_INET;
		flow_unfollow_key(f, &key);
	}
}

/**
 * flow_table_sees_flags() - keep track of TCP connections that only one end has closed
 * @f: flow table of the recording
 * @t: the packet's tuple
 * @number: the number of the packet's flow
 *
 * A connection counts as closing from the first FIN until the other end sends a FIN, or either end sends a
 * reset.
 */
void flow_table_sees_flags(struct flow_table *f, const struct tuple *t, u32 number)
{
	atomic64_t *slot = &f->closing[number % CLOSING_SLOTS];
	const u64 mine = (u64)number << 32 | tuple_sender(t);
	s64 was;

	if (t->proto != IPPROTO_TCP || !(t->tcp_flags & (TCPHDR_FIN | TCPHDR_RST)))
		return;
	was = atomic64_read(slot);
	if (upper_32_bits(was) != number) {
		if (!(t->tcp_flags & TCPHDR_RST))
			atomic64_cmpxchg(slot, was, mine);
	} else if (t->tcp_flags & TCPHDR_RST || (u64)was != mine) {
		atomic64_cmpxchg(slot, was, 0);
	}
}

/* Return: the number of TCP connections that only one of the two ends has closed. */
u32 flow_table_nr_closing(const struct flow_table *f)
{
	u32 n = 0, i;

	for (i = 0; i < CLOSING_SLOTS; i++)
		n += !!atomic64_read(&f->closing[i]);
	return n;
}

/* Remove all flows. The recording must not be active. */
void flow_table_forget_all(struct flow_table *f)
{
	memset(f->flow, 0, sizeof(f->flow));
	memset(&f->ports, 0, sizeof(f->ports));
	memset(f->closing, 0, sizeof(f->closing));
	atomic_set(&f->locals, 0);
	get_random_bytes(f->seed, sizeof(f->seed));
}

/**
 * flow_table_new() - allocate an empty table
 * @stats: counters of the recording; one of them gives each new flow its number
 *
 * Return: the table, to be released with flow_table_free(); NULL if memory is short.
 */
struct flow_table *flow_table_new(struct stats *stats)
{
	struct flow_table *f = vzalloc(sizeof(*f));

	if (f)
		f->stats = stats;
	return f;
}

/* Release the table. No callback may use it now. */
void flow_table_free(struct flow_table *f)
{
	vfree(f);
}
