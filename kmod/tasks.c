// SPDX-License-Identifier: GPL-2.0
/*
 * tasks.c - the set of followed tasks, and the waits of tasks that work for matching packets
 *
 * The table of followed tasks has a fixed size. Each entry holds a reference to its task, so that no other
 * task can reuse the address. Tracepoint callbacks add the children of a followed task when it forks
 * (sched_process_fork), and remove the task when it exits (sched_process_exit). These callbacks take no
 * lock: they change entries with cmpxchg only.
 *
 * Other callbacks record when a task that works for a matching packet sleeps or waits for a CPU. Such a task
 * is inside a gate, or was woken inside an open graph and has not got a CPU yet. These callbacks run with
 * locks of the scheduler held and interrupts off. Therefore they take no lock, wake no task and allocate no
 * memory.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <trace/events/sched.h>

#include "tasks.h"
#include "counters.h"
#include "kernel_symbols.h"
#include "active_config.h"
#include "compat/process_exit.h"
#include "trace_emit.h"
#include "gate_stack.h"

#define FOLLOW_BITS 10
#define FOLLOW_WAYS 8

/*
 * struct task_table - the followed tasks of one recording
 * @followed: number of tasks in the table, so that lookups can skip an empty table
 * @stats: statistics of the recording, which count the tasks that did not fit into the table
 */
struct task_table {
	struct task_struct *tasks[FOLLOW_WAYS << FOLLOW_BITS];
	atomic_t followed;
	bool with_children;
	bool started;
	struct stats *stats;
};

atomic_t record_skb_follow_hint[1 << FOLLOW_HINT_BITS] __read_mostly;

static struct tracepoint *tp_fork;
static struct tracepoint *tp_exit;

static struct task_struct **bucket_of(struct task_table *f, struct task_struct *task)
{
	return &f->tasks[hash_ptr(task, FOLLOW_BITS) * FOLLOW_WAYS];
}

static struct task_struct **slot_find(struct task_table *f, struct task_struct *task)
{
	struct task_struct **bucket = bucket_of(f, task);
	int i;

	for (i = 0; i < FOLLOW_WAYS; i++)
		if (READ_ONCE(bucket[i]) == task)
			return &bucket[i];
	return NULL;
}

static void task_drop(struct task_table *f, struct task_struct *task)
{
	struct task_struct **slot = slot_find(f, task);

	if (slot && cmpxchg(slot, task, NULL) == task) {
		atomic_dec(&f->followed);
		atomic_dec(task_table_hint(task));
		put_task_struct(task);
	}
}

static int task_add(struct task_table *f, struct task_struct *task)
{
	struct task_struct **bucket = bucket_of(f, task);
	int i;

	if (slot_find(f, task))
		return 0;
	get_task_struct(task);
	/* Set the hint first, because callbacks look up a task only if its hint is set. */
	atomic_inc(task_table_hint(task));
	for (i = 0; i < FOLLOW_WAYS; i++) {
		if (READ_ONCE(bucket[i]) || cmpxchg(&bucket[i], NULL, task))
			continue;
		atomic_inc(&f->followed);
		/*
		 * If the task has passed sched_process_exit before it was added, on_exit() has not removed
		 * it. on_exit() reads @followed after PF_EXITING was set, so read the flag after the
		 * increment.
		 */
		smp_mb__after_atomic();
		if (READ_ONCE(task->flags) & PF_EXITING)
			task_drop(f, task);
		return 0;
	}
	atomic_dec(task_table_hint(task));
	put_task_struct(task);
	stat_inc(f->stats, STAT_LOST_TASKS);
	return -ENOSPC;
}

/**
 * task_table_current() - test if the current task is followed
 * @f: followed tasks of a recording
 *
 * The caller must test in_task() as well, because the work of an interrupt or softirq does not belong to
 * the current task.
 *
 * Return: true if the task is followed.
 */
bool task_table_current(struct task_table *f)
{
	if (!atomic_read(&f->followed))
		return false;
	/*
	 * A thread of io_uring works for its process, but is created without a fork event. It is followed if
	 * the process is followed.
	 */
	return slot_find(f, current) ||
	       (current->flags & PF_IO_WORKER && slot_find(f, current->group_leader));
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct task_table *f = data;

	if (!atomic_read(&f->followed) || !slot_find(f, parent))
		return;
	/* New threads of the process are followed even if children are not followed. */
	if (READ_ONCE(f->with_children) || same_thread_group(parent, child))
		task_add(f, child);
}

static void on_exit(void *data, struct task_struct *task COMPAT_GROUP_DEAD)
{
	struct task_table *f = data;

	/*
	 * Use a loop: the task has two entries if the ioctl FOLLOW and the fork event added it at the same
	 * time.
	 */
	while (atomic_read(&f->followed) && slot_find(f, task))
		task_drop(f, task);
}

static int process_add(struct task_table *f, struct task_struct *leader)
{
	struct task_struct *task;
	int err = 0;

	for_each_thread(leader, task)
		err = err ?: task_add(f, task);
	return err;
}

/*
 * Return: true if the task is a descendant of @ancestor. The caller is in an RCU read-side section, so that
 * the parents are not freed.
 */
static bool descends_from(const struct task_struct *task, const struct task_struct *ancestor)
{
	while (task != ancestor && task->pid > 1)
		task = rcu_dereference(task->real_parent)->group_leader;
	return task == ancestor;
}

/**
 * task_table_pid() - follow a process with all its threads, and with its children if children are followed
 * @f: followed tasks of a recording
 * @pid: PID of any thread of the process, in the caller's PID namespace; 0 for the caller
 *
 * Return: 0; -ESRCH if the process does not exist; -ENOSPC if the table is full.
 */
int task_table_pid(struct task_table *f, pid_t pid)
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
			if (descends_from(each, leader))
				err = err ?: process_add(f, each);
	} else {
		err = process_add(f, leader);
	}
	rcu_read_unlock();
	return err;
}

/**
 * task_table_each() - call a function for each followed task
 * @f: followed tasks of a recording
 * @visit: the function; must not sleep
 * @data: passed to @visit
 */
void task_table_each(struct task_table *f,
		     void (*visit)(struct task_struct *task, const void *data), const void *data)
{
	struct task_struct *task;
	int i;

	/*
	 * A task may exit during the walk, and the table drops its reference. RCU keeps the task_struct
	 * valid.
	 */
	rcu_read_lock();
	for (i = 0; i < ARRAY_SIZE(f->tasks); i++) {
		task = READ_ONCE(f->tasks[i]);
		if (task)
			visit(task, data);
	}
	rcu_read_unlock();
}

/**
 * task_table_start() - begin to watch when tasks fork and exit
 * @f: followed tasks of a recording
 * @children: true to follow children, too; exits are watched in any case
 *
 * Return: 0, or the error of registering the tracepoint probes.
 */
int task_table_start(struct task_table *f, bool children)
{
	int err;

	WRITE_ONCE(f->with_children, children);
	if (f->started)
		return 0;
	err = tracepoint_attach(sched_process_exit, tp_exit, on_exit, f);
	if (err)
		return err;
	err = tracepoint_attach(sched_process_fork, tp_fork, on_fork, f);
	if (err) {
		tracepoint_probe_unregister(tp_exit, on_exit, f);
		tracepoint_synchronize_unregister();
		return err;
	}
	f->started = true;
	return 0;
}

/* Stop watching forks and exits, and release all tasks. */
void task_table_stop(struct task_table *f)
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

int task_table_init(void)
{
	tp_fork = tracepoint_named("sched_process_fork");
	tp_exit = tracepoint_named("sched_process_exit");
	return tp_fork && tp_exit ? 0 : -ENOENT;
}

/**
 * task_table_new() - allocate an empty table
 * @stats: statistics that count the tasks that do not fit
 *
 * Return: the table, to be released with task_table_free(); NULL if memory is short.
 */
struct task_table *task_table_new(struct stats *stats)
{
	struct task_table *f = vzalloc(sizeof(*f));

	if (f)
		f->stats = stats;
	return f;
}

/* Release the table after task_table_stop(). */
void task_table_free(struct task_table *f)
{
	vfree(f);
}

#define WAITING_BITS 8
#define WAITING_WAYS 4

static struct tracepoint *tp_switch, *tp_waking;
static bool started;

/*
 * Tasks that are runnable and wait for a CPU. The table needs no references to the tasks: a task cannot exit
 * before it gets a CPU, and it leaves the table when it gets one.
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
	err = tracepoint_attach(sched_switch, tp_switch, on_switch, NULL);
	if (err)
		return err;
	err = tracepoint_attach(sched_waking, tp_waking, on_waking, NULL);
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
