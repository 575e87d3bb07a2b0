// SPDX-License-Identifier: GPL-2.0
/*
 * graph_trampoline.c - a cheaper ftrace trampoline for function_graph
 *
 * While record-skb runs, almost every task has function_graph paused. ftrace's own trampoline saves and
 * restores the registers before function_graph can see that: 58 instructions for each call. An ftrace_ops
 * can have a trampoline of its own. The trampoline here (graph_trampoline_entry.S) tests the pause first,
 * in 7 instructions, and jumps to function_graph's trampoline only if the task is not paused. Therefore the
 * functions to be recorded are attached to the ftrace_ops of this file and not to function_graph's.
 *
 * If a function has another ftrace user, ftrace does not use the trampoline. It calls all users of the
 * function in turn, and relay_listed() is the callback of this file.
 *
 * The callers of these functions hold session_lock, or the lock of fast_mode.c.
 */
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "arch/arch.h"
#include "compat/graph-hand-on.h"
#include "recording.h"
#include "graph_trampoline.h"
#include "counters.h"

/* Maximum number of functions. Kernels have fewer functions than that. */
#define MAX_FUNCTIONS (1 << 20)

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
 * True while relay_listed() passes calls to function_graph. Set to false before the functions are added to
 * function_graph's own set, because ftrace then calls function_graph itself. relay_call() does not read this
 * variable. It still jumps to function_graph, because functions that use the trampoline have no other ftrace
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

static int take_functions(const struct record_skb_graph *want)
{
	unsigned long *ips;

	ips = vmemdup_user(u64_to_user_ptr(want->functions), want->nr_functions * sizeof(*ips));
	if (IS_ERR(ips))
		return PTR_ERR(ips);
	functions = ips;
	nr_functions = want->nr_functions;
	grows = want->flags & RECORD_SKB_GRAPH_LATER;
	return ftrace_set_filter_ips(&relay, ips, nr_functions, 0, 1);
}

/**
 * trampoline_set() - set the functions that function_graph records through this ftrace_ops
 * @want: the functions, as passed by user space
 *
 * Return: 0, or an error as documented for struct record_skb_graph. After an error, no functions are set.
 */
int trampoline_set(const struct record_skb_graph *want)
{
	int err;

	if (!COMPAT_GRAPH_TAKES_CALLS)
		return -EOPNOTSUPP;
	if (!want->nr_functions || want->nr_functions > MAX_FUNCTIONS ||
	    want->flags & ~RECORD_SKB_GRAPH_LATER)
		return -EINVAL;
	trampoline_forget();
	err = take_functions(want);
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

static bool is_graph(const struct ftrace_ops *ops)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, (unsigned long)ops->func);
	return !strcmp(name, "ftrace_graph_func") && ops->trampoline &&
	       !(ops->flags & FTRACE_OPS_FL_DYNAMIC);
}

/*
 * Find function_graph's ftrace_ops and its trampoline. ftrace adds a new ftrace_ops at the head of its list.
 * function_graph was registered before @relay, so its ftrace_ops comes after @relay in the list.
 */
static void find_graph(void)
{
	struct ftrace_ops *ops;

	rcu_read_lock();
	for (ops = rcu_dereference_raw(relay.next); ops; ops = rcu_dereference_raw(ops->next))
		if (is_graph(ops)) {
			WRITE_ONCE(graph, ops);
			WRITE_ONCE(record_skb_relay_target, ops->trampoline);
		}
	rcu_read_unlock();
}

/**
 * trampoline_start() - attach to the functions of trampoline_set(), if there are any
 *
 * function_graph must be registered already. No function has both this ftrace_ops and another one of the
 * module, so the order in which these are registered does not matter.
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

/* Free the filter. Called when the module is unloaded. */
void trampoline_exit(void)
{
	ftrace_free_filter(&relay);
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
