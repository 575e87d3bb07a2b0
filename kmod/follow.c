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

/*
 * struct follow - the tasks of one recording
 * @followed: lets a machine on which nobody is followed skip the table
 * @stats: what found no room is counted there
 */
struct follow {
	struct task_struct *tasks[FOLLOW_WAYS << FOLLOW_BITS];
	atomic_t followed;
	bool with_children;
	bool started;
	struct stats *stats;
};

static struct tracepoint *tp_fork;
static struct tracepoint *tp_exit;

static struct task_struct **bucket_of(struct follow *f, struct task_struct *task)
{
	return &f->tasks[hash_ptr(task, FOLLOW_BITS) * FOLLOW_WAYS];
}

static struct task_struct **slot_find(struct follow *f, struct task_struct *task)
{
	struct task_struct **bucket = bucket_of(f, task);
	int i;

	for (i = 0; i < FOLLOW_WAYS; i++)
		if (READ_ONCE(bucket[i]) == task)
			return &bucket[i];
	return NULL;
}

static void task_drop(struct follow *f, struct task_struct *task)
{
	struct task_struct **slot = slot_find(f, task);

	if (slot && cmpxchg(slot, task, NULL) == task) {
		atomic_dec(&f->followed);
		put_task_struct(task);
	}
}

static int task_add(struct follow *f, struct task_struct *task)
{
	struct task_struct **bucket = bucket_of(f, task);
	int i;

	if (slot_find(f, task))
		return 0;
	get_task_struct(task);
	for (i = 0; i < FOLLOW_WAYS; i++) {
		if (READ_ONCE(bucket[i]) || cmpxchg(&bucket[i], NULL, task))
			continue;
		atomic_inc(&f->followed);
		/* It may have passed sched_process_exit before it was here. */
		if (READ_ONCE(task->flags) & PF_EXITING)
			task_drop(f, task);
		return 0;
	}
	put_task_struct(task);
	stat_inc(f->stats, STAT_LOST_TASKS);
	return -ENOSPC;
}

/**
 * follow_current() - whether the current task is followed
 * @f: by which recording
 *
 * Says nothing about whose work is done when an interrupt or softirq is being served: ask
 * in_task().
 */
bool follow_current(struct follow *f)
{
	if (!atomic_read(&f->followed))
		return false;
	/* io_uring's own threads come without a fork: they work for their process. */
	return slot_find(f, current) ||
	       (current->flags & PF_IO_WORKER && slot_find(f, current->group_leader));
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct follow *f = data;

	if (!atomic_read(&f->followed) || !slot_find(f, parent))
		return;
	/* A thread is no child. */
	if (READ_ONCE(f->with_children) || same_thread_group(parent, child))
		task_add(f, child);
}

static void on_exit(void *data, struct task_struct *task)
{
	struct follow *f = data;

	/* Twice where FOLLOW and the fork have found it at the same time. */
	while (atomic_read(&f->followed) && slot_find(f, task))
		task_drop(f, task);
}

static int process_add(struct follow *f, struct task_struct *leader)
{
	struct task_struct *task;
	int err = 0;

	for_each_thread(leader, task)
		err = err ?: task_add(f, task);
	return err;
}

/* RCU is held: parents stay. */
static bool descends(const struct task_struct *task, const struct task_struct *ancestor)
{
	while (task != ancestor && task->pid > 1)
		task = rcu_dereference(task->real_parent)->group_leader;
	return task == ancestor;
}

/**
 * follow_pid() - follow a process with all its threads, and its children if children are followed
 * @f: by which recording
 * @pid: of any of its threads, in the caller's pid namespace; 0 for the caller's own
 *
 * Return: 0; -ESRCH if there is no such process; -ENOSPC.
 */
int follow_pid(struct follow *f, pid_t pid)
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
	if (f->with_children) {
		for_each_process(each)
			if (descends(each, leader))
				err = err ?: process_add(f, each);
	} else {
		err = process_add(f, leader);
	}
	rcu_read_unlock();
	return err;
}

/**
 * follow_each() - visit the followed tasks
 * @f: by which recording
 * @visit: must not sleep
 * @data: for @visit
 */
void follow_each(struct follow *f, void (*visit)(struct task_struct *task, const void *data),
		 const void *data)
{
	struct task_struct *task;
	int i;

	/* A task that exits drops our reference, but RCU keeps the task. */
	rcu_read_lock();
	for (i = 0; i < ARRAY_SIZE(f->tasks); i++) {
		task = READ_ONCE(f->tasks[i]);
		if (task)
			visit(task, data);
	}
	rcu_read_unlock();
}

/**
 * follow_start() - from now on children of followed tasks are followed
 * @f: by which recording
 * @children: whether they are; exits are watched either way
 *
 * Return: 0, or what registering the tracepoints failed with.
 */
int follow_start(struct follow *f, bool children)
{
	int err;

	WRITE_ONCE(f->with_children, children);
	if (f->started)
		return 0;
	err = tracepoint_probe_register(tp_exit, on_exit, f);
	if (err)
		return err;
	err = tracepoint_probe_register(tp_fork, on_fork, f);
	if (err) {
		tracepoint_probe_unregister(tp_exit, on_exit, f);
		tracepoint_synchronize_unregister();
		return err;
	}
	f->started = true;
	return 0;
}

/* Stop, and let go of all tasks. */
void follow_stop(struct follow *f)
{
	int i;

	if (!f->started)
		return;
	tracepoint_probe_unregister(tp_fork, on_fork, f);
	tracepoint_probe_unregister(tp_exit, on_exit, f);
	tracepoint_synchronize_unregister();
	f->started = false;
	for (i = 0; i < ARRAY_SIZE(f->tasks); i++)
		if (f->tasks[i])
			task_drop(f, f->tasks[i]);
}

int follow_init(void)
{
	tp_fork = tracepoint_named("sched_process_fork");
	tp_exit = tracepoint_named("sched_process_exit");
	return tp_fork && tp_exit ? 0 : -ENOENT;
}

/**
 * follow_new() - room for the tasks of a recording
 * @stats: where it is counted what finds none
 *
 * Return: for follow_free(), NULL if there is no memory.
 */
struct follow *follow_new(struct stats *stats)
{
	struct follow *f = vzalloc(sizeof(*f));

	if (f)
		f->stats = stats;
	return f;
}

/* After follow_stop(). */
void follow_free(struct follow *f)
{
	vfree(f);
}
