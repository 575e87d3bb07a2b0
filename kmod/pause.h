/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_PAUSE_H
#define RECORD_SKB_PAUSE_H

#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/sched.h>

/*
 * While a task pauses the graph, function_graph records nothing of it: its count is not 0. The kernel
 * and we add one and take one away. PAUSE_MARK in it is the pause that everybody is in (pause-all.c); it
 * cannot be taken for somebody else's. The count must never be negative, for then nothing of the task
 * would be recorded again.
 */
#define PAUSE_MARK (1 << 16)

static inline void graph_pause(void)
{
	pause_graph_tracing();
}

/* Return: false if it was not paused. */
static inline bool graph_resume(void)
{
	int count = atomic_read(&current->tracing_graph_pause);

	do {
		if (count < 0 || !(count & (PAUSE_MARK - 1)))
			return false;
	} while (!atomic_try_cmpxchg(&current->tracing_graph_pause, &count, count - 1));
	return true;
}

/* struct graph_hidden - what graph_show() puts back */
struct graph_hidden {
	unsigned long flags;
};

/*
 * Pause the graph for some calls that are not to be in it, while no interrupt may come whose packets would
 * be left out as well. In an open gate of what is armed no other CPU writes this task's count, not even to
 * take a mark away, for it has none: so nothing is locked. We may, meanwhile (share_end()).
 */
static __always_inline struct graph_hidden graph_hide(void)
{
	struct graph_hidden hidden;

	local_irq_save(hidden.flags);
	atomic_set(&current->tracing_graph_pause, atomic_read(&current->tracing_graph_pause) + 1);
	return hidden;
}

static __always_inline void graph_show(const struct graph_hidden *hidden)
{
	atomic_set(&current->tracing_graph_pause, atomic_read(&current->tracing_graph_pause) - 1);
	local_irq_restore(hidden->flags);
}

static inline bool pause_is_marked(const struct task_struct *task)
{
	return atomic_read(&task->tracing_graph_pause) & PAUSE_MARK;
}

/* Return: false if the task had it. */
static inline bool pause_mark(struct task_struct *task)
{
	int count = atomic_read(&task->tracing_graph_pause);

	do {
		if (count < 0 || count & PAUSE_MARK)
			return false;
	} while (!atomic_try_cmpxchg(&task->tracing_graph_pause, &count, count | PAUSE_MARK));
	return true;
}

/* Return: false if the task did not have it. */
static inline bool pause_unmark(struct task_struct *task)
{
	int count = atomic_read(&task->tracing_graph_pause);

	do {
		if (count < 0 || !(count & PAUSE_MARK))
			return false;
	} while (!atomic_try_cmpxchg(&task->tracing_graph_pause, &count, count & ~PAUSE_MARK));
	return true;
}

#endif
