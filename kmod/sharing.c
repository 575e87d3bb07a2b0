// SPDX-License-Identifier: GPL-2.0
/*
 * sharing.c - let the recordings decide about a call
 *
 * Each recording decides for itself, and enters the gate that it would enter if it were the only recording
 * (gate_choice.c). The entered gates become a chain: each gate calls the next, so the call passes through all
 * of them. The graph of a recording begins below its own gate. However, all recordings share the pause count
 * of a task. Therefore:
 * - If no recording wants the functions below the call, the first gate that has to close a graph pauses the
 * task.
 * - If any recording wants these functions, the task must not be paused. Every other recording hides the
 *   functions from its own graph with a gate record_skb_hide_N, even if its graph was already closed by the
 *   pause. Below such a gate, that recording cannot show functions again.
 */
#include <linux/err.h>
#include <linux/list.h>

#include "active_config.h"
#include "gate_choice.h"
#include "gate.h"
#include "gate_stack.h"
#include "probes.h"
#include "graph_pause.h"
#include "drops_and_rules.h"
#include "socket_calls.h"
#include "task_pause.h"
#include "recursion_guard.h"
#include "sharing.h"

/*
 * Maximum number of gates of one call: for each recording, its own gate and a GATE_HIDE, and one GATE_LIFT
 * for all recordings.
 */
#define MAX_CHAIN (2 * RECORD_SKB_MAX_SHARED + 1)

/*
 * struct sharing - state of all recordings at one call
 * @nr: number of recordings
 * @members: one entry for each recording
 * @members.a: the armed configuration of the recording
 * @members.around: state of the recording's call graph around the call
 * @mark: position in the task's gate stack before the call
 */
struct sharing {
	u32 nr;
	struct shared_member {
		const struct active_config *a;
		enum frame_state around;
	} members[RECORD_SKB_MAX_SHARED];
	struct stacked_frame *mark;
};

/*
 * struct chain - the gates of one call
 * @own: frames of the gates that the recordings entered
 * @nr_own: number of entries in @own
 * @all: frames of all gates of the call, outermost first
 * @nr: number of entries in @all
 */
struct chain {
	struct stacked_frame *own[RECORD_SKB_MAX_SHARED];
	u32 nr_own;
	struct stacked_frame *all[MAX_CHAIN];
	u32 nr;
};

/*
 * Store the current position in the gate stack and the current frame of each recording, before the recordings
 * handle the call. Preemption stays off until sharing_end().
 */
static void sharing_begin(struct sharing *s)
{
	const struct recording *r;

	s->nr = 0;
	s->mark = gate_stack_mark();
	for_each_recording(r) {
		const struct active_config *a = recording_armed(r);

		if (a)
			s->members[s->nr++] =
				(struct shared_member){ a, gate_stack_current(a->epoch) };
	}
}

/* Return: the frame that a recording has entered for this call, NULL if none. */
static struct gate_frame *own_frame(const struct chain *chain, const struct shared_member *of)
{
	u32 i;

	for (i = 0; i < chain->nr_own; i++)
		if (gate_stack_of(chain->own[i])->recording == of->a->recording)
			return gate_stack_of(chain->own[i]);
	return NULL;
}

static enum gate own_gate(const struct chain *chain, const struct shared_member *of)
{
	const struct gate_frame *frame = own_frame(chain, of);

	return frame ? frame->gate : GATE_NONE;
}

/* Return: true if the recording records the functions below the call. */
static bool records_below(const struct chain *chain, const struct shared_member *of)
{
	switch (own_gate(chain, of)) {
	case GATE_OPEN:
	case GATE_RESUME:
		return true;
	case GATE_SHUT:
		return false;
	default:
		return of->around == FRAME_OPEN;
	}
}

static bool any_records(const struct sharing *s, const struct chain *chain)
{
	u32 i;

	for (i = 0; i < s->nr; i++)
		if (records_below(chain, &s->members[i]))
			return true;
	return false;
}

/*
 * Return: true if a recording opens or resumes its graph at this call. The trace then has to show the call of
 * the function itself below a gate. Therefore the last gate calls the function through its ftrace site.
 */
static bool wants_line(const struct chain *chain)
{
	u32 i;

	for (i = 0; i < chain->nr_own; i++)
		if (gate_stack_of(chain->own[i])->gate == GATE_OPEN ||
		    gate_stack_of(chain->own[i])->gate == GATE_RESUME)
			return true;
	return false;
}

/*
 * Return: true if the graph of a recording is open around the call. This graph already shows the call of the
 * function. If a gate called the function through its ftrace site, the call would appear a second time.
 */
static bool has_line(const struct sharing *s, const struct chain *chain)
{
	u32 i;

	for (i = 0; i < s->nr; i++)
		if (s->members[i].around == FRAME_OPEN && records_below(chain, &s->members[i]))
			return true;
	return false;
}

static bool is_paused(const struct sharing *s)
{
	u32 i;

	for (i = 0; i < s->nr; i++)
		if (s->members[i].around == FRAME_SHUT)
			return true;
	return false;
}

static bool add_gate(struct chain *chain, const struct gate_frame *frame)
{
	struct stacked_frame *made = gate_stack_make(frame);

	if (made)
		chain->all[chain->nr++] = made;
	return made;
}

/*
 * Add the gate that lifts the pause for a call. If @again is true, the gate pauses the graph again after the
 * call.
 */
static bool add_lift(struct chain *chain, bool again)
{
	const struct gate_frame frame = {
		.gate = GATE_LIFT,
		.state = FRAME_LIFTING,
		.again = again,
		.fd = -1,
	};

	return add_gate(chain, &frame);
}

/*
 * Hide the call from the graph of one recording with a GATE_HIDE. If the recording has a GATE_SHUT for this
 * call, change that gate to GATE_HIDE instead of adding another one.
 */
static bool hide_graph(struct chain *chain, const struct shared_member *of)
{
	struct gate_frame hidden = {
		.gate = GATE_HIDE,
		.recording = of->a->recording,
		.state = FRAME_HIDING,
		.epoch = of->a->epoch,
		.fd = -1,
	};
	struct gate_frame *own = own_frame(chain, of);

	if (own && own->gate == GATE_SHUT) {
		own->gate = GATE_HIDE;
		own->state = FRAME_HIDING;
		return true;
	}
	if (own)
		own->state = FRAME_HIDING;
	return add_gate(chain, &hidden);
}

static bool hide_all(const struct sharing *s, struct chain *chain)
{
	u32 i;

	for (i = 0; i < s->nr; i++) {
		const struct shared_member *of = &s->members[i];
		const enum gate gate = own_gate(chain, of);

		if ((gate == GATE_SHUT || (of->around == FRAME_SHUT && gate != GATE_RESUME)) &&
		    !hide_graph(chain, of))
			return false;
	}
	return true;
}

/*
 * If several gates pause the graph (GATE_SHUT), keep only the first one. Change the other ones to
 * GATE_RETURN, which does not change the graph.
 */
static void shut_once(struct chain *chain)
{
	bool shut = false;
	u32 i;

	for (i = 0; i < chain->nr_own; i++) {
		struct gate_frame *frame = gate_stack_of(chain->own[i]);

		if (frame->gate == GATE_SHUT && shut)
			frame->gate = GATE_RETURN;
		shut |= frame->gate == GATE_SHUT;
	}
}

static bool is_outer(enum gate gate)
{
	return gate == GATE_HIDE || gate == GATE_SHUT;
}

static bool is_own(const struct chain *chain, const struct stacked_frame *s)
{
	u32 i;

	for (i = 0; i < chain->nr_own; i++)
		if (chain->own[i] == s)
			return true;
	return false;
}

/*
 * Add the gates that the recordings entered. Gates that hide or pause come first. A GATE_LIST comes last,
 * because it calls the function once for each piece of a list.
 */
static void add_own(struct chain *chain)
{
	struct stacked_frame *list = NULL;
	u32 i;

	for (i = 0; i < chain->nr_own; i++)
		if (is_outer(gate_stack_of(chain->own[i])->gate))
			chain->all[chain->nr++] = chain->own[i];
	for (i = 0; i < chain->nr_own; i++) {
		const enum gate gate = gate_stack_of(chain->own[i])->gate;

		if (gate == GATE_LIST)
			list = chain->own[i];
		else if (!is_outer(gate))
			chain->all[chain->nr++] = chain->own[i];
	}
	if (list)
		chain->all[chain->nr++] = list;
}

/*
 * Put the gates of a call in order.
 * @pause: set to true if the caller must pause the task before the gates are entered; the first gate is then
 *	a GATE_LIFT, which ends this pause
 *
 * Return: false if no frame was free for an additional gate.
 */
static bool arrange_gates(const struct sharing *s, struct chain *chain, bool at_site, bool *pause)
{
	const bool paused = is_paused(s), line = wants_line(chain);

	*pause = false;
	if (any_records(s, chain)) {
		*pause = !paused && at_site && line && has_line(s, chain);
		if ((paused || *pause) && !add_lift(chain, paused))
			return false;
		if (!hide_all(s, chain))
			return false;
	} else {
		shut_once(chain);
	}
	add_own(chain);
	return true;
}

static void give_up(const struct sharing *s, struct chain *chain)
{
	u32 i;

	for (i = 0; i < s->nr; i++) {
		const struct gate_frame *own = own_frame(chain, &s->members[i]);

		if (!own)
			continue;
		stat_inc(&s->members[i].a->recording->stats, STAT_LOST_FRAMES);
		if (own->gate == GATE_OPEN)
			stat_dec(&s->members[i].a->recording->stats, STAT_GRAPHS);
	}
	/* First free the frames that arrange_gates() has added, then those that the recordings entered. */
	for (i = 0; i < chain->nr; i++)
		if (!is_own(chain, chain->all[i]))
			gate_stack_let_go(&chain->all[i], 1);
	gate_stack_let_go(chain->own, chain->nr_own);
}

static gate_fn gate_list;

/* Return: the gate function for a frame. */
static gate_fn *find_gate(const struct gate_frame *frame)
{
	return frame->gate == GATE_LIST ? gate_list : gate_entry(frame);
}

static void fill_in(struct chain *chain, unsigned long func)
{
	struct gate_frame *last = gate_stack_of(chain->all[chain->nr - 1]);
	const bool line = wants_line(chain);
	u32 i;

	for (i = 0; i < chain->nr; i++) {
		struct gate_frame *frame = gate_stack_of(chain->all[i]);

		frame->func = func;
		frame->entry = (unsigned long)find_gate(frame);
	}
	if (last->gate != GATE_LIST)
		last->target = line ? func : func + MCOUNT_INSN_SIZE;
}

/*
 * Return: the gate that the only active recording has entered for this call, NULL if none. No gates have to
 * be added, because only one recording decides.
 */
static gate_fn *only_gate(const struct sharing *s)
{
	struct stacked_frame *top = gate_stack_mark();

	return top == s->mark ? NULL : find_gate(gate_stack_of(top));
}

/*
 * Build the chain of gates after all recordings have decided.
 * @func: the called function, at the address that ftrace uses
 * @at_site: true if the function was called through its ftrace site, and function_graph has not seen the call
 *	yet
 *
 * Return: the outermost gate, NULL if no recording has entered one.
 */
static gate_fn *sharing_end(const struct sharing *s, unsigned long func, bool at_site)
{
	struct chain chain = {};
	bool pause;

	if (!recordings_share())
		return only_gate(s);
	chain.nr_own = gate_stack_take(s->mark, chain.own, ARRAY_SIZE(chain.own));
	if (!chain.nr_own)
		return NULL;
	if (!arrange_gates(s, &chain, at_site, &pause))
		goto give_up;
	fill_in(&chain, func);
	if (!gate_stack_enter(chain.all, chain.nr))
		goto give_up;
	if (pause)
		graph_pause();
	return find_gate(gate_stack_of(chain.all[0]));

give_up:
	give_up(s, &chain);
	return NULL;
}

/* Let a recording decide about a call. Return: the gate that the recording entered, GATE_NONE if none. */
static enum gate decide_gates(const struct active_config *a, const struct point *point,
			      const struct hit *hit)
{
	void *arg;

	if (point->kind == POINT_KIND_IRQ)
		return graph_interrupted(a, point);
	if (point->kind == RECORD_SKB_KIND_FRAME)
		return decide_frame(a, point, hit);
	if (point->kind > RECORD_SKB_KIND_LIST && point->kind < POINT_KIND_IRQ)
		return decide_call(a, point, hit);
	arg = (void *)hit->arg[point->arg];
	if (IS_ERR_OR_NULL(arg))
		return GATE_NONE;
	switch (point->kind) {
	case RECORD_SKB_KIND_SKB:
		if (point->enqueues)
			skb_drops_enqueue(a->recording, hit);
		return decide_packet(a, point, arg);
	case RECORD_SKB_KIND_LIST:
		return decide_list(a, point, arg);
	case POINT_KIND_MAKER:
		return point->copies >= POINT_REFUSES_CGROUP ? decide_refusal(a, point, hit) :
							       decide_copy(a, point, arg);
	}
	return GATE_NONE;
}

/**
 * share_decide() - let all recordings decide about a call of a probe point
 * @hit: the call
 *
 * The caller has disabled preemption and called recursion_guard_begin().
 *
 * Return: the gate that the call has to pass through, NULL if none.
 */
gate_fn *share_decide(const struct hit *hit)
{
	struct sharing s;
	u32 i;

	sharing_begin(&s);
	for (i = 0; i < s.nr; i++) {
		const struct active_config *a = s.members[i].a;
		const struct point *point = active_config_point(a, hit->ip);

		/*
		 * The remaining recordings decide later, for each piece of the list (take_next_piece()).
		 */
		if (point && decide_gates(a, point, hit) == GATE_LIST)
			break;
	}
	return sharing_end(&s, hit->ip, true);
}

/*
 * Split the next piece off a list of packets.
 * @frame: frame of the gate that passes the list on
 * @rest: remaining packets of the list, not empty
 * @piece: gets the next piece
 *
 * Return: the gate to pass the piece through, NULL for none.
 */
static gate_fn *take_next_piece(const struct gate_frame *frame, struct list_head *rest,
				struct list_head *piece)
{
	const struct active_config *a = NULL;
	const struct point *point;
	gate_fn *gate = NULL;
	struct sharing s;
	struct recursion_guard quiet;
	u32 i;

	if (!recursion_guard_begin(&quiet, frame->func, 0, gate_stack_around(frame))) {
		recording_lost(frame->recording, frame->epoch);
		list_splice_tail_init(rest, piece);
		return NULL;
	}
	sharing_begin(&s);
	for (i = 0; i < s.nr; i++)
		if (s.members[i].a->recording == frame->recording &&
		    s.members[i].a->epoch == frame->epoch)
			a = s.members[i].a;
	point = a ? active_config_point(a, frame->func) : NULL;
	if (point)
		packets_take_piece(a, point, rest, piece);
	else
		list_splice_tail_init(rest, piece);
	for (i = 0; i < s.nr; i++) {
		point = s.members[i].a == a ? NULL :
					      active_config_point(s.members[i].a, frame->func);
		if (point && decide_list(s.members[i].a, point, piece) == GATE_LIST)
			break;
	}
	gate = sharing_end(&s, frame->func, false);
	recursion_guard_end(&quiet);
	return gate;
}

/* Split a list of matching and other packets, and call the function for each piece. */
static noinline unsigned long gate_list(unsigned long a0, unsigned long a1, unsigned long a2,
					unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long args[] = { a0, a1, a2, a3, a4, a5 };
	const struct gate_frame *frame = gate_stack_top();
	struct list_head *head = (struct list_head *)args[frame->arg];
	unsigned long ret = 0;
	LIST_HEAD(rest);
	LIST_HEAD(left);

	list_splice_init(head, &rest);
	while (!list_empty(&rest)) {
		LIST_HEAD(piece);
		gate_fn *gate = take_next_piece(frame, &rest, &piece);

		args[frame->arg] = (unsigned long)&piece;
		ret = gate ? gate(args[0], args[1], args[2], args[3], args[4], args[5]) :
			     gate_call(args[0], args[1], args[2], args[3], args[4], args[5],
				       gate_stack_call());
		/* If the function leaves packets on its list, the caller gets them back. */
		list_splice_tail(&piece, &left);
	}
	list_splice(&left, head);
	gate_stack_pop(false);
	return ret;
}
