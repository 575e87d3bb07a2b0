/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORD_SKB_TASKS_H
#define RECORD_SKB_TASKS_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <linux/types.h>

struct task_table;
struct stats;

/* For each hash value, the number of followed tasks with this hash in all recordings. */
#define FOLLOW_HINT_BITS 12

extern atomic_t record_skb_follow_hint[1 << FOLLOW_HINT_BITS];

static __always_inline atomic_t *task_table_hint(const struct task_struct *task)
{
	return &record_skb_follow_hint[hash_ptr(task, FOLLOW_HINT_BITS)];
}

/*
 * Return: false if no recording follows the current task; true if a recording may follow it. Threads of
 * io_uring work for their process, which may be followed.
 */
static __always_inline bool task_table_may_know_current(void)
{
	return atomic_read(task_table_hint(current)) || current->flags & PF_IO_WORKER;
}

int task_table_init(void);
struct task_table *task_table_new(struct stats *stats);
void task_table_free(struct task_table *f);
int task_table_start(struct task_table *f, bool children);
void task_table_stop(struct task_table *f);
int task_table_pid(struct task_table *f, pid_t pid);
bool task_table_current(struct task_table *f);
void task_table_each(struct task_table *f,
		     void (*visit)(struct task_struct *task, const void *data), const void *data);

int sched_probes_init(void);
int sched_probes_start(void);
void sched_probes_stop(void);

#endif
