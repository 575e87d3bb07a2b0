// SPDX-License-Identifier: GPL-2.0
/*
 * active_config.c - the configuration of a running recording, which the ftrace callbacks read, and the
 * triggers that end a ring
 *
 * The callers of all functions hold session_lock.
 */
#include <linux/cache.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "active_config.h"
#include "compat/drop_reason_names.h"
#include "unanswered.h"
#include "where.h"

static const u32 known = 1 << RECORD_SKB_BY_DROP | 1 << RECORD_SKB_BY_SLOW |
			 1 << RECORD_SKB_BY_MATCH | 1 << RECORD_SKB_BY_UNANSWERED;

/*
 * Check the time limit @ns of the event @by. If user space has not requested the event, @ns must be 0.
 * Otherwise @ns must be greater than 0 and within the limit. Return: true if @ns is valid.
 */
static bool is_time(const struct record_skb_ring *want, enum record_skb_by by, u64 ns)
{
	return !!(want->on & 1 << by) == !!ns && ns <= RECORD_SKB_MAX_SLOWER_NS;
}

static bool is_sound(const struct record_skb_ring *want)
{
	return !(want->on & ~known) && want->nr_reasons <= RECORD_SKB_MAX_REASONS &&
	       want->after_ns <= RECORD_SKB_MAX_AFTER_NS &&
	       is_time(want, RECORD_SKB_BY_SLOW, want->slower_ns) &&
	       is_time(want, RECORD_SKB_BY_UNANSWERED, want->unanswered_ns);
}

static int copy_reasons(struct trigger_config *u, const struct record_skb_ring *want)
{
	u32 i;

	for (i = 0; i < want->nr_reasons; i++) {
		if (strnlen(want->reasons[i], RECORD_SKB_REASON_LEN) == RECORD_SKB_REASON_LEN)
			return -EINVAL;
		strscpy(u->reasons[i], want->reasons[i], RECORD_SKB_REASON_LEN);
		if (!compat_is_drop_reason(u->reasons[i]))
			return -ENOENT;
	}
	u->nr_reasons = want->nr_reasons;
	return 0;
}

/**
 * trigger_config_create() - check and copy the settings of user space
 * @u: set to the settings; the caller releases them with trigger_config_destroy()
 * @want: the settings from user space
 *
 * Return: 0, or an error as documented for struct record_skb_ring; then @u is empty.
 */
int trigger_config_create(struct trigger_config *u, const struct record_skb_ring *want)
{
	int err;

	*u = (struct trigger_config){};
	if (!is_sound(want))
		return -EINVAL;
	u->ring = true;
	u->on = want->on;
	u->slower_us = div_u64(want->slower_ns + NSEC_PER_USEC - 1, NSEC_PER_USEC);
	u->unanswered_ns = want->unanswered_ns;
	u->after_ns = want->after_ns;
	err = copy_reasons(u, want) ?: filter_create(&u->match, &want->match);
	if (!err && u->unanswered_ns) {
		u->questions = unanswered_new();
		err = u->questions ? 0 : -ENOMEM;
	}
	if (err)
		trigger_config_destroy(u);
	return err;
}

/* Release the settings. No callback may use them any more. */
void trigger_config_destroy(struct trigger_config *u)
{
	unanswered_free(u->questions);
	filter_destroy(&u->match);
	*u = (struct trigger_config){};
}

/* Return: true if a drop with this reason ends the ring. */
bool trigger_config_has_reason(const struct trigger_config *u, const char *name)
{
	u32 i;

	for (i = 0; i < u->nr_reasons; i++)
		if (!strcmp(u->reasons[i], name))
			return true;
	return !u->nr_reasons;
}

/* Return: true if user space may set these options. */
bool options_are_valid(const struct record_skb_options *want)
{
	const u32 flags = RECORD_SKB_OPT_FOLLOW | RECORD_SKB_OPT_FOLLOW_PORTLESS |
			  RECORD_SKB_OPT_NO_CHILDREN | RECORD_SKB_OPT_NO_TRACK |
			  RECORD_SKB_OPT_NO_ICMP_ERRORS | RECORD_SKB_OPT_IRQS |
			  RECORD_SKB_OPT_RULES | RECORD_SKB_OPT_PAUSE | RECORD_SKB_OPT_SCHED |
			  RECORD_SKB_OPT_LACKS_POINTS;
	const u32 dirs = 1 << RECORD_SKB_DIR_RX | 1 << RECORD_SKB_DIR_TX;
	u32 i;

	if (want->flags & ~flags || want->dirs & ~dirs || want->nr_where > RECORD_SKB_MAX_WHERE ||
	    want->nr_marks > RECORD_SKB_MAX_MARKS)
		return false;
	for (i = 0; i < want->nr_marks; i++)
		if (!want->marks[i].mask || want->marks[i].value & ~want->marks[i].mask)
			return false;
	return where_is_valid(want->steps, want->nr_steps);
}

static void hash_points(struct active_config *a)
{
	u32 i, slot;

	BUILD_BUG_ON(ARRAY_SIZE(a->by_ip) < 2 * RECORD_SKB_MAX_POINTS);
	for (i = 0; i < a->points.nr; i++) {
		struct point *point = &a->points.point[i];

		slot = active_config_hash(point->ip);
		while (a->by_ip[slot])
			slot = (slot + 1) % ARRAY_SIZE(a->by_ip);
		a->by_ip[slot] = point;
	}
}

/*
 * Set sole_user of each probe to the value that the same probe has in @alone. If @alone does not have the
 * probe, function_graph may still be attached to the function, so the value is false.
 */
static void take_over(struct points *p, const struct points *alone)
{
	const struct point *one;
	u32 i;

	for (i = 0; i < p->nr; i++) {
		one = points_find(alone, p->point[i].ip);
		p->point[i].sole_user = one && one->sole_user;
	}
}

/**
 * active_config_new() - build the configuration of a recording
 * @of: the recording
 * @filter: the filter; its BPF programs must outlive the result
 * @options: options of the recording
 * @until: triggers that stop a ring; their BPF programs must outlive the result
 * @users: the probes that user space has named; NULL if @alone already has all probes of the recording
 * @alone: probes with known addresses; the field sole_user of a probe is true if function_graph is not
 *	attached to its function
 *
 * Return: the configuration, to be released with active_config_free(); -EINVAL if no probe remains; -ENOMEM.
 */
struct active_config *active_config_new(struct recording *of, const struct filter *filter,
					const struct record_skb_options *options,
					const struct trigger_config *until,
					const struct points *users, const struct points *alone)
{
	static u32 last_epoch;
	struct active_config *a = kvzalloc(sizeof(*a), GFP_KERNEL);
	int err;

	if (!a)
		return ERR_PTR(-ENOMEM);
	a->recording = of;
	a->filter = *filter;
	a->options = *options;
	a->until = *until;
	if (!++last_epoch)
		last_epoch = 1;
	a->epoch = last_epoch;
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
	active_config_free(a);
	return ERR_PTR(err);
}

/**
 * active_config_without() - copy a configuration without the probes in a module
 * @a: the configuration
 * @mod: the module
 *
 * Return: the copy, to be released with active_config_free(); NULL if no probe would remain or memory is
 * short.
 */
struct active_config *active_config_without(const struct active_config *a, const struct module *mod)
{
	struct active_config *rest = kvzalloc(sizeof(*rest), GFP_KERNEL);

	if (!rest)
		return NULL;
	rest->recording = a->recording;
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
	active_config_free(rest);
	return NULL;
}

/* Free a configuration after all callbacks that still use it have returned. */
void active_config_free(struct active_config *a)
{
	synchronize_rcu();
	points_free(&a->points);
	kvfree(a);
}

/* Publish @a, so that callbacks use this configuration. */
void active_config_publish(const struct active_config *a)
{
	a->recording->lacks_points = a->options.flags & RECORD_SKB_OPT_LACKS_POINTS;
	WRITE_ONCE(a->recording->epoch, a->epoch);
	rcu_assign_pointer(a->recording->armed, a);
}

/* Withdraw the configuration from callbacks, so that no packet or call matches any more. */
void active_config_withdraw(const struct active_config *a)
{
	RCU_INIT_POINTER(a->recording->armed, NULL);
}

/*
 * Mark the configuration as ended. After this call, tasks that leave a gate of the configuration emit no
 * events.
 */
void active_config_over(const struct active_config *a)
{
	WRITE_ONCE(a->recording->epoch, 0);
}
