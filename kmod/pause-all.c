// SPDX-License-Identifier: GPL-2.0
/*
 * pause-all.c - function_graph is paused for every task, but inside the gates that open a graph
 *
 * What function_graph looks at first is whether the task pauses it. So a function that is traced, called
 * where no graph is open, costs a fifth of what it does until the tracer has found out that it is below
 * no gate. That the graphs hold our packets' calls and no others does not depend on it: a task that is
 * not paused only costs more.
 *
 * A task is paused by a mark in its count, which is given back when all this ends. A task that kept it
 * would be hidden from function_graph until it ends. So nobody may have it whom we do not find then, and a
 * child is copied long before it is on the list of tasks. Hence
 * - the parent is without it while it is copied (pause_all_copying());
 * - nobody is marked by another but while it sleeps, for then it is not just being copied: a parent that
 *   is, is marked by itself (mark_current()) or not at all;
 * - the child gets its own when it is on the list.
 * Idle tasks are on no list at all: they mark themselves, and are remembered.
 */
#include <linux/delay.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>

#include "frame.h"
#include "pause-all.h"
#include "pause.h"
#include "tracepoints.h"

/* How often we look for those who were not asleep just now. */
#define LOOKS 3

static struct tracepoint *tp_new;
/* Set under session_lock. */
bool record_skb_paused __read_mostly;
/* Each CPU's idle task, if it was marked. */
static DEFINE_PER_CPU(struct task_struct *, idle);

/* Return: how many it has changed. */
static unsigned int each_task(bool (*change)(struct task_struct *task))
{
	struct task_struct *process, *task;
	unsigned int changed = 0;

	rcu_read_lock();
	for_each_process_thread(process, task)
		changed += change(task);
	rcu_read_unlock();
	return changed;
}

/* Whether it is asleep, and stays so while its pi_lock is held: as task_call_func() has it. */
static bool is_asleep(const struct task_struct *task)
{
	const unsigned int state = READ_ONCE(task->__state);

	if (state == TASK_RUNNING || state == TASK_WAKING)
		return false;
	/* Pairs with the barrier in try_to_wake_up(), between what it reads of both. */
	smp_rmb();
	return !READ_ONCE(task->on_rq);
}

static bool mark_sleeper(struct task_struct *task)
{
	unsigned long flags;
	bool marked;

	raw_spin_lock_irqsave(&task->pi_lock, flags);
	marked = is_asleep(task) && pause_mark(task);
	raw_spin_unlock_irqrestore(&task->pi_lock, flags);
	return marked;
}

/* Return: how many were marked. */
static unsigned int unmark_all(void)
{
	unsigned int unmarked = each_task(pause_unmark);
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(idle, cpu))
			unmarked += pause_unmark(per_cpu(idle, cpu));
	return unmarked;
}

/* It is on the list, and does not run yet. */
static void on_new(void *data, struct task_struct *task)
{
	if (READ_ONCE(record_skb_paused))
		pause_mark(task);
}

/* Only while preemption is off, which pause_all_stop() waits for. A task in a gate is not paused. */
static bool mark_current(void)
{
	return READ_ONCE(record_skb_paused) && !frame_innermost() && pause_mark(current);
}

/**
 * pause_all_start() - pause everybody, if they are not
 *
 * Nothing is recorded yet, so that no gate is open.
 * The hooks on the functions that fork are live, or children would take the mark along.
 *
 * Return: 0, or why nobody is paused.
 */
int pause_all_start(void)
{
	int i, err;

	if (record_skb_paused)
		return 0;
	err = tracepoint_probe_register(tp_new, on_new, NULL);
	if (err)
		return err;
	WRITE_ONCE(record_skb_paused, true);
	for (i = 0; i < LOOKS && each_task(mark_sleeper); i++)
		fsleep(1000);
	return 0;
}

/* Give it back. The hooks on the functions that fork are still live. */
void pause_all_stop(void)
{
	if (!record_skb_paused)
		return;
	WRITE_ONCE(record_skb_paused, false);
	tracepoint_probe_unregister(tp_new, on_new, NULL);
	tracepoint_synchronize_unregister();
	/* Whoever has seen @record_skb_paused set is through: nobody is marked any more. */
	synchronize_rcu();
	/* A thread may change its place on the list once, as it calls exec: we may have missed it. */
	unmark_all();
	while (unmark_all())
		;
}

/* The current task is about to be copied. */
void notrace pause_all_copying(void)
{
	pause_unmark(current);
}

/* The current task has been copied. */
void notrace pause_all_copied(void)
{
	preempt_disable_notrace();
	mark_current();
	preempt_enable_notrace();
}

/**
 * pause_all_join() - pause_all_met() of whom is not paused by us
 *
 * What serves an interrupt leaves the task that it is on alone, which may just be being copied. Idle
 * tasks never are. Preemption is off.
 */
void notrace pause_all_join(void)
{
	if (is_idle_task(current)) {
		if (mark_current())
			this_cpu_write(idle, current);
	} else if (in_task()) {
		mark_current();
	}
}

/* Whether everybody is paused. So it stays while preemption is off: pause_all_stop() waits for that. */
bool pause_all_is_on(void)
{
	return READ_ONCE(record_skb_paused);
}

int pause_all_init(void)
{
	tp_new = tracepoint_named("sched_wakeup_new");
	return tp_new ? 0 : -ENOENT;
}
