// SPDX-License-Identifier: GPL-2.0
/*
 * fast_mode.c - share fgraph with users that come and go while packets are recorded
 *
 * In the fast mode, the module pauses all tasks and keeps the recorded functions in an ftrace_ops of its
 * own (function_graph.c). From 6.14 on (compat/graph-users.h), this mode would hide calls from other
 * users of fgraph, such as fprobe. All users call register_ftrace_graph(), which a kprobe redirects to
 * gate_register() here. Before the new user is registered, gate_register() ends the pause and moves the
 * functions into function_graph's own set. After the last other user has unregistered, the fast mode is
 * restored.
 *
 * A kprobe is needed because ftrace cannot trace functions of kernel/trace. The gates may sleep, because the
 * redirected functions take a mutex themselves.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "active_config.h"
#include "compat/graph-hand-on.h"
#include "compat/graph-users.h"
#include "function_graph.h"
#include "counters.h"
#include "gate.h"
#include "gate_stack.h"
#include "fast_mode.h"
#include "graph_pause.h"
#include "kernel_symbols.h"
#include "recording.h"

/*
 * Protects the variables below and function_graph.c. Nests inside session_lock and outside ftrace's
 * locks.
 */
static DEFINE_MUTEX(lock);

#if COMPAT_GRAPH_HAS_OTHER_USERS

/*
 * Interval for checking the users of fgraph. The check finds new users that the gates did not see, and
 * returns to the fast mode after other users have left. A shorter interval is not useful, because some
 * users register and unregister often.
 */
#define POLL (HZ / 4)

enum mode {
	MODE_OFF,    /* no recording is active */
	MODE_ALONE,  /* fast mode: all tasks are paused; the module is attached to the functions */
	MODE_BESIDE, /* fgraph has other users: no task is paused; function_graph is attached */
};

static enum mode mode;
static bool wants_pause;
/*
 * The fgraph user that records packets. NULL if no function_graph or more than one was registered when the
 * recording started.
 */
static struct fgraph_ops *ours;
/* The fgraph user @ours as long as it is registered; otherwise NULL. */
static struct fgraph_ops *user;
/* Addresses of the probes that are not in function_graph's set in MODE_ALONE. */
static unsigned long *points;
static u32 nr_points;
/* The fgraph user that has the recorded functions in its set, NULL if the module's ftrace_ops has them. */
static struct fgraph_ops *moved_to;
/*
 * Statistics of the recording: how often other users registered, how long the fast mode was off, and the
 * time when the fast mode was left last.
 */
static u32 times_beside;
static u64 ns_beside, since;
/* Results of the last look_at_users(): fgraph has other users; slot 0 of fgraph is in use. */
static bool others, slot0_is_taken;

static struct task_struct *passing;
static atomic_t in_gate = ATOMIC_INIT(0);
static void look_again(struct work_struct *work);
static DECLARE_DELAYED_WORK(again, look_again);

/* Set @others and @slot0_is_taken. Return: the fgraph users. */
static struct fgraph_users look_at_users(void)
{
	const struct fgraph_users users = fgraph_users_count(ours);

	slot0_is_taken = users.slot0;
	others = users.nr > users.ours;
	return users;
}

static void set_user(struct fgraph_ops *new_user)
{
	user = new_user;
	/* The memory of a user that has gone may have been freed with its tracing instance. */
	if (!user)
		moved_to = NULL;
	own_graph_set(user, 0);
}

static void users_have_changed(void)
{
	set_user(look_at_users().ours ? ours : NULL);
}

static void count_lost_function(void)
{
	stat_inc(&recording_alone()->stats, STAT_LOST_FUNCTIONS);
}

/*
 * Begin to move functions between function_graph's own set and the module's ftrace_ops. During the move, some
 * calls of these functions are not recorded. Therefore move_end() counts the graphs that were open at that
 * time as incomplete.
 *
 * Return: the argument for move_end().
 */
static u64 move_begin(void)
{
	struct recording *r = recording_alone();

	return stat_read(&r->stats, STAT_GRAPHS) - gate_stack_count_graphs(r, READ_ONCE(r->epoch));
}

static void move_end(u64 begin)
{
	const u64 graphs = stat_read(&recording_alone()->stats, STAT_GRAPHS);

	stat_add(&recording_alone()->stats, STAT_LOST_FUNCTIONS, graphs - begin);
}

/*
 * Move the functions into function_graph's own set. For functions with several ftrace users, the module
 * passes the calls to function_graph. This must stop before the move, so that no call is recorded twice.
 *
 * If it is not known which function_graph records the packets, the functions cannot be moved. In that case,
 * ftrace_callback.c counts the graphs that lack functions.
 */
static void move_to_graph(void)
{
	const u64 begin = move_begin();

	if (!user)
		return;
	WRITE_ONCE(record_skb_hands_on, false);
	moved_to = user;
	if (nr_points && ftrace_set_filter_ips(&user->ops, points, nr_points, 0, 0))
		count_lost_function();
	if (trampoline_move_to(&user->ops))
		count_lost_function();
	trampoline_stop();
	move_end(begin);
}

/* Remove all functions except the gates from function_graph's own set. */
static int clear_graph_set(void)
{
	unsigned long gates[] = {
		(unsigned long)record_skb_gate,
		(unsigned long)record_skb_nothing,
	};

	if (!nr_points && !trampoline_is_wanted())
		return 0;
	return ftrace_set_filter_ips(&moved_to->ops, gates, ARRAY_SIZE(gates), 0, 1);
}

static void begin_beside(bool others_come)
{
	if (mode != MODE_ALONE)
		return;
	graph_pause_stop();
	move_to_graph();
	mode = MODE_BESIDE;
	times_beside += others_come;
	since = ktime_get_mono_fast_ns();
}

static void end_beside(void)
{
	if (mode != MODE_BESIDE)
		return;
	ns_beside += ktime_get_mono_fast_ns() - since;
	mode = MODE_OFF;
}

/*
 * Undo move_to_graph(). Return: false if ftrace failed for lack of memory; the functions then stay in
 * function_graph's set.
 */
static bool move_back(void)
{
	u64 begin;

	if (!moved_to)
		return true;
	if (trampoline_start())
		return false;
	begin = move_begin();
	if (clear_graph_set()) {
		trampoline_stop();
		return false;
	}
	moved_to = NULL;
	WRITE_ONCE(record_skb_hands_on, true);
	move_end(begin);
	return true;
}

/* Return to the fast mode. If this fails, look_again() tries again later. */
static void begin_alone(void)
{
	if (!move_back())
		return;
	end_beside();
	if (wants_pause)
		graph_pause_start();
	mode = MODE_ALONE;
}

static int on_entry(struct kprobe *probe, struct pt_regs *regs);
/*
 * The empty post handler keeps the kernel from optimizing the kprobe into a jump. An optimized kprobe could
 * not change the instruction pointer.
 */
static void on_step(struct kprobe *probe, struct pt_regs *regs, unsigned long flags) {}

static struct kprobe registering = {
	.symbol_name = "register_ftrace_graph",
	.pre_handler = on_entry,
	.post_handler = on_step,
};
static struct kprobe unregistering = {
	.symbol_name = "unregister_ftrace_graph",
	.pre_handler = on_entry,
	.post_handler = on_step,
};
static bool gated;

/* Return: true if both kprobes are armed. Root can disarm all kprobes (debugfs, kprobes/enabled). */
static bool is_gated(void)
{
	return gated && READ_ONCE(*registering.addr) != registering.opcode &&
	       READ_ONCE(*unregistering.addr) != unregistering.opcode;
}

/*
 * Leave the fast mode if a user has registered without passing through the gates, or if the gates are not
 * active. Return to the fast mode when all other users have unregistered.
 */
static void look_again(struct work_struct *work)
{
	mutex_lock(&lock);
	if (mode != MODE_OFF && fgraph_users_changed()) {
		users_have_changed();
		if (others)
			begin_beside(true);
	}
	if (mode == MODE_ALONE && !is_gated())
		begin_beside(false);
	else if (mode == MODE_BESIDE && !others && is_gated())
		begin_alone();
	if (mode != MODE_OFF)
		schedule_delayed_work(&again, POLL);
	mutex_unlock(&lock);
}

/*
 * Call the kernel function that the kprobe redirects. The kprobe lets calls of the task in @passing pass, so
 * the call is not redirected again.
 */
static unsigned long call_through(const struct kprobe *probe, struct fgraph_ops *gops)
{
	unsigned long ret;

	WRITE_ONCE(passing, current);
	ret = gate_call((unsigned long)gops, 0, 0, 0, 0, 0, (unsigned long)probe->addr);
	WRITE_ONCE(passing, NULL);
	return ret;
}

static int place_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
		       struct ftrace_regs *fregs)
{
	return 0;
}

static void place_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops,
			 struct ftrace_regs *fregs)
{
}

/*
 * Temporary fgraph users, which are attached to a function that is never called. They only occupy slots of
 * fgraph. fgraph has 16 slots.
 */
static struct fgraph_ops places[16];

/*
 * Occupy slot 0 of fgraph until a new fprobe has got another slot. fgraph calls the user in slot 0 even for
 * returns that this user did not ask for, and an fprobe would warn about such returns. fgraph assigns its
 * slots in turn. So register temporary users until one of them has slot 0, and unregister the others.
 *
 * Return: the temporary user in slot 0, for release_slot0(); NULL if slot 0 need not be occupied.
 */
static struct fgraph_ops *keep_slot0(const struct fgraph_ops *coming)
{
	struct fgraph_ops *kept = NULL;
	u32 nr = 0, i;

	if (slot0_is_taken || !fgraph_user_is_entered_by(coming, "fprobe_"))
		return NULL;
	while (!kept && nr < ARRAY_SIZE(places)) {
		places[nr].entryfunc = place_entry;
		places[nr].retfunc = place_return;
		if (ftrace_set_filter_ip(&places[nr].ops, (unsigned long)record_skb_nothing, 0,
					 1) ||
		    call_through(&registering, &places[nr]))
			break;
		if (!places[nr].idx)
			kept = &places[nr];
		nr++;
	}
	for (i = 0; i < nr; i++)
		if (&places[i] != kept)
			call_through(&unregistering, &places[i]);
	return kept;
}

static void release_slot0(struct fgraph_ops *kept)
{
	if (kept)
		call_through(&unregistering, kept);
}

static noinline int gate_register(struct fgraph_ops *gops)
{
	struct fgraph_ops *kept;
	int err;

	atomic_inc(&in_gate);
	mutex_lock(&lock);
	begin_beside(true);
	kept = mode != MODE_OFF ? keep_slot0(gops) : NULL;
	err = call_through(&registering, gops);
	release_slot0(kept);
	if (mode != MODE_OFF)
		users_have_changed();
	mutex_unlock(&lock);
	atomic_dec(&in_gate);
	return err;
}

static noinline void gate_unregister(struct fgraph_ops *gops)
{
	atomic_inc(&in_gate);
	mutex_lock(&lock);
	/*
	 * Do not remove the functions from the set of this fgraph user, because another user may take over
	 * the set.
	 */
	if (gops == user)
		set_user(NULL);
	call_through(&unregistering, gops);
	if (mode != MODE_OFF)
		users_have_changed();
	mutex_unlock(&lock);
	atomic_dec(&in_gate);
}

static int on_entry(struct kprobe *probe, struct pt_regs *regs)
{
	if (current == READ_ONCE(passing))
		return 0;
	instruction_pointer_set(regs, probe == &registering ? (unsigned long)gate_register :
							      (unsigned long)gate_unregister);
	return 1;
}
NOKPROBE_SYMBOL(on_entry);

/*
 * Register a kprobe. register_kprobe() fills in the address, and refuses a kprobe that has both a name and an
 * address. So clear the name for the next time. Keep the address: a task that waits in a gate uses it even
 * after the kprobe was unregistered.
 */
static int put_gate(struct kprobe *probe)
{
	const int err = register_kprobe(probe);

	if (probe->addr)
		probe->symbol_name = NULL;
	return err;
}

static void take_gate(struct kprobe *probe)
{
	unregister_kprobe(probe);
	probe->flags = 0;
}

static bool put_gates(void)
{
	static unsigned long task_var;

	if (!task_var)
		task_var = kallsyms_find_untraced("fgraph_get_task_var");
	if (!task_var || put_gate(&registering))
		return false;
	if (put_gate(&unregistering)) {
		take_gate(&registering);
		return false;
	}
	own_graph_set(NULL, task_var);
	return true;
}

static void take_points(const struct points *p)
{
	u32 i;

	nr_points = 0;
	points = kvmalloc_array(p->nr, sizeof(*points), GFP_KERNEL);
	for (i = 0; i < p->nr; i++) {
		if (!p->point[i].sole_user)
			continue;
		if (points)
			points[nr_points++] = p->point[i].ip;
		else
			count_lost_function();
	}
}

/**
 * fast_mode_start() - pause all tasks and attach to the recorded functions, unless fgraph has other users
 * @a: the new configuration; the module is attached to its probes already
 * @pause: true if the module may pause tasks
 *
 * If the kprobes that detect new users cannot be registered, no task is paused. The module attaches to the
 * functions at the very end, for two reasons:
 *
 * - Whenever another ftrace_ops is registered, ftrace examines all functions that are already attached.
 * - function_graph would record the calls by which the kernel changes its code.
 *
 * Return: 0, or a negative error of ftrace. After an error, nothing is attached and no task is paused.
 */
int fast_mode_start(const struct active_config *a, bool pause)
{
	struct fgraph_users users;
	int err = 0;

	mutex_lock(&lock);
	times_beside = 0;
	ns_beside = 0;
	wants_pause = pause;
	fgraph_users_begin();
	take_points(&a->points);
	gated = put_gates();
	mode = MODE_ALONE;
	users = look_at_users();
	/* If several function_graphs are registered, the one that records packets is not known. */
	ours = users.nr_graphs == 1 ? users.graph : NULL;
	users_have_changed();
	if (others || !is_gated())
		begin_beside(others);
	else if (pause)
		graph_pause_start();
	if (!moved_to)
		err = trampoline_start();
	schedule_delayed_work(&again, POLL);
	mutex_unlock(&lock);
	if (err)
		fast_mode_stop();
	return err;
}

/* Undo fast_mode_start(). The hooks on the fork functions must still be attached. */
void fast_mode_stop(void)
{
	mutex_lock(&lock);
	if (moved_to)
		clear_graph_set();
	end_beside();
	mode = MODE_OFF;
	/* Wait until no CPU still works with the fgraph_ops that was set before. */
	set_user(NULL);
	trampoline_stop();
	graph_pause_stop();
	WRITE_ONCE(record_skb_hands_on, true);
	kvfree(points);
	points = NULL;
	nr_points = 0;
	mutex_unlock(&lock);
	if (gated) {
		take_gate(&registering);
		take_gate(&unregistering);
	}
	gated = false;
	cancel_delayed_work_sync(&again);
}

/* Fill in how often fgraph had other users during the recording, and how long the fast mode was off. */
void fast_mode_read(struct record_skb_stats *out)
{
	mutex_lock(&lock);
	out->times_beside = times_beside;
	out->ns_beside = ns_beside;
	if (mode == MODE_BESIDE)
		out->ns_beside += ktime_get_mono_fast_ns() - since;
	mutex_unlock(&lock);
}

static void forget_points(const struct module *mod)
{
	u32 i, nr = 0;

	for (i = 0; i < nr_points; i++)
		if (!within_module(points[i], mod))
			points[nr++] = points[i];
	nr_points = nr;
}

static struct ftrace_ops *graph_set(void)
{
	return moved_to ? &moved_to->ops : NULL;
}

/* Wait until no task is inside gate_register() or gate_unregister(), so that the module can be unloaded. */
void fast_mode_exit(void)
{
	u32 i;

	/* After this, every redirected task is counted in @in_gate or has left its gate. */
	synchronize_rcu_tasks();
	while (atomic_read(&in_gate))
		msleep(1);
	for (i = 0; i < ARRAY_SIZE(places); i++)
		ftrace_free_filter(&places[i].ops);
}

#else

static struct ftrace_ops *graph_set(void)
{
	return NULL;
}

static void forget_points(const struct module *mod) {}

int fast_mode_start(const struct active_config *a, bool pause)
{
	int err;

	mutex_lock(&lock);
	if (pause)
		graph_pause_start();
	err = trampoline_start();
	if (err)
		graph_pause_stop();
	mutex_unlock(&lock);
	return err;
}

void fast_mode_stop(void)
{
	mutex_lock(&lock);
	trampoline_stop();
	graph_pause_stop();
	mutex_unlock(&lock);
}

void fast_mode_read(struct record_skb_stats *out) {}

void fast_mode_exit(void) {}

#endif

/* Called when a module is being loaded; ftrace knows its functions already. */
void fast_mode_add_module(const struct module *mod)
{
	mutex_lock(&lock);
	trampoline_add_module(mod, graph_set());
	mutex_unlock(&lock);
}

/* Called when a module is being unloaded: forget its functions, because their addresses may be reused. */
void fast_mode_forget_module(const struct module *mod)
{
	mutex_lock(&lock);
	forget_points(mod);
	trampoline_forget_module(mod);
	mutex_unlock(&lock);
}
