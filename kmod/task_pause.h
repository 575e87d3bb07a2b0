/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_TASK_PAUSE_H
#define RECORD_SKB_TASK_PAUSE_H

#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/sched.h>

/*
 * function_graph records no calls of a task while the task's pause count (tracing_graph_pause) is not 0.
 * The kernel and this module increment and decrement the count. This module also sets the bit PAUSE_MARK in
 * the count of every task that graph_pause.c pauses. The bit is so high that increments of other users do
 * not reach it. The count must never become negative, because then function_graph would never record the
 * task again.
 */
#define PAUSE_MARK (1 << 16)

/*
 * Return: number of calls of the current task that function_graph did not record because its return stack was
 * full (trace_overrun). function_graph also counts calls that it would not record anyway. But the module
 * restores the count after each pause, so the count only grows for calls that are missing in the recording.
 * Only the task itself and its interrupts write the count.
 */
static inline int graph_overrun(void)
{
	return atomic_read(&current->trace_overrun);
}

static inline void graph_set_overrun(int overrun)
{
	atomic_set(&current->trace_overrun, overrun);
}

static inline void graph_pause(void)
{
	pause_graph_tracing();
}

/* Return: true if the pause count of the current task is not 0, without PAUSE_MARK. */
static inline bool graph_is_paused(void)
{
	return atomic_read(&current->tracing_graph_pause) & (PAUSE_MARK - 1);
}

/*
 * Decrement the pause count of the current task. Return: false if the count, without PAUSE_MARK, was 0
 * already.
 */
static inline bool graph_resume(void)
{
	int count = atomic_read(&current->tracing_graph_pause);

	do {
		if (count < 0 || !(count & (PAUSE_MARK - 1)))
			return false;
	} while (!atomic_try_cmpxchg(&current->tracing_graph_pause, &count, count - 1));
	return true;
}

/*
 * struct graph_hidden - state that graph_show() restores
 * @flags: interrupt flags
 * @overrun: the value of graph_overrun() before the calls were hidden
 */
struct graph_hidden {
	unsigned long flags;
	int overrun;
};

/*
 * Hide the following calls of the module from the graph. Interrupts are disabled until graph_show(),
 * because packets that an interrupt handles would be hidden as well. The increment is atomic, because
 * another CPU may change PAUSE_MARK in the same word.
 *
 * Return: state for graph_show().
 */
static __always_inline struct graph_hidden graph_hide(void)
{
	struct graph_hidden hidden;

	local_irq_save(hidden.flags);
	hidden.overrun = graph_overrun();
	atomic_inc(&current->tracing_graph_pause);
	return hidden;
}

static __always_inline void graph_show(const struct graph_hidden *hidden)
{
	graph_set_overrun(hidden->overrun);
	atomic_dec(&current->tracing_graph_pause);
	local_irq_restore(hidden->flags);
}

static inline bool pause_is_marked(const struct task_struct *task)
{
	return atomic_read(&task->tracing_graph_pause) & PAUSE_MARK;
}

/* Set PAUSE_MARK. Return: false if the task had the mark already. */
static inline bool pause_mark(struct task_struct *task)
{
	int count = atomic_read(&task->tracing_graph_pause);

	do {
		if (count < 0 || count & PAUSE_MARK)
			return false;
	} while (!atomic_try_cmpxchg(&task->tracing_graph_pause, &count, count | PAUSE_MARK));
	return true;
}

/* Clear PAUSE_MARK. Return: false if the task did not have the mark. */
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
