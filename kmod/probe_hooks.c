// SPDX-License-Identifier: GPL-2.0
/*
 * probe_hooks.c - attach the callbacks of ftrace_callback.c to the probe points with ftrace
 *
 * One ftrace_ops redirects calls, and a second one only observes calls. Both have their own trampolines
 * (probe_entry.S). These reject most calls, and jump to the trampoline of a third ftrace_ops for the
 * remaining calls.
 *
 * If a function has another ftrace user, ftrace does not use these trampolines and calls all users in turn.
 * Before 6.11, function_graph is attached to all probe points, so the trampolines of probe_entry.S and the
 * third ftrace_ops are not used.
 *
 * All three are registered after function_graph, so ftrace calls them first. Therefore the event of a
 * packet precedes its graph. If the callback sets the instruction pointer to a gate, the gate is the next
 * function that function_graph sees.
 */
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "active_config.h"
#include "counters.h"
#include "compat/ftrace.h"
#include "compat/graph-hand-on.h"
#include "gate.h"
#include "ftrace_callback.h"
#include "prefilter.h"
#include "probe_hooks.h"

/*
 * The callbacks do not need ftrace's recursion lock. They either call no function that ftrace traces, or
 * take the lock themselves.
 */
#define HOOK_FLAGS (FTRACE_OPS_FL_PERMANENT | COMPAT_FTRACE_OPS_REGS)

/*
 * struct hook - an ftrace_ops attached to some of the probe points
 *
 * The ftrace_ops have the flag PERMANENT. If root switched ftrace off (kernel.ftrace_enabled) while packets
 * are tracked, the module would miss the ends of these packets. With this flag, switching ftrace off fails,
 * as it does for live patches.
 */
struct hook {
	struct ftrace_ops ops;
	bool registered;
};

/* The address that the trampolines in probe_entry.S jump to. */
unsigned long record_skb_probe_target __read_mostly;

/*
 * The ftrace_ops that redirects calls. A function can have only one ftrace user that redirects calls. A
 * live patch is such a user, too.
 */
static struct hook redirect = {
	.ops = {
		.func = hook_call,
		.flags = HOOK_FLAGS | FTRACE_OPS_FL_IPMODIFY,
		.private = HOOK_REDIRECT,
	},
};
/* The ftrace_ops that only observes calls. */
static struct hook watch = {
	.ops = { .func = hook_call, .flags = HOOK_FLAGS, .private = HOOK_WATCH },
};
/*
 * The third ftrace_ops. It gets the calls that the trampolines of the other two do not reject, and all
 * calls of the fork functions.
 */
static struct hook slow = {
	.ops = { .func = hook_call, .flags = HOOK_FLAGS },
};

static struct hook *hook_of(const struct point *point)
{
	if (COMPAT_GRAPH_TAKES_CALLS && point->kind >= POINT_KIND_COPYING)
		return &slow;
	return point->kind >= POINT_KIND_FREE ? &watch : &redirect;
}

/* Collect the functions of a hook, except for points of POINT_KIND_MAKER whose @copies is @max or more. */
static u32 collect_addresses(const struct hook *hook, const struct points *p, u32 max,
			     unsigned long *ips)
{
	u32 i, nr = 0;

	for (i = 0; i < p->nr; i++)
		if (hook_of(&p->point[i]) == hook &&
		    (p->point[i].kind != POINT_KIND_MAKER || p->point[i].copies < max))
			ips[nr++] = p->point[i].ip;
	return nr;
}

/* Return: true if another recording uses this hook at @ip. The caller holds session_lock. */
static bool is_others(const struct hook *hook, const struct active_config *a, unsigned long ip)
{
	const struct recording *r;

	for_each_recording(r) {
		const struct active_config *other = recording_armed(r);
		const struct point *point =
			other && r != a->recording ? active_config_point(other, ip) : NULL;

		if (point && hook_of(point) == hook)
			return true;
	}
	return false;
}

/*
 * Return: true if another recording uses this hook. Functions that copy packets are not tested, because a
 * recording with such functions always has other probe points, too.
 */
static bool has_others(const struct hook *hook, const struct active_config *a)
{
	const struct recording *r;
	u32 i;

	for_each_recording(r) {
		const struct active_config *other = recording_armed(r);

		for (i = 0; other && r != a->recording && i < other->points.nr; i++)
			if (hook_of(&other->points.point[i]) == hook &&
			    other->points.point[i].kind != POINT_KIND_MAKER)
				return true;
	}
	return false;
}

static void hook_remove(struct hook *hook)
{
	/*
	 * After an internal error (FTRACE_WARN_ON), ftrace cannot unregister the callback and still calls
	 * it. Never unload the module then.
	 */
	if (hook->registered && unregister_ftrace_function(&hook->ops)) {
		__module_get(THIS_MODULE);
		return;
	}
	hook->registered = false;
	/* This empties the filter. ftrace_free_filter() would leave a pointer to freed memory. */
	ftrace_set_filter(&hook->ops, NULL, 0, 1);
}

/**
 * hook_register() - register_ftrace_function() for an ftrace_ops that redirects calls
 * @ops: the ftrace_ops
 *
 * ftrace returns -EAGAIN while a BPF program is being attached to or detached from one of the functions.
 * Before it returns, ftrace waits for a millisecond, so the call is simply repeated.
 *
 * Return: 0 or a negative error of register_ftrace_function().
 */
int hook_register(struct ftrace_ops *ops)
{
	int tries = 200;
	int err;

	do {
		err = register_ftrace_function(ops);
	} while (err == -EAGAIN && --tries);
	return err;
}

/*
 * Attach a hook to the probe points that it handles, except for points of POINT_KIND_MAKER whose @copies is
 * @max or more. The functions of other recordings stay attached. A hook without points is not registered,
 * because ftrace would call an ftrace_ops with an empty filter for every function.
 * Return: 0 or a negative error.
 */
static int hook_place(struct hook *hook, const struct points *p, u32 max)
{
	unsigned long *ips = kvmalloc_array(p->nr + 1, sizeof(*ips), GFP_KERNEL);
	int err = 0;
	u32 nr;

	if (!ips)
		return -ENOMEM;
	nr = collect_addresses(hook, p, max, ips);
	if (hook == &slow)
		ips[nr++] = (unsigned long)record_skb_anchor;
	if (nr)
		err = ftrace_set_filter_ips(&hook->ops, ips, nr, 0, !hook->registered);
	kvfree(ips);
	if (!nr || err || hook->registered)
		return err;
	err = hook_register(&hook->ops);
	hook->registered = !err;
	if (err)
		hook_remove(hook);
	return err;
}

/*
 * Detach a hook from the functions that no other recording uses. At least one function must remain, because
 * ftrace calls an ftrace_ops with an empty filter for every function.
 *
 * If one of the functions is not in the filter, ftrace removes none of them. This can happen with functions
 * that copy packets. Then each function is removed with a call of its own. If a function cannot be removed,
 * the callback lets its calls pass unchanged.
 */
static void hook_take_away(struct hook *hook, const struct active_config *a)
{
	unsigned long *ips = kvmalloc_array(a->points.nr, sizeof(*ips), GFP_KERNEL);
	u32 i, all, nr = 0;

	if (!ips)
		return;
	all = collect_addresses(hook, &a->points, U32_MAX, ips);
	for (i = 0; i < all; i++)
		if (!is_others(hook, a, ips[i]))
			ips[nr++] = ips[i];
	if (nr && ftrace_set_filter_ips(&hook->ops, ips, nr, 1, 0))
		for (i = 0; i < nr; i++)
			ftrace_set_filter_ip(&hook->ops, ips[i], 1, 0);
	kvfree(ips);
}

static void hook_go(struct hook *hook, const struct active_config *a)
{
	if (has_others(hook, a))
		hook_take_away(hook, a);
	else
		hook_remove(hook);
}

/*
 * Attach the third ftrace_ops, so that it has a trampoline to which the other two can jump. Its filter
 * always contains a function that no code calls, because an ftrace_ops with an empty filter would get all
 * calls of the kernel.
 */
static int start_slow(const struct points *p)
{
	int err;

	busy_start();
	if (!COMPAT_GRAPH_TAKES_CALLS)
		return 0;
	err = hook_place(&slow, p, U32_MAX);
	if (err)
		return err;
	if (!slow.ops.trampoline) {
		hook_remove(&slow);
		return -ENOMEM;
	}
	WRITE_ONCE(record_skb_probe_target, slow.ops.trampoline);
	redirect.ops.trampoline = (unsigned long)probe_entry;
	watch.ops.trampoline = (unsigned long)probe_watch_entry;
	return 0;
}

/*
 * Detach the third ftrace_ops. The other two must be unregistered before, because unregistering waits until
 * no task is inside their trampolines.
 */
static void stop_slow(const struct active_config *a)
{
	if (redirect.registered || watch.registered) {
		if (slow.registered)
			hook_take_away(&slow, a);
		return;
	}
	if (slow.registered)
		hook_remove(&slow);
	busy_stop();
}

static int place_redirect(const struct active_config *a)
{
	int err = hook_place(&redirect, &a->points, U32_MAX);

	/*
	 * ftrace returns -EBUSY if another user already redirects one of the functions. That function may be
	 * one that runs BPF programs, or one that copies skbs. Try again without these functions, because the
	 * recording also works without them.
	 */
	if (err == -EBUSY)
		err = hook_place(&redirect, &a->points, POINT_REFUSES_CGROUP);
	if (err != -EBUSY)
		return err;
	err = hook_place(&redirect, &a->points, 0);
	if (!err)
		stat_inc(&a->recording->stats, STAT_UNCOPIED);
	return err;
}

/**
 * hook_start() - attach to the probe points of a recording
 * @a: the configuration to be armed; before it is published, the callbacks let every call pass unchanged
 *
 * The caller holds session_lock.
 *
 * Return: 0 or ftrace's error: -EBUSY if a live patch redirects one of the functions, or if ftrace is
 * switched off.
 */
int hook_start(const struct active_config *a)
{
	int err;

	hook_set_forks(&a->points);
	prefilter_start(a);
	err = start_slow(&a->points)			      ?:
		      hook_place(&watch, &a->points, U32_MAX) ?:
								place_redirect(a);
	if (err)
		hook_stop(a);
	hook_find_graph(!err && slow.registered && !recordings_share() ? &slow.ops : NULL);
	return err;
}

/**
 * hook_stop() - detach from the probe points that no other recording uses
 * @a: the configuration that was armed
 *
 * The caller holds session_lock. Callbacks may still run until the next RCU grace period.
 */
void hook_stop(const struct active_config *a)
{
	hook_go(&redirect, a);
	hook_go(&watch, a);
	stop_slow(a);
}

/**
 * hook_forget_module() - detach from the functions of a module that is being unloaded
 * @a: the armed configuration
 * @mod: the module
 *
 * Other functions may use the addresses later. ftrace itself does not remove the addresses from the filter,
 * so it would trace these other functions. The caller holds session_lock.
 *
 * Return: false if no function would be left to redirect, or if ftrace refuses; then the caller must call
 * hook_stop().
 */
bool hook_forget_module(const struct active_config *a, const struct module *mod)
{
	const struct points *p = &a->points;
	u32 i, nr_left = 0;

	for (i = 0; i < p->nr; i++)
		nr_left += hook_of(&p->point[i]) == &redirect &&
			   !within_module(p->point[i].ip, mod);
	if (!nr_left)
		return false;
	prefilter_forget_module(mod);
	for (i = 0; i < p->nr; i++)
		if (within_module(p->point[i].ip, mod) &&
		    !is_others(hook_of(&p->point[i]), a, p->point[i].ip) &&
		    ftrace_set_filter_ip(&hook_of(&p->point[i])->ops, p->point[i].ip, 1, 0))
			return false;
	return true;
}

/* Free the filters when the module is unloaded. No recording is armed then. */
void hook_exit(void)
{
	ftrace_free_filter(&redirect.ops);
	ftrace_free_filter(&watch.ops);
	ftrace_free_filter(&slow.ops);
}
