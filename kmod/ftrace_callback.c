// SPDX-License-Identifier: GPL-2.0
/* ftrace_callback.c - ftrace calls this code at the probe points, to redirect matching calls to a gate */
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "active_config.h"
#include "bpf_programs.h"
#include "decisions.h"
#include "drop_values.h"
#include "compat/ftrace.h"
#include "compat/graph-hand-on.h"
#include "gate.h"
#include "gate_stack.h"
#include "gate_choice.h"
#include "graph_pause.h"
#include "function_graph.h"
#include "ftrace_callback.h"
#include "match.h"
#include "drops_and_rules.h"
#include "prefilter.h"
#include "probes.h"
#include "recursion_guard.h"
#include "ring_trigger.h"
#include "sharing.h"
#include "skb_copies.h"
#include "skb_table.h"
#include "skb_view.h"
#include "counters.h"
#include "task_pause.h"
#include "trace_emit.h"

/*
 * The ftrace_ops of function_graph; NULL if it was not registered when the recording started.
 *
 * ftrace calls function_graph only for functions in function_graph's own set. If a probe point is not in that
 * set, the module is the only ftrace user of the function, and a call costs half as much. The code here then
 * passes a call to function_graph if the call is inside a gate.
 */
static struct ftrace_ops *graph __read_mostly;
/*
 * Addresses of the probe points POINT_KIND_COPYING and POINT_KIND_COPIED, in the kernel's functions that
 * fork a task. The addresses are the same for every recording.
 */
static unsigned long copying, copied;

/**
 * hook_set_forks() - store the addresses of the functions that fork a task
 * @p: the probe points of a recording
 */
void hook_set_forks(const struct points *p)
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
 * hook_find_graph() - find function_graph, which must be registered already
 * @ours: a registered ftrace_ops of the module, from which the list of ftrace users is walked; NULL if the
 *	module never passes calls to function_graph
 */
void hook_find_graph(const struct ftrace_ops *ours)
{
	WRITE_ONCE(graph, ours ? fgraph_find_behind(ours) : NULL);
}

/* Return: true if function_graph has not attached to the probe point at @ip. Preemption is off. */
static bool is_outside_graph(unsigned long ip)
{
	const struct recording *r;

	/* If function_graph's own set has the probe points, ftrace calls function_graph itself. */
	if (!trampoline_hands_on())
		return false;
	for_each_recording(r) {
		const struct active_config *a = recording_armed(r);
		const struct point *point = a ? active_config_point(a, ip) : NULL;

		if (point && point->sole_user)
			return true;
	}
	return false;
}

/*
 * Call function_graph for a call inside a gate, as ftrace would do after this callback. If function_graph
 * was unregistered in the meantime, it is not on the list of ftrace users and is not called. Preemption is
 * off.
 */
static void hand_on(const struct hit *hit, const struct ftrace_ops *ours, struct ftrace_regs *fregs)
{
	struct ftrace_ops *ops = rcu_dereference_raw_check(ours->next);

	while (ops && ops != READ_ONCE(graph))
		ops = rcu_dereference_raw_check(ops->next);
	if (ops)
		ops->func(hit->ip, hit->parent_ip, ops, fregs);
}

static void count_recursion(unsigned long ip)
{
	struct recording *r;

	for_each_recording(r) {
		const struct active_config *a = recording_armed(r);

		if (a && active_config_point(a, ip))
			stat_inc(&r->stats, STAT_LOST_RECURSION);
	}
}

/*
 * Let the recordings decide about a call that the fast path does not handle. Return: the gate that the call
 * has to pass through, NULL if none.
 */
static gate_fn *choose_gate(const struct hit *hit, const struct gate_frame *frame)
{
	struct recursion_guard quiet;
	gate_fn *gate;

	if (!recursion_guard_begin(&quiet, hit->ip, hit->parent_ip,
				   frame ? gate_stack_around(frame) : FRAME_NONE)) {
		count_recursion(hit->ip);
		return NULL;
	}
	gate = share_decide(hit);
	if (!gate && !frame)
		graph_pause_met();
	recursion_guard_end(&quiet);
	return gate;
}

/*
 * Fast path for the most common hit: a known packet reaches the next probe inside its open graph. The packet
 * is still in the same namespace and on the same device, so no decision is needed. The module emits an event,
 * and uses a gate only if the return value is wanted. Other hits are handled by gate_choice.c, with the same
 * result.
 */

/* Return: true if the fast path is possible at this probe; the skb has not been examined yet. */
static __always_inline bool known_packet_may_be(const struct active_config *a,
						const struct point *point,
						const struct gate_frame *frame)
{
	return frame->state == FRAME_OPEN && !frame->calling && frame->epoch == a->epoch &&
	       point->kind == RECORD_SKB_KIND_SKB && !point->copies && !point->enqueues &&
	       skb_table_any();
}

/*
 * Handle the hit on the fast path if possible. If the call has to pass through a gate, @gate is set. The
 * functions that are called here are hidden from the graph, as in recursion_guard.h. Interrupts are off, so
 * @frame->in_callback is sufficient as the guard against recursion.
 *
 * Return: true if the fast path applied.
 */
static __always_inline bool known_packet_seen(const struct hit *hit, struct gate_frame *frame,
					      gate_fn **gate)
{
	struct skb_view v __attribute__((__uninitialized__));
	struct graph_hidden hidden;
	const struct point *point;
	const struct active_config *a;
	const struct match *m;
	const struct sk_buff *skb;

	/* Several active recordings have to decide together (sharing.c). */
	if (recordings_share())
		return false;
	a = recording_armed(recording_alone());
	point = a ? active_config_point(a, hit->ip) : NULL;
	if (!point || !known_packet_may_be(a, point, frame))
		return false;
	skb = (const struct sk_buff *)hit->arg[point->arg];
	m = IS_ERR_OR_NULL(skb) ? NULL : skb_table_at(a->recording->track, skb);
	if (!m || m->dropped)
		return false;
	v = skb_view_of(point, skb);
	if (!match_stays(&v, m) || (a->until.on && trigger_waits_for_match(a)))
		return false;
	hidden = graph_hide();
	frame->in_callback = true;
	stat_inc(&a->recording->stats, STAT_HITS);
	emit_packet(a->recording, &v, m, RECORD_SKB_HOW_NESTED);
	if (point->flags & RECORD_SKB_POINT_RETURN)
		*gate = gate_function(graph_asked(a, point, skb, m));
	frame->in_callback = false;
	graph_show(&hidden);
	return true;
}

/* Return: the gate that a call of a redirected probe point has to pass through, NULL if none. */
static gate_fn *redirect_call(const struct hit *hit, struct gate_frame *frame)
{
	gate_fn *gate = NULL;

	if (!frame && graph_pause_is_settled() && prefilter_passes_call(hit))
		return NULL;
	if (frame &&
	    (gate_stack_takes_call(frame, hit->ip) || known_packet_seen(hit, frame, &gate)))
		return gate;
	return choose_gate(hit, frame);
}

/* Report the end of a tracked skb that is being freed, unless its drop was reported before. */
static void report_end(const struct active_config *a, const struct sk_buff *skb)
{
	struct graph_hidden hidden;
	struct drop_value value;
	struct match m;

	if (!skb || !skb_table_forget(a->recording->track, skb, &m) || m.dropped)
		return;
	/* The functions that are called here must not appear in the packet's graph. */
	hidden = graph_hide();
	/*
	 * TCP clears skb->dev of a segment that it handles. Most other packets still have a device when
	 * they are freed, so the accept queue is not read for them.
	 */
	if (!skb->dev && drop_value_read_syn(skb, &value))
		emit_limit(a->recording, skb, &m, &value);
	emit_end(a->recording, skb, &m);
	trigger_ended(a, &m);
	graph_show(&hidden);
}

/*
 * Handle a call of an observed probe point, which is never redirected. Such a call means one of two things. A
 * tracked packet is freed, queued or moved into another skb. Or a rule, a BPF program or the kernel has
 * decided on a packet.
 */
static void watch_packet(const struct active_config *a, const struct point *point,
			 const struct hit *hit)
{
	struct graph_hidden hidden;

	switch (point->kind) {
	case POINT_KIND_HEADER:
		skb_copies_header(a->recording, hit);
		break;
	case POINT_KIND_RULE:
		nft_rules_seen(a->recording, hit);
		break;
	case POINT_KIND_ENQUEUE:
		skb_drops_enqueue(a->recording, hit);
		break;
	case POINT_KIND_PROGRAM:
		/* The functions that are called here must not appear in the packet's graph. */
		hidden = graph_hide();
		bpf_programs_skb(a->recording, hit);
		graph_show(&hidden);
		break;
	case POINT_KIND_REDIRECT:
		hidden = graph_hide();
		bpf_programs_redirect(a->recording, hit);
		graph_show(&hidden);
		break;
	case POINT_KIND_DECISION:
		decisions_seen(a->recording, point, hit);
		break;
	case POINT_KIND_FREE:
		report_end(a, (const struct sk_buff *)hit->arg[point->arg]);
		break;
	}
}

/*
 * Handle a call for all recordings that only observe the function. Return: true if there is such a recording.
 */
static bool watch_call(const struct hit *hit)
{
	const struct recording *r;
	bool watched = false;

	for_each_recording(r) {
		const struct active_config *a = recording_armed(r);
		const struct point *point = a ? active_config_point(a, hit->ip) : NULL;

		if (!point || point->kind < POINT_KIND_FREE)
			continue;
		watched = true;
		if (skb_table_any() || point->kind == POINT_KIND_PROGRAM ||
		    point->kind == POINT_KIND_DECISION)
			watch_packet(a, point, hit);
	}
	return watched;
}

static void see_fork(const struct hit *hit)
{
	if (hit->ip == copying)
		graph_pause_copying();
	else if (hit->ip == copied)
		graph_pause_copied((struct task_struct *)hit->arg[0]);
}

/* Handle a call that the prefilter has not rejected. Preemption is off. */
static noinline void handle_call(unsigned long ip, unsigned long parent_ip,
				 const struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	/* The frame of the gate around this call, NULL if the current context is inside no gate. */
	struct gate_frame *frame = gate_stack_innermost();
	struct hit hit = { .ip = ip, .parent_ip = parent_ip };
	gate_fn *gate = NULL;

	compat_read_arguments(hit.arg, fregs);
	see_fork(&hit);
	decisions_see_tap(&hit);
	/* Ignore calls that the module itself makes in a callback. */
	if (in_nmi() || (frame && frame->in_callback))
		return;
	if (ops->private == HOOK_REDIRECT || !watch_call(&hit))
		gate = ops->private == HOOK_WATCH ? NULL : redirect_call(&hit, frame);
	if (gate)
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)gate);
	if (!(frame || gate) || !is_outside_graph(ip))
		return;
	if (gate && gate_stack_top()->gate == GATE_OPEN && compat_graph_is_shared(graph))
		stat_inc(&recording_alone()->stats, STAT_LOST_FUNCTIONS);
	hand_on(&hit, ops, fregs);
}

/*
 * Decide on a call of a function with other ftrace users. Such a call does not pass through probe_entry.S,
 * which would reject most calls. Return: true if no recording wants the call.
 */
static bool is_rejected(unsigned long ip, const struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (ops->private == HOOK_WATCH && !busy_with_any())
		return ip != copying && ip != copied;
	return prefilter_rejects(ftrace_regs_get_argument(fregs, 0),
				 ftrace_regs_get_argument(fregs, 1),
				 ftrace_regs_get_argument(fregs, 2), 0, 0, 0,
				 ip + MCOUNT_INSN_SIZE);
}

/**
 * hook_call() - the callback of ftrace
 * @ip: address of the probe point
 * @parent_ip: address in the caller
 * @ops: the ftrace_ops. If the function has other ftrace users, @ops->private is HOOK_REDIRECT or HOOK_WATCH.
 *	If it has none, @ops->private is NULL, and probe_entry.S has already called the prefilter.
 * @fregs: registers of the call
 */
void notrace hook_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs)
{
	if (ops->private && is_rejected(ip, ops, fregs))
		return;
	preempt_disable_notrace();
	handle_call(ip, parent_ip, ops, fregs);
	preempt_enable_notrace();
}
