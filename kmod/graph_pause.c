// SPDX-License-Identifier: GPL-2.0
/*
 * graph_pause.c - pause function_graph in every task, and the gates that close and reopen a graph
 *
 * At each call, function_graph first tests if the task is paused. If it is, a call of a traced function
 * outside any graph takes only a fifth of the time. The contents of the graphs do not depend on the pause: a
 * task that is not paused only runs more slowly.
 *
 * A task is paused by a mark (PAUSE_MARK) in its pause count. The mark must be removed at the end of the
 * recording. Otherwise, function_graph would not record the task until it exits. All tasks on the task list
 * are marked and unmarked, in any state. Children need care: a child is copied from its parent, together with
 * the mark, long before it is on the list. Therefore
 * - a parent removes its own mark before it is copied (graph_pause_copying());
 * - another CPU may set the mark of the parent again at that moment, so the mark is removed from the child
 *   (graph_pause_copied());
 * - a child that wakes up for the first time gets the mark, or loses it if the recording is over by then.
 *
 * Idle tasks are not on the task list. They mark themselves, and the module stores which idle tasks are
 * marked.
 *
 * The gates of this file do not appear in the trace:
 * - gate_shut() closes the open graph of this task for an unrelated packet. The call of the probed function
 *   is then a leaf in the graph, and no calls below it are recorded.
 * - gate_resume() handles a matching packet inside such a call, for example a packet that waited for an ARP
 *   reply. It reopens the graph until the call that handles the matching packet returns.
 * - gate_return() only reports the return value of a function that is already in the graph.
 *
 * Pausing the task hides its calls from function_graph. On some kernels, it also hides them from every other
 * user of fgraph (compat/graph-users.h). On those kernels, gate_shut() does not pause the task.
 * function_graph keeps a variable for each task, with a bit that is set while a graph is open. gate_shut()
 * clears this bit and sets it again later. In the meantime, the bit TAKEN of the same variable is set.
 */
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "gate_stack.h"
#include "graph_pause.h"
#include "recording.h"
#include "counters.h"
#include "task_pause.h"
#include "kernel_symbols.h"
#include "gate.h"
#include "compat/graph-users.h"

static struct tracepoint *tp_new;
/*
 * True if on_new() is registered. The callback stays registered until the module is unloaded, because a fork
 * may begin before the end of a recording and complete after it.
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
 * Mark a task, unless the task is inside a gate, because a graph may be open there. The task may enter a gate
 * at the same time. Then either gate_stack_push() sees the mark and removes it, or gate_stack_has() sees the
 * new frame here. In the second case, this function removes the mark and counts a lost frame, because the
 * graph may lack its first calls.
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
		err = tracepoint_attach(sched_wakeup_new, tp_new, on_new, NULL);
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
 * Return: true if the pause of all tasks is on. If so, the caller sets the mark of its task. Preemption must
 * be off from before this call until the mark is set: graph_pause_stop() waits for such callers before it
 * removes the marks.
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

/* Unregister the tracepoint callback. Call this when no task is paused and no recording can start. */
void graph_pause_exit(void)
{
	if (!sees_new)
		return;
	tracepoint_probe_unregister(tp_new, on_new, NULL);
	tracepoint_synchronize_unregister();
}

#if COMPAT_GRAPH_HAS_OTHER_USERS

/*
 * This bit is set while the module has cleared COMPAT_GRAPH_IS_OPEN. function_graph itself does not use the
 * bit.
 */
#define TAKEN BIT(20)

/* The function_graph that records the packets; NULL if it is not known which one that is. */
static const struct fgraph_ops *own;
/* Address of fgraph_get_task_var(), which is not exported to modules. */
static unsigned long task_var;

/**
 * own_graph_set() - set the fgraph user that records the packets
 * @user: the fgraph user; if NULL, the functions of this file pause the task instead
 * @get_task_var: address of fgraph_get_task_var()
 *
 * The function returns after no CPU works with the fgraph_ops that was set before.
 */
void own_graph_set(const struct fgraph_ops *user, unsigned long get_task_var)
{
	if (get_task_var)
		task_var = get_task_var;
	if (READ_ONCE(own) == user)
		return;
	WRITE_ONCE(own, user);
	synchronize_rcu();
}

/*
 * Return: function_graph's variable of the current task; NULL if the task has to be paused instead. The
 * caller disables preemption until it has finished with the variable: after own_graph_set(), another fgraph
 * user may get the variable.
 */
static unsigned long *find_var(void)
{
	const struct fgraph_ops *user = READ_ONCE(own);

	if (!user || !task_var || !current->ret_stack)
		return NULL;
	return (unsigned long *)gate_call((unsigned long)user, 0, 0, 0, 0, 0, task_var);
}

static void put_open(unsigned long *var)
{
	WRITE_ONCE(*var, (*var & ~TAKEN) | COMPAT_GRAPH_IS_OPEN);
}

static void put_taken(unsigned long *var)
{
	WRITE_ONCE(*var, (*var & ~COMPAT_GRAPH_IS_OPEN) | TAKEN);
}

#else

static unsigned long *find_var(void)
{
	return NULL;
}

#define TAKEN 0
static void put_open(unsigned long *var) {}

static void put_taken(unsigned long *var) {}

#endif

/*
 * struct own_graph - state of a graph that is temporarily closed or reopened
 * @var: function_graph's variable of the task; NULL if the task was paused instead. At the end, the variable
 *	is only used if it still belongs to function_graph
 * @done: true if the graph was really closed or opened, so that this must be undone
 */
struct own_graph {
	unsigned long *var;
	bool done;
};

/*
 * Hide the following calls of the current task from the open graph. An interrupt may do the same, but it
 * restores the state before it returns.
 *
 * Return: the argument for own_graph_closed_end().
 */
static struct own_graph own_graph_close(void)
{
	struct own_graph g = {};

	preempt_disable_notrace();
	g.var = find_var();
	if (!g.var) {
		graph_pause();
	} else if (*g.var & COMPAT_GRAPH_IS_OPEN) {
		put_taken(g.var);
		g.done = true;
	}
	preempt_enable_notrace();
	return g;
}

static void own_graph_closed_end(const struct own_graph *g)
{
	preempt_disable_notrace();
	if (!g->var)
		graph_resume();
	else if (g->done && g->var == find_var() && *g->var & TAKEN)
		put_open(g->var);
	preempt_enable_notrace();
}

/*
 * Show the following calls of the current task in the graph again after own_graph_close(). Return: the
 * argument for own_graph_opened_end().
 */
static struct own_graph own_graph_open(void)
{
	struct own_graph g = {};

	preempt_disable_notrace();
	g.var = find_var();
	if (!g.var) {
		g.done = graph_resume();
	} else if (*g.var & TAKEN) {
		put_open(g.var);
		g.done = true;
	}
	preempt_enable_notrace();
	return g;
}

static void own_graph_opened_end(const struct own_graph *g)
{
	if (!g->done)
		return;
	preempt_disable_notrace();
	if (!g->var)
		graph_pause();
	else if (g->var == find_var() && *g->var & COMPAT_GRAPH_IS_OPEN)
		put_taken(g->var);
	preempt_enable_notrace();
}

/* The largest depth that fits into the kernel's TRACE_GRAPH_DEPTH_START_BIT and _END_BIT. */
#define KEPT_DEPTH 3

/*
 * Return: frame of the GATE_SHUT around the current gate; NULL if the current gate is not inside a GATE_SHUT.
 */
static struct gate_frame *shut_around(void)
{
	struct gate_frame *below = gate_stack_below(gate_stack_top());

	/*
	 * Skip gates that do not change the graph. Such a gate inside a GATE_SHUT also has the state
	 * FRAME_SHUT.
	 */
	while (below && below->state == FRAME_SHUT && below->gate != GATE_SHUT)
		below = gate_stack_below(below);
	return below && below->gate == GATE_SHUT ? below : NULL;
}

/*
 * function_graph would not record the calls inside this gate anyway. So overruns inside the gate must not
 * count: the gate restores the overrun count of the task at its end.
 */
static noinline unsigned long gate_shut(unsigned long a0, unsigned long a1, unsigned long a2,
					unsigned long a3, unsigned long a4, unsigned long a5)
{
	struct gate_frame *frame = gate_stack_top();
	struct own_graph closed;
	unsigned long ret;

	frame->overrun = graph_overrun();
	closed = own_graph_close();
	ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call());
	graph_set_overrun(frame->overrun);
	own_graph_closed_end(&closed);
	gate_stack_pop(false);
	return ret;
}

/*
 * Inside a GATE_SHUT, this gate shows calls in the graph again, so their overruns count. Restore the overrun
 * count from before the GATE_SHUT here, and let the GATE_SHUT restore the new count at its end.
 */
static noinline unsigned long gate_resume(unsigned long a0, unsigned long a1, unsigned long a2,
					  unsigned long a3, unsigned long a4, unsigned long a5)
{
	struct gate_frame *shut = shut_around();
	struct own_graph opened;
	unsigned long ret;

	if (shut)
		graph_set_overrun(shut->overrun);
	opened = own_graph_open();
	ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call());

	own_graph_opened_end(&opened);
	if (shut)
		shut->overrun = graph_overrun();
	gate_leave(ret);
	return ret;
}

static noinline unsigned long gate_return(unsigned long a0, unsigned long a1, unsigned long a2,
					  unsigned long a3, unsigned long a4, unsigned long a5)
{
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call());

	gate_leave(ret);
	return ret;
}

/*
 * End the pause of the task during this call. The pause hides calls from all recordings, but a recording
 * records this call.
 */
static noinline unsigned long gate_lift(unsigned long a0, unsigned long a1, unsigned long a2,
					unsigned long a3, unsigned long a4, unsigned long a5)
{
	const bool again = graph_resume() && gate_stack_top()->again;
	unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate_stack_call());

	if (again)
		graph_pause();
	gate_stack_pop(false);
	return ret;
}

gate_fn *gate_function(enum gate gate)
{
	static gate_fn *const functions[] = {
		[GATE_OPEN] = record_skb_gate, [GATE_SHUT] = gate_shut, [GATE_RESUME] = gate_resume,
		[GATE_RETURN] = gate_return,   [GATE_LIFT] = gate_lift,
	};

	return functions[gate];
}

static gate_fn *const open_gates[] = {
	record_skb_gate, record_skb_gate_1, record_skb_gate_2, record_skb_gate_3, record_skb_gate_4,
};
static gate_fn *const hide_gates[] = {
	NULL, record_skb_hide_1, record_skb_hide_2, record_skb_hide_3, record_skb_hide_4,
};

static noinline unsigned long return_zero(void)
{
	return 0;
}

/*
 * Make function_graph end the graph of a recording that began deep inside the graph of another recording.
 * function_graph ends a graph when a function returns at the depth where the graph began, but it stores only
 * two bits of this depth. At a greater depth, no function returns at the stored depth. The graph would not
 * end, and later calls of the task would be recorded. Therefore this function makes a hidden call that
 * returns at the stored depth.
 */
static void end_deep_graph(struct recording *r, u32 epoch)
{
	const struct gate_frame frame = {
		.gate = GATE_HIDE,
		.recording = r,
		.state = FRAME_HIDING,
		.target = (unsigned long)return_zero,
		.epoch = epoch,
		.fd = -1,
	};
	const int depth = current->curr_ret_depth;
	unsigned long flags;

	if (depth + 1 <= KEPT_DEPTH)
		return;
	local_irq_save(flags);
	if (gate_stack_push(&frame)) {
		current->curr_ret_depth = ((depth + 1) & KEPT_DEPTH) - 1;
		hide_gates[r->number](0, 0, 0, 0, 0, 0);
		current->curr_ret_depth = depth;
	} else {
		stat_inc(&r->stats, STAT_LOST_FRAMES);
	}
	local_irq_restore(flags);
}

/* Call a gate that opens a graph. It may be called inside the graph of another recording. */
static noinline unsigned long gate_among_others(unsigned long a0, unsigned long a1,
						unsigned long a2, unsigned long a3,
						unsigned long a4, unsigned long a5)
{
	struct recording *r = gate_stack_top()->recording;
	const u32 epoch = gate_stack_top()->epoch;
	const unsigned long gate = (unsigned long)open_gates[r->number];
	const unsigned long ret = gate_call(a0, a1, a2, a3, a4, a5, gate);

	end_deep_graph(r, epoch);
	return ret;
}

/*
 * Return: the gate function for a frame, except for a GATE_LIST, which is in sharing.c. In a shared
 * recording, a gate that opens a graph also ends a deep graph. A recording that is used alone does not need
 * this, because its graph is never inside that of another recording.
 */
gate_fn *gate_entry(const struct gate_frame *frame)
{
	switch (frame->gate) {
	case GATE_OPEN:
		return frame->recording->number ? gate_among_others : record_skb_gate;
	case GATE_HIDE:
		return hide_gates[frame->recording->number];
	default:
		return gate_function(frame->gate);
	}
}
