// SPDX-License-Identifier: GPL-2.0
/*
 * function_graph.c - find the kernel's function_graph and the other users of fgraph, and call function_graph
 * through a cheaper trampoline
 *
 * On some kernels, fgraph also calls the user in slot 0 for every return that any other user asked for
 * (compat/graph-first.h). Therefore the function_graph of a shared recording must not be in slot 0. If user
 * space knows that slot 0 is free, it can fill the slot with another user first.
 *
 * While record-skb runs, function_graph is paused for almost every task. But function_graph tests this pause
 * only after ftrace's trampoline has saved the registers. Saving and restoring them takes 58 instructions for
 * each call.
 *
 * Each ftrace_ops can have a trampoline of its own. The one of this file (graph_trampoline_entry.S) tests the
 * pause first, in 7 instructions, and jumps to function_graph's trampoline only if the task is not paused.
 * Therefore the functions to be recorded are attached to the ftrace_ops of this file, not to that of
 * function_graph.
 *
 * If a function has another ftrace user, ftrace does not use the trampoline. It calls all users of the
 * function in turn, and relay_listed() is the callback of this file.
 *
 * The callers of the trampoline_ functions hold session_lock, or the lock of fast_mode.c.
 */
#include <linux/cache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/stop_machine.h>
#include <linux/string.h>
#include <record_skb.h>

#include "arch/arch.h"
#include "compat/graph-first.h"
#include "compat/graph-hand-on.h"
#include "compat/graph-users.h"
#include "function_graph.h"
#include "counters.h"
#include "gate.h"
#include "recording.h"

static void notrace empty_function(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

/*
 * An ftrace_ops that does nothing. While it is registered, it is on the list of ftrace users, and the list
 * can be walked from there. Its filter contains only a function that no code calls.
 */
static struct ftrace_ops place = { .func = empty_function };
static bool has_place;
/* Protects the variables place and has_place. */
static DEFINE_MUTEX(place_lock);

/**
 * fgraph_find_behind() - find the ftrace_ops of fgraph in the list of ftrace users
 * @from: a registered ftrace_ops of the module, where the search begins
 *
 * ftrace adds a new ftrace_ops at the head of its list, so an ftrace_ops that was registered before @from is
 * behind it.
 *
 * Return: the ftrace_ops; NULL if it is not behind @from.
 */
struct ftrace_ops *fgraph_find_behind(const struct ftrace_ops *from)
{
	char name[KSYM_SYMBOL_LEN];
	struct ftrace_ops *ops, *found = NULL;

	rcu_read_lock();
	for (ops = rcu_dereference_raw(from->next); ops; ops = rcu_dereference_raw(ops->next)) {
		sprint_symbol_no_offset(name, (unsigned long)ops->func);
		if (!strcmp(name, "ftrace_graph_func"))
			found = ops;
	}
	rcu_read_unlock();
	return found;
}

struct look {
	struct ftrace_ops *graph;
	unsigned long entry;
	bool reads_lists;
};

/*
 * Read the list of users. The lock of ftrace that protects this list is not available to modules. Therefore
 * all CPUs are stopped, so that no user can be added or removed.
 */
static int read_users(void *data)
{
	struct look *l = data;

	l->entry = compat_graph_first(l->graph);
	l->reads_lists = compat_graph_reads_lists(l->graph);
	return 0;
}

/**
 * fgraph_users_find_graph() - find the ftrace_ops through which ftrace calls all users of fgraph
 *
 * The ftrace_ops is part of the kernel and stays valid after the last user has unregistered. A search costs
 * 70 million instructions, because ftrace visits all functions when its users change. Therefore the result is
 * kept for later calls. On kernels where the ftrace_ops does not show whether fgraph has a user, each call
 * searches again.
 *
 * Return: the ftrace_ops; NULL if fgraph has no user and no result was kept.
 */
struct ftrace_ops *fgraph_users_find_graph(void)
{
	static struct ftrace_ops *found;
	struct ftrace_ops *graph;

	mutex_lock(&place_lock);
	if (!has_place)
		has_place = !ftrace_set_filter_ip(&place, (unsigned long)record_skb_nothing, 0, 1);
	graph = found;
	if (!graph && has_place && !register_ftrace_function(&place)) {
		graph = fgraph_find_behind(&place);
		/* If ftrace fails, the module stays loaded for ever, as in hook_remove(). */
		if (unregister_ftrace_function(&place))
			__module_get(THIS_MODULE);
	}
	if (COMPAT_GRAPH_HAS_INSTANCES)
		found = graph;
	mutex_unlock(&place_lock);
	return graph;
}

static struct look look_at_users(void)
{
	struct look l = { .graph = fgraph_users_find_graph() };

	if (l.graph)
		stop_machine(read_users, &l, NULL);
	return l;
}

/**
 * fgraph_slot0() - determine the user in slot 0 of fgraph
 * @shared: true for a shared recording
 *
 * Return: one of RECORD_SKB_SLOT0_*. On kernels where this kind of recording works with any user in slot 0,
 * the result is always RECORD_SKB_SLOT0_TAKEN.
 */
u32 fgraph_slot0(bool shared)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned long entry;

	if (!(shared ? COMPAT_GRAPH_FIRST_HEARS_ALL : COMPAT_GRAPH_HAS_OTHER_USERS))
		return RECORD_SKB_SLOT0_TAKEN;
	entry = look_at_users().entry;
	if (!entry)
		return RECORD_SKB_SLOT0_FREE;
	sprint_symbol_no_offset(name, entry);
	return strstarts(name, "fprobe_") ? RECORD_SKB_SLOT0_FPROBE : RECORD_SKB_SLOT0_TAKEN;
}

/*
 * Return: true if fgraph may have a user that reads the lists of set_graph_function, as function_graph
 * does.
 */
bool fgraph_users_graph_is_on(void)
{
	return look_at_users().reads_lists;
}

#if COMPAT_GRAPH_HAS_OTHER_USERS

/* The ftrace_ops of all fgraph users together, which is static in the kernel. */
static struct ftrace_ops *all_users;
/*
 * Head and tail of the list of users, as the last fgraph_users_count() has found them. At least one of them
 * changes if a second user registers besides function_graph, or if one of two users unregisters.
 */
static const struct list_head *seen_first, *seen_last;

struct count {
	const struct fgraph_ops *ours;
	struct fgraph_users users;
};

/* Return: true if the name of the user's entry handler begins with @prefix. */
bool fgraph_user_is_entered_by(const struct fgraph_ops *gops, const char *prefix)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, (unsigned long)(gops->saved_func ?: gops->entryfunc));
	return strstarts(name, prefix);
}

static int count_users(void *data)
{
	struct count *c = data;
	struct fgraph_users *users = &c->users;
	struct fgraph_ops *gops;
	struct ftrace_ops *sub;

	seen_first = all_users->subop_list.next;
	seen_last = &all_users->subop_list;
	if (!seen_first)
		return 0;
	list_for_each_entry(sub, &all_users->subop_list, list) {
		/*
		 * Find the last user by walking forward. The list's pointer to its end may differ, because
		 * the CPU that adds a user may have been stopped in the middle of list_add().
		 */
		seen_last = &sub->list;
		gops = container_of(sub, struct fgraph_ops, ops);
		users->slot0 |= !gops->idx;
		users->ours |= gops == c->ours;
		users->nr++;
		if (fgraph_user_is_entered_by(gops, "trace_graph_")) {
			users->graph = gops;
			users->nr_graphs++;
		}
	}
	return 0;
}

/**
 * fgraph_users_count() - count the users of fgraph
 * @ours: a user; the result tells if it is registered. May be NULL
 *
 * All CPUs are stopped, because a user may register without passing through the gates of fast_mode.c. The
 * caller holds the lock of fast_mode.c.
 *
 * Return: the numbers of users, and the function_graph among them.
 */
struct fgraph_users fgraph_users_count(const struct fgraph_ops *ours)
{
	struct count c = { .ours = ours };

	if (!all_users)
		all_users = fgraph_users_find_graph();
	if (all_users)
		stop_machine(count_users, &c, NULL);
	return c.users;
}

/* Find the list of users, before the first fgraph_users_count() of a recording. */
void fgraph_users_begin(void)
{
	all_users = fgraph_users_find_graph();
}

/*
 * Return: true if the head or the tail of the list has changed since the last fgraph_users_count(). A user
 * that leaves the middle of the list is not noticed.
 */
bool fgraph_users_changed(void)
{
	return all_users && (READ_ONCE(all_users->subop_list.next) != seen_first ||
			     READ_ONCE(all_users->subop_list.prev) != seen_last);
}

#endif

/* Address of function_graph's trampoline, to which relay_call() jumps. */
unsigned long record_skb_relay_target __read_mostly;
/*
 * The ftrace_ops of function_graph, which owns record_skb_relay_target. This ftrace_ops is static in the
 * kernel, so it outlives the tracer. Calling it after the tracer has stopped has no effect.
 */
static struct ftrace_ops *graph __read_mostly;
static bool wanted, registered;
/* The functions in the filter of @relay. */
static unsigned long *functions;
static u32 nr_functions;
/* True if functions of modules that are loaded later have to be added. */
static bool grows;

/*
 * True while relay_listed() passes calls to function_graph. Set this to false before the functions are added
 * to function_graph's own set, because ftrace itself calls function_graph from then on. relay_call() ignores
 * this variable and still jumps to function_graph: functions that use the trampoline have no other ftrace
 * user yet.
 */
bool record_skb_hands_on __read_mostly = true;

static void notrace relay_listed(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	struct ftrace_ops *to = READ_ONCE(graph);

	if (to && trampoline_hands_on() && !within_module(ip, THIS_MODULE) &&
	    !atomic_read(&current->tracing_graph_pause))
		to->func(ip, parent_ip, to, fregs);
}

static struct ftrace_ops relay = {
	.func = relay_listed,
	.flags = FTRACE_OPS_FL_PERMANENT,
};

/* Define the assembler symbol relay_pause_offset for graph_trampoline_entry.S. */
static void __used relay_offsets(void)
{
	asm volatile(".globl relay_pause_offset\n\t.set relay_pause_offset, %c0" ::"i"(
		offsetof(struct task_struct, tracing_graph_pause)));
}

/**
 * trampoline_set() - set the functions that function_graph records through this ftrace_ops
 * @want: the functions, as passed by user space
 * @list: the list in @want, copied by functions_from_user(); set to the previous list, for functions_free()
 *
 * Return: 0, or an error as documented for struct record_skb_graph. After an error, no functions are set.
 */
int trampoline_set(const struct record_skb_graph *want, unsigned long **list)
{
	int err;

	if (!COMPAT_GRAPH_TAKES_CALLS)
		return -EOPNOTSUPP;
	if (want->flags & ~RECORD_SKB_GRAPH_LATER)
		return -EINVAL;
	if (IS_ERR(*list))
		return PTR_ERR(*list);
	trampoline_forget();
	swap(functions, *list);
	nr_functions = want->nr_functions;
	grows = want->flags & RECORD_SKB_GRAPH_LATER;
	err = ftrace_set_filter_ips(&relay, functions, nr_functions, 0, 1);
	wanted = !err;
	if (err)
		trampoline_forget();
	return err;
}

/*
 * Forget the functions of trampoline_set(). But while the ftrace_ops is still registered, keep them in its
 * filter.
 */
void trampoline_forget(void)
{
	wanted = false;
	if (registered)
		return;
	ftrace_set_filter(&relay, NULL, 0, 1);
	kvfree(functions);
	functions = NULL;
	nr_functions = 0;
}

/* Find function_graph's ftrace_ops and its trampoline. function_graph was registered before @relay. */
static void find_graph(void)
{
	struct ftrace_ops *ops = fgraph_find_behind(&relay);

	if (!ops || !ops->trampoline || ops->flags & FTRACE_OPS_FL_DYNAMIC)
		return;
	WRITE_ONCE(graph, ops);
	WRITE_ONCE(record_skb_relay_target, ops->trampoline);
}

/**
 * trampoline_start() - attach to the functions of trampoline_set(), if there are any
 *
 * function_graph must be registered already. No function is attached to both this ftrace_ops and another one
 * of the module, so the order in which these are registered does not matter.
 *
 * Return: 0, or a negative error of ftrace.
 */
int trampoline_start(void)
{
	int err;

	if (!COMPAT_GRAPH_TAKES_CALLS || !wanted)
		return 0;
	WRITE_ONCE(graph, NULL);
	WRITE_ONCE(record_skb_relay_target, (unsigned long)relay_nobody);
	relay.trampoline = (unsigned long)relay_call;
	err = register_ftrace_function(&relay);
	if (err)
		return err;
	registered = true;
	find_graph();
	return 0;
}

/* Detach from the functions. If ftrace fails, the module stays loaded for ever, as in hook_remove(). */
void trampoline_stop(void)
{
	if (!registered)
		return;
	if (unregister_ftrace_function(&relay))
		__module_get(THIS_MODULE);
	else
		registered = false;
}

/* Return: true if user space has set functions with trampoline_set(). */
bool trampoline_is_wanted(void)
{
	return wanted;
}

/**
 * trampoline_move_to() - add the functions to function_graph's own set
 * @set: the ftrace_ops that contains function_graph's own set
 *
 * The caller must set record_skb_hands_on to false before, so that a call is recorded only once while a
 * function is in both sets. The caller must call trampoline_stop() afterwards.
 *
 * Return: 0, or a negative error of ftrace.
 */
int trampoline_move_to(struct ftrace_ops *set)
{
	return wanted ? ftrace_set_filter_ips(set, functions, nr_functions, 0, 0) : 0;
}

/*
 * Remove functions from the filter. Removing all of them with one call to ftrace is faster, because ftrace
 * copies the whole filter at each call. But if one function is listed twice, this call fails and removes no
 * function. Then the functions are removed one by one.
 *
 * Return: true if all functions were removed.
 */
static bool take_off(unsigned long *ips, u32 nr)
{
	u32 i;
	int err;

	if (!ftrace_set_filter_ips(&relay, ips, nr, 1, 0))
		return true;
	for (i = 0; i < nr; i++) {
		err = ftrace_set_filter_ips(&relay, &ips[i], 1, 1, 0);
		if (err && err != -ENOENT)
			return false;
	}
	return true;
}

/**
 * trampoline_forget_module() - detach from the functions of a module that is being unloaded
 * @mod: the module
 *
 * hook_forget_module() explains the reason. If no function remains, the ftrace_ops is unregistered, because
 * ftrace treats an empty filter as all functions of the kernel.
 */
void trampoline_forget_module(const struct module *mod)
{
	u32 i, nr = 0;

	/* Move the functions that remain to the front of the array. */
	for (i = 0; i < nr_functions; i++) {
		if (within_module(functions[i], mod))
			continue;
		swap(functions[i], functions[nr]);
		nr++;
	}
	if (nr == nr_functions)
		return;
	if (nr && take_off(functions + nr, nr_functions - nr)) {
		nr_functions = nr;
	} else {
		if (nr)
			stat_inc(&recording_alone()->stats, STAT_LOST_FUNCTIONS);
		trampoline_stop();
		trampoline_forget();
	}
}

/*
 * Collect the functions of a module that ftrace can trace, except for its init code. Return: number of
 * functions.
 */
static u32 functions_of(const struct module *mod, unsigned long *ips)
{
	u32 i, nr = 0;

	for (i = 0; i < mod->num_ftrace_callsites; i++)
		if (mod->ftrace_callsites[i] && !within_module_init(mod->ftrace_callsites[i], mod))
			ips[nr++] = mod->ftrace_callsites[i];
	return nr;
}

static int add_module(const struct module *mod, struct ftrace_ops *set)
{
	unsigned long *more;
	u32 nr;
	int err;

	more = kvmalloc_array(nr_functions + mod->num_ftrace_callsites, sizeof(*more), GFP_KERNEL);
	if (!more)
		return -ENOMEM;
	memcpy(more, functions, nr_functions * sizeof(*more));
	nr = functions_of(mod, more + nr_functions);
	err = nr ? ftrace_set_filter_ips(&relay, more + nr_functions, nr, 0, 0) : 0;
	if (!err && nr && set)
		err = ftrace_set_filter_ips(set, more + nr_functions, nr, 0, 0);
	if (err) {
		kvfree(more);
		return err;
	}
	kvfree(functions);
	functions = more;
	nr_functions += nr;
	return 0;
}

/**
 * trampoline_add_module() - attach to the functions of a module that is being loaded
 * @mod: the module; ftrace knows its functions already
 * @set: function_graph's ftrace_ops if the functions are in function_graph's own set at present; otherwise
 *	NULL
 */
void trampoline_add_module(const struct module *mod, struct ftrace_ops *set)
{
	if (wanted && grows && add_module(mod, set))
		stat_inc(&recording_alone()->stats, STAT_LOST_FUNCTIONS);
}

/* Free the filters. Called when the module is unloaded. */
void function_graph_exit(void)
{
	ftrace_free_filter(&relay);
	ftrace_free_filter(&place);
}
