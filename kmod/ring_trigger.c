// SPDX-License-Identifier: GPL-2.0
/*
 * ring_trigger.c - check the settings of a ring's trigger, and stop tracing after the packet that triggers
 * this, so that the events before the packet are kept
 *
 * An ftrace callback finds the packet. The callback stores the packet's numbers and marks the gate around
 * the packet: when that gate returns, the packet's graph is complete. The callback may run while any lock
 * is held, so it only queues an irq_work. The irq_work starts a timer. The timer writes the last events and
 * turns tracing off.
 *
 * Only a recording in the top-level trace buffer can have a trigger, because the trigger turns that buffer
 * off.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "active_config.h"
#include "compat/drop_reason_names.h"
#include "compat/hrtimer.h"
#include "trace_emit.h"
#include "flow_table.h"
#include "gate_stack.h"
#include "unanswered.h"
#include "skb_table.h"
#include "ring_trigger.h"
#include "skb_view.h"

/*
 * Delay between the end of the graph and turning tracing off. function_graph records the exit of the gate
 * only after the last code of the module has run, and this record must be in the trace.
 */
#define CLOSING_NS NSEC_PER_MSEC
/* Maximum time to wait for the end of the graph, because the task may sleep inside the graph. */
#define GRAPH_NS (100 * NSEC_PER_MSEC)
/* Maximum time to wait for the end of the packet, because the packet may stay in a queue. */
#define PACKET_NS NSEC_PER_SEC
/* Interval between scans for packets that have not ended and requests without an answer. */
#define SCAN_MSEC 250

enum state {
	OFF,	 /* no trigger is set */
	WAITING, /* no packet has fired the trigger yet */
	NOTING,	 /* a callback is storing the packet that fires it */
	CHOSEN,	 /* wait for the end of that packet, or for the end of its answer */
	FIRED,	 /* the packet has ended; wait for the end of the graph around it */
	CLOSED,	 /* the graph has ended */
	STOPPED, /* tracing is off */
};

/* The events that user space may request. */
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

static atomic_t state = ATOMIC_INIT(OFF);
/*
 * The packet that fired the trigger, and the cause. Only the callback that changed the state from WAITING
 * to NOTING writes these variables.
 */
static struct match packet;
static enum record_skb_by by;
/* The recording stops when this packet has ended. */
static struct match last;
/* True if no graph was open around the packet. */
static bool in_no_graph;
/*
 * Copies of settings of the active configuration; written only in state OFF. The same holds for slower_us,
 * unanswered_ns and questions.
 */
static u64 after_ns;
/* Time when the last events were written, in nanoseconds; 0 until then. */
static u64 stopped_ns;
static u32 slower_us;
static u64 unanswered_ns;
static struct unanswered *questions;

static bool change_state(enum state from, enum state to)
{
	return atomic_cmpxchg(&state, from, to) == from;
}

/* Write the last events into the trace buffer of this CPU, and turn tracing off. */
static void last_words(void)
{
	unsigned long flags;

	local_irq_save(flags);
	/*
	 * The ring may have overwritten the wall_clock event that was written at the start of the
	 * recording.
	 */
	emit_netns_names(recording_alone());
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

	/* Pairs with the full barrier in change_state(), so that the stored packet is visible here. */
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

/*
 * Fire the trigger after the packet has ended, and wait for the end of the graph around the packet. The
 * caller disables preemption.
 */
static void fire_trigger(enum state from)
{
	in_no_graph = !gate_stack_mark_graph(READ_ONCE(recording_alone()->epoch));
	if (change_state(from, FIRED))
		irq_work_queue(&work);
}

static bool note_packet(enum record_skb_by why, const struct match *m)
{
	if (!change_state(WAITING, NOTING))
		return false;
	packet = *m;
	last = *m;
	by = why;
	return true;
}

static bool is_slow(const struct match *m)
{
	return slower_us && skb_table_age_us(m) >= slower_us;
}

/**
 * trigger_waits_for_match() - check if the trigger (--until match) waits for a matching packet
 * @a: the active configuration
 */
bool trigger_waits_for_match(const struct active_config *a)
{
	return a->until.on & 1 << RECORD_SKB_BY_MATCH && atomic_read(&state) == WAITING;
}

/* Handle a packet that matches --until match: the ring stops when this packet has ended. */
void trigger_matched(const struct match *m)
{
	if (note_packet(RECORD_SKB_BY_MATCH, m) && change_state(NOTING, CHOSEN))
		irq_work_queue(&work);
}

/**
 * trigger_waits_for_answer() - check if the trigger waits for a request that is answered too late or never
 * @a: the active configuration
 */
bool trigger_waits_for_answer(const struct active_config *a)
{
	return a->until.questions && atomic_read(&state) == WAITING;
}

/**
 * trigger_heard() - check if a new packet is an answer that comes too late
 * @a: the active configuration
 * @v: the packet
 * @flow: tuple of the packet's flow
 * @m: numbers of the packet
 */
void trigger_heard(const struct active_config *a, const struct skb_view *v,
		   const struct tuple *flow, const struct match *m)
{
	struct tuple own, quoted;
	struct match heard = *m, late;

	if (!tuple_read(v->skb, v->offset, &own))
		return;
	/*
	 * If an ICMP error matches the filter, it gets a flow number of its own. Therefore use the flow of
	 * the packet that the error quotes.
	 */
	if (tuple_read_quoted(v->skb, &own, &quoted)) {
		heard.flow = flow_table_known(a->recording->flows, &quoted, m->net);
		flow = &quoted;
	}
	if (!unanswered_hear(a->until.questions, flow, &own, skb_view_payload(v, &own), &heard,
			     a->until.unanswered_ns, &late) ||
	    !note_packet(RECORD_SKB_BY_UNANSWERED, &late))
		return;
	last = *m;
	if (change_state(NOTING, CHOSEN))
		irq_work_queue(&work);
}

/**
 * trigger_ended() - handle the end of a packet's skb
 * @a: the active configuration
 * @m: numbers of the packet
 */
void trigger_ended(const struct active_config *a, const struct match *m)
{
	if (!a->until.on)
		return;
	if (is_slow(m) && note_packet(RECORD_SKB_BY_SLOW, m))
		fire_trigger(NOTING);
	/* Pairs with the full barrier in change_state(), so that the stored packet is visible here. */
	else if (atomic_read_acquire(&state) == CHOSEN && last.pkt == m->pkt &&
		 last.copy == m->copy)
		fire_trigger(CHOSEN);
}

/* Return: true if a drop with this reason stops the ring. */
static bool has_reason(const struct trigger_config *u, const char *name)
{
	u32 i;

	for (i = 0; i < u->nr_reasons; i++)
		if (!strcmp(u->reasons[i], name))
			return true;
	return !u->nr_reasons;
}

/**
 * trigger_dropped() - handle the drop of a packet
 * @a: the active configuration
 * @m: numbers of the packet
 * @reason: name of the drop reason, empty if the kernel gives none
 */
void trigger_dropped(const struct active_config *a, const struct match *m, const char *reason)
{
	if (a->until.on & 1 << RECORD_SKB_BY_DROP && has_reason(&a->until, reason) &&
	    note_packet(RECORD_SKB_BY_DROP, m))
		fire_trigger(NOTING);
	else
		trigger_ended(a, m);
}

/* Handle the return of the gate that fire_trigger() has marked. */
void trigger_graph_closed(void)
{
	if (change_state(FIRED, CLOSED))
		irq_work_queue(&work);
}

static void scan_packets(struct work_struct *scan_work);
static DECLARE_DELAYED_WORK(scanning, scan_packets);

static void handle_event(enum record_skb_by why, const struct match *m)
{
	/* Pairs with the grace period in trigger_stop(), which waits for every caller of note_packet(). */
	preempt_disable();
	if (note_packet(why, m)) {
		in_no_graph = true;
		if (change_state(NOTING, FIRED))
			irq_work_queue(&work);
	}
	preempt_enable();
}

/* Find packets that are slow because they never end, and requests that never get an answer. */
static void scan_packets(struct work_struct *scan_work)
{
	struct match m;

	if (atomic_read(&state) != WAITING)
		return;
	if (slower_us && skb_table_find_old(recording_alone()->track, slower_us, &m))
		handle_event(RECORD_SKB_BY_SLOW, &m);
	else if (questions && unanswered_find_old(questions, unanswered_ns, &m))
		handle_event(RECORD_SKB_BY_UNANSWERED, &m);
	schedule_delayed_work(&scanning, msecs_to_jiffies(SCAN_MSEC));
}

/* Set the trigger. Call this before a packet can match. */
void trigger_start(const struct active_config *a)
{
	packet = (struct match){};
	by = RECORD_SKB_BY_NOBODY;
	stopped_ns = 0;
	after_ns = a->until.after_ns;
	slower_us = a->until.slower_us;
	unanswered_ns = a->until.unanswered_ns;
	questions = a->until.questions;
	if (questions)
		unanswered_forget_all(questions);
	atomic_set(&state, a->until.on ? WAITING : OFF);
	if (slower_us || questions)
		schedule_delayed_work(&scanning, msecs_to_jiffies(SCAN_MSEC));
}

/**
 * trigger_stop() - remove the trigger at the end of a recording
 * @a: the active configuration
 *
 * A callback that is still running may start the timer, which then has no effect. trigger_exit() waits for
 * the timer before the module is unloaded.
 */
void trigger_stop(const struct active_config *a)
{
	const enum state was = atomic_xchg(&state, OFF);

	/* Wait for callbacks that are in note_packet(). */
	if (a->until.on)
		synchronize_rcu();
	cancel_delayed_work_sync(&scanning);
	irq_work_sync(&work);
	hrtimer_cancel(&timer);
	if (a->until.ring && was != STOPPED)
		last_words();
}

/* Report the packet that fired the trigger. Valid until the next trigger_start(). */
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

/* Wait for the timer. All callbacks have ended. */
void trigger_exit(void)
{
	irq_work_sync(&work);
	hrtimer_cancel(&timer);
}
