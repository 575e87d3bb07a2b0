// SPDX-License-Identifier: GPL-2.0
/*
 * graph_pause.c - pause function_graph in every task, except inside the gates that open a graph
 *
 * At each call, function_graph first tests if the task is paused. If it is, a call of a traced function
 * outside any graph takes only a fifth of the time. The contents of the graphs do not depend on the pause:
 * a task that is not paused only runs more slowly.
 *
 * A task is paused by a mark (PAUSE_MARK) in its pause count. The mark must be removed at the end of the
 * recording. Otherwise, function_graph would not record the task until it exits. All tasks on the task list
 * are marked and unmarked, in any state. Children need care: a child is copied from its parent, together
 * with the mark, long before it is on the list. Therefore
 * - a parent removes its own mark before it is copied (graph_pause_copying());
 * - another CPU may set the mark of the parent again at that moment, so the mark is removed from the child
 * (graph_pause_copied());
 * - a child that wakes up for the first time gets the mark, or loses it if the recording is over by then.
 * Idle tasks are not on the task list. They mark themselves, and the module stores which idle tasks are
 * marked.
 */
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>

#include "gate_stack.h"
#include "graph_pause.h"
#include "recording.h"
#include "counters.h"
#include "task_pause.h"
#include "kallsyms.h"

static struct tracepoint *tp_new;
/*
 * True if on_new() is registered. It stays registered until the module is unloaded, because a fork may
 * begin before the end of a recording and complete after it.
 */
static bool sees_new;
/* True while tasks are paused. Written under session_lock. */
bool record_skb_paused __read_mostly;
/* The idle task of each CPU if it was marked; otherwise NULL. */
static DEFINE_PER_CPU(struct task_struct *, idle);

/* Call @change for each task on the task list. Return: number of tasks that were changed. */
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

/*
 * Mark a task, unless the task is inside a gate, because a graph may be open there. If the task enters a
 * gate at the same time, either gate_stack_push() sees the mark and removes it, or gate_stack_has() sees
 * the new frame here. In the second case the graph may lack its first calls, and the module counts a lost
 * frame.
 */
static bool mark_outside(struct task_struct *task)
{
	if (gate_stack_has(task) || !pause_mark(task))
		return false;
	if (!gate_stack_has(task))
		return true;
	if (pause_unmark(task))
		stat_inc(&recording_alone()->stats, STAT_LOST_FRAMES);
	return false;
}

/* Unmark all tasks, including idle tasks. Return: number of tasks that were marked. */
static unsigned int unmark_all(void)
{
	unsigned int unmarked = each_task(pause_unmark);
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(idle, cpu))
			unmarked += pause_unmark(per_cpu(idle, cpu));
	return unmarked;
}

/* Tracepoint callback for a new task. The task is on the task list, but does not run yet. */
static void on_new(void *data, struct task_struct *task)
{
	if (READ_ONCE(record_skb_paused))
		pause_mark(task);
	else
		pause_unmark(task);
}

/*
 * Mark the current task if the pause is on and the task is inside no gate. The caller disables preemption,
 * because graph_pause_stop() waits until such callers have finished. Return: true if the task was not
 * marked before.
 */
static bool mark_current(void)
{
	return READ_ONCE(record_skb_paused) && !gate_stack_innermost() && pause_mark(current);
}

/**
 * graph_pause_start() - pause all tasks, unless they are paused already
 *
 * The hooks on the fork functions must be active. Otherwise children would inherit the mark of their
 * parents.
 *
 * Return: 0 or a negative error. After an error, no task is paused.
 */
int graph_pause_start(void)
{
	int err = 0;

	if (record_skb_paused)
		return 0;
	if (!sees_new)
		err = tracepoint_probe_register(tp_new, on_new, NULL);
	if (err)
		return err;
	sees_new = true;
	WRITE_ONCE(record_skb_paused, true);
	/* If a task is added to the task list after this point, on_new() marks the task when it wakes up. */
	synchronize_rcu();
	each_task(mark_outside);
	return 0;
}

/* Remove all marks. The hooks on the fork functions must still be active. */
void graph_pause_stop(void)
{
	if (!record_skb_paused)
		return;
	WRITE_ONCE(record_skb_paused, false);
	/*
	 * Wait for code that has read record_skb_paused as true. Tracepoint callbacks such as on_new() may
	 * run under another kind of RCU, so wait for them separately.
	 */
	synchronize_rcu();
	tracepoint_synchronize_unregister();
	/*
	 * Repeat until no mark is found. A thread that calls exec moves to another place on the task list,
	 * so one pass may miss it.
	 */
	unmark_all();
	while (unmark_all())
		;
}

/* Remove the mark of the current task, which fork is about to copy. */
void notrace graph_pause_copying(void)
{
	pause_unmark(current);
}

/* Remove the mark of @child, which fork has just copied from the current task. @child does not run yet. */
void notrace graph_pause_copied(struct task_struct *child)
{
	preempt_disable_notrace();
	pause_unmark(child);
	mark_current();
	preempt_enable_notrace();
}

/**
 * graph_pause_join() - slow path of graph_pause_met(), for a task that is not marked
 *
 * An interrupt does not mark the task that it interrupted, because fork may be copying that task at this
 * moment. Idle tasks are never copied, so they are marked from interrupts, too. The caller disables
 * preemption.
 */
void notrace graph_pause_join(void)
{
	if (is_idle_task(current)) {
		if (mark_current())
			this_cpu_write(idle, current);
	} else if (in_task()) {
		mark_current();
	}
}

/*
 * Return: true if the pause of all tasks is on. The caller disables preemption until it has set the mark of
 * its task. graph_pause_stop() waits for such callers before it removes the marks.
 */
bool graph_pause_is_on(void)
{
	return READ_ONCE(record_skb_paused);
}

int graph_pause_init(void)
{
	tp_new = tracepoint_named("sched_wakeup_new");
	return tp_new ? 0 : -ENOENT;
}

/* Unregister the tracepoint callback. No task is paused, and no recording can start. */
void graph_pause_exit(void)
{
	if (!sees_new)
		return;
	tracepoint_probe_unregister(tp_new, on_new, NULL);
	tracepoint_synchronize_unregister();
}
