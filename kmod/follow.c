// SPDX-License-Identifier: GPL-2.0
/*
 * follow.c - the tasks whose network traffic is wanted
 *
 * A fixed table of tasks, each with a reference, so that no address is another task's while it is
 * here. A followed task puts its children in as it forks (sched_process_fork) and itself out as
 * it exits (sched_process_exit). Slots change hands by cmpxchg alone: the callers are
 * tracepoints.
 */
#include <linux/hash.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#include "follow.h"
#include "stats.h"
#include "tracepoints.h"

#define FOLLOW_BITS 10
#define FOLLOW_WAYS 8

static struct task_struct **tasks;
/* Lets a machine on which nobody is followed skip the table. */
static atomic_t followed;

static struct tracepoint *tp_fork;
static struct tracepoint *tp_exit;
static bool with_children;
static bool started;

static struct task_struct **slot_find(struct task_struct *task)
{
	struct task_struct **bucket = &tasks[hash_ptr(task, FOLLOW_BITS) * FOLLOW_WAYS];
	int i;

	for (i = 0; i < FOLLOW_WAYS; i++)
		if (READ_ONCE(bucket[i]) == task)
			return &bucket[i];
	return NULL;
}

static void task_drop(struct task_struct *task)
{
	struct task_struct **slot = slot_find(task);

	if (slot && cmpxchg(slot, task, NULL) == task) {
		atomic_dec(&followed);
		put_task_struct(task);
	}
}

static int task_add(struct task_struct *task)
{
	struct task_struct **bucket = &tasks[hash_ptr(task, FOLLOW_BITS) * FOLLOW_WAYS];
	int i;

	if (slot_find(task))
		return 0;
	get_task_struct(task);
	for (i = 0; i < FOLLOW_WAYS; i++) {
		if (READ_ONCE(bucket[i]) || cmpxchg(&bucket[i], NULL, task))
			continue;
		atomic_inc(&followed);
		/* It may have passed sched_process_exit before it was here. */
		if (READ_ONCE(task->flags) & PF_EXITING)
			task_drop(task);
		return 0;
	}
	put_task_struct(task);
	stat_inc(STAT_LOST_TASKS);
	return -ENOSPC;
}

/**
 * follow_current() - whether the current task is followed
 *
 * Says nothing about whose work is done when an interrupt or softirq is being served: ask
 * in_task().
 */
bool follow_current(void)
{
	if (!atomic_read(&followed))
		return false;
	/* io_uring's own threads come without a fork: they work for their process. */
	return slot_find(current) ||
	       (current->flags & PF_IO_WORKER && slot_find(current->group_leader));
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (!atomic_read(&followed) || !slot_find(parent))
		return;
	/* A thread is no child. */
	if (READ_ONCE(with_children) || same_thread_group(parent, child))
		task_add(child);
}

static void on_exit(void *data, struct task_struct *task)
{
	if (atomic_read(&followed))
		task_drop(task);
}

static int process_add(struct task_struct *leader)
{
	struct task_struct *task;
	int err = 0;

	for_each_thread(leader, task)
		err = err ?: task_add(task);
	return err;
}

/* RCU is held: parents stay. */
static bool descends(const struct task_struct *task, const struct task_struct *ancestor)
{
	for (; task->pid > 1; task = rcu_dereference(task->real_parent)->group_leader)
		if (task == ancestor)
			return true;
	return false;
}

/**
 * follow_pid() - follow a process with all its threads, and its children if children are followed
 * @pid: of any of its threads, in the caller's pid namespace; 0 for the caller's own
 *
 * Return: 0; -ESRCH if there is no such process; -ENOSPC.
 */
int follow_pid(pid_t pid)
{
	struct task_struct *leader, *each;
	int err = 0;

	rcu_read_lock();
	leader = pid ? pid_task(find_vpid(pid), PIDTYPE_PID) : current;
	if (!leader) {
		rcu_read_unlock();
		return -ESRCH;
	}
	leader = leader->group_leader;
	if (with_children) {
		for_each_process(each)
			if (descends(each, leader))
				err = err ?: process_add(each);
	} else {
		err = process_add(leader);
	}
	rcu_read_unlock();
	return err;
}

/**
 * follow_each() - visit the followed tasks
 * @visit: must not sleep
 * @data: for @visit
 */
void follow_each(void (*visit)(struct task_struct *task, const void *data), const void *data)
{
	struct task_struct *task;
	int i;

	/* A task that exits drops our reference, but RCU keeps the task. */
	rcu_read_lock();
	for (i = 0; i < FOLLOW_WAYS << FOLLOW_BITS; i++) {
		task = READ_ONCE(tasks[i]);
		if (task)
			visit(task, data);
	}
	rcu_read_unlock();
}

/**
 * follow_start() - from now on children of followed tasks are followed
 * @children: whether they are; exits are watched either way
 *
 * Return: 0, or what registering the tracepoints failed with.
 */
int follow_start(bool children)
{
	int err;

	WRITE_ONCE(with_children, children);
	if (started)
		return 0;
	err = tracepoint_probe_register(tp_exit, on_exit, NULL);
	if (err)
		return err;
	err = tracepoint_probe_register(tp_fork, on_fork, NULL);
	if (err) {
		tracepoint_probe_unregister(tp_exit, on_exit, NULL);
		return err;
	}
	started = true;
	return 0;
}

/* Stop, and let go of all tasks. */
void follow_stop(void)
{
	int i;

	if (!started)
		return;
	tracepoint_probe_unregister(tp_fork, on_fork, NULL);
	tracepoint_probe_unregister(tp_exit, on_exit, NULL);
	tracepoint_synchronize_unregister();
	started = false;
	for (i = 0; i < FOLLOW_WAYS << FOLLOW_BITS; i++)
		if (tasks[i])
			task_drop(tasks[i]);
}

int follow_init(void)
{
	tp_fork = tracepoint_named("sched_process_fork");
	tp_exit = tracepoint_named("sched_process_exit");
	if (!tp_fork || !tp_exit)
		return -ENOENT;
	tasks = vzalloc(sizeof(*tasks) * FOLLOW_WAYS << FOLLOW_BITS);
	return tasks ? 0 : -ENOMEM;
}

void follow_exit(void)
{
	vfree(tasks);
}
