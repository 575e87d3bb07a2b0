// SPDX-License-Identifier: GPL-2.0
/*
 * hook.c - stand at the points and lead the calls that match through a gate
 *
 * One ftrace_ops redirects calls, another only looks on. Armed after function_graph they are called
 * before it, so the event stands before the graph, and setting the instruction pointer decides what
 * the graph sees next.
 */
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "again.h"
#include "armed.h"
#include "calls.h"
#include "compat/ftrace.h"
#include "compat/graph-hand-on.h"
#include "copies.h"
#include "drops.h"
#include "emit.h"
#include "fast.h"
#include "frame.h"
#include "hook.h"
#include "packets.h"
#include "passes.h"
#include "pause-all.h"
#include "quiet.h"
#include "rules.h"
#include "share.h"
#include "side-gates.h"
#include "stats.h"
#include "track.h"
#include "trigger.h"

static enum gate point_seen(const struct armed *a, const struct point *point,
			    struct ftrace_regs *fregs)
{
	void *arg;

	if (point->kind == POINT_KIND_IRQ)
		return graph_interrupted(a, point);
	if (point->kind > RECORD_SKB_KIND_LIST && point->kind < POINT_KIND_IRQ)
		return call_seen(a, point, fregs);
	arg = (void *)ftrace_regs_get_argument(fregs, point->arg);
	if (IS_ERR_OR_NULL(arg))
		return GATE_NONE;
	switch (point->kind) {
	case RECORD_SKB_KIND_SKB:
		if (point->enqueues)
			drops_enqueue(a->of, fregs);
		return packet_seen(a, point, arg);
	case RECORD_SKB_KIND_LIST:
		return packets_seen(a, point, arg);
	case POINT_KIND_MAKER:
		return maker_seen(a, point, arg);
	}
	return GATE_NONE;
}

/*
 * function_graph's own ftrace_ops, if it was there when we came. ftrace calls it for each function in its
 * set. A point that is not in there has one user less, and costs half; then it is for us to call it, where
 * the call may be below a gate.
 */
static struct ftrace_ops *graph __read_mostly;

static void find_graph(const struct ftrace_ops *ours)
{
	char name[KSYM_SYMBOL_LEN];
	struct ftrace_ops *ops;

	WRITE_ONCE(graph, NULL);
	rcu_read_lock();
	for (ops = rcu_dereference_raw(ours->next); ops; ops = rcu_dereference_raw(ops->next)) {
		sprint_symbol_no_offset(name, (unsigned long)ops->func);
		if (!strcmp(name, "ftrace_graph_func"))
			WRITE_ONCE(graph, ops);
	}
	rcu_read_unlock();
}

/*
 * As ftrace would after us, where the call is in a gate. It may have gone meanwhile: then it is on the list
 * no more. Preemption is off.
 */
static void hand_on(unsigned long ip, unsigned long parent_ip, const struct ftrace_ops *ours,
		    struct ftrace_regs *fregs)
{
	struct ftrace_ops *ops = rcu_dereference_raw_check(ours->next);

	while (ops && ops != READ_ONCE(graph))
		ops = rcu_dereference_raw_check(ops->next);
	if (ops)
		ops->func(ip, parent_ip, ops, fregs);
}

static void lead_through(enum gate gate, struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)gate_function(gate));
}

/* Return: the gate that the call is led through. */
static enum gate look(const struct armed *a, const struct point *point, const struct frame *frame,
		      unsigned long ip, unsigned long parent_ip, struct ftrace_regs *fregs)
{
	struct quiet quiet;
	enum gate gate = GATE_NONE;

	if (!quiet_begin(&quiet, ip, parent_ip, frame ? frame_around(frame) : FRAME_NONE)) {
		stat_inc(&recording_alone()->stats, STAT_LOST_RECURSION);
		return GATE_NONE;
	}
	if (point)
		gate = point_seen(a, point, fregs);
	if (gate == GATE_OPEN && point->alone && compat_graph_is_shared(graph))
		stat_inc(&recording_alone()->stats, STAT_LOST_FUNCTIONS);
	if (gate != GATE_NONE)
		lead_through(gate, fregs);
	else if (!frame)
		pause_all_met();
	quiet_end(&quiet);
	return gate;
}

/* What is not decided at once. @frame: of the gate around, NULL if there is none */
static noinline void point_hit(const struct armed *a, const struct point *point,
			       struct frame *frame, unsigned long ip, unsigned long parent_ip,
			       const struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	enum gate gate = GATE_NONE;

	if (in_nmi())
		return;
	/* What is armed may be gone by now. */
	if (!frame || !frame_takes_call(frame, ip))
		gate = look(a, point, frame, ip, parent_ip, fregs);
	if (point && point->alone && (frame || gate != GATE_NONE))
		hand_on(ip, parent_ip, ops, fregs);
}

/* Nobody's who shares, of whom none has the call in a gate. */
static bool passes_all(unsigned long ip, struct ftrace_regs *fregs)
{
	const struct recording *r;

	for_each_recording(r) {
		const struct armed *a = recording_armed(r);
		const struct point *point = a ? armed_point(a, ip) : NULL;

		if (point && !passes(a, point, fregs))
			return false;
	}
	return true;
}

static gate_fn *ask_all(unsigned long ip, struct ftrace_regs *fregs)
{
	struct share s;
	u32 i;

	share_begin(&s);
	for (i = 0; i < s.nr; i++) {
		const struct armed *a = s.of[i].a;
		const struct point *point = armed_point(a, ip);

		if (!point || (s.of[i].around == FRAME_NONE && passes(a, point, fregs)))
			continue;
		/* The others are asked of each piece of it. */
		if (point_seen(a, point, fregs) == GATE_LIST)
			break;
	}
	return share_end(&s, ip, true);
}

static void count_recursion(unsigned long ip)
{
	struct recording *r;

	for_each_recording(r) {
		const struct armed *a = recording_armed(r);

		if (a && armed_point(a, ip))
			stat_inc(&r->stats, STAT_LOST_RECURSION);
	}
}

static void shared_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_regs *fregs)
{
	struct frame *frame = frame_innermost();
	struct quiet quiet;
	gate_fn *gate;

	if (!frame && pause_all_is_settled() && passes_all(ip, fregs))
		return;
	if (in_nmi() || (frame && frame_takes_call(frame, ip)))
		return;
	if (!quiet_begin(&quiet, ip, parent_ip, frame ? frame_around(frame) : FRAME_NONE)) {
		count_recursion(ip);
		return;
	}
	gate = ask_all(ip, fregs);
	if (gate)
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)gate);
	else if (!frame)
		pause_all_met();
	quiet_end(&quiet);
}

/* Where recordings share. */
static noinline void hook_shared(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_regs *fregs)
{
	preempt_disable_notrace();
	shared_hit(ip, parent_ip, fregs);
	preempt_enable_notrace();
}

/* Of a task that is in no gate. Others may be: then it takes longer. */
static noinline void hook_outside(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				  struct ftrace_regs *fregs)
{
	const struct armed *a;
	const struct point *point;

	preempt_disable_notrace();
	a = recording_armed(recording_alone());
	point = a ? armed_point(a, ip) : NULL;
	if (!pause_all_is_settled() || (point && !passes(a, point, fregs)))
		point_hit(a, point, NULL, ip, parent_ip, ops, fregs);
	preempt_enable_notrace();
}

static noinline void hook_inside(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	enum gate gate = GATE_NONE;
	const struct armed *a;
	const struct point *point;
	struct frame *frame;

	preempt_disable_notrace();
	frame = frame_innermost();
	a = recording_armed(recording_alone());
	point = a ? armed_point(a, ip) : NULL;
	if (!frame) {
		hook_outside(ip, parent_ip, ops, fregs);
	} else if (frame->looking) {
		/* What we call ourselves. */
	} else if (point &&
		   (frame_takes_call(frame, ip) || again_seen(a, point, frame, fregs, &gate))) {
		if (gate != GATE_NONE)
			lead_through(gate, fregs);
		if (point->alone)
			hand_on(ip, parent_ip, ops, fregs);
	} else {
		point_hit(a, point, frame, ip, parent_ip, ops, fregs);
	}
	preempt_enable_notrace();
}

/*
 * Of most calls it is sure at once that there is nothing to look at. The rest is done elsewhere, so that
 * nothing of what it needs has to be saved here.
 */
static void notrace hook_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs)
{
	if (fast_passes(ip, fregs) && pause_all_is_settled())
		return;
	if (recordings_share())
		hook_shared(ip, parent_ip, fregs);
	else if (frame_inside())
		hook_inside(ip, parent_ip, ops, fregs);
	else
		hook_outside(ip, parent_ip, ops, fregs);
}

/* If something has thrown it away, that was its end. */
static void ended(const struct armed *a, const struct sk_buff *skb)
{
	struct match m;

	if (!skb || !track_forget(a->of->track, skb, &m) || m.dropped)
		return;
	emit_end(a->of, skb, &m);
	trigger_ended(a, &m);
}

/* A packet that is remembered is freed, queued or put into another skb, or a rule has decided on it. */
static void packet_watched(const struct armed *a, const struct point *point,
			   unsigned long parent_ip, struct ftrace_regs *fregs)
{
	switch (point->kind) {
	case POINT_KIND_HEADER:
		copies_header(a->of, fregs, point->ip, parent_ip);
		break;
	case POINT_KIND_RULE:
		rule_seen(a->of, fregs);
		break;
	case POINT_KIND_ENQUEUE:
		drops_enqueue(a->of, fregs);
		break;
	case POINT_KIND_FREE:
		ended(a, (const struct sk_buff *)ftrace_regs_get_argument(fregs, point->arg));
		break;
	}
}

/* Of the points those that are no packet's: the same ones each time. */
static unsigned long copying, copied;

static noinline void watch_look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	const struct recording *r;

	if (ip == copying)
		pause_all_copying();
	else if (ip == copied)
		pause_all_copied();
	preempt_disable_notrace();
	for_each_recording(r) {
		const struct armed *a = recording_armed(r);
		const struct point *point = a ? armed_point(a, ip) : NULL;

		if (!point)
			continue;
		if (track_any())
			packet_watched(a, point, parent_ip, fregs);
		if (point->alone && frame_innermost())
			hand_on(ip, parent_ip, ops, fregs);
	}
	preempt_enable_notrace();
}

static void notrace watch_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *fregs)
{
	if (!fast_is_outside() || ip == copying || ip == copied)
		watch_look(ip, parent_ip, ops, fregs);
}

/* Each calls nothing that ftrace traces, or takes ftrace's lock against recursion itself. */
#define HOOK_FLAGS (FTRACE_OPS_FL_PERMANENT | COMPAT_FTRACE_OPS_REGS)

/*
 * struct hook - an ftrace_ops on some of the points
 *
 * They are PERMANENT: were ftrace switched off (kernel.ftrace_enabled) while packets are remembered, their
 * ends would be missed. Switching it off fails instead, as it does for live patches.
 */
struct hook {
	struct ftrace_ops ops;
	bool registered;
};

/* Changes where a call goes, which no two users of a function can (a live patch is one). */
static struct hook redirect = {
	.ops = { .func = hook_hit, .flags = HOOK_FLAGS | FTRACE_OPS_FL_IPMODIFY },
};
/* Only looks on. */
static struct hook watch = {
	.ops = { .func = watch_hit, .flags = HOOK_FLAGS },
};

static struct hook *hook_of(const struct point *point)
{
	return point->kind >= POINT_KIND_FREE ? &watch : &redirect;
}

static u32 collect(const struct hook *hook, const struct points *p, bool makers, unsigned long *ips)
{
	u32 i, nr = 0;

	for (i = 0; i < p->nr; i++)
		if (hook_of(&p->point[i]) == hook &&
		    (makers || p->point[i].kind != POINT_KIND_MAKER))
			ips[nr++] = p->point[i].ip;
	return nr;
}

/* Whether another recording stands there as well, by the same hook. Called with session_lock held. */
static bool is_others(const struct hook *hook, const struct armed *a, unsigned long ip)
{
	const struct recording *r;

	for_each_recording(r) {
		const struct armed *other = recording_armed(r);
		const struct point *point = other && r != a->of ? armed_point(other, ip) : NULL;

		if (point && hook_of(point) == hook)
			return true;
	}
	return false;
}

/* Whether another recording has this hook. Where makers are, others are as well. */
static bool has_others(const struct hook *hook, const struct armed *a)
{
	const struct recording *r;
	u32 i;

	for_each_recording(r) {
		const struct armed *other = recording_armed(r);

		for (i = 0; other && r != a->of && i < other->points.nr; i++)
			if (hook_of(&other->points.point[i]) == hook &&
			    other->points.point[i].kind != POINT_KIND_MAKER)
				return true;
	}
	return false;
}

static void hook_remove(struct hook *hook)
{
	/* An ftrace that has shut itself down (FTRACE_WARN_ON) goes on calling us: then stay for good. */
	if (hook->registered && unregister_ftrace_function(&hook->ops)) {
		__module_get(THIS_MODULE);
		return;
	}
	hook->registered = false;
	/* Empties it; ftrace_free_filter() would leave a pointer to what it freed. */
	ftrace_set_filter(&hook->ops, NULL, 0, 1);
}

static void find_copying(const struct points *p)
{
	u32 i;

	for (i = 0; i < p->nr; i++) {
		if (p->point[i].kind == POINT_KIND_COPYING)
			copying = p->point[i].ip;
		else if (p->point[i].kind == POINT_KIND_COPIED)
			copied = p->point[i].ip;
	}
}

/**
 * hook_register() - as register_ftrace_function(), for what redirects calls
 * @ops: as there
 *
 * -EAGAIN: somebody attaches BPF to one of the functions just now, or takes it away. ftrace has given him a
 * millisecond, and asks to be called again. Return: as there.
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
 * With no function in its list an ftrace_ops would be called for every one. @makers: also those that
 * make copies. Those of others stay.
 */
static int hook_place(struct hook *hook, const struct points *p, bool makers)
{
	unsigned long *ips = kvmalloc_array(p->nr, sizeof(*ips), GFP_KERNEL);
	int err = 0;
	u32 nr;

	if (!ips)
		return -ENOMEM;
	nr = collect(hook, p, makers, ips);
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
 * Where nobody else stands, which must not be everywhere: an ftrace_ops without a function is called for all.
 * What ftrace does not take away lets everything pass. All are refused for one that is not there, as makers
 * may not be.
 */
static void hook_take_away(struct hook *hook, const struct armed *a)
{
	unsigned long *ips = kvmalloc_array(a->points.nr, sizeof(*ips), GFP_KERNEL);
	u32 i, all, nr = 0;

	if (!ips)
		return;
	all = collect(hook, &a->points, true, ips);
	for (i = 0; i < all; i++)
		if (!is_others(hook, a, ips[i]))
			ips[nr++] = ips[i];
	if (nr && ftrace_set_filter_ips(&hook->ops, ips, nr, 1, 0))
		for (i = 0; i < nr; i++)
			ftrace_set_filter_ip(&hook->ops, ips[i], 1, 0);
	kvfree(ips);
}

static void hook_go(struct hook *hook, const struct armed *a)
{
	if (has_others(hook, a))
		hook_take_away(hook, a);
	else
		hook_remove(hook);
}

/**
 * hook_start() - stand at the points
 * @a: what is to be armed; as long as it is not, callbacks let everything pass
 *
 * Return: 0, or why ftrace refuses: -EBUSY if a live patch has one of the functions, or if ftrace is
 * switched off.
 */
int hook_start(const struct armed *a)
{
	int err;

	find_copying(&a->points);
	if (recordings_share())
		fast_stop();
	else
		fast_start(a);
	err = hook_place(&watch, &a->points, true);
	if (err)
		return err;
	err = hook_place(&redirect, &a->points, true);
	if (err == -EBUSY) {
		/* It may be a function that makes copies. */
		err = hook_place(&redirect, &a->points, false);
		if (!err)
			stat_inc(&a->of->stats, STAT_UNCOPIED);
	}
	if (err)
		hook_go(&watch, a);
	else if (redirect.registered && !recordings_share())
		find_graph(&redirect.ops);
	else
		WRITE_ONCE(graph, NULL);
	return err;
}

/**
 * hook_stop() - go, but where others stand
 * @a: what was armed
 *
 * Callbacks may still run until the next RCU grace period.
 */
void hook_stop(const struct armed *a)
{
	hook_go(&redirect, a);
	hook_go(&watch, a);
	fast_stop();
}

/**
 * hook_forget_module() - a module with points is being unloaded
 * @a: what is armed
 * @mod: the module
 *
 * Its functions' addresses may be other functions' next, and ftrace itself does not take them off a
 * user's list: it would believe that the new ones are traced.
 *
 * Return: false if there is nothing left to redirect, or if ftrace refuses; then hook_stop().
 */
bool hook_forget_module(const struct armed *a, const struct module *mod)
{
	const struct points *p = &a->points;
	u32 i, nr_left = 0;

	for (i = 0; i < p->nr; i++)
		nr_left += hook_of(&p->point[i]) == &redirect &&
			   !within_module(p->point[i].ip, mod);
	if (!nr_left)
		return false;
	fast_forget_module(mod);
	for (i = 0; i < p->nr; i++)
		if (within_module(p->point[i].ip, mod) &&
		    !is_others(hook_of(&p->point[i]), a, p->point[i].ip) &&
		    ftrace_set_filter_ip(&hook_of(&p->point[i])->ops, p->point[i].ip, 1, 0))
			return false;
	return true;
}

/* Nothing is armed and nothing will be. */
void hook_exit(void)
{
	ftrace_free_filter(&redirect.ops);
	ftrace_free_filter(&watch.ops);
}
