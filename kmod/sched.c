// SPDX-License-Identifier: GPL-2.0
/*
 * sched.c - when tasks that have to do with packets that matched sleep, and when they wait for a CPU
 *
 * Those are the tasks that are inside a gate, and those that are woken in an open graph, by a packet or a
 * call, until they have a CPU. The callers are tracepoints of the scheduler, with its locks held and
 * interrupts off: nothing here takes a lock, wakes anybody or allocates. Only of a recording that is alone.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "armed.h"
#include "emit.h"
#include "frame.h"
#include "sched.h"
#include "stats.h"
#include "tracepoints.h"

#define WAITING_BITS 8
#define WAITING_WAYS 4

static struct tracepoint *tp_switch, *tp_waking;
static bool started;

/*
 * Who would go on and has no CPU. Addresses only: whoever is here leaves when it has one, or goes to sleep,
 * as one may that was on its CPU still when it was woken; and nobody ends without either.
 */
static struct task_struct *waiting[1 << WAITING_BITS][WAITING_WAYS];
/* Lets most switches skip the table. */
static atomic_t nr_waiting;

static struct task_struct **waiting_find(const struct task_struct *task,
					 const struct task_struct *held_by)
{
	struct task_struct **bucket = waiting[hash_ptr(task, WAITING_BITS)];
	int i;

	for (i = 0; i < WAITING_WAYS; i++)
		if (READ_ONCE(bucket[i]) == held_by)
			return &bucket[i];
	return NULL;
}

static bool waiting_has(const struct task_struct *task)
{
	return atomic_read(&nr_waiting) && waiting_find(task, task);
}

/* Its pi_lock is held, or it is leaving its CPU. */
static void waiting_add(struct task_struct *task)
{
	struct task_struct **slot;

	if (waiting_find(task, task))
		return;
	/* Before anybody could take it. */
	atomic_inc(&nr_waiting);
	do {
		slot = waiting_find(task, NULL);
	} while (slot && cmpxchg(slot, NULL, task));
	if (slot)
		return;
	atomic_dec(&nr_waiting);
	stat_inc(&recording_alone()->stats, STAT_LOST_FRAMES);
}

static bool waiting_take(struct task_struct *task)
{
	struct task_struct **slot = atomic_read(&nr_waiting) ? waiting_find(task, task) : NULL;

	if (!slot || cmpxchg(slot, task, NULL) != task)
		return false;
	atomic_dec(&nr_waiting);
	return true;
}

static void leaves(struct task_struct *task, bool preempted, const struct task_struct *next)
{
	if (preempted)
		waiting_add(task);
	else
		waiting_take(task);
	emit_sched(recording_alone(),
		   preempted ? RECORD_SKB_SCHED_PREEMPTED : RECORD_SKB_SCHED_ASLEEP, task, next);
}

static void on_switch(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		      unsigned int prev_state)
{
	const u32 epoch = READ_ONCE(recording_alone()->epoch);
	bool any_waits, has_waited;

	if (!frame_inside() && !atomic_read(&nr_waiting))
		return;
	if (frame_is_around(prev, epoch) || waiting_has(prev))
		leaves(prev, preempt || !prev_state, next);
	any_waits = atomic_read(&nr_waiting);
	has_waited = waiting_take(next);
	if (has_waited || frame_is_around(next, epoch))
		emit_sched(recording_alone(), RECORD_SKB_SCHED_ON, next, prev);
	else if (any_waits)
		emit_sched(recording_alone(), RECORD_SKB_SCHED_OTHER, next, prev);
}

/* What a hard interrupt wakes is not the graph's that it interrupts. */
static bool in_graph(u32 epoch)
{
	return !in_hardirq() && frame_current(epoch) == FRAME_OPEN;
}

static void on_waking(void *data, struct task_struct *task)
{
	const u32 epoch = READ_ONCE(recording_alone()->epoch);

	/* Who wakes itself was not asleep. */
	if (!frame_inside() || task == current)
		return;
	if (!frame_is_around(task, epoch) && !in_graph(epoch))
		return;
	waiting_add(task);
	emit_sched(recording_alone(), RECORD_SKB_SCHED_WOKEN, task, NULL);
}

/**
 * sched_start() - from now on it is told
 *
 * Return: 0, or what registering the tracepoints failed with.
 */
int sched_start(void)
{
	int err;

	memset(waiting, 0, sizeof(waiting));
	atomic_set(&nr_waiting, 0);
	err = tracepoint_probe_register(tp_switch, on_switch, NULL);
	if (err)
		return err;
	err = tracepoint_probe_register(tp_waking, on_waking, NULL);
	if (err) {
		tracepoint_probe_unregister(tp_switch, on_switch, NULL);
		tracepoint_synchronize_unregister();
		return err;
	}
	started = true;
	return 0;
}

void sched_stop(void)
{
	if (!started)
		return;
	tracepoint_probe_unregister(tp_waking, on_waking, NULL);
	tracepoint_probe_unregister(tp_switch, on_switch, NULL);
	tracepoint_synchronize_unregister();
	started = false;
}

int sched_init(void)
{
	tp_switch = tracepoint_named("sched_switch");
	tp_waking = tracepoint_named("sched_waking");
	return tp_switch && tp_waking ? 0 : -ENOENT;
}
