// SPDX-License-Identifier: GPL-2.0
/*
 * armed.c - what is being recorded, as callbacks see it
 *
 * All of it is called with session_lock held.
 */
#include <linux/err.h>
#include <linux/cache.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "armed.h"
#include "compat/ftrace.h"
#include "compat/graph-users.h"

static void hash_points(struct armed *a)
{
	u32 i, slot;

	BUILD_BUG_ON(ARRAY_SIZE(a->by_ip) < 2 * RECORD_SKB_MAX_POINTS);
	for (i = 0; i < a->points.nr; i++) {
		struct point *point = &a->points.point[i];

		slot = armed_hash(point->ip);
		while (a->by_ip[slot])
			slot = (slot + 1) % ARRAY_SIZE(a->by_ip);
		point->offset = compat_argument_offset(point->arg);
		a->by_ip[slot] = point;
	}
}

/* What was not known of before may still be in function_graph's set. */
static void take_over(struct points *p, const struct points *alone)
{
	const struct point *one;
	u32 i;

	for (i = 0; i < p->nr; i++) {
		one = points_find(alone, p->point[i].ip);
		p->point[i].alone = one && one->alone;
	}
}

/**
 * armed_new() - put together what is to be recorded
 * @of: for which recording
 * @filter: the programs; they have to stay
 * @options: what narrows and widens
 * @until: what ends it, of a ring; its programs have to stay, too
 * @users: the points that user space names; NULL if @alone is up to date
 * @alone: of them and the module's own, what function_graph does not see
 *
 * Return: for armed_free(); -EINVAL if there is no point to stand at; -ENOMEM.
 */
struct armed *armed_new(struct recording *of, const struct filter *filter,
			const struct record_skb_options *options, const struct until *until,
			const struct points *users, const struct points *alone)
{
	static u32 last_epoch;
	struct armed *a = kvzalloc(sizeof(*a), GFP_KERNEL);
	int err;

	if (!a)
		return ERR_PTR(-ENOMEM);
	a->of = of;
	a->filter = *filter;
	a->options = *options;
	a->until = *until;
	if (!++last_epoch)
		last_epoch = 1;
	a->epoch = last_epoch;
	if (COMPAT_GRAPH_HAS_OTHER_USERS)
		a->options.flags &= ~RECORD_SKB_OPT_PAUSE;
	/* What is followed matches whatever its ports are. */
	if ((options->flags & (RECORD_SKB_OPT_FOLLOW | RECORD_SKB_OPT_FOLLOW_PORTLESS)) ==
	    RECORD_SKB_OPT_FOLLOW)
		a->filter.sieve = (struct sieve){};
	err = users ? points_complete(&a->points, users, &a->options) :
		      points_copy(&a->points, alone);
	if (err)
		goto free;
	take_over(&a->points, alone);
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
	rest->of = a->of;
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
	a->of->lacks_points = a->options.flags & RECORD_SKB_OPT_LACKS_POINTS;
	WRITE_ONCE(a->of->epoch, a->epoch);
	rcu_assign_pointer(a->of->armed, a);
}

/* From now on nothing matches. */
void armed_withdraw(const struct armed *a)
{
	RCU_INIT_POINTER(a->of->armed, NULL);
}

/* And what leaves a gate no longer says so: until here it is still recorded. */
void armed_over(const struct armed *a)
{
	WRITE_ONCE(a->of->epoch, 0);
}
