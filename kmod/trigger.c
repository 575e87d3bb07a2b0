// SPDX-License-Identifier: GPL-2.0
/*
 * trigger.c - the packet that ends a ring: tracing is switched off behind it, so that what led to it stays
 *
 * Whoever sees such a packet is a callback: it notes which, and marks the gate around, behind which
 * the packet's graph is whole. It can hold any lock, so it queues an irq_work. That sets a timer, which
 * says the last words and switches off.
 *
 * Only of a recording that is alone: it is the top buffer that is switched off.
 */
#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "armed.h"
#include "compat/hrtimer.h"
#include "emit.h"
#include "flow.h"
#include "frame.h"
#include "questions.h"
#include "track.h"
#include "trigger.h"
#include "view.h"

/* The gate's last line is recorded as it returns, behind our last look at it. */
#define CLOSING_NS NSEC_PER_MSEC
/* A graph may be one of a task that goes to sleep in it. */
#define GRAPH_NS (100 * NSEC_PER_MSEC)
/* The packet that was looked for may be in a queue for long. */
#define PACKET_NS NSEC_PER_SEC
/* What does not end is looked for so often. */
#define SCAN_MSEC 250

enum state {
	OFF,	 /* nothing is waited for */
	WAITING, /* no packet has done it yet */
	NOTING,	 /* one has, and is being noted */
	CHOSEN,	 /* it, or its answer, is there still: until that ends */
	FIRED,	 /* it has ended: until the graph around is closed */
	CLOSED,
	STOPPED, /* nothing is recorded any more */
};

static atomic_t state = ATOMIC_INIT(OFF);
/* Which packet and why; written by who went from WAITING to NOTING. */
static struct match packet;
static enum record_skb_by by;
/* Behind whose end the recording ends. */
static struct match last;
/* Nothing was open around it. */
static bool in_no_graph;
/* Of what is armed; written while OFF. */
static u64 after_ns;
/* When the last words were said. */
static u64 stopped_ns;
static u32 slower_us;
static u64 unanswered_ns;
static struct questions *questions;

static bool step(enum state from, enum state to)
{
	return atomic_cmpxchg(&state, from, to) == from;
}

/* What comes last in this CPU's buffer. */
static void last_words(void)
{
	unsigned long flags;

	local_irq_save(flags);
	/* That of the beginning may have been written over. */
	emit_wall_clock(recording_alone());
	emit_stop(recording_alone(), by, &packet);
	tracing_off();
	WRITE_ONCE(stopped_ns, ktime_get_mono_fast_ns());
	local_irq_restore(flags);
}

static enum hrtimer_restart time_is_up(struct hrtimer *timer)
{
	enum state now = atomic_read(&state);

	while (now == CHOSEN || now == FIRED || now == CLOSED)
		if (atomic_try_cmpxchg(&state, (int *)&now, STOPPED)) {
			last_words();
			break;
		}
	return HRTIMER_NORESTART;
}

static struct hrtimer timer;

static void set_timer(struct irq_work *work)
{
	u64 ns;

	/* Pairs with the full barrier of step(): what was noted before is seen. */
	switch (atomic_read_acquire(&state)) {
	case CHOSEN:
		ns = PACKET_NS;
		break;
	case FIRED:
		ns = in_no_graph ? CLOSING_NS : GRAPH_NS;
		break;
	case CLOSED:
		ns = CLOSING_NS;
		break;
	default:
		return;
	}
	hrtimer_start(&timer, ns_to_ktime(ns + after_ns), HRTIMER_MODE_REL);
}

static struct irq_work work;

/* It has ended. Preemption is off. */
static void fire(enum state from)
{
	in_no_graph = !frame_mark_graph(READ_ONCE(recording_alone()->epoch));
	if (step(from, FIRED))
		irq_work_queue(&work);
}

static bool note(enum record_skb_by why, const struct match *m)
{
	if (!step(WAITING, NOTING))
		return false;
	packet = *m;
	last = *m;
	by = why;
	return true;
}

static bool is_slow(const struct match *m)
{
	return slower_us && track_age_us(m) >= slower_us;
}

/**
 * trigger_waits_for_match() - whether packets are to be looked at for being the one
 * @a: what is armed
 */
bool trigger_waits_for_match(const struct armed *a)
{
	return a->until.on & 1 << RECORD_SKB_BY_MATCH && atomic_read(&state) == WAITING;
}

/* This is the one: until it ends. */
void trigger_matched(const struct match *m)
{
	if (note(RECORD_SKB_BY_MATCH, m) && step(NOTING, CHOSEN))
		irq_work_queue(&work);
}

/**
 * trigger_waits_for_answer() - whether packets are to be looked at for what they ask and answer
 * @a: what is armed
 */
bool trigger_waits_for_answer(const struct armed *a)
{
	return a->until.questions && atomic_read(&state) == WAITING;
}

/**
 * trigger_heard() - a packet is seen for the first time: it may be an answer, and late
 * @a: what is armed
 * @v: the packet
 * @flow: its flow's tuple
 * @m: its numbers
 */
void trigger_heard(const struct armed *a, const struct view *v, const struct tuple *flow,
		   const struct match *m)
{
	struct tuple own, quoted;
	struct match heard = *m, late;

	if (!tuple_read(v->skb, v->offset, &own))
		return;
	/* If an error matches by itself, it is of another flow than what it is about. */
	if (tuple_read_quoted(v->skb, &own, &quoted)) {
		heard.flow = flow_known(a->of->flows, &quoted, m->net);
		flow = &quoted;
	}
	if (!questions_hear(a->until.questions, flow, &own, view_payload(v, &own), &heard,
			    a->until.unanswered_ns, &late) ||
	    !note(RECORD_SKB_BY_UNANSWERED, &late))
		return;
	last = *m;
	if (step(NOTING, CHOSEN))
		irq_work_queue(&work);
}

/**
 * trigger_ended() - a packet is being freed
 * @a: what is armed
 * @m: its numbers
 */
void trigger_ended(const struct armed *a, const struct match *m)
{
	if (!a->until.on)
		return;
	if (is_slow(m) && note(RECORD_SKB_BY_SLOW, m))
		fire(NOTING);
	else if (atomic_read(&state) == CHOSEN && last.pkt == m->pkt && last.copy == m->copy)
		fire(CHOSEN);
}

/**
 * trigger_dropped() - a packet is thrown away
 * @a: what is armed
 * @m: its numbers
 * @reason: the name of why, empty if it has none
 */
void trigger_dropped(const struct armed *a, const struct match *m, const char *reason)
{
	if (a->until.on & 1 << RECORD_SKB_BY_DROP && until_has_reason(&a->until, reason) &&
	    note(RECORD_SKB_BY_DROP, m))
		fire(NOTING);
	else
		trigger_ended(a, m);
}

/* The gate that fire() marked is left. */
void trigger_graph_closed(void)
{
	if (step(FIRED, CLOSED))
		irq_work_queue(&work);
}

static void scan(struct work_struct *scan_work);
static DECLARE_DELAYED_WORK(scanning, scan);

static void found(enum record_skb_by why, const struct match *m)
{
	/* Pairs with the grace period in trigger_stop(), as all who note. */
	preempt_disable();
	if (note(why, m)) {
		in_no_graph = true;
		if (step(NOTING, FIRED))
			irq_work_queue(&work);
	}
	preempt_enable();
}

/* What has no end is slow, too, and what has no answer has none in time. */
static void scan(struct work_struct *scan_work)
{
	struct match m;

	if (atomic_read(&state) != WAITING)
		return;
	if (slower_us && track_find_old(recording_alone()->track, slower_us, &m))
		found(RECORD_SKB_BY_SLOW, &m);
	else if (questions && questions_find_old(questions, unanswered_ns, &m))
		found(RECORD_SKB_BY_UNANSWERED, &m);
	schedule_delayed_work(&scanning, msecs_to_jiffies(SCAN_MSEC));
}

/* Before anything can match. */
void trigger_start(const struct armed *a)
{
	packet = (struct match){};
	by = RECORD_SKB_BY_NOBODY;
	stopped_ns = 0;
	after_ns = a->until.after_ns;
	slower_us = a->until.slower_us;
	unanswered_ns = a->until.unanswered_ns;
	questions = a->until.questions;
	if (questions)
		questions_forget_all(questions);
	atomic_set(&state, a->until.on ? WAITING : OFF);
	if (slower_us || questions)
		schedule_delayed_work(&scanning, msecs_to_jiffies(SCAN_MSEC));
}

/**
 * trigger_stop() - the recording ends: nothing is waited for any more
 * @a: what is armed
 *
 * A callback that was about to set the timer does so in vain. It is through, and so is what it queued, when
 * the module's last user is gone: trigger_exit().
 */
void trigger_stop(const struct armed *a)
{
	const enum state was = atomic_xchg(&state, OFF);

	/* Who was noting a packet has noted it. */
	if (a->until.on)
		synchronize_rcu();
	cancel_delayed_work_sync(&scanning);
	irq_work_sync(&work);
	hrtimer_cancel(&timer);
	if (a->until.ring && was != STOPPED)
		last_words();
}

/* Fill in which packet it was; until the next trigger_start(). */
void trigger_read(struct record_skb_stats *out)
{
	out->stopped_ns = READ_ONCE(stopped_ns);
	out->stopped = atomic_read(&state) == STOPPED;
	out->by = by;
	out->by_pkt = packet.pkt;
	out->by_copy = packet.copy;
}

void trigger_init(void)
{
	init_irq_work(&work, set_timer);
	compat_hrtimer_setup(&timer, time_is_up);
}

/* No callback runs any more. */
void trigger_exit(void)
{
	irq_work_sync(&work);
	hrtimer_cancel(&timer);
}
