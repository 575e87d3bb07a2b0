// SPDX-License-Identifier: GPL-2.0
/*
 * share.c - a call that several recordings have to do with
 *
 * Each recording is asked for itself, and enters the gate that it would enter if it were alone (graph.c).
 * What they have entered becomes a chain of gates, each of which calls the next, so that the call is led
 * through all of them. A recording's graph begins below its own gate only. But what pauses the graph of a
 * task is one for all. So
 * - where nobody records what is below, the first that wants it shut pauses the graph;
 * - where anybody does, those that want it shut hide it from themselves (record_skb_hide_N), and so do those
 *   that have it shut already, for the pause is lifted. Below that they cannot be let in again.
 */
#include <linux/list.h>

#include "armed.h"
#include "frame.h"
#include "packets.h"
#include "pause.h"
#include "quiet.h"
#include "share.h"

/* One of each, as many to hide, and what lifts the pause. */
#define MAX_CHAIN (2 * RECORD_SKB_MAX_SHARED + 1)

/*
 * struct chain - the gates of one call, outermost first
 * @nr_own: of the first of @own, each recording's own
 */
struct chain {
	struct stacked *own[RECORD_SKB_MAX_SHARED];
	u32 nr_own;
	struct stacked *all[MAX_CHAIN];
	u32 nr;
};

/**
 * share_begin() - look where a call is, before anybody is asked
 * @s: filled in
 *
 * Preemption is off until share_end().
 */
void share_begin(struct share *s)
{
	const struct recording *r;

	s->nr = 0;
	s->mark = frame_mark();
	for_each_recording(r) {
		const struct armed *a = recording_armed(r);

		if (a)
			s->of[s->nr++] = (struct share_of){ a, frame_current(a->epoch) };
	}
}

/* What a recording has entered, NULL if nothing. */
static struct frame *own_frame(const struct chain *chain, const struct share_of *of)
{
	u32 i;

	for (i = 0; i < chain->nr_own; i++)
		if (frame_of(chain->own[i])->recording == of->a->of)
			return frame_of(chain->own[i]);
	return NULL;
}

static enum gate own_gate(const struct chain *chain, const struct share_of *of)
{
	const struct frame *frame = own_frame(chain, of);

	return frame ? frame->gate : GATE_NONE;
}

/* Whether it records what is below the call. */
static bool records(const struct chain *chain, const struct share_of *of)
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

static bool any_records(const struct share *s, const struct chain *chain)
{
	u32 i;

	for (i = 0; i < s->nr; i++)
		if (records(chain, &s->of[i]))
			return true;
	return false;
}

/* Whether a function's own line is to come below a gate: then it is called through its ftrace site. */
static bool wants_line(const struct chain *chain)
{
	u32 i;

	for (i = 0; i < chain->nr_own; i++)
		if (frame_of(chain->own[i])->gate == GATE_OPEN ||
		    frame_of(chain->own[i])->gate == GATE_RESUME)
			return true;
	return false;
}

/* Whether somebody has the line already, as ftrace calls function_graph after us, and would have it twice. */
static bool has_line(const struct share *s, const struct chain *chain)
{
	u32 i;

	for (i = 0; i < s->nr; i++)
		if (s->of[i].around == FRAME_OPEN && records(chain, &s->of[i]))
			return true;
	return false;
}

static bool is_paused(const struct share *s)
{
	u32 i;

	for (i = 0; i < s->nr; i++)
		if (s->of[i].around == FRAME_SHUT)
			return true;
	return false;
}

static bool add(struct chain *chain, const struct frame *frame)
{
	struct stacked *made = frame_make(frame);

	if (made)
		chain->all[chain->nr++] = made;
	return made;
}

/* @again: what was paused before is paused behind it, too. */
static bool add_lift(struct chain *chain, bool again)
{
	const struct frame frame = {
		.gate = GATE_LIFT,
		.state = FRAME_LIFTING,
		.again = again,
		.fd = -1,
	};

	return add(chain, &frame);
}

/* Of one that had it shut, or a frame of its own that was to shut it. */
static bool hide(struct chain *chain, const struct share_of *of)
{
	struct frame hidden = {
		.gate = GATE_HIDE,
		.recording = of->a->of,
		.state = FRAME_HIDING,
		.epoch = of->a->epoch,
		.fd = -1,
	};
	struct frame *own = own_frame(chain, of);

	if (own && own->gate == GATE_SHUT) {
		own->gate = GATE_HIDE;
		own->state = FRAME_HIDING;
		return true;
	}
	if (own)
		own->state = FRAME_HIDING;
	return add(chain, &hidden);
}

static bool hide_all(const struct share *s, struct chain *chain)
{
	u32 i;

	for (i = 0; i < s->nr; i++) {
		const struct share_of *of = &s->of[i];
		const enum gate gate = own_gate(chain, of);

		if ((gate == GATE_SHUT || (of->around == FRAME_SHUT && gate != GATE_RESUME)) &&
		    !hide(chain, of))
			return false;
	}
	return true;
}

/* One pause is enough. */
static void shut_once(struct chain *chain)
{
	bool shut = false;
	u32 i;

	for (i = 0; i < chain->nr_own; i++) {
		struct frame *frame = frame_of(chain->own[i]);

		if (frame->gate == GATE_SHUT && shut)
			frame->gate = GATE_RETURN;
		shut |= frame->gate == GATE_SHUT;
	}
}

static bool is_outer(enum gate gate)
{
	return gate == GATE_HIDE || gate == GATE_SHUT;
}

static bool is_own(const struct chain *chain, const struct stacked *s)
{
	u32 i;

	for (i = 0; i < chain->nr_own; i++)
		if (chain->own[i] == s)
			return true;
	return false;
}

/* What silences comes first, what calls for several packets last. */
static void add_own(struct chain *chain)
{
	struct stacked *list = NULL;
	u32 i;

	for (i = 0; i < chain->nr_own; i++)
		if (is_outer(frame_of(chain->own[i])->gate))
			chain->all[chain->nr++] = chain->own[i];
	for (i = 0; i < chain->nr_own; i++) {
		const enum gate gate = frame_of(chain->own[i])->gate;

		if (gate == GATE_LIST)
			list = chain->own[i];
		else if (!is_outer(gate))
			chain->all[chain->nr++] = chain->own[i];
	}
	if (list)
		chain->all[chain->nr++] = list;
}

/*
 * @pause: set to whether the graph is to be paused until the first gate lifts that
 *
 * Return: false if there is no room.
 */
static bool arrange(const struct share *s, struct chain *chain, bool at_site, bool *pause)
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

static void give_up(const struct share *s, struct chain *chain)
{
	u32 i;

	for (i = 0; i < s->nr; i++) {
		const struct frame *own = own_frame(chain, &s->of[i]);

		if (!own)
			continue;
		stat_inc(&s->of[i].a->of->stats, STAT_LOST_FRAMES);
		if (own->gate == GATE_OPEN)
			stat_dec(&s->of[i].a->of->stats, STAT_GRAPHS);
	}
	/* Of the others there are only those that were made. */
	for (i = 0; i < chain->nr; i++)
		if (!is_own(chain, chain->all[i]))
			frame_let_go(&chain->all[i], 1);
	frame_let_go(chain->own, chain->nr_own);
}

static void fill_in(struct chain *chain, unsigned long func)
{
	struct frame *last = frame_of(chain->all[chain->nr - 1]);
	const bool line = wants_line(chain);
	u32 i;

	for (i = 0; i < chain->nr; i++) {
		struct frame *frame = frame_of(chain->all[i]);

		frame->func = func;
		frame->entry = (unsigned long)gate_entry(frame);
	}
	if (last->gate != GATE_LIST)
		last->target = line ? func : func + MCOUNT_INSN_SIZE;
}

/**
 * share_end() - everybody was asked: put together what the call is led through
 * @s: of share_begin()
 * @func: the function called, as ftrace names it
 * @at_site: it was called through its ftrace site, and function_graph has yet to see that
 *
 * Return: the outermost gate, NULL if there is none.
 */
gate_fn *share_end(const struct share *s, unsigned long func, bool at_site)
{
	struct chain chain = {};
	bool pause;

	chain.nr_own = frame_take(s->mark, chain.own, ARRAY_SIZE(chain.own));
	if (!chain.nr_own)
		return NULL;
	if (!arrange(s, &chain, at_site, &pause))
		goto give_up;
	fill_in(&chain, func);
	if (!frame_enter(chain.all, chain.nr))
		goto give_up;
	if (pause)
		graph_pause();
	return gate_entry(frame_of(chain.all[0]));

give_up:
	give_up(s, &chain);
	return NULL;
}

/**
 * share_next_piece() - packets_next_piece() where recordings share
 * @frame: of the gate that hands the list over
 * @rest: what is left of the list, not empty
 * @piece: gets the piece
 *
 * Return: the gate to hand the piece over through, NULL for none.
 */
gate_fn *share_next_piece(const struct frame *frame, struct list_head *rest,
			  struct list_head *piece)
{
	const struct armed *a = NULL;
	const struct point *point;
	gate_fn *gate = NULL;
	struct share s;
	struct quiet quiet;
	u32 i;

	if (!quiet_begin(&quiet, frame->func, 0, frame_around(frame))) {
		recording_lost(frame->recording, frame->epoch);
		list_splice_tail_init(rest, piece);
		return NULL;
	}
	share_begin(&s);
	for (i = 0; i < s.nr; i++)
		if (s.of[i].a->of == frame->recording && s.of[i].a->epoch == frame->epoch)
			a = s.of[i].a;
	point = a ? armed_point(a, frame->func) : NULL;
	if (point)
		packets_take_piece(a, point, rest, piece);
	else
		list_splice_tail_init(rest, piece);
	for (i = 0; i < s.nr; i++) {
		point = s.of[i].a == a ? NULL : armed_point(s.of[i].a, frame->func);
		if (point && packets_seen(s.of[i].a, point, piece) == GATE_LIST)
			break;
	}
	gate = share_end(&s, frame->func, false);
	quiet_end(&quiet);
	return gate;
}
