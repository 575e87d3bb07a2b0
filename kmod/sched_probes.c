// SPDX-License-Identifier: GPL-2.0
/*
 * sched_probes.c - record when tasks that work for matching packets sleep or wait for a CPU
 *
 * Such a task is inside a gate, or was woken inside an open graph and has not got a CPU yet. The functions
 * here are callbacks of scheduler tracepoints, which run with locks of the scheduler held and interrupts
 * off. Therefore they take no lock, wake no task and allocate no memory.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "active_config.h"
#include "trace_emit.h"
#include "gate_stack.h"
#include "sched_probes.h"
#include "counters.h"
#include "kallsyms.h"

#define WAITING_BITS 8
#define WAITING_WAYS 4

static struct tracepoint *tp_switch, *tp_waking;
static bool started;

/*
 * Tasks that are runnable but are waiting for a CPU. The table needs no references to the tasks, because a
 * task leaves the table when it gets a CPU, and must get a CPU before it can exit.
 */
static struct task_struct *waiting[1 << WAITING_BITS][WAITING_WAYS];
/* Number of entries in the table, so that most task switches need not search the table. */
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

/* Add a task to the table. The caller holds the task's pi_lock, or the task is just leaving its CPU. */
static void waiting_add(struct task_struct *task)
{
	struct task_struct **slot;

	if (waiting_find(task, task))
		return;
	/* Increment the counter first, because another CPU may remove the entry as soon as it is visible. */
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

static void handle_task_leaving(struct task_struct *task, bool preempted,
				const struct task_struct *next)
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

	if (!busy_with_gates() && !atomic_read(&nr_waiting))
		return;
	if (gate_stack_is_around(prev, epoch) || waiting_has(prev))
		handle_task_leaving(prev, preempt || !prev_state, next);
	any_waits = atomic_read(&nr_waiting);
	has_waited = waiting_take(next);
	if (has_waited || gate_stack_is_around(next, epoch))
		emit_sched(recording_alone(), RECORD_SKB_SCHED_ON, next, prev);
	else if (any_waits)
		emit_sched(recording_alone(), RECORD_SKB_SCHED_OTHER, next, prev);
}

/*
 * Return: true if the current context is inside an open graph. A hard interrupt is not inside the graph
 * that it interrupts.
 */
static bool in_graph(u32 epoch)
{
	return !in_hardirq() && gate_stack_current(epoch) == FRAME_OPEN;
}

static void on_waking(void *data, struct task_struct *task)
{
	const u32 epoch = READ_ONCE(recording_alone()->epoch);

	/* A task that wakes itself was not asleep. */
	if (!busy_with_gates() || task == current)
		return;
	if (!gate_stack_is_around(task, epoch) && !in_graph(epoch))
		return;
	waiting_add(task);
	emit_sched(recording_alone(), RECORD_SKB_SCHED_WOKEN, task, NULL);
}

/**
 * sched_probes_start() - begin to record sleeping and waiting tasks
 *
 * Return: 0, or the error of registering the tracepoint probes.
 */
int sched_probes_start(void)
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

void sched_probes_stop(void)
{
	if (!started)
		return;
	tracepoint_probe_unregister(tp_waking, on_waking, NULL);
	tracepoint_probe_unregister(tp_switch, on_switch, NULL);
	tracepoint_synchronize_unregister();
	started = false;
}

int sched_probes_init(void)
{
	tp_switch = tracepoint_named("sched_switch");
	tp_waking = tracepoint_named("sched_waking");
	return tp_switch && tp_waking ? 0 : -ENOENT;
}
