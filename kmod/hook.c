// SPDX-License-Identifier: GPL-2.0
/*
 * hook.c - stand at the points and lead the calls that match through a gate
 *
 * One ftrace_ops for all points. Armed after function_graph it is called before it, so the event
 * stands before the graph, and setting the instruction pointer decides what the graph sees next.
 */
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include "armed.h"
#include "calls.h"
#include "compat/ftrace.h"
#include "emit.h"
#include "frame.h"
#include "hook.h"
#include "packets.h"
#include "quiet.h"
#include "side-gates.h"
#include "stats.h"
#include "track.h"

/* The skb ends: nothing has thrown it away, or that would have been its end. */
static void skb_freed(const struct sk_buff *skb)
{
	struct match m;

	if (track_forget(skb, &m))
		emit_end(skb, &m);
}

static enum gate point_seen(const struct armed *a, const struct point *point,
			    struct ftrace_regs *fregs)
{
	void *arg;

	if (point->kind == POINT_KIND_IRQ)
		return graph_interrupted(a, point);
	if (point->kind > RECORD_SKB_KIND_LIST && point->kind < POINT_KIND_FREE)
		return call_seen(a, point, fregs);
	arg = (void *)ftrace_regs_get_argument(fregs, point->arg);
	if (IS_ERR_OR_NULL(arg))
		return GATE_NONE;
	switch (point->kind) {
	case RECORD_SKB_KIND_SKB:
		return packet_seen(a, point, arg);
	case RECORD_SKB_KIND_LIST:
		return packets_seen(a, point, arg);
	case POINT_KIND_FREE:
		skb_freed(arg);
		break;
	}
	return GATE_NONE;
}

static void notrace hook_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs)
{
	const struct armed *a;
	const struct point *point;
	struct quiet quiet;
	gate_fn *gate;

	/* A gate calls the function that it stands in for: that was decided. */
	if (in_nmi() || frame_takes_call(ip, armed_epoch()))
		return;
	if (!quiet_begin(&quiet, ip, parent_ip)) {
		stat_inc(STAT_LOST_RECURSION);
		return;
	}
	a = armed_get();
	point = a ? armed_point(a, ip) : NULL;
	gate = point ? gate_function(point_seen(a, point, fregs)) : NULL;
	if (gate)
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)gate);
	quiet_end(&quiet);
}

static struct ftrace_ops ops = {
	.func = hook_hit,
	.flags = FTRACE_OPS_FL_IPMODIFY
#ifndef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
		| FTRACE_OPS_FL_SAVE_REGS
#endif
		,
};

static int set_filter(const struct points *p)
{
	unsigned long *ips = kvmalloc_array(p->nr, sizeof(*ips), GFP_KERNEL);
	int err;
	u32 i;

	if (!ips)
		return -ENOMEM;
	for (i = 0; i < p->nr; i++)
		ips[i] = p->point[i].ip;
	err = ftrace_set_filter_ips(&ops, ips, p->nr, 0, 1);
	kvfree(ips);
	return err;
}

/* ftrace_free_filter() would leave a pointer to what it freed. */
static void empty_filter(void)
{
	ftrace_set_filter(&ops, NULL, 0, 1);
}

/**
 * hook_start() - stand at the points
 * @a: what is to be armed; as long as it is not, callbacks let everything pass
 *
 * Return: 0, or why ftrace refuses: -EBUSY if a live patch has one of the functions.
 */
int hook_start(const struct armed *a)
{
	int err = set_filter(&a->points) ?: register_ftrace_function(&ops);

	if (err)
		empty_filter();
	return err;
}

/* Go. Callbacks may still run until the next RCU grace period. */
void hook_stop(void)
{
	/* An ftrace that has shut itself down (FTRACE_WARN_ON) goes on calling us: then stay for good. */
	if (unregister_ftrace_function(&ops))
		__module_get(THIS_MODULE);
	else
		empty_filter();
}

/**
 * hook_forget_module() - a module with points is being unloaded
 * @a: what is armed
 * @mod: the module
 *
 * Its functions' addresses may be other functions' next, and ftrace itself does not take them off a
 * user's list: it would believe that the new ones are traced. There have to be points left, for with
 * none ftrace would trace every function.
 *
 * Return: false if ftrace refuses; then hook_stop().
 */
bool hook_forget_module(const struct armed *a, const struct module *mod)
{
	u32 i;

	for (i = 0; i < a->points.nr; i++) {
		const unsigned long ip = a->points.point[i].ip;

		if (within_module(ip, mod) && ftrace_set_filter_ip(&ops, ip, 1, 0))
			return false;
	}
	return true;
}

/* Nothing is armed and nothing will be. */
void hook_exit(void)
{
	ftrace_free_filter(&ops);
}
