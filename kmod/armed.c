// SPDX-License-Identifier: GPL-2.0
/*
 * armed.c - what is being recorded, as callbacks see it
 *
 * All but armed_get(), armed_point() and armed_epoch() is called with session_lock held.
 */
#include <linux/err.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "armed.h"
#include "compat/graph-users.h"
#include "prototype.h"
#include "resolve.h"

/* NULL while nothing is recorded. */
static const struct armed __rcu *armed __read_mostly;
u32 record_skb_epoch __read_mostly;

static u32 hash(unsigned long ip)
{
	return hash_long(ip, ARMED_HASH_BITS);
}

/* The point at an address, NULL if none. */
const struct point *armed_point(const struct armed *a, unsigned long ip)
{
	u32 i;

	for (i = hash(ip); a->by_ip[i]; i = (i + 1) % ARRAY_SIZE(a->by_ip)) {
		const struct point *point = &a->points.point[a->by_ip[i] - 1];

		if (point->ip == ip)
			return point;
	}
	return NULL;
}

static void hash_points(struct armed *a)
{
	u32 i, slot;

	BUILD_BUG_ON(ARRAY_SIZE(a->by_ip) < 2 * RECORD_SKB_MAX_POINTS);
	for (i = 0; i < a->points.nr; i++) {
		slot = hash(a->points.point[i].ip);
		while (a->by_ip[slot])
			slot = (slot + 1) % ARRAY_SIZE(a->by_ip);
		a->by_ip[slot] = i + 1;
	}
}

static void keep_wanted(struct points *p, u32 dirs)
{
	u32 i, nr = 0;

	for (i = 0; i < p->nr; i++) {
		const u32 dir = p->point[i].dir;

		if (!dirs || dir == RECORD_SKB_DIR_NONE || dirs & (1 << dir))
			p->point[nr++] = p->point[i];
	}
	p->nr = nr;
}

/**
 * armed_new() - put together what is to be recorded
 * @filter: the programs; they have to stay
 * @options: what narrows and widens
 * @until: what ends it, of a ring; its programs have to stay, too
 * @users: the points that user space names
 *
 * Return: for armed_free(); -EINVAL if there is no point to stand at; -ENOMEM.
 */
struct armed *armed_new(const struct filter *filter, const struct record_skb_options *options,
			const struct until *until, const struct points *users)
{
	static u32 last_epoch;
	struct armed *a = kvzalloc(sizeof(*a), GFP_KERNEL);
	int err;

	if (!a)
		return ERR_PTR(-ENOMEM);
	a->filter = *filter;
	a->options = *options;
	a->until = *until;
	if (!++last_epoch)
		last_epoch = 1;
	a->epoch = last_epoch;
	err = points_copy(&a->points, users);
	if (err)
		goto free;
	if (COMPAT_GRAPH_HAS_OTHER_USERS)
		a->options.flags &= ~RECORD_SKB_OPT_PAUSE;
	points_add_own(&a->points, &a->options);
	resolve_done();
	prototype_forget();
	keep_wanted(&a->points, options->dirs);
	err = -EINVAL;
	if (!a->points.nr)
		goto free;
	hash_points(a);
	return a;

free:
	armed_free(a);
	return ERR_PTR(err);
}

/**
 * armed_without() - the same without the points of a module
 * @a: what is being recorded
 * @mod: the module
 *
 * Return: for armed_free(); NULL if there would be no point left, or no memory.
 */
struct armed *armed_without(const struct armed *a, const struct module *mod)
{
	struct armed *rest = kvzalloc(sizeof(*rest), GFP_KERNEL);

	if (!rest)
		return NULL;
	rest->filter = a->filter;
	rest->options = a->options;
	rest->until = a->until;
	rest->epoch = a->epoch;
	if (points_copy(&rest->points, &a->points))
		goto free;
	points_forget_module(&rest->points, mod);
	if (!rest->points.nr)
		goto free;
	hash_points(rest);
	return rest;

free:
	armed_free(rest);
	return NULL;
}

/* Waits for the callbacks that still have it. */
void armed_free(struct armed *a)
{
	synchronize_rcu();
	points_free(&a->points);
	kvfree(a);
}

/* From now on callbacks see @a. */
void armed_publish(const struct armed *a)
{
	WRITE_ONCE(record_skb_epoch, a->epoch);
	rcu_assign_pointer(armed, a);
}

/* From now on nothing matches. */
void armed_withdraw(void)
{
	RCU_INIT_POINTER(armed, NULL);
}

/* And what leaves a gate no longer says so: until here it is still recorded. */
void armed_over(void)
{
	WRITE_ONCE(record_skb_epoch, 0);
}

/* NULL if nothing is recorded. Only while preemption is off. */
const struct armed *armed_get(void)
{
	/* Called by the tracing itself, which lockdep's checks would enter again. */
	return rcu_dereference_raw_check(armed);
}
